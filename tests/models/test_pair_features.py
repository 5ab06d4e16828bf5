"""Cheap features: tokens as described, measures as defined, the same for either order and in any batch."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from paraloom.errors import InputError
from paraloom.models.identifiers import pair_features as module
from paraloom.models.identifiers.hashed_rows import find_rows, find_vectors, hashed
from paraloom.models.identifiers.pair_features import Lexicon, as_bytes, pair_features
from paraloom.models.identifiers.pair_measures import FEATURES, MOST_TOKENS, SCALE
from paraloom.models.identifiers.pair_tokens import NAME, NUMBER, scan_texts
from paraloom.models.identifiers.token_table import TokenTable, load_table, shipped_pieces

WORDS = ("the", "storm", "storms", "hit", "hitting", "coast", "party", "parties", "not", "7", "1,000", "gale", "Paris")
PLAIN = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
TEXTS = st.one_of(PLAIN, st.text(max_size=20))
VECTORS = TokenTable.of(
    "own",
    ["storm", "gale", "coast", "hit", "##s", "par", "##ty"],
    np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 1, 0], [0, 0, 1], [0.1, 0, 0], [0, 1, 1], [1, 1, 0.0]]),
)
LEXICON = Lexicon.learn(["the storm", "the coast", "the storm hit", "the gale hit", "a party", "parties"])


def tokens_of(text: str) -> list[str]:
    clean, _, _, _, _, firsts, lasts, _ = scan_texts(*as_bytes([text]), MOST_TOKENS)
    return [clean[first:last].tobytes().decode() for first, last in zip(firsts, lasts, strict=True)]


TOKENS = [
    ("The storm, the COAST!", ["the", "storm", "the", "coast"]),
    ("1,000.5 at 7:30, 3.", ["1000.5", "at", "7:30", "3"]),
    ("I don't, can't; DIDN'T", ["i", "do", "not", "ca", "not", "did", "not"]),
    ("it's Ann's, they're we'll I've he'd", ["it", "ann", "they", "we", "i", "he"]),
    ("see https://example.org/a?b=c now", ["see", "now"]),
    ("https://example.org", []),
    ("http is a word", ["http", "is", "a", "word"]),
    ("@ann #luck well-known", ["ann", "luck", "well", "known"]),
    ("Ärger über Straße", ["ärger", "über", "straße"]),
    ("don’t “quote” – dash…", ["do", "not", "quote", "dash"]),
    ("我爱北京", ["我", "爱", "北", "京"]),
    ("rain🌧🌧 x", ["rain", "🌧", "🌧", "x"]),
    ("n't", ["not"]),
    ("'s", ["s"]),
    ("", []),
    ("!!! ... \u200b", []),
]


@pytest.mark.parametrize(("text", "tokens"), TOKENS)
def test_a_text_is_cut_into_tokens(text: str, tokens: list[str]) -> None:
    assert tokens_of(text) == tokens


STEMS = [
    ("storms", "storm"),
    ("voted", "voting"),
    ("votes", "vote"),
    ("parties", "party"),
    ("stopped", "stop"),
    ("stopping", "stops"),
    ("quickly", "quick"),
]
OTHER_STEMS = [("bus", "bu"), ("class", "clas"), ("this", "thi"), ("ring", "r"), ("bed", "b")]


def stems(text: str) -> list[int]:
    return scan_texts(*as_bytes([text]), MOST_TOKENS)[3].tolist()


@pytest.mark.parametrize(("one", "other"), STEMS)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other)


@pytest.mark.parametrize(("one", "other"), OTHER_STEMS)
def test_other_words_have_another(one: str, other: str) -> None:
    assert stems(one) != stems(other)


def marks_of(text: str) -> list[int]:
    return scan_texts(*as_bytes([text]), MOST_TOKENS)[4].tolist()


def test_numbers_and_names_are_marked() -> None:
    assert marks_of("In Paris 5 men met") == [0, NAME, NUMBER, 0, 0]
    assert marks_of("we met @ann") == [0, 0, NAME]
    assert marks_of("Storm Hits Coast Of Norland") == [0] * 5  # a headline


@given(st.lists(st.text(max_size=30), max_size=6))
def test_texts_are_scanned_one_by_one_as_together(texts: list[str]) -> None:
    together = scan_texts(*as_bytes(texts), MOST_TOKENS)
    for number, text in enumerate(texts):
        alone = scan_texts(*as_bytes([text]), MOST_TOKENS)
        first, last = together[7][number], together[7][number + 1]
        assert together[2][first:last].tolist() == alone[2].tolist()
        assert together[0][together[1][number] : together[1][number + 1]].tobytes() == alone[0].tobytes()


@given(st.lists(st.integers(1, 2**64 - 1), unique=True, max_size=50), st.integers(1, 2**64 - 1))
def test_a_key_leads_to_its_row(keys: list[int], other: int) -> None:
    table = hashed(np.array(keys, np.uint64))
    assert find_rows(*table, np.array(keys, np.uint64)).tolist() == list(range(len(keys)))
    if other not in keys:
        assert find_rows(*table, np.array([other], np.uint64)).tolist() == [-1]


def test_a_word_that_is_not_in_the_table_is_the_sum_of_its_pieces() -> None:
    clean, _, _, _, _, firsts, lasts, _ = scan_texts(*as_bytes(["storm storms party gales x partyx"]), MOST_TOKENS)
    vectors = np.zeros((len(firsts), 3), np.int8)
    known = find_vectors(clean, firsts, lasts, *VECTORS.rows, VECTORS.vectors, vectors)
    assert known.tolist() == [True, True, True, True, False, False]
    assert vectors[0].tolist() == [127, 0, 0]
    assert vectors[1].tolist() == [127, 0, 0]  # storm, and ##s in the same direction
    summed = VECTORS.vectors[5].astype(float) + VECTORS.vectors[6]
    assert vectors[2].tolist() == np.rint(summed / np.linalg.norm(summed) * 127).tolist()


def slow_features(left: str, right: str) -> dict[str, float]:
    """The features, written down as they are defined."""
    left, right = sorted((left, right))
    sides = []
    for text in (left, right):
        clean, _, words, its_stems, marks, firsts, lasts, _ = scan_texts(*as_bytes([text]), MOST_TOKENS)
        vectors = np.zeros((len(words), 3), np.int8)
        known = find_vectors(clean, firsts, lasts, *VECTORS.rows, VECTORS.vectors, vectors)
        rows = find_rows(*LEXICON.rows, words)
        weights = [LEXICON.weights[row] if row >= 0 else LEXICON.rarest for row in rows]
        sides.append((clean.tobytes(), words.tolist(), its_stems.tolist(), marks.tolist(), vectors, known, weights))
    found: dict[str, float] = {}

    def both(name: str, one: float, other: float) -> None:
        found[f"{name}_lower"], found[f"{name}_higher"] = min(one, other), max(one, other)

    before = "words_1"
    for place, name, orders in ((1, "words", (1, 2, 3)), (2, "stems", (1, 2)), (0, "characters", (3, 4))):
        for order in orders:
            grams = [
                Counter(tuple(side[place][start : start + order]) for start in range(len(side[place]) - order + 1))
                for side in sides
            ]
            ours, theirs = (counts.total() for counts in grams)
            shared = (grams[0] & grams[1]).total()
            if ours + theirs or (place, order) == (1, 1):
                both(f"{name}_{order}", shared / max(ours, 1), shared / max(theirs, 1))
            else:
                both(f"{name}_{order}", found[f"{before}_lower"], found[f"{before}_higher"])
            before = f"{name}_{order}"
    (_, words, ours, marks, vectors, known, weights), (_, other_words, theirs, other_marks, others, other_known, w) = (
        sides
    )
    size, other_size = max(len(ours), 1), max(len(theirs), 1)
    table = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    longest = 0
    for one in range(len(ours)):
        for other in range(len(theirs)):
            same = ours[one] == theirs[other]
            table[one + 1][other + 1] = (
                table[one][other] + 1 if same else max(table[one][other + 1], table[one + 1][other])
            )
            length = 0
            while min(one, other) >= length and ours[one - length] == theirs[other - length]:
                length += 1
            longest = max(longest, length)
    both("same_order", table[-1][-1] / size, table[-1][-1] / other_size)
    both("longest_run", longest / size, longest / other_size)
    near = np.zeros((len(ours), len(theirs)))
    for one in range(len(ours)):
        for other in range(len(theirs)):
            if ours[one] == theirs[other]:
                near[one, other] = 1
            elif known[one] and other_known[other]:
                near[one, other] = np.clip(vectors[one].astype(int) @ others[other].astype(int) / SCALE, 0, 0.99)
    nearest = [near.max(axis=1, initial=0), near.max(axis=0, initial=0)]
    totals = []
    for its_near, its_weights, its_marks, count in (
        (nearest[0], np.array(weights), np.array(marks, int), size),
        (nearest[1], np.array(w), np.array(other_marks, int), other_size),
    ):
        lost = np.sort(np.append(its_weights * (1 - its_near), [0, 0]))[::-1]
        missing = its_near < 1
        whole = max(its_weights.sum(), 1e-9)
        totals.append(
            {
                "weight_shared": its_weights[~missing].sum() / whole,
                "weight_near": (its_weights * its_near).sum() / whole,
                "near": its_near.sum() / count,
                "worst": lost[0],
                "second_worst": lost[1],
                "weight_lost": (its_weights * (1 - its_near)).sum(),
                "weight_missing": its_weights[missing].sum(),
                "missing": missing.sum(),
                "numbers_missing": (missing & (its_marks & NUMBER > 0)).sum(),
                "names_missing": (missing & (its_marks & NAME > 0)).sum(),
                "length": len(its_near),
                "weight": its_weights.sum(),
                "numbers": (~missing & (its_marks & NUMBER > 0)).sum(),
            }
        )
    for name in totals[0]:
        both(name, totals[0][name], totals[1][name])
    counts = [Counter(), Counter()]
    weight_of = dict(zip(words, weights, strict=True)) | dict(zip(other_words, w, strict=True))
    for bag, its_words in zip(counts, (words, other_words), strict=True):
        for word in its_words:
            bag[word] += 1
    dot = sum(counts[0][word] * counts[1][word] * weight_of[word] ** 2 for word in counts[0])
    norms = [math.sqrt(sum((times * weight_of[word]) ** 2 for word, times in bag.items())) for bag in counts]
    found["tfidf"] = dot / (norms[0] * norms[1]) if norms[0] * norms[1] else 0.0
    for name, only_missing in (("centroids", False), ("rests", True)):
        centres = []
        for its_vectors, its_weights, its_near in ((vectors, weights, nearest[0]), (others, w, nearest[1])):
            kept = its_near < 1 if only_missing else np.ones(len(its_near), bool)
            centres.append(
                (its_vectors * np.array(its_weights)[:, None])[kept].sum(axis=0) if kept.any() else np.zeros(3)
            )
        lengths = np.linalg.norm(centres[0]) * np.linalg.norm(centres[1])
        found[name] = centres[0] @ centres[1] / lengths if lengths else 0.0
    found["numbers_shared"] = found.pop("numbers_lower")
    found["length_ratio"] = min(size, other_size) / max(size, other_size)
    return found


@settings(max_examples=150)
@given(TEXTS, TEXTS)
def test_features_are_as_they_are_defined(left: str, right: str) -> None:
    found = pair_features([left], [right], LEXICON, VECTORS).features[0]
    expected = slow_features(left, right)
    for name, value in zip(FEATURES, found.tolist(), strict=True):
        assert value == pytest.approx(expected[name], abs=1e-9), name


PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=7)


@given(PAIRS)
def test_neither_order_nor_batch_changes_a_digit(pairs: list[tuple[str, str]]) -> None:
    left, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    together = pair_features(left, right, LEXICON, VECTORS)
    turned = pair_features(right, left, LEXICON, VECTORS)
    assert together.features.tolist() == turned.features.tolist()
    assert np.isfinite(together.features).all()
    for number, (one, other) in enumerate(pairs):
        alone = pair_features([one], [other], LEXICON, VECTORS)
        assert alone.features[0].tolist() == together.features[number].tolist()
        assert alone.missing.tolist() == together.missing[together.pair_of == number].tolist()


def test_many_parts_are_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = ["the storm hit", "a gale", "the coast"] * 5, ["the gale hit", "parties", "the storm"] * 5
    whole = pair_features(left, right, LEXICON, VECTORS)
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 4)
    parts = pair_features(left, right, LEXICON, VECTORS)
    assert whole.features.tolist() == parts.features.tolist()
    assert (whole.missing.tolist(), whole.pair_of.tolist()) == (parts.missing.tolist(), parts.pair_of.tolist())


def test_missing_words_are_rows_of_the_lexicon() -> None:
    known = pair_features(["the storm"], ["the gale unheard"], LEXICON, VECTORS)
    words = scan_texts(*as_bytes(["storm gale"]), MOST_TOKENS)[2]
    assert sorted(LEXICON.hashes[known.missing].tolist()) == sorted(
        word for word in words.tolist() if word in LEXICON.hashes
    )


@pytest.mark.parametrize("text", ["", "!!!", "\ud83d", "storm " * 10_000, "我" * 5000, "x" * 100_000, "1,2,3,4" * 999])
def test_any_text_has_features(text: str) -> None:
    for other in ("", "the storm", text):
        features = pair_features([text], [other], LEXICON, VECTORS).features
        assert np.isfinite(features).all()


def test_weights_are_inverse_document_frequencies() -> None:
    texts = ["the storm", "the coast", "the the storm hit", "the storm"]
    lexicon = Lexicon.learn(texts)
    distinct = [set(re.findall(r"\w+", text)) for text in dict.fromkeys(texts)]
    for word, hashed_word in (("the", stems("the")[0]), ("storm", stems("storm")[0])):
        row = lexicon.hashes.tolist().index(hashed_word)
        assert lexicon.weights[row] == pytest.approx(math.log(3 / sum(word in text for text in distinct)))
    assert len(lexicon) == 2
    assert lexicon.rarest == pytest.approx(math.log(3))


def test_a_table_is_written_and_read_again(tmp_path: Path) -> None:
    VECTORS.write(tmp_path / "table.safetensors")
    again = load_table(str(tmp_path / "table.safetensors"))
    assert (again.name, again.words, again.digest) == (VECTORS.name, VECTORS.words, VECTORS.digest)


def test_a_damaged_word_keeps_its_place_in_a_table(tmp_path: Path) -> None:
    table = TokenTable.of("damaged", ["storm", "half \ud83d", "\ufffd"], np.eye(3))
    table.write(tmp_path / "table.safetensors")
    again = TokenTable.read(tmp_path / "table.safetensors")
    assert again.words == table.words
    assert again.digest == table.digest


def test_a_table_without_words_has_those_of_the_shipped_encoder(tmp_path: Path) -> None:
    pieces = shipped_pieces()
    save_file({"vectors": np.ones((len(pieces), 2), np.float16)}, tmp_path / "table.safetensors")
    assert load_table(str(tmp_path / "table.safetensors")).words == tuple(pieces)
    save_file({"vectors": np.ones((3, 2), np.float32)}, tmp_path / "short.safetensors")
    with pytest.raises(InputError, match=f"has {len(pieces)} words and vectors of the shape"):
        load_table(str(tmp_path / "short.safetensors"))


def test_the_encoders_own_vectors_know_words_alike() -> None:
    table = load_table("encoder")
    features = pair_features(["coast", "coast"], ["shore", "seven"], Lexicon.learn([]), table).features
    near = features[:, FEATURES.index("near_lower")]
    assert near[0] > near[1] + 0.1


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    latin = np.frombuffer("größe".encode("latin-1"), np.uint8)
    save_file({"vectors": np.ones((1, 2), np.float32), "words": latin}, tmp_path / "latin.safetensors")
    with pytest.raises(InputError, match="cannot be read as a table of vectors: 'utf-8' codec"):
        load_table(str(tmp_path / "latin.safetensors"))
    with pytest.raises(InputError, match="cannot be read as a table"):
        load_table(str(tmp_path / "none.safetensors"))
    save_file({"other": np.ones(3)}, tmp_path / "table.safetensors")
    with pytest.raises(InputError, match="has no tensor 'vectors'; it has other"):
        load_table(str(tmp_path / "table.safetensors"))
