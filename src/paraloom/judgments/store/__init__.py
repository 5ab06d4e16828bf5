"""Where answers are kept: one database, opened by its URL, written in transactions."""
