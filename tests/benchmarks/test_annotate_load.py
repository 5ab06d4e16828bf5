"""The load driver of the annotation benchmark tells what annotators met, and finds answers that are lost or doubled."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("aiohttp")

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def _beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


@pytest.fixture
def load_module(_beside_each_other: None) -> ModuleType:
    from annotate_peers import load

    return load


class Desk:
    """A service without a server: ten tasks for everyone, and an export that can be told to be wrong."""

    name = "desk"

    def __init__(self, *, fails_every: int = 0, loses: int = 0, doubles: int = 0) -> None:
        self.fails_every, self.loses, self.doubles = fails_every, loses, doubles
        self.answers: list[str] = []
        self.was_stopped = False

    def start(self) -> None:
        pass

    async def sign_in(self, person_number: int) -> Seat:
        return Seat(self, person_number)

    def exported_ids(self) -> Counter[str]:
        return Counter(self.answers[self.loses :] + self.answers[-self.doubles :] * bool(self.doubles))

    def cpu_seconds(self) -> float:
        return 0.0

    def megabytes(self) -> float:
        return 0.0

    def stop(self) -> None:
        self.was_stopped = True


class Seat:
    """One annotator of it."""

    def __init__(self, desk: Desk, person: int) -> None:
        self.desk, self.person, self.seen = desk, person, 0

    async def next_task(self) -> int | None:
        self.seen += 1
        return self.seen if self.seen <= 10 else None

    async def submit(self, task: int) -> str:
        if self.desk.fails_every and task % self.desk.fails_every == 0:
            raise OSError("the line is dead")
        self.desk.answers.append(f"{self.person}/{task}")
        return self.desk.answers[-1]

    async def close(self) -> None:
        pass


def test_every_annotator_works_until_nothing_is_left(load_module) -> None:
    desk = Desk()
    row = load_module.put_load_on(desk, load_module.Load(people=3, seconds=5.0, thought=0.001))
    assert (row.answers, row.without_work) == (31, 3)  # one more warms the service up
    assert (row.lost, row.doubled, row.unacknowledged, row.errors) == (0, 0, 0, {})
    assert desk.was_stopped


def test_nothing_is_begun_after_the_time_is_over(load_module) -> None:
    row = load_module.put_load_on(Desk(), load_module.Load(people=2, seconds=0.35, thought=0.1))
    assert 0 < row.submit.count <= load_module.most_answers(load_module.Load(people=2, seconds=0.35, thought=0.1))
    assert row.without_work == 0


def test_what_fails_is_counted_and_not_timed(load_module) -> None:
    row = load_module.put_load_on(Desk(fails_every=5), load_module.Load(people=2, seconds=5.0, thought=0.001))
    assert row.errors == {"submit: OSError": 4}
    assert row.submit.count == 16


WRONG_EXPORTS = [({"loses": 2}, (2, 0)), ({"doubles": 3}, (0, 3))]


@pytest.mark.parametrize(("wrong", "told"), WRONG_EXPORTS)
def test_a_wrong_export_is_found(load_module, wrong, told) -> None:
    row = load_module.put_load_on(Desk(**wrong), load_module.Load(people=2, seconds=5.0, thought=0.001))
    assert (row.lost, row.doubled) == told


def test_answers_nobody_was_told_about_are_found(load_module) -> None:
    tally = load_module.Tally(acknowledged=Counter(["1/a"]))
    row = load_module.row_of("one", load_module.Load(), tally, Counter(["1/a", "1/b"]), 0.0)
    assert (row.lost, row.doubled, row.unacknowledged) == (0, 0, 1)


def test_a_failing_service_is_ended_all_the_same(load_module) -> None:
    class Broken(Desk):
        def exported_ids(self) -> Counter[str]:
            raise RuntimeError("no export")

    broken = Broken()
    with pytest.raises(RuntimeError, match="no export"):
        load_module.put_load_on(broken, load_module.Load(people=1, seconds=1.0, thought=0.001))
    assert broken.was_stopped


def test_a_real_server_in_a_second_process_is_driven_and_ended(load_module, tmp_path) -> None:
    from annotate_peers.floor import Floor
    from annotate_peers.server import does_listen

    floor = Floor(tmp_path)
    row = load_module.put_load_on(floor, load_module.Load(people=5, seconds=1.0, thought=0.05))
    assert row.answers > 5
    assert (row.lost, row.doubled, row.unacknowledged, row.errors) == (0, 0, 0, {})
    assert not does_listen(floor._server.port)


def test_an_environment_inside_of_the_repository_is_refused(tmp_path) -> None:
    from annotate_peers.environment import REPOSITORY, NoPeer, peer_environment

    with pytest.raises(NoPeer, match="inside of the repository"):
        peer_environment("label-studio==1.23.0", REPOSITORY / "benchmarks")


def test_percentiles_are_by_nearest_rank(load_module) -> None:
    assert load_module.waits_of([n / 1000 for n in range(100, 0, -1)]) == load_module.Waits(100, 50, 95, 99, 100)
