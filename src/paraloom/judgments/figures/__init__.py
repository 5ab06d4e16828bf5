"""A campaign's votes in, what an admin watches out: agreement, people, days, test questions, cost and forecast."""
