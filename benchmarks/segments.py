"""How many of the pairs that annotators marked in subtitles are among the segments suggested for the same documents?

    python benchmarks/segments.py --data DIR                                    # letters alone
    python benchmarks/segments.py --data DIR --encoder multilingual-e5-small    # and with an encoder
    python benchmarks/segments.py --data DIR --learn                            # and print the weights of a score anew

DIR holds `turku/sv_pairs.json` and `turku/sv_texts.json.gz`: Swedish subtitles with the places of marked pairs (Kanerva
et al., 2023). A pair is covered if a suggestion shares at least half of the characters that either of the two has, on
both sides (`covered`), or half of the marked ones (`half inside`). For each film the score is learnt on the others, so
that no film is judged by what was marked in it; `shipped` is the score as it is in the package. The few numbers of the
alignment itself were chosen on all films. `strangers` are suggestions for the left subtitles of a film with the right
ones of the next. Prints a row for each least score and writes benchmarks/results/segments.json. Fails if fewer than
70% are covered with the options' defaults, if they take more than two suggestions for a marked pair, or if a place does
not give its text back.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.rows import Members, from_rows, members_of, row_schema
from paraloom.pairs.extract import SEGMENT_COLUMNS, pairs_of_segments, segments_of_group
from paraloom.pairs.extract_options import ExtractOptions
from paraloom.pairs.similarities import Embed
from paraloom.pairs.suggestions import Side, Suggestion, suggestions
from paraloom.pairs.trivial import trivial
from paraloom.pairs.worth import chance
from paraloom.sentences.spans import Span, sentences_of_spans, spans_of_segments
from paraloom.tables import Segment

HERE = Path(__file__).resolve().parent
LEAST_COVERED = 0.7
MOST_A_PAIR = 2.0
LEAST_SCORES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
LANGUAGE = "sv"
REGULAR = 10.0
"""Large weights cost little: what is around must count, but not decide alone."""


@dataclass(frozen=True)
class Marked:
    """The place of one pair, as annotators marked it."""

    left: tuple[int, int]
    right: tuple[int, int]


@dataclass
class Film:
    """Two subtitles of a film, and what was marked in them."""

    left: Side
    right: Side
    marked: list[Marked] = field(default_factory=list)


@dataclass
class Scored:
    """A suggestion for a film, or for two halves of different films."""

    film: int
    belongs: bool
    found: Suggestion
    covers: list[int]
    half_inside: list[int]
    is_trivial: bool
    is_short: bool
    score: float = 0.0


@dataclass(frozen=True)
class Row:
    """What is covered by the suggestions of at least some score."""

    order: str
    by: str
    scored_by: str
    trivial: str
    least_score: float
    covered: float
    half_inside: float
    suggestions_a_pair: float
    of_strangers_a_pair: float


@dataclass(frozen=True)
class Defaults:
    """What the options' defaults give."""

    covered: float
    suggestions_a_pair: float
    seconds_a_film: float
    """Processor time."""
    most_seconds: float
    places_wrong: list[str]
    """Where a place does not give its text back."""


def main() -> None:
    """Measure, print, write, and fail where a bar is missed."""
    asked = asked_for()
    films, without_place, edited = read_films(asked.data / "turku")
    pairs = sum(len(film.marked) for film in films)
    print(f"{pairs} marked pairs in {len(films)} films; {without_place} more have no place and are left out.")
    print(f"Of the marked texts, {edited} were edited and are not quite what stands at their place.")
    encoders: list[tuple[str, Embed | None]] = [("letters", None)]
    if asked.encoder:
        from paraloom.models.encoders import load_sentence_encoder

        encoders.append((f"letters+{asked.encoder}", load_sentence_encoder(asked.encoder).embed))
    rows: list[Row] = []
    for by, embed in encoders:
        for order in ("always", "never"):
            rows += rows_of(films, order, by, embed, asked.learn)
    print_rows(rows)
    defaults = timed_defaults(films)
    print(
        f"Defaults: {defaults.covered:.1%} covered, {defaults.suggestions_a_pair:.2f} suggestions for a marked pair; "
        f"{defaults.seconds_a_film:.3f} s of processor time a film, at most {defaults.most_seconds:.3f} s."
    )
    result = {
        "films": len(films),
        "pairs": pairs,
        "without_place": without_place,
        "rows": [asdict(row) for row in rows],
        "defaults": asdict(defaults),
        "missed": missed(defaults),
    }
    asked.out.parent.mkdir(exist_ok=True)
    asked.out.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    if result["missed"]:
        sys.exit("\n".join(missed(defaults)))


def rows_of(films: Sequence[Film], order: str, by: str, embed: Embed | None, learn: bool) -> list[Row]:
    """The curves of one way to find suggestions: with the shipped weights, and with those learnt on other films."""
    found = suggested(films, order, embed)
    kept = [one for one in found if not one.is_trivial and not one.is_short]
    rows: list[Row] = []
    for one in found:
        one.score = chance(one.found.measured)
    rows += curve(films, found, order, by, "shipped", "with")
    rows += curve(films, kept, order, by, "shipped", "without")
    for film in range(len(films)):
        weights = learnt([one for one in kept if one.film != film])
        for one in kept:
            if one.film == film:
                one.score = chance(one.found.measured, weights)
    rows += curve(films, kept, order, by, "other films", "without")
    if learn:
        print(f"{kept[0].found.measured.known_by}: {tuple(round(float(weight), 2) for weight in learnt(kept))},")
    return rows


def suggested(films: Sequence[Film], order: Any, embed: Embed | None) -> list[Scored]:
    """All suggestions: for each film, and for its left half with the right half of the next film."""
    found = []
    for place, film in enumerate(films):
        stranger = films[(place + 1) % len(films)]
        for belongs, right in ((True, film.right), (False, stranger.right)):
            for one in suggestions(film.left, right, in_order=order, embed=embed):
                marked = film.marked if belongs else []
                found.append(
                    Scored(
                        film=place,
                        belongs=belongs,
                        found=one,
                        covers=[number for number, gold in enumerate(marked) if overlap(shared_of_both, gold, one)],
                        half_inside=[
                            number for number, gold in enumerate(marked) if overlap(shared_of_gold, gold, one)
                        ],
                        is_trivial=trivial(*one.words, LANGUAGE) is not None,
                        is_short=min(one.measured.words) < ExtractOptions().min_words,
                    )
                )
    return found


def shared_of_both(gold: tuple[int, int], span: tuple[int, int]) -> float:
    """Characters in both, of those in either."""
    return (min(gold[1], span[1]) - max(gold[0], span[0])) / (max(gold[1], span[1]) - min(gold[0], span[0]))


def shared_of_gold(gold: tuple[int, int], span: tuple[int, int]) -> float:
    """Characters in both, of the marked ones."""
    return (min(gold[1], span[1]) - max(gold[0], span[0])) / (gold[1] - gold[0])


def overlap(share: Callable[[tuple[int, int], tuple[int, int]], float], gold: Marked, found: Suggestion) -> bool:
    """Whether both sides share at least half."""
    return share(gold.left, found.left) >= 0.5 and share(gold.right, found.right) >= 0.5


def learnt(found: Sequence[Scored]) -> NDArray[np.float64]:
    """The weights of a logistic regression: was it marked?"""
    from sklearn.linear_model import LogisticRegression

    features = np.array([one.found.measured.features() for one in found])
    model = LogisticRegression(C=REGULAR, max_iter=2000).fit(features, [bool(one.covers) for one in found])
    return np.concatenate([model.intercept_, model.coef_[0]])


def curve(
    films: Sequence[Film], found: Sequence[Scored], order: str, by: str, scored_by: str, trivial: str
) -> list[Row]:
    """A row for each least score."""
    pairs = sum(len(film.marked) for film in films)
    rows = []
    for least in LEAST_SCORES:
        kept = [one for one in found if one.score >= least]
        rows.append(
            Row(
                order={"always": "in order", "never": "any order"}[order],
                by=by,
                scored_by=scored_by,
                trivial=trivial,
                least_score=least,
                covered=round(len({(one.film, gold) for one in kept for gold in one.covers}) / pairs, 4),
                half_inside=round(len({(one.film, gold) for one in kept for gold in one.half_inside}) / pairs, 4),
                suggestions_a_pair=round(sum(one.belongs for one in kept) / pairs, 3),
                of_strangers_a_pair=round(sum(not one.belongs for one in kept) / pairs, 3),
            )
        )
    return rows


def print_rows(rows: Sequence[Row]) -> None:
    """A table."""
    heads = (
        "order",
        "compared by",
        "score learnt on",
        "trivial",
        "least score",
        "covered",
        "half inside",
        "a pair",
        "strangers",
    )
    print(" | ".join(heads))
    for row in rows:
        shown = asdict(row).values()
        print(" | ".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in shown))


def timed_defaults(films: Sequence[Film]) -> Defaults:
    """Segments with the defaults, as a run makes them."""
    for film in films[:1]:
        list(segments_of_group("film", as_members(film)))  # compiles
    covered: set[tuple[int, int]] = set()
    wrong: list[str] = []
    kept = 0
    seconds = []
    for place, film in enumerate(films):
        begin = time.process_time()
        documents = as_members(film)
        segments = list(segments_of_group("film", documents))
        seconds.append(time.process_time() - begin)
        wrong += places_wrong(film, segments, documents)
        for one in (segment for segment in segments if segment.dropped_for is None):
            kept += 1
            for number, gold in enumerate(film.marked):
                shares = (
                    shared_of_both(gold.left, (one.left_start, one.left_end)),
                    shared_of_both(gold.right, (one.right_start, one.right_end)),
                )
                if min(shares) >= 0.5:
                    covered.add((place, number))
    pairs = sum(len(film.marked) for film in films)
    return Defaults(
        covered=round(len(covered) / pairs, 4),
        suggestions_a_pair=round(kept / pairs, 3),
        seconds_a_film=round(float(np.mean(seconds)), 4),
        most_seconds=round(max(seconds), 4),
        places_wrong=wrong,
    )


def missed(defaults: Defaults) -> list[str]:
    """The bars that are not reached, in words."""
    found = list(defaults.places_wrong)
    if defaults.covered < LEAST_COVERED:
        found.append(f"{defaults.covered:.1%} of the marked pairs are covered, not {LEAST_COVERED:.0%}.")
    if defaults.suggestions_a_pair > MOST_A_PAIR:
        found.append(f"{defaults.suggestions_a_pair:.2f} suggestions for a marked pair, not {MOST_A_PAIR}.")
    return found


def as_members(film: Film) -> Members:
    """The two documents as a run's tables have them; the first is the left one."""
    sides = (film.left, film.right)
    return members_of(
        document_id=["1", "2"],
        is_origin=[True, False],
        similarity=[None] * 2,
        kind=["subtitle"] * 2,
        text=[side.text for side in sides],
        title=[None] * 2,
        created_at=[None] * 2,
        start=[None] * 2,
        end=[None] * 2,
    )


def places_wrong(film: Film, segments: Sequence[Segment], documents: Members) -> list[str]:
    """Where a pair's text, its sentences and what stands at their places in the documents are not the same."""
    columns = {name: [getattr(one, name) for one in segments] for name in SEGMENT_COLUMNS}
    spans = spans_of_segments(from_rows(segments, row_schema(Segment))).to_pylist()
    at_their_place: dict[str, str] = {}
    wrong = []
    for document_id, side in (("1", film.left), ("2", film.right)):
        own = [span for span in spans if span["document_id"] == document_id]
        given = members_of(**{name: [span[name] for span in own] for name in row_schema(Span).names})
        text = members_of(document_id=[document_id], text=[side.text])
        for sentence in sentences_of_spans(document_id, given, text):
            at_their_place[sentence.sentence_id] = sentence.text
            if sentence.text.split() != side.text[sentence.start : sentence.end].split() or not sentence.text:
                wrong.append(f"A sentence's text is not at its place: {sentence.text!r}")
    for pair in pairs_of_segments("film", members_of(**columns), documents):
        if (pair.left, pair.right) != (at_their_place.get(pair.left_id), at_their_place.get(pair.right_id)):
            wrong.append(f"A pair's texts are not those of its sentences: {pair.left!r}, {pair.right!r}")
    return wrong


def read_films(folder: Path) -> tuple[list[Film], int, int]:
    """The films, how many marked pairs have no place, and how many texts are not what stands at their place."""
    texts = json.loads(gzip.decompress((folder / "sv_texts.json.gz").read_bytes()))
    films: dict[tuple[str, str], Film] = {}
    without_place = edited = 0
    for pair in json.loads((folder / "sv_pairs.json").read_text()):
        context = pair["context"]
        if not context:
            without_place += 1
            continue
        key = (context["doc1"], context["doc2"])
        if key not in films:
            left, right = (Side(document_id=name, text=texts[name], kind="subtitle") for name in key)
            films[key] = Film(left, right)
        left_place, right_place = (context["beg1"], context["end1"]), (context["beg2"], context["end2"])
        for side, place, text in ((key[0], left_place, pair["txt1"]), (key[1], right_place, pair["txt2"])):
            edited += texts[side][slice(*place)].split() != text.split()
        films[key].marked.append(Marked(left_place, right_place))
    return list(films.values()), without_place, edited


def asked_for() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds turku/")
    parser.add_argument("--encoder", default="", help="an encoder to compare meanings with, too")
    parser.add_argument("--learn", action="store_true", help="print the weights learnt on all films")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "segments.json")
    return parser.parse_args()


if __name__ == "__main__":
    main()
