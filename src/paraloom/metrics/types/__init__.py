"""A source and an output in, the types of paraphrase out that the output is (Dou et al., 2022, Table 7)."""
