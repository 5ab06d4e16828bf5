"""Human ratings of phrase pairs in, `src/paraloom/models/weights/phrases/rating.json` out, with the figures it reaches.

    python -m recipes.phrase_ranker --data DIR --run RUN        (or PARALOOM_DATA=DIR; ten minutes on two cores)

DIR holds `ppdb_human/ppdb-sample.tsv` (Pavlick et al., 2015): 26,456 pairs of PPDB that people, mostly five, rated from
1 to 5, with mean rating, syntactic label, phrase, phrase, ratings. RUN is a run with phrases, from any sentences (ours:
the silver pairs of Twitter-URL and those of MultiPIT-Auto, aligned by `statistical`): pairs of it that were rated show
what it is worth how phrases were aligned.

A quarter of the left phrases, by a hash, is held out, and so is every pair with a phrase that is on either side of a
held-out pair. Trees learn from the rest, thrice: with all that models say, without the identifier, and with `fast`
alone, so that one file serves every effort. What alignments are worth is fitted on what trees that have not seen the
pair leave over (five folds by the left phrase): as many numbers as there are few such pairs. The figures are those of
trees that never saw a held-out phrase; then trees learn anew from all pairs, and these are shipped. What is written are
limits, numbers, names, counts and figures: no text of any corpus.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

import cyclopts
import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingRegressor

from paraloom.errors import InputError
from paraloom.metrics.correlation import Correlation, kendall, spearman
from paraloom.models.generators.lexical.fluency import Fluency
from paraloom.models.phrase_scores.pair_columns import PairColumns
from paraloom.models.phrase_scores.small_language_model import SmallLanguageModel
from paraloom.models.phrase_scores.substitution import SubstitutionScore
from paraloom.phrases.contexts import read_context
from paraloom.phrases.rank_measures import NAMES, measured, without_shared
from paraloom.phrases.rank_rating import COLUMNS, LEAST_PROBABILITY, WEIGHTS, Evidence, RatingModel, geometric_mean
from paraloom.phrases.rank_trees import DEPTH, INNER, LEAVES, Trees, write_trees
from paraloom.workflows.phrases.extract import kept_phrases
from paraloom.workflows.phrases.rank_fluency import fluency_of_run

FILE = "ppdb_human/ppdb-sample.tsv"
HELD_OUT, FOLDS = 4, 5
TREES, RATE, LEAST_ROWS = 150, 0.1, 60
TOP = 4.5
"""From this mean rating on a pair is of the best: at least half of five people gave a 5."""
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
RESAMPLES, SEED = 500, 1
PRIOR = 30.0
"""So many pairs would have to speak for evidence before it counts for half of what they say (ridge)."""
EVIDENCE = ("translation", "lexical")
"""Probabilities that move a rating."""
HIDDEN = {"quick": ("good", "good_rest", "loose", "strict"), "usual": ("loose", "strict"), "thorough": ()}
"""What is not known where less effort is made."""
NEVER_UP = ("negated", "numbers")
"""More of these never makes a rating higher."""

Floats = NDArray[np.float64]
Chosen = NDArray[np.bool_]
Columns = Mapping[str, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """Pairs, what people said of them, and what is known of them."""

    left: list[str]
    right: list[str]
    ratings: Floats
    columns: Columns

    def matrix(self, effort: str) -> Floats:
        """A row a pair, with nan for what the effort does not tell."""
        hidden = HIDDEN[effort]
        return np.stack([self.columns[name] * (np.nan if name in hidden else 1.0) for name in COLUMNS], axis=1)


def read_rated(file: Path) -> Rated:
    """All pairs, measured."""
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    left, right = ([row[place] for row in rows] for place in (2, 3))
    plain = measured(zip(left, right, strict=True))
    columns = {name: plain[:, place] for place, name in enumerate(NAMES)}
    columns |= PairColumns("thorough", without_shared).of(left, right)
    return Rated(left, right, np.array([float(row[0]) for row in rows]), columns)


def part_of(phrase: str, parts: int, salt: str) -> int:
    """Which of so many parts a phrase is in, whatever else there is."""
    return blake2b(f"{salt}{phrase}".encode(), digest_size=4).digest()[0] % parts


def apart(rated: Rated, held: Chosen) -> Chosen:
    """Pairs without any phrase of those that are held out."""
    seen = {phrase for side in (rated.left, rated.right) for phrase, out in zip(side, held, strict=True) if out}
    return np.array([one not in seen and other not in seen for one, other in zip(rated.left, rated.right, strict=True)])


def grow(rated: Rated, rows: Chosen) -> Trees:
    """Trees of three questions each."""
    values = np.concatenate([rated.matrix(effort)[rows] for effort in HIDDEN])
    grown = HistGradientBoostingRegressor(
        max_iter=TREES,
        learning_rate=RATE,
        max_depth=DEPTH,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=LEAST_ROWS,
        monotonic_cst=[-(name in NEVER_UP) for name in COLUMNS],
        early_stopping=False,
        random_state=SEED,
    ).fit(values, np.tile(rated.ratings[rows], len(HIDDEN)))
    return exported(grown)


def exported(grown: HistGradientBoostingRegressor) -> Trees:
    """The same trees as plain arrays, every branch as deep as can be: where it ends early, both ways say the same."""
    trees = len(grown._predictors)
    asked, limits = np.zeros((trees, INNER), np.int64), np.zeros((trees, INNER))
    otherwise, leaves = np.zeros((trees, INNER), bool), np.zeros((trees, LEAVES))

    def lay(number: int, nodes: NDArray[np.void], node: int, at: int) -> None:
        one = nodes[node]
        if at >= INNER:
            leaves[number, at - INNER] = round(float(one["value"]), 4)
            return
        ends = bool(one["is_leaf"])
        if not ends:
            asked[number, at] = int(one["feature_idx"])
            limits[number, at] = float(f"{float(one['num_threshold']):.4g}")
            otherwise[number, at] = not one["missing_go_to_left"]
        lay(number, nodes, node if ends else int(one["left"]), 2 * at + 1)
        lay(number, nodes, node if ends else int(one["right"]), 2 * at + 2)

    for number, (tree,) in enumerate(grown._predictors):
        lay(number, tree.nodes, 0, 0)
    base = round(float(np.ravel(grown._baseline_prediction)[0]), 4)
    return Trees(columns=COLUMNS, base=base, asked=asked, limits=limits, missing_is_more=otherwise, leaves=leaves)


def told(rated: Rated, trees: Trees, effort: str, rows: Chosen) -> Floats:
    """What trees foretell of some pairs."""
    return trees.of({name: values[rows] for name, values in rated.columns.items() if name not in HIDDEN[effort]})


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Rated pairs that a run has, too, each in one order or both."""

    places: NDArray[np.int64]
    columns: Columns


def aligned(rated: Rated, run: Path) -> Aligned:
    """What the run knows of rated pairs."""
    numbers = {pair: number for number, pair in enumerate(zip(rated.left, rated.right, strict=True))}
    numbers |= {(right, left): number for (left, right), number in numbers.items()}
    rows = [row for row in kept_phrases(run) if (row.left, row.right) in numbers]
    both = {
        name: np.array([getattr(row, name) for row in rows], np.float64)
        for name in ("forward", "backward", "lexical_forward", "lexical_backward", "pair_count")
    }
    places = [[read_context(each)[:2] for each in row.contexts or ()] for row in rows]
    substitution = SubstitutionScore(fluency_of_run(run)).of(
        [row.left for row in rows], [row.right for row in rows], places
    )
    columns = {
        "translation": geometric_mean(both["forward"], both["backward"]),
        "lexical": geometric_mean(both["lexical_forward"], both["lexical_backward"]),
        "pair_count": both["pair_count"],
        "language-model": substitution,
    }
    return Aligned(np.array([numbers[row.left, row.right] for row in rows], np.int64), columns)


def weigh(names: Sequence[str], known: Aligned, left_over: Floats) -> tuple[Evidence, ...]:
    """How far each logarithm moves a rating (ridge)."""
    logs = np.stack([np.log10(np.clip(known.columns[name], LEAST_PROBABILITY, 1)) for name in names], axis=1)
    usual = logs.mean(axis=0)
    centred = logs - usual
    moved = left_over - left_over.mean()
    weights = np.linalg.solve(centred.T @ centred + PRIOR * np.diag(centred.var(axis=0)), centred.T @ moved)
    return tuple(
        Evidence(name, round(float(at), 4), round(float(weight), 4))
        for name, at, weight in zip(names, usual, weights, strict=True)
    )


MEASURES: dict[str, tuple[Callable[[Floats, Floats], Correlation | None], int]] = {
    "spearman": (spearman, RESAMPLES),
    "kendall": (kendall, RESAMPLES // 5),
}
"""How a score is held against ratings, and of how many resamples its interval is."""


def correlated(score: Floats, ratings: Floats, groups: Sequence[str]) -> dict[str, float]:
    """Spearman and Kendall, with intervals of 95% from resampled groups."""
    of_group: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        of_group.setdefault(group, []).append(row)
    members = [np.array(rows) for rows in of_group.values()]
    random = np.random.default_rng(SEED)
    figures: dict[str, float] = {}
    drawn = [
        np.concatenate([members[one] for one in random.integers(0, len(members), len(members))])
        for _ in range(RESAMPLES)
    ]
    for name, (measure, resamples) in MEASURES.items():
        values = [_value(measure(score[rows], ratings[rows])) for rows in drawn[:resamples]]
        low, high = np.nanpercentile(values, (2.5, 97.5))
        whole = _value(measure(score, ratings))
        figures |= {name: whole, f"{name}_low": low, f"{name}_high": high}
    return {name: round(float(number), 4) for name, number in figures.items()}


def _value(found: Correlation | None) -> float:
    return found.value if found is not None else float("nan")


def best_among(score: Floats, ratings: Floats) -> dict[str, float]:
    """The percentage of the best pairs among the top shares of a ranking (as in table 11 of Lan et al., 2017)."""
    order = np.argsort(-score, kind="stable")
    is_best = ratings[order] >= TOP
    return {f"top_{share:.0%}": round(100 * float(is_best[: round(share * len(order))].mean()), 1) for share in SHARES}


def by_reading(model: Fluency, rated: Rated, rows: Chosen) -> Floats:
    """The score of a language model, of pairs without a place."""
    left, right = ([one for one, is_in in zip(side, rows, strict=True) if is_in] for side in (rated.left, rated.right))
    return SubstitutionScore(model).of(left, right, [()] * len(left))


def main(
    data: Annotated[Path, cyclopts.Parameter(env_var="PARALOOM_DATA")],
    run: Path,
    out: Path = WEIGHTS,
    smollm2: bool = False,
) -> None:
    """Print the figures, and write the model. With `--smollm2` its score is measured, too, which takes longest."""
    rated = read_rated(data / FILE)
    held = np.array([part_of(phrase, HELD_OUT, "held") == 0 for phrase in rated.left])
    rows = apart(rated, held)
    trees = grow(rated, rows)
    ratings, groups = rated.ratings[held], [one for one, is_in in zip(rated.left, held, strict=True) if is_in]
    singles = {name: rated.columns[name][held] for name in ("fast", "good", "loose", "strict", "trigrams", "lemmas")}
    singles["edit_similarity"] = rated.columns["edit_similarity"][held]
    singles["language-model ngrams"] = by_reading(fluency_of_run(run), rated, held)
    if smollm2:
        singles["language-model smollm2-135m"] = by_reading(SmallLanguageModel(), rated, held)
    singles |= {f"rating {effort}": told(rated, trees, effort, held) for effort in HIDDEN}
    figures = {
        name: {**correlated(score, ratings, groups), **best_among(score, ratings)} for name, score in singles.items()
    }
    for name, values in figures.items():
        print(name, json.dumps(values))

    evidence, alignment_figures = worth_of_alignment(rated, aligned(rated, run))
    for name, numbers in alignment_figures.items():
        print("aligned:", name, json.dumps(numbers))
    card = {
        "name": "phrase-rating",
        "kind": "phrase ranker",
        "about": "says of two phrases what mean rating from 1 to 5 people would give them",
        "licence": "Apache-2.0",
        "language": "en",
        "trained_on": {"ppdb human ratings": len(rated.ratings)},
        "held_out": f"one left phrase in {HELD_OUT}, for figures alone: {int(held.sum())} pairs; the figures' "
        f"trees learned from {int(rows.sum())} pairs without any phrase of these, the trees here from all",
        "figures": figures,
        "evidence": [{"column": each.column, "usual": each.usual, "weight": each.weight} for each in evidence],
        "evidence_figures": alignment_figures,
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    write_trees(out, grow(rated, np.ones(len(rated.left), bool)), card)
    print(f"{out}: {out.stat().st_size:,} bytes, {RatingModel.read(out).signature}")


def worth_of_alignment(rated: Rated, known: Aligned) -> tuple[tuple[Evidence, ...], dict[str, dict[str, float]]]:
    """What moves ratings, and figures of pairs that trees and evidence have both not seen."""
    if len(set(known.places.tolist())) < PRIOR:
        raise InputError(f"The run has {len(known.places)} rows of rated pairs, too few. Give one of more sentences.")
    folds = np.array([part_of(phrase, FOLDS, "fold") for phrase in rated.left])
    foretold = np.full(len(rated.left), np.nan)
    for fold in range(FOLDS):
        out = folds == fold
        foretold[out] = told(rated, grow(rated, apart(rated, out)), "quick", out)
    trees, ratings = foretold[known.places], rated.ratings[known.places]
    moved = trees.copy()
    for fold in range(FOLDS):
        out = folds[known.places] == fold
        others = Aligned(known.places[~out], {name: values[~out] for name, values in known.columns.items()})
        for each in weigh(EVIDENCE, others, (ratings - trees)[~out]):
            moved[out] += each.moves(known.columns[each.column][out])
    scores = {"rating quick": trees, "rating quick with evidence": moved, **known.columns}
    groups = [rated.left[place] for place in known.places]
    figures = {name: correlated(np.asarray(score), ratings, groups) for name, score in scores.items()}
    figures["pairs"] = {"rows": len(known.places), "pairs": len(set(known.places.tolist()))}
    return weigh(EVIDENCE, known, ratings - trees), figures


if __name__ == "__main__":
    cyclopts.run(main)
