"""Documents: what a source published, one row a text. Foreign records in (`decode`), links made canonical (`urls`)."""
