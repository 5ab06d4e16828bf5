"""Pairs and embedders in, how well each embedder finds one text of a pair by the other among many candidates out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.retrieval.figures import Found, measure_retrieval
from paraloom.metrics.retrieval.places import PlaceCount
from paraloom.reports.retrieval import RetrievalEvaluation, SetFigures
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.distractors import Distractors
from paraloom.workflows.evaluate.mined_runs import is_embedded_by, vectors_of_runs
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.evaluate.retrieval_options import RetrievalOptions
from paraloom.workflows.evaluate.retrieval_sets import RetrievalSet, read_set, set_of_known
from paraloom.workflows.evaluate.text_vectors import TextVectors, ask_for

LEARNED_FROM = 200_000
"""An embedder that learns from what it is measured on learns from all texts of the pairs and so many distractors."""

Tell = Callable[[str], None]


def evaluate_retrieval(
    pairs: Sequence[str | Path], options: RetrievalOptions = RetrievalOptions(), *, tell: Tell | None = None
) -> RetrievalEvaluation:
    """Every embedder on every set of pairs: a file, or a published corpus by name (`turku`, `pit2015:dev`)."""
    _check(pairs, options)
    columns = named_columns(options.columns)
    sets = [_read(one, options, columns) for one in pairs]
    names = [one.name for one in sets]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"Two sets of pairs are called {twice}. Give each once, or rename a file.")
    distractors = Distractors(options.distractors, options.most_distractors)
    found: dict[str, list[Found]] = {one.name: [] for one in sets}
    for asked in options.embedder:
        looked = look_with(asked, sets, distractors, device=options.device, hub=options.hub, tell=tell)
        for one, its in zip(sets, looked, strict=True):
            found[one.name].append(its)
    measured = tuple(_measured(one, found[one.name], options) for one in sets)
    return RetrievalEvaluation(
        sets=measured,
        distractors=distractors.distinct,
        notes=(
            *(note for one in sets for note in one.notes),
            *distractors.notes(),
            *_taken_over(distractors, options),
            *_candidates_already(measured, distractors.distinct),
        ),
    )


def _taken_over(distractors: Distractors, options: RetrievalOptions) -> Iterator[str]:
    """A line for each embedder that a mined run among the distractors was embedded with, or was not."""
    for run in distractors.runs:
        for asked in options.embedder:
            if is_embedded_by(run, asked):
                yield f"{asked}: vectors of {run} were taken from there, and all texts compared as there, as codes."
            else:
                yield f"{asked}: {run} was embedded in another way, so its sentences were embedded anew."


def _candidates_already(sets: Sequence[SetFigures], distractors: int) -> Iterator[str]:
    """A line for each set whose own texts are among the distractors."""
    for one in sets:
        if already := distractors - one.distractors:
            yield f"{one.name}: {counted(already, 'distractor is', 'distractors are')} among its own texts already."


def look_with(
    asked: str,
    sets: Sequence[RetrievalSet],
    distractors: Distractors,
    *,
    device: str = "cpu",
    hub: bool = False,
    tell: Tell | None = None,
) -> list[Found]:
    """What one embedder finds in each set; one that learns from what it embeds learns from each set anew.

    Where a mined run among the distractors was embedded with it, all texts are compared as that run has them.
    """
    if known := vectors_of_runs(distractors.runs, asked, device=device):
        if tell:
            told = ", ".join(str(run) for run in known.runs)
            tell(f"{asked}: {', '.join(one.name for one in sets)}; vectors of {told} are taken from there")
        return _look(sets, known, distractors)
    embedder = ask_for(asked, device=device, hub=hub)
    found: list[Found] = []
    for together in [[one] for one in sets] if embedder.learns else [sets]:
        if tell:
            tell(f"{asked}: {', '.join(one.name for one in together)}")
        vectors = embedder.vectors(_to_learn_from(together, distractors))
        found += _look(together, vectors, distractors)
    return found


def _check(pairs: Sequence[str | Path], options: RetrievalOptions) -> None:
    if not pairs:
        raise InputError("There are no pairs to look for. Give a file with `left` and `right`, or a corpus by name.")
    if not options.k or min(options.k) < 1:
        raise InputError(f"--k {' '.join(map(str, options.k))}: give whole numbers from 1 on.")
    if not options.embedder or len(set(options.embedder)) < len(options.embedder):
        raise InputError(f"--embedder {' '.join(options.embedder)}: give at least one, each once.")
    if options.most_distractors < 0:
        raise InputError(f"--most-distractors {options.most_distractors} makes no sense. Give 0 for all of them.")
    if options.most_distractors and not options.distractors:
        raise InputError(f"--most-distractors {options.most_distractors} of none: give files of them (--distractors).")


def _read(given: str | Path, options: RetrievalOptions, columns: dict[str, str]) -> RetrievalSet:
    """A file where there is one; else the split of a corpus."""
    from paraloom.corpus.known import CORPORA, read_corpus

    name, _, split = str(given).partition(":")
    if Path(given).exists() or name not in CORPORA:
        return read_set(Path(given), columns, options.where, both_ways=options.both_ways)
    if options.data is None:
        raise InputError(f"{name} is a published corpus. Say with --data in which folder its files are.")
    if asked := next((f"--{flag}" for flag in ("where", "columns") if getattr(options, flag)), None):
        raise InputError(
            f"{asked} is of files, and {given} is a published corpus, read as it is. Give one of its splits "
            f"({name}:dev), or its file."
        )
    splits = read_corpus(name, options.data).splits
    chosen = split or next(one for one in ("test", "dev", "train") if one in splits)
    if chosen not in splits:
        raise InputError(f"{name} has no split {chosen!r} in {options.data}; it has {', '.join(splits)}.")
    return set_of_known(f"{name}:{chosen}", splits[chosen], both_ways=options.both_ways)


def _to_learn_from(sets: Sequence[RetrievalSet], distractors: Distractors) -> Iterator[str]:
    strangers = (text for block in distractors.blocks() for text in block.texts)
    return chain(chain.from_iterable(one.texts for one in sets), islice(strangers, LEARNED_FROM))


def _look(sets: Sequence[RetrievalSet], vectors: TextVectors, distractors: Distractors) -> list[Found]:
    """What an embedder finds in each set: every text is embedded once, every distractor for all sets together."""
    counts = [PlaceCount(vectors.make(one.texts), one.queries, one.answers) for one in sets]
    for block in distractors.blocks():
        if vectors.of_codes is not None and block.codes is not None and block.run in vectors.runs:
            made = vectors.of_codes(block.codes)
        else:
            made = vectors.make(block.texts)
        for one, count in zip(sets, counts, strict=True):
            strangers = np.flatnonzero(~np.isin(block.keys, one.keys))
            count.add(made if len(strangers) == len(block.texts) else made.chosen(strangers))
    return [found_in(one, count, vectors) for one, count in zip(sets, counts, strict=True)]


def found_in(pairs: RetrievalSet, count: PlaceCount[Any], vectors: TextVectors) -> Found:
    """What was counted, for figures."""
    return Found(
        name=vectors.name,
        made_by=vectors.signature,
        places=count.places(),
        forgiving=count.forgiving(*pairs.other_answers()),
        similarities=count.similarities,
    )


def _measured(pairs: RetrievalSet, found: Sequence[Found], options: RetrievalOptions) -> SetFigures:
    figures, compared = measure_retrieval(
        found,
        pairs.labels,
        pairs.truth,
        ks=options.k,
        groups=pairs.groups,
        settings=f"query:{'either' if options.both_ways else 'left'}|distinct:text-key|similarity:cosine",
        resamples=options.resamples,
        seed=options.seed,
    )
    return SetFigures(
        name=pairs.name,
        pairs=len(pairs),
        texts=len(pairs.texts),
        same=pairs.same,
        embedders=tuple(figures),
        comparisons=tuple(compared),
    )
