"""How the shipped generator was made: see `__main__`."""
