"""The cascade: cheap scores decide, the inner identifier sees the doubtful pairs alone, and little F1 is lost."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom import sample
from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import at_threshold
from paraloom.models.identifiers import Examples, Identifier, load, untrained
from paraloom.models.identifiers.cascade import LOSSES, Cascade
from paraloom.models.identifiers.cascade_bands import Band, Way, band_curve, cheapest_band
from paraloom.models.identifiers.pair_features import Lexicon, pair_features
from paraloom.models.identifiers.quick_network import train_network
from paraloom.models.identifiers.token_table import load_table


class Knowing:
    """An identifier that was told the answers, and remembers what it was asked."""

    name, signature, definitions, parameters = "knowing", "knowing|answers:told", ("loose",), 0

    def __init__(self, *examples: Examples, wrong: float = 0.0) -> None:
        drawn = random.Random(7)
        self.answers: dict[tuple[str, ...], float] = {}
        for one in examples:
            for left, right, target in zip(one.left, one.right, one.targets, strict=True):
                known = 0.9 if target > 0.5 else 0.1
                self.answers[tuple(sorted((left, right)))] = 1 - known if drawn.random() < wrong else known
        self.asked: list[tuple[str, str]] = []

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> np.ndarray:
        self.asked += zip(left, right, strict=True)
        return np.array([self.answers.get(tuple(sorted(pair)), 0.0) for pair in zip(left, right, strict=True)])

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Knowing:
        return self

    def save(self, folder: Path) -> None:
        raise AssertionError("No test saves it.")


def gold() -> tuple[Examples, Examples, Examples]:
    """The pairs of the bundled sample in three parts; those of one article stay together."""
    with sample.gold().open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["language"] == "en"]
    keys = sorted({row["key"] for row in rows})
    parts = []
    for part in ((0, 1, 2), (3,), (4,)):
        chosen = [row for row in rows if keys.index(row["key"]) % 5 in part]
        parts.append(
            Examples(
                left=[row["left"] for row in chosen],
                right=[row["right"] for row in chosen],
                targets=[float(row["label"]) for row in chosen],
            )
        )
    return parts[0], parts[1], parts[2]


TRAIN, HELD_OUT, TEST = gold()


@pytest.fixture(scope="module")
def cascade() -> Cascade:
    return Cascade(encoder=Knowing(TRAIN, HELD_OUT, TEST), epochs=6, hidden=8).fit([TRAIN], [HELD_OUT])


def test_it_is_an_identifier(cascade: Cascade) -> None:
    assert isinstance(cascade, Identifier)
    assert isinstance(untrained("cascade", low=0.1), Cascade)
    assert cascade.definitions == ("loose",)
    assert "inner:(knowing|answers:told)" in cascade.signature
    assert cascade.parameters > cascade.look.table.vectors.size > 10_000 * 64


def test_the_inner_identifier_sees_the_doubtful_pairs_alone(cascade: Cascade) -> None:
    inner = Knowing(TRAIN, HELD_OUT, TEST)
    banded = replace(cascade, encoder=inner, low=0.3, high=0.6)
    scores = banded.score(TEST.left, TEST.right)
    cheap = banded.look.score(TEST.left, TEST.right, "loose")
    doubtful = (cheap >= 0.3) & (cheap <= 0.6)
    assert 0 < doubtful.sum() < len(TEST)
    pairs = list(zip(TEST.left, TEST.right, strict=True))
    assert inner.asked == [pair for pair, doubt in zip(pairs, doubtful, strict=True) if doubt]
    assert set(scores[doubtful]) <= {0.1, 0.9}
    assert scores[~doubtful].tolist() == cheap[~doubtful].tolist()


def test_the_widest_band_is_the_inner_identifier_and_the_narrowest_is_cheap(cascade: Cascade) -> None:
    inner = cascade.behind().score(TEST.left, TEST.right)
    assert replace(cascade, low=0.0, high=1.0).score(TEST.left, TEST.right).tolist() == inner.tolist()
    cheap = cascade.look.score(TEST.left, TEST.right, "loose")
    assert replace(cascade, low=0.5, high=0.5).score(TEST.left, TEST.right).tolist() == cheap.tolist()


def test_no_more_than_the_loss_is_lost_on_held_out_pairs(cascade: Cascade) -> None:
    truth = np.array(HELD_OUT.targets) > 0.5
    exact = replace(cascade, loss=0.0).fit([TRAIN], [HELD_OUT])
    for loss in (0.0, 0.01, 0.05):
        f1 = at_threshold(replace(exact, loss=loss).score(HELD_OUT.left, HELD_OUT.right), truth).f1
        assert f1 >= 1.0 - loss - 1e-12


def test_the_more_may_be_lost_the_fewer_pairs_are_asked_further() -> None:
    drawn = np.random.default_rng(1)
    truth = drawn.random(3000) < 0.3
    cheap, costly = (
        1 / (1 + np.exp(-(np.where(truth, 1.0, -1.0) * sure + drawn.normal(size=3000)))) for sure in (1.0, 2.0)
    )
    asked = [int(cheapest_band(cheap, [Way.unhurried(costly)], truth, loss).holds(cheap).sum()) for loss in LOSSES]
    assert asked == sorted(asked, reverse=True)
    assert asked[-1] < 0.7 * asked[0]


def test_the_shipped_one_asks_a_hurried_network_but_about_short_pairs() -> None:
    shipped = load("cascade")
    assert isinstance(shipped, Cascade)
    left = ["The storm destroyed hundreds of houses on Monday night.", "He won"]
    right = ["The market fell after the bank had raised its rates again.", "He lost"]
    every = replace(shipped, low=0.0)
    doubt = every.band("loose").doubt
    assert doubt is not None
    assert doubt > shipped.behind().doubt
    hurried, unhurried = (shipped.behind(one).score(left, right, "loose").tolist() for one in (doubt, None))
    assert every.look.score(left, right, "loose")[0] <= every.band("loose").high
    assert every.score(left, right, "loose").tolist() == [hurried[0], unhurried[1]]
    assert f"@{doubt:g}" in shipped.signature


def test_a_band_that_is_set_by_hand_hurries_nothing_and_needs_no_loss() -> None:
    shipped = load("cascade")
    assert isinstance(shipped, Cascade)
    by_hand = replace(shipped, low=0.0, high=1.0, loss=0.0)
    inner = shipped.behind().score(TEST.left[:40], TEST.right[:40], "loose")
    assert by_hand.score(TEST.left[:40], TEST.right[:40], "loose").tolist() == inner.tolist()
    assert by_hand.band("loose").doubt is None


def test_a_cascade_that_was_saved_before_networks_were_hurried_is_an_error(tmp_path: Path) -> None:
    load("cascade").save(tmp_path)
    card = json.loads((tmp_path / "identifier.json").read_text())
    for by_loss in card["bands"].values():
        for band in by_loss.values():
            band.pop()
    (tmp_path / "identifier.json").write_text(json.dumps(card))
    with pytest.raises(InputError, match="not yet hurried"):
        Cascade.load(tmp_path)


def test_the_loss_may_be_chosen_after_training() -> None:
    shipped = load("cascade")
    assert isinstance(shipped, Cascade)
    assert replace(shipped, loss=0.012).band("loose") == shipped.look.bands["loose"][0.01]
    assert replace(shipped, loss=0.03).signature != shipped.signature
    with pytest.raises(InputError, match=r"the least that bands were found for is 0\.005"):
        replace(shipped, loss=0.001).band("loose")


OPPOSITES = [
    ("He won", "He lost"),
    ("Stocks rise", "Stocks fall"),
    ("Yes!", "No!"),
    ("It's hot", "It's cold"),
    ("Arsenal win", "Arsenal lose"),
    ("I agree", "I disagree"),
    ("Monday", "Tuesday"),
]


@pytest.mark.parametrize("definition", ["loose", "strict", "implication"])
def test_the_shipped_one_asks_further_about_short_pairs(definition: str) -> None:
    left, right = (list(side) for side in zip(*OPPOSITES, strict=True))
    shipped = load("cascade")
    assert shipped.score(left, right, definition).tolist() == load("paraloom").score(left, right, definition).tolist()


@pytest.mark.parametrize("definition", ["loose", "strict", "implication"])
def test_the_shipped_one_knows_empty_texts_and_copies(definition: str) -> None:
    long = "the storm hit the coast " * 50
    scores = load("cascade").score(["", "Yes", long, long, "?!"], ["a storm", "", "", long.upper(), "  "], definition)
    assert scores.tolist() == [0, 0, 0, 1, 0]


def test_cheap_features_learn_what_a_paraphrase_is(cascade: Cascade) -> None:
    truth = np.array(TEST.targets) > 0.5
    cheap = at_threshold(cascade.look.score(TEST.left, TEST.right, "loose"), truth).f1
    shipped = at_threshold(load("ngram-regression").score(TEST.left, TEST.right), truth).f1
    print(f"F1 on the sample: {cheap:.3f} by the first look, {shipped:.3f} by n-grams")
    assert cheap > 0.6


@pytest.mark.parametrize("text", ["", "\ud83d", "storm " * 10_000, "🙂", "我爱北京"])
def test_any_pair_has_a_score_that_neither_order_nor_batch_changes(text: str, cascade: Cascade) -> None:
    others = ["", "the storm hit the coast", text]
    together = cascade.score([text] * 3, others)
    assert together.tolist() == cascade.score(others, [text] * 3).tolist()
    assert together.tolist() == [cascade.score([text], [other])[0] for other in others]
    assert ((together >= 0) & (together <= 1)).all()


@pytest.mark.parametrize("texts", [1, 3, 20, 200])
def test_a_text_is_its_own_paraphrase_however_long(texts: int, cascade: Cascade) -> None:
    own = [" ".join(TEST.left[first : first + texts]) for first in range(0, len(TEST), texts)]
    assert (cascade.look.score(own, own, "loose") > 0.5).mean() > 0.95


def test_a_saved_cascade_gives_the_same_scores(tmp_path: Path) -> None:
    fitted = Cascade(inner="ngram-regression", epochs=2, hidden=4).fit([TRAIN], [HELD_OUT])
    replace(fitted, high=0.9).save(tmp_path / "own")
    again = load(tmp_path / "own")
    assert isinstance(again, Cascade)
    assert (
        again.score(TEST.left, TEST.right).tolist() == replace(fitted, high=0.9).score(TEST.left, TEST.right).tolist()
    )
    assert again.signature == replace(fitted, high=0.9).signature
    assert (again.inner, again.high) == ("ngram-regression", 0.9)
    assert not (tmp_path / "own" / "encoder").exists()


def test_an_inner_identifier_that_is_not_shipped_is_saved_with_it(tmp_path: Path) -> None:
    untrained("ngram-regression").fit([TRAIN], [HELD_OUT]).save(tmp_path / "inner")
    fitted = Cascade(inner=str(tmp_path / "inner"), epochs=2, hidden=4).fit([TRAIN], [HELD_OUT])
    fitted.save(tmp_path / "own")
    (tmp_path / "inner").rename(tmp_path / "moved")
    again = load(tmp_path / "own")
    wide = {"low": 0.0, "high": 1.0}
    assert replace(again, **wide).score(TEST.left, TEST.right).tolist() == (
        load(tmp_path / "moved").score(TEST.left, TEST.right).tolist()
    )


def test_it_learns_from_a_teachers_doubts() -> None:
    lexicon = Lexicon.learn(TRAIN.left)
    known = pair_features(TRAIN.left, TRAIN.right, lexicon, load_table("none"))
    doubts = np.where(np.array(TRAIN.targets) > 0.5, 0.6, 0.2)
    network = train_network(known, doubts, len(lexicon), hidden=4, epochs=20, seed=1)
    chances = 1 / (1 + np.exp(-network.logits(known)))
    assert abs(chances.mean() - doubts.mean()) < 0.05
    assert np.quantile(chances, [0.02, 0.98]) == pytest.approx([0.2, 0.6], abs=0.15)  # as unsure as the teacher


def test_training_is_the_same_for_the_same_seed() -> None:
    lexicon = Lexicon.learn(TRAIN.left)
    known = pair_features(TRAIN.left, TRAIN.right, lexicon, load_table("none"))
    targets = np.array(TRAIN.targets)
    one, other, third = (
        train_network(known, targets, len(lexicon), hidden=4, epochs=1, seed=seed).logits(known) for seed in (1, 1, 2)
    )
    assert one.tolist() == other.tolist()
    assert one.tolist() != third.tolist()


def test_definitions_are_learned_apart() -> None:
    turned = Examples(
        left=TRAIN.left, right=TRAIN.right, targets=[1 - target for target in TRAIN.targets], definition="strict"
    )
    kept = Examples(
        left=HELD_OUT.left,
        right=HELD_OUT.right,
        targets=[1 - target for target in HELD_OUT.targets],
        definition="strict",
    )
    inner = Knowing(TRAIN, HELD_OUT)
    inner.definitions = ("loose", "strict")  # type: ignore[assignment]
    fitted = Cascade(encoder=inner, epochs=3, hidden=4).fit([TRAIN, turned], [HELD_OUT, kept])
    assert fitted.definitions == ("loose", "strict")
    loose, strict = (fitted.look.score(TEST.left, TEST.right, one) for one in fitted.definitions)
    assert np.corrcoef(loose, strict)[0, 1] < -0.5


def test_what_cannot_be_done_is_refused(cascade: Cascade, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not trained for the definition 'strict'"):
        cascade.score(["a"], ["b"], "strict")
    with pytest.raises(InputError, match="do not make pairs"):
        cascade.score(["a"], [])
    with pytest.raises(InputError, match="learned nothing yet"):
        Cascade().save(tmp_path)
    strict = replace(TRAIN, definition="strict")
    with pytest.raises(InputError, match="knowing was not trained for the definition 'strict'"):
        cascade.fit([strict], [replace(HELD_OUT, definition="strict")])
    with pytest.raises(InputError, match="makes no sense"):
        replace(cascade, low=0.7).score(["a"], ["b"])


def test_features_of_another_version_are_refused(tmp_path: Path) -> None:
    Cascade(inner="ngram-regression", epochs=1, hidden=2).fit([TRAIN], [HELD_OUT]).save(tmp_path)
    card = json.loads((tmp_path / "identifier.json").read_text())
    (tmp_path / "identifier.json").write_text(json.dumps({**card, "features": card["features"][1:]}))
    with pytest.raises(InputError, match="other features"):
        load(tmp_path)


SCORED = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.booleans()), min_size=2, max_size=60).filter(
    lambda rows: any(row[2] for row in rows)
)


def columns(rows: list[tuple[float, float, bool]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    cheap, costly, truth = zip(*rows, strict=True)
    return np.array(cheap), np.array(costly), np.array(truth)


def f1_of(band: Band, cheap: np.ndarray, costly: np.ndarray, truth: np.ndarray) -> float:
    return at_threshold(np.where(band.holds(cheap), costly, cheap), truth).f1


@given(SCORED, st.floats(0, 0.3))
def test_the_cheapest_band_keeps_its_word(rows: list[tuple[float, float, bool]], loss: float) -> None:
    cheap, costly, truth = columns(rows)
    band = cheapest_band(cheap, [Way.unhurried(costly)], truth, loss)
    assert f1_of(band, cheap, costly, truth) >= at_threshold(costly, truth).f1 - loss - 1e-9


@given(SCORED, st.floats(0, 0.3), st.randoms(use_true_random=False))
def test_a_hurried_way_is_taken_where_it_is_cheaper_and_keeps_its_word(
    rows: list[tuple[float, float, bool]], loss: float, drawn: random.Random
) -> None:
    cheap, costly, truth = columns(rows)
    hasty = np.array([score if drawn.random() < 0.8 else 1 - score for score in costly])
    ways = [
        Way(scores=costly, costs=np.full(len(costly), 4)),
        Way(scores=hasty, costs=np.ones(len(costly), np.int64), doubt=0.4),
    ]
    band = cheapest_band(cheap, ways, truth, loss)
    way = ways[0] if band.doubt is None else ways[1]
    assert f1_of(band, cheap, way.scores, truth) >= at_threshold(costly, truth).f1 - loss - 1e-9
    alone = cheapest_band(cheap, ways[:1], truth, loss)
    assert way.costs[band.holds(cheap)].sum() <= 4 * alone.holds(cheap).sum()


def test_a_hurried_way_that_says_the_same_is_always_taken_and_one_that_errs_is_not() -> None:
    cheap, costly = np.array([0.1, 0.4, 0.45, 0.6, 0.9]), np.array([0.0, 1.0, 0.0, 0.0, 1.0])
    truth = costly > 0.5
    asked = Way(scores=costly, costs=np.full(5, 10))
    same = Way(scores=costly, costs=np.full(5, 5), doubt=0.3)
    wrong = Way(scores=1 - costly, costs=np.full(5, 1), doubt=0.45)
    assert cheapest_band(cheap, [asked, same, wrong], truth, 0.05) == Band(low=0.4, high=0.6, doubt=0.3)
    assert band_curve(cheap, [asked, same, wrong], truth, relative_cost=0.0, budgets=(0.3,))[0].cost == pytest.approx(
        0.3
    )


@given(SCORED)
def test_the_curve_is_what_its_bands_bring(rows: list[tuple[float, float, bool]]) -> None:
    cheap, costly, truth = columns(rows)
    curve = band_curve(cheap, [Way.unhurried(costly)], truth, relative_cost=0.1)
    for point in curve:
        assert point.f1 == pytest.approx(f1_of(point.band, cheap, costly, truth))
        assert point.share == pytest.approx(point.band.holds(cheap).mean())
        assert point.cost == pytest.approx(point.share + 0.1)
    assert [point.f1 for point in curve] == sorted(point.f1 for point in curve)
    assert curve[-1].f1 >= at_threshold(costly, truth).f1 - 1e-12


def test_a_cascade_reports_its_own_curve(cascade: Cascade) -> None:
    points = cascade.curve(TEST)
    assert points[-1].f1 == 1.0  # the inner one knows
    assert points[0].share < 0.05
    assert all(point.cost > 0 for point in points)


def test_a_band_is_not_found_on_nothing() -> None:
    with pytest.raises(InputError, match="some of them paraphrases"):
        cheapest_band(np.array([0.5]), [Way.unhurried(np.array([0.5]))], np.array([False]), 0.1)
