"""A search in lists as rounds: stages of more and more lists, each followed by looks, until enough is found."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.folders import ASIDE, Round
from paraloom.models.neighbours.links import LOOKS
from paraloom.models.neighbours.lists import read_lists
from paraloom.workflows.mine.cells_search import places_round, search_round
from paraloom.workflows.mine.generations import STAGES, FoundReader, Generation, clear_before, clear_edges, past_round
from paraloom.workflows.mine.index_step import LISTS, RECALL, read_choice
from paraloom.workflows.mine.linked_looks import links_round, look_round
from paraloom.workflows.mine.measured_recall import is_enough, last_stage, measured_round, recall_file
from paraloom.workflows.mine.nearest_files import Nearest

if TYPE_CHECKING:
    from paraloom.workflows.mine.grown_neighbours import Start
    from paraloom.workflows.mine.options import SearchOptions

Planned = Callable[[Path], Round]
NOTHING = Round(name="looked again", files=(), work=dict, is_small=True)  # type: ignore[arg-type]
"""A round that is not wanted."""
FEW = 200_000
"""Of so few sentences one process has looked again before others have started."""


def cell_files(run: Path) -> tuple[str, ...]:
    """A file for every cell of a run's index."""
    return tuple(f"cell-{cell:05d}.npz" for cell in range(read_lists(run / "index" / LISTS).cells))


def search_stages(run: Path, options: SearchOptions, device: str, start: Start | None) -> tuple[Planned, ...]:
    """All rounds of a search in lists; those of stages that are not wanted have nothing to do."""
    rounds: list[Planned] = [lambda folder: places_round(run)]
    for stage in range(STAGES):
        searched = Generation(stage, 0)
        rounds.append(_wanted(searched, partial(_search, run, stage, options, device, start)))
        if stage:  # those that the stage before had found in the end are among these now
            rounds += [_wanted(searched, partial(_note, searched)), partial(_clear, searched)]
        for look in range(1, LOOKS + 1):
            looked = Generation(stage, look)
            rounds += [_wanted(looked, partial(_links, run, looked)), partial(_clear_edges, run, looked)]
            rounds.append(_wanted(looked, partial(_look, run, looked)))
            rounds += [_wanted(looked, partial(_note, looked)), partial(_clear, looked)]
        rounds.append(_wanted(None, partial(_measure, run, stage, options), stage))
    return (*rounds, partial(_kept, run, options.neighbours), _told)


def _wanted(generation: Generation | None, planned: Planned, stage: int = 0) -> Planned:
    """The round, unless its stage is not wanted, or what it makes has been made and cleared away."""

    def plan(folder: Path) -> Round:
        of = stage if generation is None else generation.stage
        is_over = any((folder / ASIDE / recall_file(each)).is_file() and is_enough(folder, each) for each in range(of))
        if is_over or (generation is not None and generation.is_past(folder)):
            return NOTHING
        return planned(folder)

    return plan


def _search(run: Path, stage: int, options: SearchOptions, device: str, start: Start | None, folder: Path) -> Round:
    return search_round(folder, run, stage, options, device, start)


def _links(run: Path, generation: Generation, folder: Path) -> Round:
    return links_round(folder, run, generation, is_small=read_choice(run).sentences < FEW)


def _look(run: Path, generation: Generation, folder: Path) -> Round:
    return look_round(folder, run, generation, is_small=read_choice(run).sentences < FEW)


def _note(generation: Generation, folder: Path) -> Round:
    return past_round(generation)


def _clear(generation: Generation, folder: Path) -> Round:
    """Whenever the run comes here, since it may have been broken off in the midst of it."""
    clear_before(folder, generation)
    return NOTHING


def _clear_edges(run: Path, generation: Generation, folder: Path) -> Round:
    """When all are linked, or need not be."""
    clear_edges(folder, run, generation)
    return NOTHING


def _measure(run: Path, stage: int, options: SearchOptions, folder: Path) -> Round:
    return measured_round(folder, run, stage, options)


def _kept(run: Path, neighbours: int, folder: Path) -> Round:
    """Of what was found in the end, as many as are wanted."""
    is_small = read_choice(run).sentences < FEW
    return Round(
        name="kept", files=cell_files(run), work=partial(KeptWriter, run, folder, neighbours), is_small=is_small
    )


class KeptWriter:
    """Writes the neighbours of one cell's sentences as they stay."""

    def __init__(self, run: Path, folder: Path, neighbours: int) -> None:
        self.read = FoundReader(run, folder / ASIDE, Generation(last_stage(folder), LOOKS))
        self.neighbours = neighbours

    def __call__(self, cell: int, target: Path) -> None:
        found, k = self.read.found(cell), self.neighbours
        Nearest(found.numbers, found.neighbours[:, :k], found.dots[:, :k]).write(target)


def _told(folder: Path) -> Round:
    """What was measured in the end."""
    return Round(name="told", files=(RECALL,), work=partial(partial, _tell, folder), is_small=True)


def _tell(folder: Path, number: int, target: Path) -> None:
    shutil.copyfile(folder / ASIDE / recall_file(last_stage(folder)), target)
