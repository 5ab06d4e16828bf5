"""Documents in, groups of documents that may say the same thing out."""
