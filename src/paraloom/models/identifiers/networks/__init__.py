"""Networks of the identifiers that fine-tune a transformer. They import torch: import them inside functions."""
