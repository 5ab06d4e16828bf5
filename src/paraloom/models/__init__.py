"""Text in, learned numbers out: one Protocol for each kind of model, one module for each system, weights beside them."""
