"""A list of texts in, the pairs of them that say the same out, by their places in the list: mining from Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from paraloom.errors import InputError, TargetTaken
from paraloom.workflows.mine.mine import check_options, mine
from paraloom.workflows.mine.options import MineOptions, check_ranges
from paraloom.workflows.mine.publish import targets_of
from paraloom.workflows.mine.whole_paths import with_whole_paths
from paraloom.workflows.tables_in_order import Progress

GIVEN = "texts.jsonl"
"""What is mined, in a folder beside the run's."""
COLUMNS = ("text=text", "id=id")
TRUE = ("true", "1")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPair:
    """Two texts of the list that are near to each other."""

    left: int
    right: int
    """The place of each in the list; of texts that are copies of each other, that of the first."""
    similarity: float
    margin: float
    score: float | None
    """How likely they are paraphrases; none where no identifier was asked."""
    is_paraphrase: bool | None


def mine_texts(
    texts: Iterable[str],
    options: MineOptions | None = None,
    *,
    out: str | Path | None = None,
    progress: Progress = lambda table, name, done, total: None,
) -> list[TextPair]:
    """The pairs that `mine` finds among texts, the best first.

    The run lies in the folder `out` and goes on there if it was stopped; without one it is forgotten.
    """
    if out is None:
        with TemporaryDirectory(prefix="paraloom-mine-") as forgotten:
            return mine_texts(texts, options, out=Path(forgotten) / "run", progress=progress)
    run, _ = targets_of(Path(out))
    if run != Path(out):
        raise InputError(f"{out} is the name of a file. Give out= a folder; the pairs are what comes back.")
    asked = options or MineOptions()
    asked = replace(asked, lines=replace(asked.lines, columns=COLUMNS, format="jsonl"))
    check_ranges(asked)
    check_options(with_whole_paths(asked))  # before anything is written
    mined = mine([_given(texts, run)], run, asked, progress=progress)
    place_of = dict(_places(run))
    with mined.file.open(encoding="utf-8") as file:
        return [
            TextPair(
                left=place_of[row["left_id"]],
                right=place_of[row["right_id"]],
                similarity=float(row["similarity"]),
                margin=float(row["margin"]),
                score=float(row["score"]) if row.get("score") else None,
                is_paraphrase=row["is_paraphrase"] in TRUE if row.get("is_paraphrase") else None,
            )
            for row in _rows(file)
        ]


def _given(texts: Iterable[str], run: Path) -> Path:
    """A file of the texts beside the run, each with its place in the list; a run is of one list."""
    import orjson

    from paraloom.engine.signatures import hash_of_file
    from paraloom.engine.store import unfinished_name

    target = run.with_name(f"{run.name}.given") / GIVEN
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = unfinished_name(target)
    place = -1
    with unfinished.open("wb") as file:
        for place, text in enumerate(texts):
            whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair has no bytes
            file.write(orjson.dumps({"id": place, "text": whole}) + b"\n")
    if place < 0:
        unfinished.unlink()
        raise InputError("There are no texts to mine. Give at least two.")
    if target.is_file() and hash_of_file(target) != hash_of_file(unfinished):
        unfinished.unlink()
        raise TargetTaken(f"{run} is of other texts. Give out= another folder, or delete it and {target.parent}.")
    unfinished.rename(target)
    return target


def _places(run: Path) -> Iterator[tuple[str, int]]:
    """The ids of a run's kept sentences, and the place of each in the list."""
    from paraloom.engine.store import read_parts

    for part in read_parts(run, "sentences", ("sentence_id", "native_id", "dropped_for")):
        ids, places, reasons = (part.column(name).to_pylist() for name in ("sentence_id", "native_id", "dropped_for"))
        for its_id, place, reason in zip(ids, places, reasons, strict=True):
            if reason is None:
                yield its_id, int(place)


def _rows(file: IO[str]) -> Iterator[dict[str, str]]:
    """The rows of a table of tabs, by the names in its head."""
    names = next(file).rstrip("\n").split("\t")
    for line in file:
        yield dict(zip(names, line.rstrip("\n").split("\t"), strict=True))
