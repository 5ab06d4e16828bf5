"""What was paid for is found again: after a cut line, a changed one, and by the next process."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from paraloom.errors import EngineError, InputError
from paraloom.models.generators.server.ledger import Entry, Ledger
from paraloom.models.generators.server.replies import Answer, Reply


def key(number: int) -> str:
    return f"{number:032x}"


def entry(number: int) -> Entry:
    answers = (Answer(text=f"Said {number}\n“é” 🌊", finish="length", score=-0.5), Answer(text=""))
    return Entry(Reply(answers=answers, tokens_read=number, tokens_written=2), number, 2, 0.25)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "paid.jsonl"
    with Ledger(path) as ledger:
        for number in range(5):
            ledger.add(key(number), entry(number))
            assert ledger.find(key(number)) == entry(number)
    return path


def test_another_ledger_finds_every_reply_and_what_it_cost(path: Path) -> None:
    with Ledger(path) as ledger:
        assert [ledger.find(key(number)) for number in range(5)] == [entry(number) for number in range(5)]
        assert ledger.find(key(5)) is None
        assert (len(ledger), ledger.tokens, ledger.cost) == (5, 0 + 1 + 2 + 3 + 4 + 10, 1.25)


def test_a_reply_whose_tokens_were_estimated_says_so_again(tmp_path: Path) -> None:
    with Ledger(tmp_path / "paid.jsonl") as ledger:
        ledger.add(key(1), Entry(Reply(answers=(Answer(text="a"),)), 7, 3, 0.0))
        found = ledger.find(key(1))
    assert found is not None
    assert (found.reply.tokens_read, found.tokens_read, found.tokens_written) == (None, 7, 3)


@pytest.mark.parametrize("gone", [1, 2, 40])
def test_a_line_that_was_cut_off_is_forgotten_and_written_over(path: Path, gone: int) -> None:
    path.write_bytes(path.read_bytes()[:-gone])
    with Ledger(path) as ledger:
        assert ledger.find(key(4)) is None
        ledger.add(key(9), entry(9))
    with Ledger(path) as ledger:
        assert [ledger.find(key(number)) is not None for number in (0, 3, 4, 9)] == [True, True, False, True]
        assert ledger.damaged == 0


def test_a_line_that_was_changed_costs_only_itself(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"Said 2", b"Said 3", 1))
    with Ledger(path) as ledger:
        assert [number for number in range(5) if ledger.find(key(number)) is None] == [2]
        assert ledger.damaged == 1


def test_one_process_uses_a_ledger_at_a_time_and_the_next_reads_what_it_added(path: Path) -> None:
    here, there = Ledger(path), Ledger(path)
    with here:
        with pytest.raises(EngineError, match=r"Another process is using the ledger .*paid\.jsonl"), there:
            pass
        here.add(key(7), entry(7))
    with there:
        there.add(key(8), entry(8))
    with here:
        assert [here.find(key(number)) for number in (7, 8)] == [entry(7), entry(8)]
        assert len(here) == 7


def test_a_ledger_that_was_deleted_meanwhile_begins_anew(path: Path) -> None:
    ledger = Ledger(path)
    with ledger:
        pass
    path.unlink()
    with ledger:
        assert len(ledger) == 0
        assert ledger.find(key(0)) is None


def test_a_ledger_is_a_file_in_a_folder_that_is_there(tmp_path: Path) -> None:
    for wrong in (tmp_path, tmp_path / "no" / "paid.jsonl"):
        with pytest.raises(InputError, match="give a file in a folder that is there"), Ledger(wrong):
            pass


def test_a_reply_for_which_there_is_no_room_is_told_and_leaves_nothing_half_written(path: Path) -> None:
    whole = path.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Ledger(path) as ledger:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 50, before[1]))
        try:
            with pytest.raises(EngineError, match=r"Cannot write the ledger .*paid\.jsonl: .* Make room for it"):
                ledger.add(key(7), entry(7))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert path.read_bytes() == whole
        ledger.add(key(8), entry(8))  # another thread's
        assert [ledger.find(key(number)) is not None for number in (4, 7, 8)] == [True, False, True]
    with Ledger(path) as ledger:
        assert (len(ledger), ledger.damaged, ledger.find(key(8))) == (6, 0, entry(8))
