"""People who are not there: annotators of known competence who work through the real service, over HTTP."""
