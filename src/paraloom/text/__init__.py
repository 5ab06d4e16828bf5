"""Strings in, strings and spans out: pure functions on post text, in many scripts, that never raise and never go quadratic."""
