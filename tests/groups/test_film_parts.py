"""How films are cut into parts, and which of the parts are read."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.documents.files.subtitles import read_srt
from paraloom.groups.caption_anchors import Timed
from paraloom.groups.caption_times import TimeMap, time_map
from paraloom.groups.film_gaps import Gap
from paraloom.groups.film_parts import Part, chosen_parts, film_parts
from paraloom.tables import Cue
from tests.groups.made_up_films import Making, Version, cues_of, make_film, make_version

PAL = 25 / (24000 / 1001)
SAME = TimeMap(rate=1.0, offset=0.0)


def cue(start: int, begins_at: float, seconds: float = 2.0, letters: int = 10) -> Cue:
    return Cue(
        document_id="d",
        start=start,
        end=start + letters,
        text="x" * letters,
        begins_at=begins_at,
        ends_at=begins_at + seconds,
    )


def talk(*times: float, seconds: float = 2.0) -> list[Cue]:
    return [cue(11 * number, at, seconds) for number, at in enumerate(times)]


def timed(cues: list[Cue]) -> list[Timed]:
    return [Timed(each.begins_at, each.ends_at, each.text) for each in cues]


def part_of_lines(version: Version, cues: list[Cue], parts: tuple[Part, ...], side: str) -> dict[int, set[int]]:
    """By line, the parts in which a caption that holds it lies; -1 for none."""
    found: dict[int, set[int]] = {}
    for numbers, each in zip(version.lines, cues, strict=True):
        inside = [
            part.number
            for part in parts
            if getattr(part, side).start <= each.start and each.end <= getattr(part, side).end
        ]
        for number in numbers:
            found.setdefault(number, set()).update(inside or [-1])
    return found


FILMS = {
    "a studio's logo first": Making(offset=47.5),
    "another frame rate": Making(rate=PAL, offset=-12),
    "any drift": Making(rate=0.9712, offset=220),
    "no beginning": Making(begins_at=1300, offset=5),
    "no end": Making(ends_at=3900, rate=1 / PAL),
    "an advertisement in a part": Making(breaks=[(2000, 150)]),
    "an advertisement near a cut": Making(breaks=[(1790, 100), (3650, 80)]),
    "a piece is cut": Making(breaks=[(2500, -200)]),
    "wrong times": Making(offset=30, wrong=0.05),
    "a careless typist": Making(offset=30, noise=0.5, missing=0.2, joined=0.4),
}


@pytest.mark.parametrize("done", FILMS)
@pytest.mark.parametrize("seed", range(3))
def test_counterparts_lie_in_the_same_part(done: str, seed: int) -> None:
    random = Random(f"{done} {seed}")
    film = make_film(random, 1200)
    left = make_version(random, film.left, Making())
    right = make_version(random, film.right, FILMS[done])
    (_, left_cues), (_, right_cues) = cues_of(left), cues_of(right)
    times = time_map(timed(left_cues), timed(right_cues))
    made = film_parts(left_cues, right_cues, times)
    on_left = part_of_lines(left, left_cues, made.parts, "left")
    on_right = part_of_lines(right, right_cues, made.parts, "right")
    shared = sorted(on_left.keys() & on_right.keys())
    together = sum(on_left[line] == on_right[line] and -1 not in on_left[line] for line in shared)
    wrong = FILMS[done].wrong
    assert len(shared) > 500
    assert together / len(shared) >= 0.98 - wrong
    assert made.silent == 0
    assert 3 <= len(made.parts) <= 8
    for part in made.parts[:-1]:
        assert 13 * 60 <= part.ends_at - part.begins_at <= 17 * 60
    assert 7 * 60 <= made.parts[-1].ends_at - made.parts[-1].begins_at <= 24 * 60


caption_times = st.lists(
    st.tuples(st.floats(0, 7200), st.floats(-1, 9), st.integers(1, 60), st.integers(0, 3)), min_size=0, max_size=60
)
maps = st.builds(
    lambda rate, offset, at, more: TimeMap(
        rate=rate, offset=offset, gaps=(Gap(at, at, rate * at + offset, rate * at + offset + more),) if more else ()
    ),
    st.floats(0.8, 1.25),
    st.floats(-600, 600),
    st.floats(0, 7200),
    st.floats(0, 300),
)


def as_cues(given_times: list[tuple[float, float, int, int]], sort: bool) -> list[Cue]:
    cues: list[Cue] = []
    end = 0
    for begins_at, lasts, letters, between in sorted(given_times) if sort else given_times:
        start = end + between
        end = start + letters
        cues.append(cue(start, begins_at, lasts, letters))
    return cues


@settings(max_examples=300)
@given(caption_times, caption_times, maps, st.sampled_from([1.0, 4.0, 15.0]), st.booleans())
def test_parts_follow_one_another_and_never_cut_a_caption(
    left_times: list[tuple[float, float, int, int]],
    right_times: list[tuple[float, float, int, int]],
    times: TimeMap,
    minutes: float,
    sort: bool,
) -> None:
    left, right = as_cues(left_times, sort), as_cues(right_times, sort)
    made = film_parts(left, right, times, minutes=minutes)
    assert [part.number for part in made.parts] == list(range(len(made.parts)))
    for before, after in pairwise(made.parts):
        assert before.ends_at <= after.begins_at
        assert before.left.end <= after.left.start
        assert before.right.end <= after.right.start
        if not made.silent:
            assert before.ends_at == after.begins_at
    for part in made.parts:
        for cues, span in ((left, part.left), (right, part.right)):
            assert span.start in {each.start for each in cues}
            assert span.end in {each.end for each in cues}
            assert span.start < span.end
    if not made.silent and made.parts:
        for cues, side in ((left, "left"), (right, "right")):
            spans = [getattr(part, side) for part in made.parts]
            within = [each for each in cues if spans[0].start <= each.start and each.end <= spans[-1].end]
            held = [each for each in within if any(s.start <= each.start and each.end <= s.end for s in spans)]
            assert held == within  # no caption lies between two parts


@settings(max_examples=100)
@given(caption_times, st.floats(0.96, 1.05), st.floats(0, 600))
def test_all_captions_of_versions_with_the_same_times_are_in_a_part(
    given_times: list[tuple[float, float, int, int]], rate: float, offset: float
) -> None:
    left = as_cues(given_times, sort=True)
    right = [
        Cue(
            document_id="e",
            start=2 * each.start,
            end=2 * each.end,
            text=each.text,
            begins_at=rate * each.begins_at + offset,
            ends_at=rate * each.ends_at + offset,
        )
        for each in left
    ]
    made = film_parts(left, right, TimeMap(rate=rate, offset=offset))
    assert made.silent == 0 or max(each.begins_at for each in left) - min(each.begins_at for each in left) > 800
    held = [each for part in made.parts for each in left if part.left.start <= each.start and each.end <= part.left.end]
    assert held == left
    for part in made.parts:
        assert (part.right.start, part.right.end) == (2 * part.left.start, 2 * part.left.end)


def test_a_cut_lies_in_the_longest_pause_that_both_versions_have() -> None:
    times = [float(second) for second in range(0, 1790, 5)]
    left = talk(*(at for at in times if not 870 <= at < 885 and not 930 < at < 950))
    right = talk(*(at for at in times if not 875 <= at < 890 and not 930 < at < 950))
    first, second = film_parts(left, right, SAME).parts
    assert first.ends_at == second.begins_at == pytest.approx((932 + 950) / 2)
    assert left[-1].end == second.left.end
    assert {cue.begins_at for cue in left if cue.start >= second.left.start} == {at for at in times if at >= 950}


def test_without_a_common_pause_captions_are_still_whole() -> None:
    left = talk(*(3.0 * number for number in range(500)), seconds=2.5)
    right = talk(*(3.0 * number + 1.5 for number in range(500)), seconds=2.5)
    first, second = film_parts(left, right, SAME).parts
    assert first.ends_at not in {each.begins_at for each in left}
    assert not any(each.begins_at < first.ends_at < each.ends_at for each in left)
    assert first.left.end < second.left.start
    assert first.right.end < second.right.start


LENGTHS = [(10, [10]), (16, [16]), (22, [22]), (23, [15, 8]), (30, [15, 15]), (37, [15, 22]), (38, [15, 15, 8])]


@pytest.mark.parametrize(("minutes", "lengths"), LENGTHS)
def test_a_short_rest_belongs_to_the_part_before(minutes: int, lengths: list[int]) -> None:
    cues = talk(*(5.0 * number for number in range(12 * minutes)))
    found = film_parts(cues, cues, SAME).parts
    assert [(part.ends_at - part.begins_at) / 60 for part in found] == [
        pytest.approx(each, abs=1.6) for each in lengths
    ]


def test_what_only_one_version_has_at_its_ends_belongs_to_no_part() -> None:
    left = talk(*range(0, 1800, 6))
    right = talk(*range(600, 1500, 6))
    (part,) = film_parts(left, right, SAME).parts
    assert (part.left.start, part.left.end) == (left[100].start, left[249].end)
    assert (part.right.start, part.right.end) == (right[0].start, right[-1].end)


def test_a_part_in_which_only_one_version_speaks_is_left_out_and_counted() -> None:
    left = talk(*range(0, 3600, 6))
    right = talk(*range(0, 890, 6), 1200, *range(1810, 3600, 6))  # one caption in the second part: a translator's name
    made = film_parts(left, right, SAME)
    assert made.silent == 1
    assert [round(part.begins_at / 900) for part in made.parts] == [0, 2, 3]
    assert [part.number for part in made.parts] == [0, 1, 2]


def test_versions_that_share_no_time_have_no_parts() -> None:
    apart = film_parts(talk(0, 10, 20), talk(5000, 5010), SAME)
    assert apart.parts == ()
    assert film_parts([], talk(1), SAME).parts == ()


def test_times_far_away_do_no_harm() -> None:
    far = [*talk(*range(0, 3600, 6)), cue(9000, 3e5), cue(9020, 3e5 + 5, seconds=1e7)]
    found = film_parts(far, far, SAME).parts
    assert len(found) == 5
    assert found[-1].left.end == 9030


def test_a_caption_that_never_ends_hides_no_pause() -> None:
    cues = talk(*range(0, 1800, 6))
    endless = dataclasses.replace(cues[10], ends_at=99999)
    found = film_parts([*cues[:10], endless, *cues[11:]], cues, SAME).parts
    assert found == film_parts(cues, cues, SAME).parts


DIALOGUE = """
Good evening, Captain Brandt.|Captain Brandt, good evening to you.
The harbour is closed until Thursday.|Nobody leaves port before Thursday.
Who gave that order?|Whose order was that?
Inspector Lindqvist, at seven.|It came from Inspector Lindqvist at seven o'clock.
She has no right to do so.|She can't do that.
Tell it to the lighthouse keeper.|Go and complain to the lighthouse keeper.
My cargo is 400 crates of oranges.|I carry oranges. 400 crates.
They will rot, Brandt.|Then they'll go bad, Brandt.
Not if we sail at midnight.|Unless we leave at midnight.
The patrol boat is faster than yours.|You cannot outrun the patrol boat.
The fog is on our side.|We have the fog.
Ask old Matilda about the reef.|Matilda knows the reef. Ask her.
Matilda has not spoken since the wreck.|She's been silent since the wreck.
Give her this compass.|Hand this compass to her.
Where did you find it?|Where is it from?
In a tavern in Valparaiso.|A tavern. Valparaiso.
That was my father's.|It belonged to my father.
Then you know what the letters mean.|So the engraving means something to you.
North by the chapel, south by the mill.|The chapel in the north, the mill in the south.
And never after the bell.|And don't go once the bell has rung.
Listen! The bell.|Hear that? It's the bell.
Douse the lantern.|Put the lantern out.
Someone is on the jetty.|There's a man on the jetty.
It is only Rasmus with the mail.|Just Rasmus, bringing the mail.
At this hour?|So late?
A telegram from Copenhagen.|He has a telegram. Copenhagen.
Read it aloud.|What does it say?
"Sell the oranges. Come home."|"Get rid of the oranges and come home."
"Your brother is alive."|"Your brother lives."
Start the engine.|Engine on.
"""


def srt(lines: list[str], rate: float, offset: float, first: int = 0) -> bytes:
    def clock(seconds: float) -> str:
        whole, thousandths = divmod(round(1000 * seconds), 1000)
        return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02},{thousandths:03}"

    blocks = []
    for number, line in enumerate(lines, start=first):
        begin = rate * (20 + 47 * number + 7 * (number % 3)) + offset
        blocks.append(f"{number + 1}\r\n{clock(begin)} --> {clock(begin + 2.4)}\r\n<i>{line}</i>\r\n")
    return "\ufeff".encode() + "\r\n".join(blocks).encode()


def test_two_subtitle_files_are_cut_at_the_same_place() -> None:
    sides = list(zip(*(line.split("|") for line in DIALOGUE.strip().splitlines()), strict=True))
    (left,) = read_srt(srt(list(sides[0]), 1.0, 0.0), None)
    (right,) = read_srt(srt(list(sides[1])[2:], PAL, 100.0, first=2), None)
    texts = [post.text for post in (left, right) if isinstance(post.text, str)]
    left_cues, right_cues = (
        [Cue(document_id="d", text=text[each.start : each.end], **each._asdict()) for each in post.captions]
        for text, post in zip(texts, (left, right), strict=True)
    )
    times = time_map(*(timed(cues) for cues in (left_cues, right_cues)))
    assert times.is_sure
    assert times.rate == pytest.approx(PAL, abs=0.001)
    first, second = film_parts(left_cues, right_cues, times, minutes=12).parts
    assert texts[0][first.left.start :].startswith("Who gave that order?")
    assert (
        texts[0][first.left.start : first.left.end].splitlines()[-1] == texts[0][: second.left.start].splitlines()[-1]
    )
    for part in (first, second):
        ours = texts[0][part.left.start : part.left.end].splitlines()
        theirs = texts[1][part.right.start : part.right.end].splitlines()
        assert [sides[0].index(line) + 2 for line in ours] == [sides[1].index(line) + 2 for line in theirs]


@given(st.text(), st.lists(st.integers(0, 6), max_size=3), st.integers(1, 4), st.integers(0, 5))
def test_rounds_take_every_part_once(work: str, counts: list[int], per_round: int, seed: int) -> None:
    taken = [chosen_parts(work, counts, round=number, per_round=per_round, seed=seed) for number in range(1, 20)]
    every = [(pair, number) for pair, count in enumerate(counts) for number in range(count)]
    assert sorted(part for parts in taken for part in parts) == every
    assert all(len(parts) <= per_round and list(parts) == sorted(parts) for parts in taken)
    assert [len(parts) for parts in taken] == sorted((len(parts) for parts in taken), reverse=True)


@given(st.text(), st.integers(1, 6), st.integers(1, 3), st.integers(0, 5))
def test_no_stretch_of_a_film_is_read_again_before_all_are(work: str, parts: int, pairs: int, seed: int) -> None:
    drawn = [
        chosen_parts(work, [parts] * pairs, round=number, per_round=1, seed=seed) for number in range(1, parts + 1)
    ]
    assert sorted(number for ((_, number),) in drawn) == list(range(parts))
    assert len({pair for ((pair, _),) in drawn}) == min(pairs, parts), "pairs of versions take turns"


def test_which_part_is_read_differs_by_film_and_by_seed() -> None:
    def drawn(seed: int) -> list[tuple[tuple[int, int], ...]]:
        return [chosen_parts(f"film {number}", [6], round=1, per_round=1, seed=seed) for number in range(600)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    for number in range(6):
        assert 70 <= drawn(1).count(((0, number),)) <= 130
