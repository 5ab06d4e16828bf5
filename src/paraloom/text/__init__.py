"""Strings in, strings and spans out: pure functions on posts of many scripts, never raising, never quadratic."""
