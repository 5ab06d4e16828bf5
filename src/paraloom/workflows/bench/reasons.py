"""A row in, why its figure is far from the published one out: what is known to differ, from one literal table.

A reason is shown only where the gap is there. What the pairs themselves explain (another share of paraphrases) is
measured; the rest is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from paraloom.reports.bench_identification_rows import NEAR, BenchRow
from paraloom.reports.pages import signed

ANY = "*"
NOT_KNOWN = "why is not known"

VECTORS = "word vectors of 100 dimensions or fewer, of Wikipedia and news, where the paper's have 300"

FACTORS = (
    "factors of the corpus's own sentences alone, a few thousand; the paper does not say which texts were factorised"
)

NAMES = "the longest shared name stands for the topic, and words' shapes for parts of speech"

BY_SYSTEM_AND_CORPUS: Mapping[tuple[str, str], str] = {
    ("random", ANY): "chance; where the paper has F1 at one threshold, it is that of calling every pair a paraphrase",
    ("edit-distance", ANY): "the paper does not say how it counts; here words are, and lengths do not matter",
    ("glove", ANY): f"{VECTORS} and are of the web and of Twitter",
    ("ngram-regression", ANY): "the paper does not list its 18 features; here either order of a pair scores the same",
    **{
        (f"{lexical}{factors}-{kind}", ANY): FACTORS
        for lexical in ("", "lex-")
        for factors in ("wmf", "ormf")
        for kind in ("vec", "sim")
    },
    ("multip", "pit2015"): f"the topics of train are lost: {NAMES}",
    ("multip", ANY): NAMES,
    ("deep-pairwise-word", ANY): f"{VECTORS}; trained with AdamW instead of RMSProp",
    ("esim", ANY): VECTORS,
    ("infersent", ANY): f"{VECTORS}; its sentence encoder learns from these pairs alone, not from inference first",
}
"""What differs from the paper, by system and corpus; `ANY` where it holds for all corpora."""

BY_CORPUS: Mapping[str, str] = {
    "pit2015": (
        "the topics of train are lost, so that folds are by shared sentences; its labels are the crowd's, "
        "those of the test split an expert's"
    ),
    "multipit-expert": "folds of train, where the test split is of later posts",
    "ap-h": "folds of train, not the test split",
}
"""What differs for every system where the test split is not in the folder."""


def why(row: BenchRow, metrics: Sequence[str]) -> str:
    """Why ours is more than `NEAR` from a published figure; empty where it is not, or one of them is missing.

    Where the share of paraphrases differs from the test split's, the figure at that share is told and must be near
    too; if it is, nothing else needs to be said.
    """
    far = {metric: gap for metric in metrics if abs(gap := row.difference(metric) or 0.0) > NEAR}
    at_share = _gap_at_test_rate(row) if "max-f1" in metrics else None
    if at_share is None:
        return ("; ".join(_differences(row)) or NOT_KNOWN) if far else ""
    if not far and abs(at_share) <= NEAR:
        return ""
    told = [
        f"{row.base_rate:.1%} of these pairs are paraphrases, {row.test_rate:.1%} of the test split's: "
        f"at that share it is {row.at_test_rate:.3f} ({signed(at_share, 3)})"
    ]
    if abs(at_share) > NEAR:
        told += list(_differences(row)) or [NOT_KNOWN]
    return "; ".join(told)


def _gap_at_test_rate(row: BenchRow) -> float | None:
    if row.at_test_rate is None or "max-f1" not in row.published:
        return None
    return row.at_test_rate - row.published["max-f1"]


def _differences(row: BenchRow) -> Iterator[str]:
    own = BY_SYSTEM_AND_CORPUS.get((row.system, row.corpus)) or BY_SYSTEM_AND_CORPUS.get((row.system, ANY))
    if own:
        yield own
    if "test split" not in row.measured_on and row.corpus in BY_CORPUS:
        yield BY_CORPUS[row.corpus]
