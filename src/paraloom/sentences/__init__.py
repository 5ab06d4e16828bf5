"""Documents and their groups in, cleaned sentences with reasons for those left out, out."""
