"""A model's tokeniser and settings in, what its tokens mean out: which end a text, which are never written.

What a source says is text, also where it looks like one of the tokeniser's marks: `defused` sees to that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paraloom.errors import InputError
from paraloom.models.encoders.transformers_encoder import token_limit
from paraloom.models.generators.generator_card import GeneratorCard


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRules:
    """What a model's files say of its tokens."""

    stops: frozenset[int]
    never: tuple[int, ...]
    beginning: tuple[int, ...]
    """What a decoder is given first."""
    limit: int
    """Tokens it reads at most."""
    marks: tuple[str, ...]
    """Texts that the tokeniser takes for marks of its own."""

    @classmethod
    def read(cls, tokeniser: Any, network: Any, card: GeneratorCard) -> TokenRules:
        said, config = network.generation_config, network.config.get_text_config()
        own = {*_numbers(said.eos_token_id), *_numbers(tokeniser.eos_token_id)}
        stops = own | _tokens_with(tokeniser, card.end)
        if not stops:
            raise InputError("The model has no token that ends a text. Give a text at which answers end (--end).")
        forced = _numbers(said.forced_bos_token_id)
        first = {*_numbers(said.bos_token_id), *_numbers(tokeniser.bos_token_id), *forced}
        bad = {tokens[0] for tokens in said.bad_words_ids or () if len(tokens) == 1}
        marks = {*tokeniser.all_special_tokens, *_added(tokeniser)}
        start = _numbers(said.decoder_start_token_id) or _numbers(said.bos_token_id)
        without_text = range(len(tokeniser), int(config.vocab_size))
        never = {*tokeniser.all_special_ids, *bad, *_numbers(said.suppress_tokens), *without_text}
        return cls(
            stops=frozenset(stops),
            never=tuple(sorted(never - stops - first)),
            beginning=(*start, *forced),
            limit=token_limit(tokeniser, config),
            marks=tuple(sorted(marks, key=lambda mark: (-len(mark), mark))),
        )


def _numbers(said: int | Sequence[int] | None) -> list[int]:
    return [] if said is None else [said] if isinstance(said, int) else list(said)


def _added(tokeniser: Any) -> list[str]:
    return [str(token) for token in tokeniser.added_tokens_decoder.values() if token.special]


def _tokens_with(tokeniser: Any, end: str) -> set[int]:
    """The tokens at which an answer ends since their text holds `end`."""
    if not end:
        return set()
    if end in tokeniser.get_vocab():
        return {tokeniser.get_vocab()[end]}
    found = {number for number in range(len(tokeniser)) if end in tokeniser.decode([number])}
    if not found:
        raise InputError(
            f"No single token of the model holds {end!r}, so answers cannot end there. Choose another --end, as a line "
            "break, or none: the model's own token for the end always ends an answer."
        )
    return found


def defused(text: str, marks: Sequence[str]) -> str:
    """A text in which a tokeniser finds none of its marks: where one stands, a blank is put behind its first letter.

    >>> defused("a </s> b", ("</s>", "<pad>")), defused(">>fra<< salut", ())
    ('a < /s> b', '> >fra<< salut')
    """
    for mark in (each.strip() for each in marks):  # a blank more before a mark that begins with one breaks nothing
        while len(mark) > 1 and mark in text:
            text = text.replace(mark, f"{mark[0]} {mark[1:]}")
    return f"> {text[1:]}" if text.startswith(">>") else text  # Marian takes that for the name of a language
