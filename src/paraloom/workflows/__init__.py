"""One module per verb: the places where stages meet."""
