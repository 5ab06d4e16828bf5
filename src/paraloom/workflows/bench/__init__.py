"""Published corpora and systems in, the papers' tables with our figures beside theirs out."""
