"""`paraloom evaluate generation` from the command line: who copies is flagged, who paraphrases is not."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

Words = tuple[str, str, str, str]

FRAMES: tuple[Words, ...] = (
    (
        "{who} won the {what} in {where} on Sunday by two points",
        "on Sunday the {what} in {where} went to {who}, two points ahead",
        "{where}: {who} is this Sunday's winner of the {what}, by two points",
        "the {what} in {where} was won by {who} with two points more on Sunday",
    ),
    (
        "the council of {where} closed the {what} after complaints from {who}",
        "{where} has shut its {what} because {who} complained to the council",
        "following complaints by {who}, the {what} in {where} was closed",
        "after {who} complained, the council in {where} decided to shut the {what}",
    ),
    (
        "{who} will open a new {what} in {where} next month",
        "next month a {what} is to be opened in {where} by {who}",
        "in {where} {who} plans to start a {what} a month from now",
        "{where} gets another {what} in a month, and {who} will open it",
    ),
    (
        "nobody was hurt when the {what} in {where} caught fire, says {who}",
        "{who} says a fire at the {what} of {where} has injured no one",
        "fire at the {what} in {where}: no injuries, according to {who}",
        "the {what} in {where} burned but no one was injured, {who} reports",
    ),
)
WHO = ("Ada Lark", "the harbour choir", "Milo Venn", "a retired pilot")
WHERE = ("Arden Falls", "Norland", "Riverside", "Brightfern")


def texts(phrasing: int) -> list[str]:
    """One phrasing of 64 invented events."""
    what = ("boat race", "market hall", "chess club", "night tram")
    return [
        frame[phrasing].format(who=who, where=where, what=what[(number + place) % 4])
        for number, frame in enumerate(FRAMES)
        for who, (place, where) in product(WHO, enumerate(WHERE))
    ]


SOURCES, FIRST, SECOND, PARAPHRASES = (texts(phrasing) for phrasing in range(4))


def nine_words_of_ten(source: str) -> str:
    words = source.split()
    words[len(words) // 2] = "thing"
    return " ".join(words)


def another(number: int) -> str:
    return f"bake {number} small loaves and let them cool under a clean cloth for an hour"


def with_words_of_others(source: str) -> str:
    """A third of the words replaced by random words of the other sources."""
    words, drawing = source.split(), random.Random(source)
    for place in drawing.sample(range(len(words)), round(0.3 * len(words))):
        words[place] = drawing.choice(EVERY_WORD)
    return " ".join(words)


def misspelt(source: str) -> str:
    """Another letter in three words of ten."""
    words, drawing = source.split(), random.Random(source)
    for place in drawing.sample(range(len(words)), round(0.3 * len(words))):
        letter = drawing.randrange(len(words[place]))
        words[place] = words[place][:letter] + drawing.choice("bdfgkmp") + words[place][letter + 1 :]
    return " ".join(words)


EVERY_WORD = [word for source in SOURCES for word in source.split()]
FOOLING: dict[str, list[str]] = {
    "borrower": [with_words_of_others(source) for source in SOURCES],
    "padded": [
        f"here is what people said to me today: {source}, at least so I heard from a friend" for source in SOURCES
    ],
    "misspelt": [misspelt(source) for source in SOURCES],
    "plural": [" ".join(word + "s" * (place % 2) for place, word in enumerate(source.split())) for source in SOURCES],
    "constant": ["the council of Norland closed the market hall on Sunday"] * len(SOURCES),
    "silent": [text if place % 3 else "" for place, text in enumerate(PARAPHRASES)],
}
SYSTEMS: dict[str, list[str]] = {
    "paraphraser": PARAPHRASES,
    "copier": [source if place % 10 != 9 else PARAPHRASES[place] for place, source in enumerate(SOURCES)],
    "partial": [nine_words_of_ten(source) for source in SOURCES],
    "garbage": [another(number) for number in range(len(SOURCES))],
}
QUICK = ("--metrics", "bleu", "chrf2", "ter", "self-bleu", "pinc", "copy-rate")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """References and systems, as JSON lines and line by line."""
    (tmp_path / "refs.jsonl").write_text(
        "".join(
            json.dumps({"source": source, "references": [one, other]}) + "\n"
            for source, one, other in zip(SOURCES, FIRST, SECOND, strict=True)
        ),
        encoding="utf-8",
    )
    for name, lines in (("s.txt", SOURCES), ("r1.txt", FIRST), ("r2.txt", SECOND)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, outputs in (SYSTEMS | FOOLING).items():
        (tmp_path / f"{name}.txt").write_text("\n".join(outputs) + "\n", encoding="utf-8")
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(
                json.dumps({"source": source, "outputs": [{"text": output, "score": 1.0}]}) + "\n"
                for source, output in zip(SOURCES, outputs, strict=True)
            ),
            encoding="utf-8",
        )
    return tmp_path


Evaluate = Callable[..., Any]


@pytest.fixture
def evaluate(folder: Path, run) -> Evaluate:
    """The command, on the files of the folder."""
    return lambda *words: run("evaluate", "generation", *words)


def told(done: Any) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


JUDGED = [
    ("copier", "alarm", r"copies its input", r"90.6% of the outputs are copies"),
    ("partial", "alarm", r"all but copies its input", r"100% of the outputs keep all but a fifth"),
    ("paraphraser", "clear", r"does better than copying", r""),
    ("garbage", "alarm", r"writes what has nothing to do with its input", r"no parrot, but no paraphraser either"),
]


@pytest.mark.parametrize(("system", "level", "headline", "reason"), JUDGED)
def test_who_copies_is_flagged_and_who_paraphrases_is_not(evaluate, system, level, headline, reason) -> None:
    found = told(evaluate(f"{system}.jsonl", "--references", "refs.jsonl", *QUICK, "--json"))
    assert found["alarm"]["level"] == level
    assert re.search(headline, found["alarm"]["headline"])
    assert re.search(reason, " ".join(found["alarm"]["reasons"]))


FOOLED = {
    "borrower": r"does no better than a parrot whose words were spoiled",
    "padded": r"all but copies its input",
    "misspelt": r"all but copies its input",
    "plural": r"all but copies its input",
    "constant": r"says the same to different sources",
    "silent": r"often writes nothing",
}


def test_a_parrot_in_disguise_is_flagged_and_a_paraphraser_beside_it_is_not(evaluate) -> None:
    files = [f"{name}.jsonl" for name in (*FOOLED, "paraphraser")]
    found = told(evaluate(*files, "--references", "refs.jsonl", "--metrics", "bleu", "--json"))["systems"]
    assert {name: system["alarm"]["level"] for name, system in found.items()} == {
        **dict.fromkeys(FOOLED, "alarm"),
        "paraphraser": "clear",
    }
    assert {name: found[name]["alarm"]["headline"] for name in FOOLED} == FOOLED


def test_what_stands_beside_a_system_changes_nothing_of_its_verdict(evaluate) -> None:
    alone = told(evaluate("paraphraser.jsonl", "--references", "refs.jsonl", *QUICK, "--json"))
    beside = told(evaluate("paraphraser.jsonl", "garbage.jsonl", "--references", "refs.jsonl", *QUICK, "--json"))
    assert beside["systems"]["paraphraser"]["claims"] == alone["claims"]


def test_a_file_with_the_name_of_a_parrot_is_measured_as_a_system(evaluate, folder: Path) -> None:
    names = ("parrot", "human", "stranger", "parrot-cut-tail-0.1")
    for name in names:
        (folder / f"{name}.jsonl").write_bytes((folder / "paraphraser.jsonl").read_bytes())
    files = [f"{name}.jsonl" for name in (*names, "paraphraser")]
    found = told(evaluate(*files, "--references", "refs.jsonl", *QUICK, "--json"))
    assert list(found["systems"]) == [*(f"{name} (given)" for name in names), "paraphraser"]
    assert {system["alarm"]["level"] for system in found["systems"].values()} == {"clear"}
    assert found["parrots"]["parrot"]["metrics"]["copy-rate"] == 1
    assert found["stranger"]["metrics"]["bleu"] < 40
    assert "human (given) is what your file human is called here" in " ".join(found["set"]["told"])


def test_references_of_other_sources_are_refused(evaluate, folder: Path) -> None:
    shuffled = list(range(len(SOURCES)))
    random.Random(5).shuffle(shuffled)
    for order, message in (
        ([place - 2 for place in range(len(SOURCES))], "source n is more like the references of source n+2"),
        (shuffled, "no more like their sources than references of other sources are"),
    ):
        rows = [
            {"source": source, "references": [FIRST[place], SECOND[place]]}
            for source, place in zip(SOURCES, order, strict=True)
        ]
        (folder / "wrong.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        done = evaluate("paraphraser.jsonl", "--references", "wrong.jsonl", *QUICK)
        assert done.returncode == 1, done.stdout
        assert message in " ".join(done.stderr.split())


def test_the_verdict_is_printed_first(evaluate) -> None:
    done = evaluate("copier.jsonl", "--references", "refs.jsonl", *QUICK)
    assert done.returncode == 0
    assert done.stdout.startswith("[ALARM] copier copies its input.")


def test_line_by_line_files_give_the_same_numbers(evaluate) -> None:
    by_text = told(evaluate("paraphraser.jsonl", "--references", "refs.jsonl", *QUICK, "--json"))
    by_line = told(
        evaluate(
            "--sources", "s.txt", "--outputs", "paraphraser.txt", "--references", "r1.txt", "r2.txt", *QUICK, "--json"
        )
    )
    for part in ("metrics", "signature", "alarm", "parrots", "human", "matched_parrots"):
        assert by_text[part] == by_line[part]


def test_parrots_people_and_strangers_stand_beside_every_system_whatever_is_measured(evaluate) -> None:
    found = told(evaluate("garbage.jsonl", "--references", "refs.jsonl", "--metrics", "pinc", "--json"))
    assert found["parrots"]["parrot"]["metrics"]["copy-rate"] == 1
    assert len(found["parrots"]) == 5
    assert found["parrots"]["parrot"]["metrics"]["self-bleu"] == pytest.approx(100)
    assert "bleu" not in found["human"]["metrics"]
    assert found["human"]["metrics"]["pinc"] > 0.3
    assert found["stranger"]["metrics"]["bleu"] < found["parrots"]["parrot"]["metrics"]["bleu"]
    assert found["alarm"]["level"] == "alarm"


def test_several_systems_are_tested_against_each_other(evaluate) -> None:
    found = told(
        evaluate(
            "paraphraser.jsonl",
            "copier.jsonl",
            "--references",
            "refs.jsonl",
            *QUICK,
            "--test",
            "randomisation",
            "--json",
        )
    )
    levels = {name: system["alarm"]["level"] for name, system in found["systems"].items()}
    assert levels == {"paraphraser": "clear", "copier": "alarm"}
    assert found["test_method"] == "randomisation"
    assert found["tests"]["between systems"] == len(found["between_systems"]) == 7
    copying = next(claim for claim in found["between_systems"] if claim["metric"] == "copy-rate")
    assert copying["gain"] > 0.8
    assert copying["is_significant"]


FAILS = [("copier", (), 0), ("copier", ("--fail-on", "alarm"), 3), ("paraphraser", ("--fail-on", "caution"), 0)]


@pytest.mark.parametrize(("system", "flags", "code"), FAILS)
def test_an_alarm_is_a_failure_only_if_asked(evaluate, system: str, flags: tuple[str, ...], code: int) -> None:
    assert evaluate(f"{system}.jsonl", "--references", "refs.jsonl", *QUICK, *flags).returncode == code


def test_a_report_and_the_items_are_written(evaluate, folder: Path) -> None:
    done = evaluate(
        "paraphraser.jsonl", "--references", "refs.jsonl", *QUICK, "--out", "report", "--items", "items.jsonl"
    )
    assert done.returncode == 0, done.stderr
    assert "report.html" in done.stderr
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert page.index("does better than copying") < page.index("<table")
    items = [json.loads(line) for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(items) == 64
    numbers = json.loads((folder / "report" / "generation.json").read_text(encoding="utf-8"))
    mean = sum(item["pinc"] for item in items) / 64
    assert mean == pytest.approx(numbers["metrics"]["pinc"], abs=1e-5)
    assert items[0]["source"] == SOURCES[0]


def test_several_outputs_of_a_source_tell_how_diverse_a_system_is(evaluate, folder: Path) -> None:
    rows = [
        {"source": source, "outputs": [one, other]}
        for source, one, other in zip(SOURCES, PARAPHRASES, FIRST, strict=True)
    ]
    (folder / "two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = told(evaluate("two.jsonl", "--references", "refs.jsonl", *QUICK, "--json"))
    assert 0 < found["metrics"]["inter-bleu"] < 60


def shortened(folder: Path, name: str, lines: int) -> str:
    kept = (folder / name).read_text(encoding="utf-8").splitlines()[:lines]
    (folder / f"short-{name}").write_text("\n".join(kept) + "\n", encoding="utf-8")
    return f"short-{name}"


def test_a_missing_source_is_named_and_left_out_only_if_allowed(evaluate, folder: Path) -> None:
    short = shortened(folder, "paraphraser.jsonl", 60)
    done = evaluate(short, "--references", "refs.jsonl", *QUICK)
    assert done.returncode == 1
    assert f"4 sources of the references have no output, the first is '{SOURCES[60][:80]}'" in done.stderr
    found = told(evaluate(short, "--references", "refs.jsonl", "--allow-missing", *QUICK, "--json"))
    assert found["set"]["sources"] == 60


REFUSED = [
    (("--references", "refs.jsonl"), r"There are no outputs to measure"),
    (("copier.jsonl", "--references", "absent.jsonl"), r"There is no file absent\.jsonl"),
    (("copier.jsonl", "--references", "empty.jsonl"), r"empty\.jsonl is empty"),
    (("empty.jsonl", "--references", "refs.jsonl"), r"empty\.jsonl is empty"),
    (("copier.jsonl", "--sources", "s.txt", "--outputs", "copier.txt", "--references", "r1.txt"), r"not both"),
    (
        ("--sources", "s.txt", "--outputs", "short-copier.txt", "--references", "r1.txt"),
        r"has 50 lines, but s\.txt has 64",
    ),
    (
        ("--sources", "s.txt", "--outputs", "copier.txt", "--references", "short-r1.txt"),
        r"has 50 lines, but s\.txt has 64",
    ),
    (("--sources", "s.txt", "--outputs", "shifted.txt", "--references", "r1.txt"), r"do not belong line to line"),
    (("copier.jsonl", "--references", "transposed.json"), r"64 sources of the references have no output"),
    (("copier.jsonl", "--references", "refs.jsonl", "--items", "items.xlsx"), r"items\.xlsx"),
    (("copier.jsonl", "--references", "refs.jsonl", "--metrics", "blue"), r"There is no metric 'blue'"),
    (("copier.jsonl", "--references", "refs.jsonl", "--seed", "-1"), r"--seed -1 is below 0"),
    (("copier.jsonl", "--references", "refs.jsonl", "--resamples", "0"), r"--resamples 0 leaves nothing"),
    (("copier.jsonl", "--references", "refs.jsonl", "--out", "s.txt"), r"--out s\.txt is a file"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_files_that_do_not_fit_are_refused_with_a_reason(evaluate, folder: Path, words, message: str) -> None:
    (folder / "empty.jsonl").write_text("", encoding="utf-8")
    shortened(folder, "copier.txt", 50)
    shortened(folder, "r1.txt", 50)
    (folder / "shifted.txt").write_text("\n".join(["", *SOURCES[:-1]]) + "\n", encoding="utf-8")
    (folder / "transposed.json").write_text(json.dumps(dict.fromkeys(FIRST, SOURCES[0])), "utf-8")
    done = evaluate(*words)
    assert done.returncode == 1, done.stdout
    assert re.search(message, " ".join(done.stderr.split()))
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
