"""`paraloom train …`: labelled data in, a trained model with its card out."""
