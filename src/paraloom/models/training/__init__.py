"""Networks and examples in, trained networks with their learning curves out. Needs the extra `train`."""
