"""People in, judgments out: the annotation service. What it stores is a source of its own; the table `judgments` is a
snapshot of it."""
