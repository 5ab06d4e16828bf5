"""Seconds of rounds, steps and machines by the formulas of a plan."""

from __future__ import annotations

import pytest

from paraloom.models.neighbours.choice import Choice
from paraloom.workflows.mine import plan_look
from paraloom.workflows.mine.plan import plan_by
from paraloom.workflows.mine.plan_costs import Cost, RoundWork, Size, cost_of, machines_for, tasks_of
from paraloom.workflows.mine.plan_options import PlanOptions
from paraloom.workflows.mine.plan_ways import size_of
from tests.workflows.mine.made_up_machine import MEASURED

SIZE = Size(sentences=400_000_000, neighbours=8, candidates=8e8, judged=1e6, written=1e6, parts=2048)
LISTS = Choice(kind="ivf", sentences=400_000_000, dims=256, width=256, lists=131_072, cells=3052)
ALL = Choice(kind="exact", sentences=400_000_000, dims=256, width=256)


def test_the_machines_needed_end_in_time_and_one_fewer_does_not() -> None:
    cost = cost_of(MEASURED, LISTS, "fast", SIZE, 32, written=1e12, cache=1e15)
    needed = machines_for(cost, 6 * 3600, 4)
    assert needed is not None
    assert needed > 1
    assert cost.total(4, needed) <= 6 * 3600 < cost.total(4, needed - 1)
    assert machines_for(cost, 1.0, 4) is None
    assert machines_for(cost, 1e12, 4) == 1


def test_machines_are_told_for_an_hour_and_a_day_where_no_time_is_asked_for() -> None:
    told = plan_by(MEASURED, None, PlanOptions(sentences="100M", identify=False)).ways[0].machines
    asked = plan_by(MEASURED, None, PlanOptions(sentences="100M", identify=False, within="2h")).ways[0].machines
    assert list(told) == ["1h", "24h"]
    assert list(asked) == ["2h"]
    assert (told["1h"] or 10**9) >= (asked["2h"] or 10**9) >= (told["24h"] or 10**9)


WORK = [
    (16, 1, 160.0),
    (16, 4, 40.0 / 0.8),
    (16, 12, 20.0 / 0.8),  # the last four tasks have twelve cores
    (16, 16, 10.0 / 0.8),
    (16, 1000, 10.0 / 0.8),
    (1, 1000, 160.0),
]


@pytest.mark.parametrize(("tasks", "workers", "seconds"), WORK)
def test_more_cores_than_tasks_are_of_no_use(tasks: int, workers: int, seconds: float) -> None:
    assert RoundWork(step="pairs", seconds=160.0, tasks=tasks).on(workers, 0.8) == pytest.approx(seconds)


TASKS = [
    ("index/centroids", LISTS, 1),
    ("clusters/linked", LISTS, 1),
    ("file/joined", LISTS, 1),
    ("file/written", LISTS, 2048),
    ("pairs/looked for", LISTS, 1),
    ("clusters/joined", LISTS, 2048),
    ("clusters/parts", LISTS, 2048),
    ("pairs/proposed", LISTS, 2048),
    ("neighbours/searched", LISTS, 3052),
    ("neighbours/searched", ALL, 6104),
    ("candidates/turned", LISTS, 3052),
    ("labels/judged", LISTS, 245),
]


@pytest.mark.parametrize(("name", "choice", "tasks"), TASKS)
def test_a_round_has_as_many_tasks_as_a_run_cuts_it_into(name: str, choice: Choice, tasks: int) -> None:
    assert tasks_of(name, choice, SIZE) == tasks


def test_a_network_embeds_in_smaller_tasks() -> None:
    assert tasks_of("vectors/embedded", LISTS, SIZE) == 2048
    assert tasks_of("vectors/embedded", LISTS, SIZE, is_network=True) == 2048 * 48  # of 195,313 sentences


def test_a_step_takes_what_its_rounds_take_and_the_disk_is_shared_by_machines() -> None:
    rounds = (
        RoundWork(step="pairs", seconds=10.0, tasks=4),
        RoundWork(step="pairs", seconds=2.0, tasks=1),
        RoundWork(step="index", seconds=8.0, tasks=8),
    )
    cost = Cost(choice=LISTS, embedder="fast", rounds=rounds, together=1.0, disk=6.0, starting=1.0)
    assert cost.seconds(4) == {"index": 2.0, "pairs": 4.5, "disk and starting": 7.0}
    assert cost.seconds(4, 2) == {"index": 1.0, "pairs": 4.5, "disk and starting": 4.0}
    assert cost.total(1) == 27.0


def test_another_size_has_its_own_pairs_and_another_embedder_those_of_the_one_that_is_meant() -> None:
    options = PlanOptions(sentences="4000")
    each = {
        name: size_of(MEASURED, options, 4000, *name).candidates / 4000
        for name in [("fast", 256), ("fast", 128), ("fast", 64), ("good", 384)]
    }
    assert each["fast", 256] == each["fast", 128] == each["good", 384] == pytest.approx(plan_look.PROPOSED * 2.0)
    assert each["fast", 64] == pytest.approx(plan_look.PROPOSED * 4.0)
    notes = " ".join(plan_by(MEASURED, None, options).notes)
    assert "lists that fast 256 ivf int8 needs, and with its pairs (fast 64 with its own)" in notes


WRITTEN = [
    ({"identify": False}, 0.0, 0.5),
    ({}, 0.5, 0.125),
    ({"judge_most": 100}, 100 / 5200, 100 / 5200),
    ({"mutual": True}, 0.2, 0.05),
]


@pytest.mark.parametrize(("asked", "judged", "written"), WRITTEN)
def test_what_is_judged_and_written_goes_with_what_is_asked_for(
    asked: dict[str, object], judged: float, written: float
) -> None:
    size = size_of(MEASURED, PlanOptions(**asked), 4000, "fast", 256)  # type: ignore[arg-type]
    assert size.judged / 5200 == pytest.approx(judged)
    assert size.written / 5200 == pytest.approx(written)


def test_fewer_workers_leave_memory_for_the_index_where_that_is_quicker() -> None:
    options = PlanOptions(sentences="400M", identify=False, memory="64GB", disk="100TB", cores=64)
    way = plan_by(MEASURED, None, options).ways[0]
    index = 400_000_000 * (64 + 8)
    assert way.cost.choice.codes == "pq"
    assert way.memory + index <= 64e9
    assert 0 < way.workers < 64
    assert f"{way.workers} of 64 cores" in plan_by(MEASURED, None, options).as_text()


def test_reading_what_memory_does_not_hold_takes_its_time() -> None:
    held, read = (cost_of(MEASURED, LISTS, "fast", SIZE, 256, written=0, cache=cache) for cache in (120e9, 60e9))
    index = 400_000_000 * 264 + 131_072 * 256
    assert read.disk - held.disk == pytest.approx(3052 * index / MEASURED.disk_speed)
    pages = 400_000_000 * 2 * 40 * 4096 / MEASURED.page_speed
    assert read.total(1) - held.total(1) - read.disk + held.disk == pytest.approx(pages, rel=1e-6)
