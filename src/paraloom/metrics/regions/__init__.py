"""How far a region of scored candidates can be trusted: intervals, tiles, estimates and their bounds."""
