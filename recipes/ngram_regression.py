"""Published corpora in, `src/paraloom/models/weights/ngram_regression.json` out, with the figures it reaches.

    python recipes/ngram_regression.py --data DIR          (or PARALOOM_DATA=DIR)

DIR holds, under the names they are published with:

    twitter_url/tokenized_train/{a.toks,b.toks,sim.txt}   learned from
    pit2015/dev.data                                      measured only
    msrp/msr_paraphrase_train.txt                         measured only

Our own gold pairs of the bundled sample are measured too. Corpora that are missing, other than the first, are left out
with a line that says so.

The regression is fitted on all of Twitter-URL train. Where .5 lies is decided on pairs it has not seen: each fifth in
turn is held out of a fit and has its best F1 at some logit, and the mean of these five logits becomes .5.

Pairs that share a sentence never lie on two sides of a split, neither here nor in the cross-validation. What is
written into the JSON are coefficients, names, counts and figures: no text of any corpus.

What "calibrated" means here. A logistic regression's probabilities are calibrated for the base rate it was fitted
on, 26% in Twitter-URL, whose pairs are proposed as ours are (one seed against ten posts of the same link); its best
F1 then lies near .3. We add a constant to the logit so that the best F1 lies at .5. Such a shift is a change of
prior: the score is the probability of a paraphrase among candidates of whom `assumed_base_rate` are paraphrases.
Three calibration errors are printed: `ece_unshifted` (the regression as fitted, on the corpus as it is), `ece` (the
score, on the corpus as it is: what the shift costs) and `ece_assumed` (the score, on the corpus weighed to the base
rate it assumes).
"""

from __future__ import annotations

import csv
import html
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

import cyclopts
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]
from sklearn.model_selection import GroupKFold

from paraloom.metrics.identification.calibration import expected_calibration_error
from paraloom.metrics.identification.decisions import at_threshold, best_f1, weights_for_base_rate
from paraloom.models.identifiers import SHIPPED, Examples
from paraloom.models.identifiers.ngram_regression import NgramRegression
from paraloom.sample import gold as gold_file

PUBLISHED_MAX_F1 = {"twitter_url": 0.683, "pit2015": 0.645, "msrp": 0.829}
"""The row "LR" of Lan et al. (2017), tables 8 to 10. Theirs is trained and tested on each corpus; ours is not."""

PUBLISHED_BASE_RATE = 0.195
"""Share of paraphrases in the Twitter-URL test set (the row "Random" of table 10): F1 falls with it."""

FOLDS = 5

Figures = dict[str, float | int]


def read_twitter_url(folder: Path) -> Examples:
    """The tokenised training set; its half-decoded entities ("& amp ;") are mended."""
    left, right = (
        [html.unescape(line.replace("& amp ;", "&")) for line in _lines(folder / "tokenized_train" / name)]
        for name in ("a.toks", "b.toks")
    )
    targets = [float(line) for line in _lines(folder / "tokenized_train" / "sim.txt")]
    return Examples(left=left, right=right, targets=targets)


def read_pit2015(folder: Path) -> Examples:
    """The development set: 3 or more of 5 votes make a paraphrase, 2 are debatable and left out."""
    rows = [line.split("\t") for line in _lines(folder / "dev.data")]
    voted = [(row[2], row[3], int(row[4].strip("()").split(",")[0])) for row in rows]
    clear = [(left, right, votes) for left, right, votes in voted if votes != 2]
    return Examples(
        left=[left for left, _, _ in clear],
        right=[right for _, right, _ in clear],
        targets=[float(votes >= 3) for _, _, votes in clear],
    )


def read_msrp(folder: Path) -> Examples:
    """The training set: Quality, two ids, two sentences."""
    rows = [line.split("\t") for line in _lines(folder / "msr_paraphrase_train.txt")[1:]]
    return Examples(
        left=[row[3] for row in rows], right=[row[4] for row in rows], targets=[float(row[0]) for row in rows]
    )


def read_gold(file: Path) -> Examples:
    """The bundled sample's gold pairs."""
    rows = list(csv.DictReader(_lines(file), delimiter="\t", quoting=csv.QUOTE_NONE))
    return Examples(
        left=[row["left"] for row in rows],
        right=[row["right"] for row in rows],
        targets=[float(row["label"]) for row in rows],
    )


MEASURED: Mapping[str, Callable[[Path], Examples]] = {"pit2015": read_pit2015, "msrp": read_msrp}
"""Corpora the regression never learns from: folder name and reader."""


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8-sig").removesuffix("\n").split("\n")  # splitlines() would cut at U+2028 too


def groups_of(examples: Examples) -> NDArray[np.int64]:
    """A number for each pair: pairs that share a sentence, directly or through others, have the same."""
    number: dict[str, int] = {}
    left = [number.setdefault(text, len(number)) for text in examples.left]
    right = [number.setdefault(text, len(number)) for text in examples.right]
    links = coo_matrix((np.ones(len(left)), (left, right)), shape=(len(number), len(number)))
    group_of_sentence = connected_components(links, directed=False)[1]
    return np.asarray(group_of_sentence[left], dtype=np.int64)


def folds_of(examples: Examples, seed: int) -> list[NDArray[np.int64]]:
    """The rows of each fold; no group lies in two."""
    splitter = GroupKFold(n_splits=FOLDS, shuffle=True, random_state=seed)
    return [rows for _, rows in splitter.split(examples.left, groups=groups_of(examples))]


def rows_of(examples: Examples, rows: Sequence[NDArray[np.int64]]) -> Examples:
    """Only these rows of the examples."""
    chosen = np.concatenate(rows).tolist()
    return replace(
        examples,
        left=[examples.left[row] for row in chosen],
        right=[examples.right[row] for row in chosen],
        targets=[examples.targets[row] for row in chosen],
    )


def truth_of(examples: Examples) -> NDArray[np.bool_]:
    return np.asarray(examples.targets) > 0.5


def measure(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> Figures:
    """Max F1 with its precision and recall, and what .5 gives."""
    best, decided = best_f1(scores, truth), at_threshold(scores, truth)
    figures: Figures = {"pairs": len(truth), "paraphrases": int(truth.sum())}
    figures |= {"max_f1": best.f1, "precision": best.precision, "recall": best.recall, "threshold": best.threshold}
    figures |= {"f1_at_half": decided.f1, "precision_at_half": decided.precision, "recall_at_half": decided.recall}
    figures["ece"] = expected_calibration_error(scores, truth)
    return {name: round(value, 4) for name, value in figures.items()}


def cross_validate(examples: Examples, folds: Sequence[NDArray[np.int64]]) -> Figures:
    """Each fold scored by a regression that saw none of it, neither to learn nor to place .5."""
    scores, truths, shifts, weights = [], [], [], []
    for number, fold in enumerate(folds):
        others = [*folds[number + 1 :], *folds[:number]]
        model = fit(examples, teaching=others[1:], deciding=others[0])
        learned, tested = model.fitted["loose"], rows_of(examples, [fold])
        truth = truth_of(tested)
        scores.append(model.score(tested.left, tested.right))
        truths.append(truth)
        shifts.append(np.full(len(truth), learned.shift))
        weights.append(weights_for_base_rate(truth, learned.assumed_base_rate))
    score, truth, shift = np.concatenate(scores), np.concatenate(truths), np.concatenate(shifts)
    figures = measure(score, truth)
    unshifted = 1 / (1 + np.exp(-(np.log(score / (1 - score)) - shift)))
    figures["ece_unshifted"] = round(expected_calibration_error(unshifted, truth), 4)
    as_in_test = weights_for_base_rate(truth, PUBLISHED_BASE_RATE)
    figures["max_f1_at_published_base_rate"] = round(best_f1(score, truth, as_in_test).f1, 4)
    figures["ece_assumed"] = round(expected_calibration_error(score, truth, np.concatenate(weights)), 4)
    by_fold = [best_f1(one, other).f1 for one, other in zip(scores, truths, strict=True)]
    figures["max_f1_lowest_fold"] = round(min(by_fold), 4)
    figures["max_f1_highest_fold"] = round(max(by_fold), 4)
    return figures


def fit(examples: Examples, teaching: Sequence[NDArray[np.int64]], deciding: NDArray[np.int64]) -> NgramRegression:
    """Some folds teach, another one places .5."""
    return NgramRegression().fit([rows_of(examples, teaching)], [rows_of(examples, [deciding])])


def fit_on_all(examples: Examples, folds: Sequence[NDArray[np.int64]]) -> NgramRegression:
    """Fitted on every pair; .5 lies at the mean of where each fold wants it that was held out of a fit."""
    shifts = [
        fit(examples, teaching=[*folds[:number], *folds[number + 1 :]], deciding=fold).fitted["loose"].shift
        for number, fold in enumerate(folds)
    ]
    model = NgramRegression().fit([examples], [examples])
    return replace(model, fitted={"loose": model.fitted["loose"].with_shift(float(np.mean(shifts)))})


def show(name: str, figures: Figures, published: float | None = None) -> None:
    """One line a corpus."""
    shown = "  ".join(f"{key} {value}" for key, value in figures.items())
    print(f"{name}: {shown}" + (f"  (Lan et al. 2017, LR, own test set: {published})" if published else ""))


def main(
    *,
    data: Annotated[Path, cyclopts.Parameter(env_var="PARALOOM_DATA")],
    out: Path = SHIPPED / "ngram_regression.json",
    seed: int = 1,
) -> None:
    """Fit the regression, measure it and write it."""
    examples = read_twitter_url(data / "twitter_url")
    folds = folds_of(examples, seed)
    cross_validated = cross_validate(examples, folds)
    show("twitter_url train, 5-fold by group", cross_validated, PUBLISHED_MAX_F1["twitter_url"])

    model = fit_on_all(examples, folds)
    measured: dict[str, Figures] = {"twitter_url_train_5fold": cross_validated}
    for name, read in MEASURED.items():
        if not (data / name).is_dir():
            print(f"{name}: not measured, {data / name} is missing", file=sys.stderr)
            continue
        pairs = read(data / name)
        measured[name] = measure(model.score(pairs.left, pairs.right), truth_of(pairs))
        show(name, measured[name], PUBLISHED_MAX_F1[name])
    gold = read_gold(gold_file())
    measured["sample_gold"] = measure(model.score(gold.left, gold.right), truth_of(gold))
    show("sample_gold", measured["sample_gold"])

    recipe = Path(__file__)
    trained = {
        "recipe": recipe.stem,
        "recipe_hash": blake2b(recipe.read_bytes(), digest_size=4).hexdigest(),
        "on": {"twitter_url_train": {"pairs": len(examples.left), "paraphrases": int(sum(examples.targets))}},
        "seed": seed,
        "assumed_base_rate": round(model.fitted["loose"].assumed_base_rate, 4),
        "figures": measured,
    }
    replace(model, trained=trained).write(out)
    print(json.dumps({"written": str(out), "signature": NgramRegression.read(out).signature}))


if __name__ == "__main__":
    cyclopts.run(main)
