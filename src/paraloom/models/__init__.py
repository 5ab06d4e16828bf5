"""Text in, learned numbers out: a Protocol for each kind of model, a module for each system, weights beside them."""
