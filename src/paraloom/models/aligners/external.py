"""Pairs of tokens in, links out that a program on this machine has found: eflomal or fast_align.

Both learn from the very pairs they align, in both directions: *eflomal* (Östling and Tiedemann, 2016, *Efficient word
alignment with Markov Chain Monte Carlo*), *fast_align* (Dyer, Chahuneau and Smith, 2013, *A simple, fast, and effective
reparameterization of IBM model 2*). They are called as programs, files in and files out; none of their code is
imported.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paraloom.engine.signatures import hash_of_file, paraloom_version
from paraloom.errors import InputError
from paraloom.models.aligners import Links, TokenPair, read_links
from paraloom.models.aligners.external_programs import PROGRAMS, Command, Written
from paraloom.models.aligners.statistical.options import Symmetrisation
from paraloom.models.aligners.symmetrise import METHODS, symmetrise
from paraloom.models.encoders.batches import readable

BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")
"""What would part a token, or end a line."""
INSTEAD = "_"
MARKS = {"": INSTEAD, "|||": "|_|", "<eps>": "<eps_>"}
"""Tokens that mean something to the programs: nothing, the border between texts, and the word that is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalOptions:
    """Which program aligns, and how its two directions become one."""

    command: Command = "eflomal"
    """`eflomal` (its program eflomal-align) or `fast_align`; the program must be on the PATH."""
    symmetrised: Symmetrisation = "grow-diag"
    """How the links of both directions become one set; see `symmetrise.METHODS`."""
    seconds: float = 3600.0
    """A program that takes longer is stopped, and that is an error."""

    def __post_init__(self) -> None:
        if self.command not in PROGRAMS:
            raise InputError(f"{self.command!r} is no program that aligns here. Choose: {', '.join(PROGRAMS)}.")
        if self.symmetrised not in METHODS:
            raise InputError(f"Links cannot be symmetrised by {self.symmetrised!r}. Choose: {', '.join(METHODS)}.")
        if not self.seconds > 0:
            raise InputError(f"seconds is {self.seconds}. Give a time the program may take.")


class ExternalAligner:
    """Links by a program that learns from all pairs it is given.

    Pairs that it was told to `learn` from keep the links of that run. Others are aligned in a run of their own, the
    learned pairs beside them; these programs cannot align a pair without learning from it, so that there, against what
    other aligners promise, the others count a little too. Eflomal draws random numbers: two runs differ a little. It
    gives no links to texts of 1,024 tokens or more.
    """

    def __init__(self, options: ExternalOptions = ExternalOptions()) -> None:
        self.options = options
        self.name = options.command
        self._program = PROGRAMS[options.command]
        found = shutil.which(self._program.executable)
        if found is None:
            raise InputError(
                f"{options.command} is not installed: there is no program {self._program.executable} on the PATH. "
                f"{self._program.get_it}"
            )
        self._path = found
        self._learned: list[Written] = []
        self._known: dict[Written, Links] = {}

    @property
    def signature(self) -> str:
        options = self.options
        return (
            f"aligner:{self.name}|symmetrised:{options.symmetrised}|program:{hash_of_file(Path(self._path))[:8]}"
            f"|learned-from:{len(self._learned)}|paraloom:{paraloom_version()}"
        )

    def learn(self, pairs: Sequence[TokenPair]) -> None:
        """Align all these pairs, and learn from them for others; what was learned before is forgotten."""
        self._learned = [_written(pair) for pair in pairs if all(pair)]
        self._known = {}
        for pair, links in zip(self._learned, self._aligned(self._learned), strict=True):
            self._known.setdefault(pair, links)

    def align(self, pairs: Sequence[TokenPair]) -> list[Links]:
        """The links of each pair; a pair that comes twice has them twice."""
        asked = [_written(pair) if all(pair) else None for pair in pairs]
        others = list(dict.fromkeys(pair for pair in asked if pair is not None and pair not in self._known))
        links = self._aligned([*self._learned, *others])[len(self._learned) :] if others else []
        found = dict(zip(others, links, strict=True))
        return [() if pair is None else found[pair] if pair in found else self._known[pair] for pair in asked]

    def _aligned(self, pairs: Sequence[Written]) -> list[Links]:
        """What the program says of all these pairs."""
        if not pairs:
            return []
        with tempfile.TemporaryDirectory(prefix="paraloom-align-") as folder:
            forward, backward = (
                _read(file, pairs, self.name)
                for file in self._program.directions(self._path, Path(folder), pairs, self.options.seconds)
            )
        method = self.options.symmetrised
        return [symmetrise(ahead, back, method) for ahead, back in zip(forward, backward, strict=True)]


def _written(pair: TokenPair) -> Written:
    """Both texts as lines in small letters from which a program reads as many tokens as there are.

    >>> _written((["New York", "", "|||"], ["A\\nB", "\\u3000"]))
    ('new_york _ |_|', 'a_b _')
    """
    left, right = (" ".join(map(_safe, tokens)) for tokens in pair)
    return left, right


def _safe(token: str) -> str:
    (clean,) = readable([BLANKS.sub(INSTEAD, token.lower())])
    return MARKS.get(clean, clean)


def _read(file: Path, pairs: Sequence[Written], name: str) -> list[Links]:
    """The links of each pair, as a program has written them; an error where they cannot be theirs."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    if len(lines) != len(pairs):
        raise InputError(
            f"{name} was given {len(pairs)} pairs and wrote {len(lines)} lines of links. Check the program."
        )
    found = []
    for number, (line, (left, right)) in enumerate(zip(lines, pairs, strict=True), start=1):
        links = read_links(line)
        if any(ours > left.count(" ") or theirs > right.count(" ") for ours, theirs in links):
            raise InputError(f"{name} linked a token that is not there, in pair {number}: {line}. Check the program.")
        found.append(links)
    return found
