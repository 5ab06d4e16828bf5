"""The folder of a run in, out comes whose scores its labels hold, and the score of each pair that was judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from paraloom.engine.store import made_by_file, read_parts
from paraloom.errors import InputError


class ScoresOfRun:
    """The scores of a run's labels by one definition, asked for in the order of pairs."""

    def __init__(self, run: Path, definition: str) -> None:
        there = bool(definition) and made_by_file(run, "labels").is_file()
        self._rows = self._of(run, definition) if there else iter(())
        self._next = next(self._rows, None)

    @staticmethod
    def _of(run: Path, definition: str) -> Iterator[tuple[str, float | None]]:
        for part in read_parts(run, "labels", ["pair_id", "definition", "score"]):
            for row in part.to_pylist():
                if row["definition"] == definition:
                    yield row["pair_id"], row["score"]

    def of(self, pair_id: str) -> float | None:
        """The score of a pair; None where it was not judged."""
        while self._next is not None and self._next[0] < pair_id:
            self._next = next(self._rows, None)
        return self._next[1] if self._next is not None and self._next[0] == pair_id else None


def own_definition(runs: Sequence[Path], asked: str | None) -> str:
    """The definition whose scores are taken from these runs: the one asked for, or the only one that is there."""
    there = {run: sorted({definition for definition, _ in labelled(run)}) for run in runs}
    for run, definitions in there.items():
        if not definitions:
            raise InputError(f"{run} has no labels with scores. Give --model NAME, or mine with an identifier.")
        if asked and asked not in definitions:
            raise InputError(
                f"{run} has no scores for the definition {asked!r}, but for {', '.join(definitions)}. "
                f"Give --definition {definitions[0]}, or score its pairs: --model NAME."
            )
    known = sorted({definition for definitions in there.values() for definition in definitions})
    if not asked and len(known) > 1:
        raise InputError(f"The runs have scores for several definitions: {', '.join(known)}. Name one: --definition.")
    return asked or (known[0] if known else "")


def definitions_of(runs: Sequence[Path]) -> list[str]:
    """All definitions by which pairs of these runs have scores."""
    return sorted({definition for run in runs for definition, _ in labelled(run)})


def labellers(run: Path, definition: str) -> str:
    """Whose scores a run has by one definition: a signature, or several."""
    return ", ".join(sorted(signature for name, signature in labelled(run) if name == definition))


def labelled(run: Path) -> set[tuple[str, str]]:
    """By which definitions the pairs of a run have scores, and whose they are."""
    if not made_by_file(run, "labels").is_file():
        return set()
    found: set[tuple[str, str]] = set()
    for part in read_parts(run, "labels", ["definition", "labelled_by", "score"]):
        scored = part.filter(part.column("score").is_valid()).select(["definition", "labelled_by"])
        for row in scored.group_by(["definition", "labelled_by"]).aggregate([]).to_pylist():
            found.add((row["definition"], row["labelled_by"]))
    return found
