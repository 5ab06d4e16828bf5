"""Outputs, scores or judgments in, honest numbers with a report out: one module per kind of evaluation."""
