"""The lines that docs/bootstrap.md shows, run as they stand on made-up sentences: from neighbours to safe pairs."""

from __future__ import annotations

import csv
import json
import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import sqlalchemy as sa

from paraloom.corpus.leakage import shared_texts
from paraloom.corpus.pair_files import PairFile
from paraloom.engine.given import read_rows
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.people import add_person
from paraloom.judgments.store import schema
from paraloom.judgments.store.migrate import open_database
from paraloom.workflows.train.identifier import train_identifier
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from tests.cli.conftest import Run
from tests.judgments.working import grade_all

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bootstrap.md"
WHO = ("baker", "mayor", "nurse", "teacher", "pilot", "farmer", "sailor", "judge", "poet", "guard", "clerk")
WHAT = ("bridge", "lantern", "violin", "garden", "tunnel", "statue", "wagon", "ladder", "mirror", "carpet")
WHERE = ("Norland", "Umber", "Tarn", "Ashby", "Quill", "Sorrel", "Fenwick", "Marrow", "Caldera", "Brightfern")
WAYS = (
    "The {who} from {where} has repaired the old {what}.",
    "In {where} the old {what} was mended by the {who}.",
    "A {who} mended the old {what} of {where} at last.",
    "Nobody told the {who} who painted a {what} near {where}.",
)
"""The first three say the same."""


def events(seed: int, count: int) -> list[list[str]]:
    """Made-up events, each said in all ways."""
    draw = Random(seed)
    told = [{"who": draw.choice(WHO), "what": draw.choice(WHAT), "where": draw.choice(WHERE)} for _ in range(count)]
    return [[way.format(**one) for way in WAYS] for one in told]


SAYS = {text: (tuple(said), way) for said in events(1, 130) for way, text in enumerate(said)}
"""What each sentence says, and in which way."""
SMALL = {"sample": ("--per-interval", "12"), "regions": ("--wanted-precision", "0.75")}
"""What is otherwise than in a documented line, as few pairs are there to be drawn and judged."""


def documented() -> list[list[list[str]]]:
    """The words of each command, block by block, of the page's first two blocks."""
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [[shlex.split(line, comments=True)[1:] for line in block.splitlines()] for block in blocks[:2]]


def says_the_same(left: str, right: str) -> bool:
    (event, way), (other, other_way) = SAYS[left], SAYS[right]
    return event == other and way < 3 and other_way < 3


def sentences(folder: Path) -> None:
    (folder / "sentences.txt").write_text("\n".join(SAYS) + "\n", encoding="utf-8")
    (folder / "test.tsv").write_text(f"left\tright\n{next(iter(SAYS))}\tA sentence of another corpus.\n")


def did(run: Run, words: list[str]) -> str:
    if words[1] in SMALL:
        option, value = SMALL[words[1]]
        place = words.index(option) if option in words else len(words)
        words = [*words[:place], option, value, *words[place + 2 :]]
    done = run(*words)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def people_judge(folder: Path) -> None:
    """Somebody grades all that was imported, as what the sentences say demands."""
    now = datetime.now(UTC)
    database = open_database(f"sqlite:///{folder / 'paraloom.db'}")
    try:
        items = database.read(lambda connection: connection.execute(sa.select(schema.items)).all())
        campaign = database.read(lambda connection: campaign_of(connection, items[0].campaign_id))
        person = database.write(lambda c: add_person(c, name="ann", hashed=None, role="annotator", now=now, by="test"))
        grades = {
            item.item_id: ["4" if says_the_same(item.content["left"], item.content["right"]) else "2"] for item in items
        }
        grade_all(database, campaign, [person], grades, now)
    finally:
        database.close()


def first_identifier(folder: Path) -> None:
    """One that learned from a corpus of other events."""
    rows, told = [], events(2, 40)
    for said, other in zip(told[::2], told[1::2], strict=True):
        rows += [(said[0], said[1], 1), (said[1], said[2], 1), (said[0], said[3], 0), (said[1], other[2], 0)]
    file = folder / "corpus.tsv"
    file.write_text("\n".join(["left\tright\tlabel", *("\t".join(map(str, row)) for row in rows)]) + "\n")
    options = TrainIdentifierOptions(system="ngram-regression", held_out_share=0.3, resamples=20)
    train_identifier([file], folder / "first", options)


def check_safe(folder: Path, told: str, judged: str) -> None:
    """What was taken is as right as it was said to be, and nothing that was judged or is to be measured on."""
    rows = read_rows(folder / "safe.tsv", ("left", "right"))
    sides = list(zip(rows.texts("left"), rows.texts("right"), strict=True))
    assert len(sides) > 20
    for name in (judged, "test.tsv"):
        assert shared_texts(PairFile(path=folder / "safe.tsv"), PairFile(path=folder / name)) == []
    is_right = [says_the_same(*pair) == (label == "1") for pair, label in zip(sides, rows.texts("label"), strict=True)]
    assert sum(is_right) / len(is_right) > 0.7
    assert "Nothing was left out" not in told
    assert re.search(
        r"Of the negatives about [\d.]+% \[[\d.]+%, [\d.]+%\] are right, by \d+ judged pairs \(test\)", told
    )


def test_the_documented_lines_lead_from_neighbours_to_safe_pairs(run: Run, tmp_path: Path) -> None:
    sentences(tmp_path)
    first_identifier(tmp_path)
    told = ""
    for words in documented()[0]:
        told = did(run, words)
        if words[:2] == ["annotate", "import"]:
            people_judge(tmp_path)
    check_safe(tmp_path, told, "sample.tsv")
    assert {"sample.tsv", "labels.tsv", "safe.tsv"} <= {file.name for file in tmp_path.iterdir()}


def test_the_scores_of_a_run_do_as_well(run: Run, tmp_path: Path) -> None:
    sentences(tmp_path)
    told = ""
    for words in documented()[1]:
        told = did(run, words)
        if words[:2] == ["mine", "sample"]:
            drawn = (tmp_path / "sample.tsv").read_text(encoding="utf-8").splitlines()
            lines = list(csv.DictReader(drawn, delimiter="\t"))
            assert {line["definition"] for line in lines} == {"loose"}
            judged = [{**line, "label": int(says_the_same(line["left"], line["right"]))} for line in lines]
            text = ["\t".join(judged[0]), *("\t".join(map(str, row.values())) for row in judged)]
            (tmp_path / "judged.tsv").write_text("\n".join(text) + "\n", encoding="utf-8")
    check_safe(tmp_path, told, "judged.tsv")
    found = json.loads((tmp_path / "regions" / "regions.json").read_text(encoding="utf-8"))
    assert found["scored_by"]["model"] == ""
    assert found["scored_by"]["definition"] == "loose"
    assert found["scored_by"]["signature"].startswith("cascade|")
