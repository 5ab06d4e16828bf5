"""Texts in, paraphrases by other words and another order of clauses out: no network, no graphics card.

`load.load_lexical` makes a generator of what lies on this machine; `generator.LexicalGenerator` is one of parts given.
"""
