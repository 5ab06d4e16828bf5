"""Files of aligned sentences in, a run with its tables of alignments and phrases out."""
