"""How candidates are read out of a language model, whatever runs the model: the options of decoding alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Literal

from paraloom.errors import InputError

Method = Literal["usual", "beam", "sample", "mixed", "diverse"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How a source's candidates are searched or drawn.

    >>> Decoding(method="sample", top_k=120, top_p=0.95).signature
    'method:sample|top_k:120|top_p:0.95|temperature:1|copy_block:0|length_penalty:1|longest:1.5|shortest:0'
    """

    method: Method = "usual"
    """How candidates are found: `beam` keeps the likeliest beginnings, `sample` draws every token by chance, `mixed`
    does both, half and half, `diverse` is beam search in groups that avoid one another's words. `usual` is what suits
    the generator: `mixed` with --top-p .9 and --temperature .8 for `paraloom` and adapters like it, else `beam`."""
    beams: int = 4
    """Beginnings that are kept at each step of `beam` and `diverse`; as many as candidates where those are more."""
    top_k: int = 0
    """Only so many of the likeliest tokens may be drawn at a step of `sample` and `mixed`; 0 is all."""
    top_p: float = 1.0
    """Only the likeliest tokens that together have this share of the probability may be drawn in `sample` and
    `mixed`."""
    temperature: float = 1.0
    """Below 1 the likely tokens are drawn more often in `sample` and `mixed`, above 1 the unlikely ones."""
    groups: int = 4
    """Groups of `diverse`, each with an equal share of the beams."""
    diversity: float = 0.5
    """What a token loses in `diverse` for every earlier group's beam that took it at this step."""
    copy_block: int = 0
    """No candidate repeats so many words of the source in a row; 0 allows it."""
    length_penalty: float = 1.0
    """A candidate's log-probability is divided by its length to this power: 0 prefers short ones, 1 is the mean."""
    longest: float = 1.5
    """A candidate has at most this many times the source's tokens (and a few more, for a very short source)."""
    shortest: float = 0.0
    """A candidate has at least this many times the source's tokens."""

    def __post_init__(self) -> None:
        for field, (fits, wanted) in _LIMITS.items():
            value = getattr(self, field)
            if not fits(value):
                raise InputError(
                    f"{field} is {value}, and must be {wanted}. Choose another --{field.replace('_', '-')}."
                )
        if self.method not in _USED:
            raise InputError(f"There is no way of decoding {self.method!r}. Choose one of: {', '.join(_USED)}.")
        if self.shortest > self.longest:
            raise InputError(
                f"A candidate cannot have at least {self.shortest} and at most {self.longest} times the source's "
                "tokens. Choose another --shortest or --longest."
            )

    @property
    def signature(self) -> str:
        """The settings that decide an output: those that the method reads, and those that every method reads."""
        values = (f"{field}:{getattr(self, field):g}" for field in (*_USED[self.method], *_USED_BY_ALL))
        return "|".join((f"method:{self.method}", *values))

    @property
    def draws(self) -> bool:
        """Whether chance decides what is found."""
        return self.method in ("sample", "mixed")

    def or_usual(self, usual: Decoding) -> Decoding:
        """Where the method is `usual`, another's, with all that was said here otherwise than it is by default.

        >>> Decoding(top_p=0.5).or_usual(Decoding(method="mixed", top_p=0.9, temperature=0.8)).signature[:49]
        'method:mixed|beams:4|top_k:0|top_p:0.5|temperatur'
        """
        if self.method != USUAL:
            return self
        said = {one.name: getattr(self, one.name) for one in fields(self) if getattr(self, one.name) != one.default}
        return replace(usual, **said)

    def at_once(self, n: int) -> int:
        """How many beginnings of a source are kept at a time, to find so many candidates.

        >>> Decoding(method="sample").at_once(16), Decoding(method="mixed").at_once(16), BEAM.at_once(2)
        (16, 8, 4)
        """
        if self.method == "sample":
            return n
        return max(self.beams, n - n // 2 if self.method == "mixed" else n)

    def token_limits(self, source_tokens: int) -> tuple[int, int]:
        """The fewest and the most tokens that a candidate has for a source of so many.

        >>> Decoding(longest=1.5, shortest=0.5).token_limits(20)
        (10, 38)
        """
        most = int(source_tokens * self.longest) + SPARE
        return min(int(source_tokens * self.shortest), most), most


STEEPEST = 20
"""Of powers of a length: a text of some thousand tokens to a much higher one is no number any more."""
SPARE = 8
"""Tokens that a candidate may have beside `longest`: two words may well become five."""

USUAL = "usual"

_USED: Mapping[str, tuple[str, ...]] = {
    USUAL: (),
    "beam": ("beams",),
    "sample": ("top_k", "top_p", "temperature"),
    "mixed": ("beams", "top_k", "top_p", "temperature"),
    "diverse": ("beams", "groups", "diversity"),
}
"""What each method alone reads of the options."""
_USED_BY_ALL = ("copy_block", "length_penalty", "longest", "shortest")

_LIMITS: Mapping[str, tuple[Callable[[float], bool], str]] = {
    "beams": (lambda value: value >= 1, "1 or more"),
    "top_k": (lambda value: value >= 0, "0 (all tokens) or more"),
    "top_p": (lambda value: 0 < value <= 1, "above 0 and at most 1"),
    "temperature": (lambda value: 0 < value < inf, "above 0, and finite"),
    "groups": (lambda value: value >= 1, "1 or more"),
    "diversity": (lambda value: 0 <= value < inf, "0 or more, and finite"),
    "copy_block": (lambda value: value >= 0, "0 (off) or more"),
    "length_penalty": (lambda value: abs(value) <= STEEPEST, f"from -{STEEPEST} to {STEEPEST}"),
    "longest": (lambda value: 0 < value < inf, "above 0, and finite"),
    "shortest": (lambda value: 0 <= value < inf, "0 or more, and finite"),
}

BEAM = Decoding(method="beam")
MIXED = Decoding(method="mixed", top_p=0.9, temperature=0.8)
"""What `usual` may be."""
