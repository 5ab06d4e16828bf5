"""Where embedders find the answers of held-out pairs in, their tables out: figures 8 to 11 of Kanerva et al. (2023)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.identification.ranking import FIGURES, Ranking, compare_resampled, resampled_figures
from paraloom.metrics.measured import Better, mean_of
from paraloom.metrics.retrieval.figures import AREA, FORGIVING
from paraloom.metrics.retrieval.labels import in_order
from paraloom.metrics.retrieval.places import Places
from paraloom.metrics.retrieval.vectors import MILLIONTHS
from paraloom.metrics.significance import compare, numbered
from paraloom.reports.experiments import Cell, ResultRow, ResultTable
from paraloom.reports.pages import number
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.retrieval_sets import RetrievalSet
from paraloom.workflows.experiments.bootstrap_sets import WAYS, Sets
from paraloom.workflows.experiments.bootstrap_tables import TOLD, BySeed
from paraloom.workflows.experiments.trials import GAINS_NOTE, Result

KS = (1, 10, 100, 1000, 2048)
"""How many of the first candidates are looked at, as in figure 11 of the paper."""
TOPS = tuple(f"top-{k}" for k in KS)
UNTRAINED = "untrained"
TRAINED = {
    "train": "after the corpus alone",
    "train+neg": "with safe negatives",
    "train+neg+pos": "with safe negatives and positives",
    "neg+pos": "after the safe pairs alone",
}
"""How a headline speaks of a way."""

Floats = NDArray[np.float64]


def embedder_tables(
    system: str,
    sets: Sets,
    searches: Mapping[str, RetrievalSet],
    before: Mapping[str, Result],
    results: BySeed,
) -> Iterator[ResultTable]:
    """How every way finds the pairs of both test sets, and what it gained; `before` are embedders as they are."""
    for which, part in (("own", sets.corpus), ("found", sets.found)):
        pairs = searches[which]
        columns = (*TOPS, FORGIVING, AREA, *(f"rank of {label}, %" for label in in_order(pairs.labels)))
        by_way = {way: [one[which] for one in of_way] for way in WAYS if (of_way := _of(results, way))}
        measured = {name: [one[which]] for name, one in before.items()} | by_way
        yield ResultTable(
            system=system,
            title=f"on {part.title}",
            about=f"{part.told} {number(len(pairs))} pairs, {number(int(pairs.truth.sum()))} of them paraphrases, each "
            f"looked for among {number(before[UNTRAINED][which]['candidates'])} candidates.",
            first="learned from",
            second="",
            columns=columns,
            rows=tuple(
                _row(name, _learned(name, _of(results, name)) if name in by_way else _told(name), ones, pairs)
                for name, ones in measured.items()
            ),
        )
        yield ResultTable(
            system=system,
            title=f"by label, on {part.title}",
            about="Of the pairs of each label, those whose right text is among the first k candidates, as in figure 11 "
            "of Kanerva et al. (2023): of negatives few is good.",
            first="learned from, label",
            second="",
            columns=TOPS,
            rows=tuple(_by_label(measured, pairs)),
        )
        yield ResultTable(
            system=system,
            title=f"gains, on {part.title}",
            about=GAINS_NOTE,
            first="learned from",
            second="",
            columns=("top-1", "rank of paraphrases, %", "rank of others, %", AREA),
            rows=tuple(_gains(which, pairs, before[UNTRAINED], results)),
        )


def _told(name: str) -> str:
    return "the base as it is" if name == UNTRAINED else "as it is"


def _of(results: BySeed, way: str) -> list[Result]:
    return [ways[way] for ways in results.values() if way in ways]


def _learned(way: str, results: Sequence[Result]) -> str:
    pairs, same = (round(fmean(one[name] for one in results)) for name in ("learned", "paraphrases"))
    bases = sum(one["is_base"] for one in results)
    seeds = "" if len(results) == 1 else f" with {bases} of {len(results)} seeds"
    left = f"; no look was better than the base{seeds}, which is kept" if bases else ""
    return f"{TOLD[way]}, {number(pairs)} pairs, {number(same)} paraphrases{left}"


def _row(label: str, about: str, results: Sequence[Result], pairs: RetrievalSet) -> ResultRow:
    forgiving = Cell(values=tuple(one[FORGIVING] for one in results))
    areas = tuple(one[AREA] for one in results if one[AREA] is not None)
    ranks = [Cell(values=tuple(one["ranks"][part] for one in results)) for part in in_order(pairs.labels)]
    cells = (*_tops(results, pairs.truth), forgiving, Cell(values=areas) if areas else None, *ranks)
    return ResultRow(label=label, about=about, cells=cells)


def _by_label(measured: Mapping[str, Sequence[Result]], pairs: RetrievalSet) -> Iterator[ResultRow]:
    labels = np.asarray(pairs.labels, dtype=object)
    for name, results in measured.items():
        for part in in_order(pairs.labels):
            chosen = np.asarray(labels == part)
            about = counted(int(chosen.sum()), "pair", "pairs")
            yield ResultRow(label=f"{name}, {part}", about=about, cells=tuple(_tops(results, chosen)))


def _tops(results: Sequence[Result], chosen: NDArray[np.bool_]) -> Iterator[Cell]:
    """By how many candidates are looked at, the share of the chosen pairs whose answer is among them."""
    places = [_places(one) for one in results]
    for k in KS:
        yield Cell(values=tuple(float(one.within(k)[chosen].mean()) for one in places))


def _gains(which: str, pairs: RetrievalSet, base: Result, results: BySeed) -> Iterator[ResultRow]:
    alone = [one[which] for one in _of(results, WAYS[0])]
    for others, over in (([base[which]], "over the base"), (alone, "over the corpus alone")):
        for way in WAYS:
            ours = [one[which] for one in _of(results, way)]
            if ours and ours != others:
                yield ResultRow(label=way, about=over, cells=_cells(ours, others, pairs))


def _cells(ours: Sequence[Result], others: Sequence[Result], pairs: RetrievalSet) -> tuple[Cell | None, ...]:
    return (
        _gain(ours, others, pairs, pairs.truth, lambda places: places.within(1), "higher"),
        _gain(ours, others, pairs, pairs.truth, lambda places: places.percent(), "lower"),
        _gain(ours, others, pairs, ~pairs.truth, lambda places: places.percent(), "higher"),
        _area_gain(ours, others, pairs),
    )


def _gain(
    ours: Sequence[Result],
    others: Sequence[Result],
    pairs: RetrievalSet,
    chosen: NDArray[np.bool_],
    figure: Callable[[Places], Floats],
    better: Better,
) -> Cell | None:
    """How much higher the mean of a figure over some of the pairs is, both as means over the seeds."""
    if not chosen.any():
        return None
    means = [np.mean([figure(_places(one))[chosen] for one in some], axis=0) for some in (ours, others)]
    measured = [mean_of("figure", np.asarray(mean), "figure", better) for mean in means]
    compared = compare(*measured, groups=numbered(pairs.groups[chosen], int(chosen.sum())))
    return Cell(values=(compared.difference,), gain=compared)


def _area_gain(ours: Sequence[Result], others: Sequence[Result], pairs: RetrievalSet) -> Cell | None:
    if pairs.truth.all() or not pairs.truth.any():
        return None
    rankings = [Ranking.of(np.array(one["similarities"]) / MILLIONTHS, pairs.truth) for one in (*ours, *others)]
    resampled = resampled_figures(rankings, groups=pairs.groups)
    count = len(ours)
    figures = [np.mean([one.figures() for one in some], axis=0) for some in (rankings[:count], rankings[count:])]
    drawn = [np.mean(some, axis=0) for some in (resampled[:count], resampled[count:])]
    compared = compare_resampled(figures[0], figures[1], drawn[0], drawn[1])[FIGURES.index(AREA)]
    return Cell(values=(compared.difference,), gain=compared)


def _places(result: Result) -> Places:
    return Places(above=np.array(result["above"]), tied=np.array(result["tied"]), candidates=result["candidates"])


def embedder_headline(embedder: str, title: str, base: Result, results: BySeed) -> str:
    """What the first system's safe pairs change, on the corpus."""
    told = f"The {embedder} finds {base['own']['top-1']:.3f} of the paraphrases of {title} first before it is trained"
    found = [
        f"{fmean(one['own']['top-1'] for one in its):.3f} {words}"
        for way, words in TRAINED.items()
        if (its := _of(results, way))
    ]
    return f"{told}, {', '.join(found)}."
