r"""A sentence in, its tokens out as the Penn Treebank cuts them: the tokens that older systems were trained on.

For posts use `paraloom.text.tokenise`. This is for models that expect the Treebank's conventions (MacIntyre, 1995):
quotes become \`\` and '', clitics are words (`do` `n't`, `gim` `me`), a stop is cut off only at the end of the text.
The rules are applied one after the other, each to what the one before has left.
"""

from __future__ import annotations

import re
from functools import cache

_BROKEN_IN_TWO = ("can|not", "d|'ye", "gim|me", "gon|na", "got|ta", "lem|me", "more|'n")
"""Words that the Treebank writes as two; `wanna` and `'tis` have rules of their own."""

_BEFORE_QUOTES: tuple[tuple[str, str], ...] = (
    (r'^"', "``"),
    (r"``", " `` "),
    (r"""([ (\[{<])(?:"|'')""", r"\1 `` "),
    (r"([:,])(\D)", r" \1 \2"),  # not in 3,000 or 7:30; the second of two commas is taken with the first
    (r"([:,])$", r" \1 "),
    (r"\.\.\.", " ... "),
    (r"([;@#$%&])", r" \1 "),
    (r"""(?<=[^.])(\.[\])}>"']*)\s*$""", r" \1 "),
    (r"([?!])", r" \1 "),
    (r"(?<=[^'])' ", " ' "),
    (r"([\[\](){}<>])", r" \1 "),
    (r"--", " -- "),
)
_AFTER_PADDING: tuple[tuple[str, str], ...] = (
    (r"''|\"", " '' "),
    (r"(?<=[^' ])('[sSmMdD]?) ", r" \1 "),
    (r"(?<=[^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r" \1 "),
    *((rf"(?i)\b({word.replace('|', ')(')})\b", r" \1 \2 ") for word in _BROKEN_IN_TWO),
    (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
    (r"(?i) ('t)(is)\b", r" \1 \2 "),
    (r"(?i) ('t)(was)\b", r" \1 \2 "),
)


@cache
def _compiled() -> tuple[list[tuple[re.Pattern[str], str]], list[tuple[re.Pattern[str], str]]]:
    before, after = ([(re.compile(rule), to) for rule, to in rules] for rules in (_BEFORE_QUOTES, _AFTER_PADDING))
    return before, after


def treebank_tokens(text: str) -> list[str]:
    """The tokens of one sentence by the rules of the Penn Treebank (MacIntyre, 1995).

    >>> treebank_tokens("They said \\"isn't it cold?\\" at 7:30 in St. Ives.")
    ['They', 'said', '``', 'is', "n't", 'it', 'cold', '?', "''", 'at', '7:30', 'in', 'St.', 'Ives', '.']
    """
    before, after = _compiled()
    for rule, to in before:
        text = rule.sub(to, text)
    text = f" {text} "
    for rule, to in after:
        text = rule.sub(to, text)
    return text.split()
