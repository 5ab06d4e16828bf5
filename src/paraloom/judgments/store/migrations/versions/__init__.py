"""Every version of the schema, one file each, and the way from one to the next."""
