"""A file of pairs in, the same rows with their words and which of these stand for each other out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paraloom.engine.given_blocks import Block, Survey, read_blocks, survey_pairs
from paraloom.engine.signatures import paraloom_version
from paraloom.engine.written_blocks import layout_for
from paraloom.errors import InputError
from paraloom.models.aligners import Aligner, LearnsFromPairs, TokenPair, Tokens, written
from paraloom.models.aligners.loading import has_learned, load_aligner
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.text.counted import counted
from paraloom.text.tokenise import tokenise
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.pair_blocks import (
    DROPPED_FOR,
    STANDARD,
    STANDARD_INPUT,
    PairBlocks,
    Tell,
    check_out,
    given_file,
)
from paraloom.workflows.phrases.align_options import AlignOptions

NO_WORDS, TOO_LONG = "no_words", "too_long"
"""Why a pair has no alignment: a side without words, or with more than a sentence has."""
MOST_WORDS = 1000
"""Of a side: phrases are not extracted from longer ones either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedFile:
    """What `phrases align` made of a file."""

    out: str
    rows: int
    left_out: dict[str, int]
    """Rows without an alignment, by reason."""
    links: int
    without_links: int
    """Pairs none of whose words stand for each other."""
    learned_from: int
    """Pairs that the aligner has learned from; 0 where it did not need to."""
    resumed: int
    seconds: float
    signature: str
    notes: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """Rows that have an alignment."""
        return self.rows - sum(self.left_out.values())

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "out": self.out,
            "rows": self.rows,
            "pairs": self.pairs,
            "links": self.links,
            "without_links": self.without_links,
            "dropped_for": self.left_out,
            "learned_from": self.learned_from,
            "resumed": self.resumed,
            "seconds": round(self.seconds, 3),
            "signature": {"aligner": self.signature},
            "notes": list(self.notes),
        }

    def as_text(self) -> str:
        """Lines for a person."""
        parts = [f"{counted(self.pairs, 'pair', 'pairs')} aligned by {counted(self.links, 'link', 'links')}"]
        if self.without_links:
            parts.append(f"{self.without_links:,} without a link")
        parts += [f"{count:,} left out for {reason}" for reason, count in self.left_out.items()]
        if self.learned_from:
            parts.append(f"learned from {counted(self.learned_from, 'pair', 'pairs')}")
        if self.resumed:
            parts.append(f"{self.resumed:,} rows were done before")
        speed = f"{(self.rows - self.resumed) / max(self.seconds, 1e-9):,.0f} pairs a second"
        return "\n".join([f"{', '.join(parts)}; {speed}", *self.notes, f"signature: {self.signature}"])


def align_pairs(
    pairs: str | Path,
    out: str | Path,
    options: AlignOptions = AlignOptions(),
    tell: Tell | None = None,
    *,
    aligner: AlignerOptions = AlignerOptions(),
) -> AlignedFile:
    """Align every pair of a file and write all its rows with `left` and `right` as words, and `alignment`.

    `alignment` is `0-0 1-2`: words of the left and the right text, counted from 0, that stand for each other. A row
    that cannot be read as a pair, or has a side without words, says why in `dropped_for`. An aligner that learns sees
    the whole file first, and those of `learn_from`.
    """
    check_out(pairs, out, overwrite=options.overwrite)
    begun = time.perf_counter()
    with given_file(str(pairs)) as (path, format):
        asked = load_aligner(aligner)
        survey = survey_pairs(
            path, named_columns(options.columns), format, STANDARD_INPUT if str(pairs) == STANDARD else None
        )
        added = {"left": "text", "right": "text", "alignment": "text", DROPPED_FOR: "text"}
        if "alignment" in survey.names and not options.replace_columns:
            raise InputError(
                f"{survey.called} already has a column 'alignment'. Rename it, or give --replace-columns to replace it."
            )
        layout = layout_for(str(out), survey, added, replacing=True)
        learned_from = _learn(asked, aligner, survey, options)
        aligning = Aligning(aligner=asked, tokenized=options.tokenized)
        blocks = PairBlocks(
            work=aligning,
            survey=survey,
            layout=layout,
            batch=options.batch,
            identity={"aligner": asked.signature, "words": _words_signature(options.tokenized)},
            tell=tell,
        )
        blocks.run(str(out))
    return AlignedFile(
        out=str(out),
        rows=survey.rows,
        left_out=dict(sorted(aligning.left_out.items())),
        links=aligning.links,
        without_links=aligning.without_links,
        learned_from=learned_from,
        resumed=blocks.resumed,
        seconds=time.perf_counter() - begun,
        signature=f"{asked.signature}|words:{_words_signature(options.tokenized)}",
        notes=survey.notes,
    )


def tokens_of(text: str, *, tokenized: bool) -> list[str]:
    """The words of a text and its marks, none with a blank in it.

    >>> tokens_of("Don't go, he said.", tokenized=False), tokens_of("Do n't go", tokenized=True)
    (["Don't", 'go', ',', 'he', 'said', '.'], ['Do', "n't", 'go'])
    """
    return text.split() if tokenized else [part for token in tokenise(text) for part in token.split()]


def _words_signature(tokenized: bool) -> str:
    return "given" if tokenized else f"paraloom:{paraloom_version()}"


def _learn(aligner: Aligner, asked: AlignerOptions, survey: Survey, options: AlignOptions) -> int:
    """Let an aligner that learns see all pairs there are, and keep what it has learned; how many pairs these were."""
    name = asked.aligner
    if has_learned(asked):
        for flag, given in (("--learn-from", bool(options.learn_from)), ("--save", options.save is not None)):
            if given:
                raise InputError(f"{flag} is for an aligner that learns from pairs, and {name} has. Leave it out.")
        return 0
    assert isinstance(aligner, LearnsFromPairs)
    if options.save is not None and name != "statistical":
        raise InputError(f"{name} keeps nothing that could be saved. Leave out --save.")
    surveys = [survey, *(survey_pairs(file) for file in options.learn_from)]
    seen = [pair for one in surveys for pair in _pairs_of(one, options)]
    if not seen:
        raise InputError(f"There is no pair with words on both sides in {survey.called} for {name} to learn from.")
    aligner.learn(seen)
    if options.save is not None:
        _save(aligner, options.save)
    return len(seen)


def _save(aligner: Aligner, folder: Path) -> None:
    """Keep what was learned; the same that is there already, from a run that was stopped, is left alone."""
    from paraloom.models.aligners.statistical.aligner import StatisticalAligner

    assert isinstance(aligner, StatisticalAligner)
    if not folder.exists():
        aligner.save(folder)
    elif StatisticalAligner.load(folder).signature != aligner.signature:
        raise InputError(f"{folder} holds what was learned from other pairs. Choose another --save, or delete it.")


def _pairs_of(survey: Survey, options: AlignOptions) -> Iterator[TokenPair]:
    for block in read_blocks(survey, options.batch):
        for left, right, trouble in zip(block.left, block.right, block.troubles, strict=True):
            if trouble is None:
                pair = tokens_of(left, tokenized=options.tokenized), tokens_of(right, tokenized=options.tokenized)
                if _reason(pair) is None:
                    yield pair


@dataclass(slots=True, kw_only=True)
class Aligning:
    """What is done to each block of pairs."""

    aligner: Aligner
    tokenized: bool
    links: int = 0
    without_links: int = 0
    left_out: dict[str, int] = field(default_factory=dict)

    def find(self, block: Block) -> list[str | None]:
        """The alignment of each row; None where there are no two sides with words."""
        sides = list(self._sides(block))
        able = [row for row, pair in enumerate(sides) if _reason(pair) is None]
        found: list[str | None] = [None] * len(block)
        for row, links in zip(able, self.aligner.align([sides[row] for row in able]), strict=True):
            found[row] = written(links)
        return found

    def columns(self, block: Block, found: Sequence[str | None]) -> dict[str, list[Any]]:
        """Words, alignments and reasons, counted."""
        sides = list(self._sides(block))
        reasons = [trouble or _reason(pair) for trouble, pair in zip(block.troubles, sides, strict=True)]
        for reason in filter(None, reasons):
            self.left_out[reason] = self.left_out.get(reason, 0) + 1
        self.links += sum(links.count("-") for links in found if links)
        self.without_links += found.count("")
        return {
            "left": [_writable(left) for left, _ in sides],
            "right": [_writable(right) for _, right in sides],
            "alignment": [links or "" for links in found],
            DROPPED_FOR: reasons,
        }

    def _sides(self, block: Block) -> Iterator[tuple[Tokens, Tokens]]:
        for left, right in zip(block.left, block.right, strict=True):
            yield tokens_of(left, tokenized=self.tokenized), tokens_of(right, tokenized=self.tokenized)


def _reason(pair: TokenPair) -> str | None:
    """Why a pair is not aligned."""
    if not all(pair):
        return NO_WORDS
    return TOO_LONG if max(map(len, pair)) > MOST_WORDS else None


def _writable(tokens: Tokens) -> str:
    """Words with blanks between them; half a surrogate pair, which has no bytes, is a question mark."""
    return " ".join(tokens).encode("utf-8", "replace").decode()
