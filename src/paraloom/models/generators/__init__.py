"""Systems that write paraphrases, one module each: sources in, outputs out."""
