"""Aligned sentences in, the table `phrases` out: phrases that stood for each other, how often and how surely."""
