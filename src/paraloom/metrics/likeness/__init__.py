"""How alike two texts look, letter by letter, whatever they mean."""
