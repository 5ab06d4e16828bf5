"""What is done with a whole corpus: one module per verb."""
