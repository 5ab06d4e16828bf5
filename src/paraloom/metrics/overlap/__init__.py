"""Outputs and references in, shared n-grams and edits out: BLEU, chrF, TER and what is made of them."""
