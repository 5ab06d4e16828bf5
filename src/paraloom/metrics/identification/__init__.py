"""Scores of pairs and the truth in, out comes how well they tell paraphrases from other pairs."""
