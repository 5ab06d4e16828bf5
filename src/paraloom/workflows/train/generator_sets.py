"""Pair files in, what a generator learns from and is looked at with out, and why each other example is not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from pathlib import Path

import numpy as np

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples
from paraloom.models.training.checkpoints import write_whole
from paraloom.pairs.fit_options import FitOptions
from paraloom.pairs.fit_to_learn import Judge, counted_reasons, fit_to_learn
from paraloom.text.counted import counted
from paraloom.text.detokenise import detokenise
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.train.generator_options import TrainGeneratorOptions
from paraloom.workflows.train.generator_seen import Beside, Pair, Seen, read_beside, read_seen
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from paraloom.workflows.train.training_sets import TrainingSets, read_sets

NOT_PARAPHRASE = "not_paraphrase"
OVER_MAX = "over_max_pairs"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorSets:
    """Sources with what they are to become."""

    pairs: Sequence[Pair]
    """To learn from."""
    weights: Sequence[float] | None
    held_out: Sequence[Pair]
    """To look at while training."""
    measured: Sequence[Pair]
    """All pairs that are held out, however much their sides are alike, one way: to measure what is written."""
    rows: Sequence[tuple[str, str, str | None]]
    """Every example, with the reason where it is not learned from."""
    sources: tuple[Mapping[str, object], ...]
    notes: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many examples are not learned from, by reason."""
        return counted_reasons([reason for _, _, reason in self.rows])

    @property
    def pair_count(self) -> int:
        """How many pairs the examples to learn from are of: one that is learned from both ways counts once."""
        return len({(min(pair), max(pair)) for pair in self.pairs})

    @property
    def hashes(self) -> dict[str, str]:
        """Of what is learned from and what is held out, for what decides a training."""
        weights = self.weights or [1.0] * len(self.pairs)
        learned = (f"{one}\x1e{other}\x1e{weight!r}" for (one, other), weight in zip(self.pairs, weights, strict=True))
        return {
            "training examples": _hash(learned),
            "held-out examples": _hash(f"{one}\x1e{other}" for one, other in self.held_out),
        }


def read_generator_sets(
    files: Sequence[Path],
    options: TrainGeneratorOptions,
    fit: FitOptions = FitOptions(),
    *,
    judge: Judge | None = None,
) -> GeneratorSets:
    """Read all pairs, with or without labels, and leave out what is not fit to learn from."""
    columns = named_columns(options.columns)
    sets = _read(files, options, columns)
    beside = read_beside(files, columns, options.weights_column) if options.never or options.weights_column else {}
    given, held_out = _pairs(sets.examples), _paraphrases(sets.held_out, options, fit)
    seen = read_seen(options.never).and_texts(text for pair in held_out for text in pair)
    rows = _ways(given, beside, options, fit)
    reasons = _reasons(rows, fit, seen, judge)
    chosen = _drawn(rows, reasons, options)
    if not chosen:
        told = ", ".join(f"{reason}: {count:,}" for reason, count in counted_reasons(reasons).items())
        raise InputError(f"No example is fit to learn from ({told}). Give other pairs, or loosen what leaves them out.")
    looked_at = _looked_at(held_out, options, fit)
    notes = list(sets.notes)
    learned = counted(len(chosen), "example is", "examples are")
    notes.append(f"{learned} learned from, {'one way' if options.one_way else 'both ways'}.")
    return GeneratorSets(
        pairs=[(rows[row].source, rows[row].target) for row in chosen],
        weights=[rows[row].weight for row in chosen] if options.weights_column else None,
        held_out=looked_at,
        measured=held_out,
        rows=[(row.source, row.target, reason) for row, reason in zip(rows, reasons, strict=True)],
        sources=sets.sources,
        notes=tuple(notes),
    )


def read_measured(files: Sequence[Path], options: TrainGeneratorOptions, fit: FitOptions = FitOptions()) -> list[Pair]:
    """The pairs that are held out, however much their sides are alike: the same whatever is learned from."""
    return _paraphrases(_read(files, options, named_columns(options.columns)).held_out, options, fit)


def _read(files: Sequence[Path], options: TrainGeneratorOptions, columns: Mapping[str, str]) -> TrainingSets:
    shared = {one.name for one in fields(TrainIdentifierOptions)} & {one.name for one in fields(options)}
    asked = {name: getattr(options, name) for name in shared - {"system", "base"}}
    told = TrainIdentifierOptions(**asked, drop_shared=True)
    return read_sets(files, told, columns, with_grades=False, unlabelled=True)


def write_filtered(sets: GeneratorSets, file: Path) -> None:
    """Every example and why it is not learned from, one JSON object a line."""
    lines = (
        json.dumps({"left": source, "right": target, "dropped_for": reason}, ensure_ascii=False)
        for source, target, reason in sets.rows
    )
    write_whole(file, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One example."""

    source: str
    target: str
    number: int
    """Of its pair."""
    is_paraphrase: bool
    about: tuple[str, ...]
    weight: float


def _pairs(sets: Sequence[Examples]) -> list[tuple[str, str, bool, tuple[str, ...]]]:
    return [
        (left, right, target > 0.5, (topic,) if topic else ())
        for one in sets
        for left, right, target, topic in zip(
            one.left, one.right, one.targets, one.topics or [""] * len(one), strict=True
        )
    ]


def _paraphrases(sets: Sequence[Examples], options: TrainGeneratorOptions, fit: FitOptions) -> list[Pair]:
    plain = _plain(options, fit)
    return [(plain(left), plain(right)) for left, right, says_same, _ in _pairs(sets) if says_same]


def _plain(options: TrainGeneratorOptions, fit: FitOptions) -> Callable[[str], str]:
    if options.keep_tokenised:
        return lambda text: " ".join(text.split())
    return lambda text: detokenise(text, fit.language)


def _ways(
    given: Sequence[tuple[str, str, bool, tuple[str, ...]]],
    beside: Mapping[Pair, Beside],
    options: TrainGeneratorOptions,
    fit: FitOptions,
) -> list[_Row]:
    """All examples: the pairs as they are given, then the other way round."""
    plain = _plain(options, fit)
    ways: tuple[list[_Row], list[_Row]] = ([], [])
    for number, (left, right, says_same, topic) in enumerate(given):
        own = beside.get((left, right), Beside())
        texts = plain(left), plain(right)
        for way, (source, target) in zip(ways, (texts, texts[::-1]), strict=True):
            way.append(
                _Row(
                    source=source,
                    target=target,
                    number=number,
                    is_paraphrase=says_same,
                    about=(*topic, *own.about),
                    weight=own.weight,
                )
            )
    return ways[0] if options.one_way else [*ways[0], *ways[1]]


def _reasons(rows: Sequence[_Row], fit: FitOptions, seen: Seen, judge: Judge | None) -> list[str | None]:
    reasons: list[str | None] = [None if row.is_paraphrase else NOT_PARAPHRASE for row in rows]
    left = [number for number, reason in enumerate(reasons) if reason is None]
    some = [rows[number] for number in left]
    found = fit_to_learn(
        [row.source for row in some],
        [row.target for row in some],
        fit,
        seen=[seen.has((row.source, row.target), row.about) for row in some],
        judge=judge,
    )
    for number, reason in zip(left, found, strict=True):
        reasons[number] = reason
    return reasons


def _drawn(rows: Sequence[_Row], reasons: list[str | None], options: TrainGeneratorOptions) -> list[int]:
    """The numbers of the examples to learn from; of more pairs than asked for the others are left out, too.

    The first so many of one order: fewer pairs are always among more.
    """
    kept = [number for number, reason in enumerate(reasons) if reason is None]
    pairs = list(dict.fromkeys(rows[number].number for number in kept))
    if not options.max_pairs or len(pairs) <= options.max_pairs:
        return kept
    order = np.random.default_rng(options.seed).permutation(len(pairs))[: options.max_pairs]
    drawn = {pairs[place] for place in order}
    for number in kept:
        if rows[number].number not in drawn:
            reasons[number] = OVER_MAX
    return [number for number in kept if rows[number].number in drawn]


def _looked_at(held_out: Sequence[Pair], options: TrainGeneratorOptions, fit: FitOptions) -> list[Pair]:
    """What perplexity is taken of: pairs as fit as those that are learned from, unless they were chosen by a person."""
    if options.held_out is None:
        reasons = fit_to_learn([left for left, _ in held_out], [right for _, right in held_out], fit)
        held_out = [pair for pair, reason in zip(held_out, reasons, strict=True) if reason is None]
    if not held_out:
        raise InputError(
            "No held-out pair is fit to look at while training. Hold out more (--held-out-share), or give pairs to "
            "look at: --held-out FILE."
        )
    order = np.random.default_rng(options.split_seed).permutation(len(held_out))[: options.most_held_out]
    return [held_out[place] for place in sorted(order)]


def _hash(lines: Iterable[str]) -> str:
    digest = blake2b(digest_size=8)
    for line in lines:
        digest.update(line.encode("utf-8", "surrogatepass") + b"\x1d")
    return digest.hexdigest()
