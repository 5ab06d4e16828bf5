"""METEOR by a real Java process: equal to the jar's own run over files; odd texts, kills and strangers do no harm."""

from __future__ import annotations

import gc
import gzip
import inspect
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meteor.files import MeteorFiles, find_meteor, meteor_files, short_hash, why_no_meteor
from paraloom.metrics.meteor.meteor import Meteor
from paraloom.metrics.meteor.pool import MeteorPool, shared_pool
from paraloom.metrics.meteor.process import MeteorProcess, one_line, question
from paraloom.metrics.meteor.score import meteor_of_sums, summable

WORDS = """
the a storm storms gale hit hits struck coast shore of in on was has been people thousands say says said 7 seven home
houses big large quickly don't U.S. 1,000 well-known 😀 嵐 が 来た é . , ! ? | || & < >
"""
VOCABULARY = WORDS.split()

ODD = [
    "",
    "storm",
    "|||",
    "a|||b ||| c",
    "SCORE ||| EVAL",
    "the\nstorm\r\nhit\tthe\u2028coast\x85now\x1d!",
    "嵐が来た 😀👩🏽‍🚀",
    "\ud800 lone",
    "\x00 null",
    "'\"`´ \\ $1 %s {} ()",
    "-" * 300,
    "!!!",
]


def sentences(count: int, seed: int, longest: int = 14) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(VOCABULARY, k=rng.randint(1, longest))) for _ in range(count)]


@pytest.fixture(scope="module")
def files() -> MeteorFiles:
    missing = why_no_meteor()
    if missing:
        pytest.skip(missing)
    return meteor_files()


@pytest.fixture(scope="module")
def pool(files: MeteorFiles) -> Iterator[MeteorPool]:
    """What `Meteor` uses, held for all tests here, so that Java reads its large table of paraphrases once."""
    held = shared_pool(files, "2G", 1)
    yield held
    held.close()


@pytest.fixture(scope="module")
def quick_files(files: MeteorFiles, tmp_path_factory: pytest.TempPathFactory) -> MeteorFiles:
    """With a table of one paraphrase, which is read in no time."""
    table = tmp_path_factory.mktemp("meteor") / "paraphrases.gz"
    table.write_bytes(gzip.compress(b"0.5\nthe storm\na gale\n"))
    return replace(files, paraphrases=table)


@pytest.fixture(scope="module")
def process(quick_files: MeteorFiles) -> Iterator[MeteorProcess]:
    with MeteorProcess(quick_files) as running:
        yield running


def scored_from_files(
    files: MeteorFiles, folder: Path, outputs: list[str], references: list[list[str]]
) -> tuple[list[float], float]:
    """Segment scores and the final score that the jar prints when it is given files."""
    (folder / "outputs").write_text("".join(f"{text}\n" for text in outputs))
    (folder / "references").write_text("".join(f"{text}\n" for texts in references for text in texts))
    command = [files.java, "-Xmx2G", "-jar", files.jar, "outputs", "references", "-l", "en", "-norm"]
    command += ["-r", str(len(references[0])), "-a", files.paraphrases]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    segments = [float(score) for score in re.findall(r"^Segment \d+ score:\s+(\S+)$", said, re.MULTILINE)]
    final = re.search(r"^Final score:\s+(\S+)$", said, re.MULTILINE)
    assert final
    return segments, float(final[1])


def test_items_and_value_are_those_of_the_jar_given_files(files: MeteorFiles, pool: MeteorPool, tmp_path: Path) -> None:
    outputs = [*sentences(150, seed=1), "", "the storm hit the coast", "x " * 300]
    references = [list(pair) for pair in zip(sentences(153, seed=2), sentences(153, seed=3), strict=True)]
    references[151] = ["the storm hit the coast", "a gale"]
    expected_items, expected_value = scored_from_files(files, tmp_path, outputs, references)
    measured = Meteor(processes=1).prepare(EvaluationSet.of(["source"] * 153, references))(outputs)
    assert measured.items.tolist() == pytest.approx([100 * score for score in expected_items], abs=1e-9)
    assert measured.value == pytest.approx(100 * expected_value, abs=1e-9)
    assert measured.items[150] == 0
    assert measured.items[151] == 100
    assert 5 < measured.value < 50


def test_statistics_combine_to_what_the_jar_says_of_any_subset(process: MeteorProcess) -> None:
    outputs = sentences(300, seed=4, longest=6)
    outputs[:40] = sentences(40, seed=5, longest=4)  # some are matched whole, which METEOR adds up in its own way
    lines = [question([text]) + text for text in outputs[:40]]
    lines += [question([text]) + one_line(output) for text, output in zip(sentences(260, 6), outputs[40:], strict=True)]
    raw = process.statistics(lines)
    statistics = summable(raw)
    rng = np.random.default_rng(1)
    for size in [1, 2, 3, 10, 50, 300] * 5:
        rows = rng.integers(0, len(raw), size)
        *items, value = process.scores(raw[rows])
        assert meteor_of_sums(statistics[rows].sum(axis=0)) == pytest.approx(100 * value, abs=1e-9)
        assert meteor_of_sums(statistics[rows]).tolist() == pytest.approx([100 * item for item in items], abs=1e-9)


def test_many_resamples_are_combined_at_once(pool: MeteorPool) -> None:
    evaluation_set = EvaluationSet.of(["s"] * 30, [[text] for text in sentences(30, seed=7)])
    measured = Meteor(processes=1).prepare(evaluation_set)(sentences(30, seed=8))
    assert measured.statistics is not None
    assert measured.combine is not None
    drawn = np.random.default_rng(2).integers(0, 30, (50, 30))
    together = measured.combine(measured.statistics[drawn].sum(axis=1))
    assert together.shape == (50,)
    assert together[7] == measured.combine(measured.statistics[drawn[7]].sum(axis=0))
    assert measured.combine(measured.statistics.sum(axis=0)) == measured.value


@pytest.mark.parametrize("text", ODD)
def test_an_odd_text_is_one_segment_and_the_next_is_not_disturbed(text: str, pool: MeteorPool) -> None:
    references = [["the storm hit the coast"], [text if text.strip() else "storm"], ["the storm hit the coast"]]
    measure = Meteor(processes=1).prepare(EvaluationSet.of(["s"] * 3, references))
    measured = measure([text, text, "the storm hit the coast"])
    assert measured.items[2] == 100
    assert measured.items[1] == (100 if one_line(text) else 0)
    assert 0 <= measured.items[0] < 100


def test_ten_thousand_tokens_are_scored(process: MeteorProcess) -> None:
    long = " ".join(f"word{number}" for number in range(10_000))
    lengths = process.statistics([question(["word1 word2"]) + long, question([long]) + "word1 word2"])[:, :2]
    assert lengths.tolist() == [[10_000, 2], [2, 10_000]]


def test_bars_have_the_tokens_that_the_jar_gives_them(process: MeteorProcess) -> None:
    """Two bars can be sent as they are: METEOR splits them as we do."""
    as_sent, as_split = process.statistics([question(["a"]) + "x||y", question(["a"]) + one_line("x||y")])
    assert as_sent.tolist() == as_split.tolist()
    assert as_sent[0] == 4


def test_more_long_segments_than_a_pipe_holds_do_not_lock(process: MeteorProcess) -> None:
    padding = " ".join(str(number) for number in range(300))
    lines = [question([f"storm {number} hit"]) + f"storm {number} {padding}" for number in range(1500)]
    done: list[int] = []
    asking = threading.Thread(target=lambda: done.append(len(process.statistics(lines))), daemon=True)
    asking.start()
    asking.join(300)
    assert done == [1500]


def test_the_same_segment_twice_stands_twice_and_no_segment_is_no_row(pool: MeteorPool) -> None:
    lines = [question(["the storm"]) + text for text in ("a storm", "the storm", "a storm")]
    first, second, third = pool.statistics(lines).tolist()
    assert first == third != second
    assert pool.statistics([]).shape == (0, 23)


def test_paraphrases_come_from_the_table_given(process: MeteorProcess) -> None:
    matched, unmatched = process.statistics([question(["a gale"]) + "the storm", question(["a gale"]) + "the wind"])
    assert matched[-2:].tolist() == [2, 2]
    assert unmatched[-2:].tolist() == [0, 0]


def test_two_processes_give_what_one_gives(
    quick_files: MeteorFiles, process: MeteorProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paraloom.metrics.meteor.pool.ENOUGH_FOR_ANOTHER", 100)
    monkeypatch.setattr("paraloom.metrics.meteor.pool._AT_ONCE", 20)
    lines = [question([left]) + right for left, right in zip(sentences(400, 9), sentences(400, 10), strict=True)]
    two = MeteorPool(quick_files, "2G", 2)
    assert two.statistics(lines).tolist() == process.statistics(lines).tolist()
    ids = two.process_ids
    assert len(ids) == 2
    del two
    gc.collect()
    assert not any(is_running(process_id) for process_id in ids)


def is_running(process_id: int) -> bool:
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for_end(process_id: int) -> bool:
    until = time.monotonic() + 60
    while is_running(process_id) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_running(process_id)


def test_a_kill_in_the_middle_is_an_error_and_the_next_measure_works(quick_files: MeteorFiles) -> None:
    own = MeteorPool(quick_files, "2G", 1)
    own.statistics([question(["a"]) + "a"])
    lines = [question([f"storm {number}"]) + f"a storm {number} " * 60 for number in range(4000)]
    killer = threading.Timer(0.3, os.kill, (own.process_ids[0], signal.SIGKILL))
    killer.start()
    with pytest.raises(InputError, match=r"Java process ended with code -9.*try again"):
        own.statistics(lines)
    assert own.process_ids == ()
    assert own.statistics([question(["a"]) + "a"])[0, 0] == 1
    own.close()
    assert own.process_ids == ()


CHILD = """
import sys, time
from dataclasses import replace
from pathlib import Path
from paraloom.metrics.meteor.files import meteor_files
from paraloom.metrics.meteor.process import MeteorProcess
process = MeteorProcess(replace(meteor_files(), paraphrases=Path(sys.argv[1])))
print(process.process_id, flush=True)
time.sleep(float(sys.argv[2]))
"""


def test_java_ends_when_python_does(quick_files: MeteorFiles, child_environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", CHILD, str(quick_files.paraphrases), "0"]
    done = subprocess.run(command, env=child_environment, capture_output=True, text=True, check=True, timeout=120)
    assert wait_for_end(int(done.stdout))


def test_java_ends_when_python_is_killed(quick_files: MeteorFiles, child_environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", CHILD, str(quick_files.paraphrases), "600"]
    with subprocess.Popen(command, env=child_environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        java = int(child.stdout.readline())
        assert is_running(java)
        child.kill()
    assert wait_for_end(java)


def fail_with(running: MeteorProcess) -> None:
    with running:
        raise KeyError


def test_an_error_in_a_with_block_ends_java(quick_files: MeteorFiles) -> None:
    running = MeteorProcess(quick_files)
    with pytest.raises(KeyError):
        fail_with(running)
    assert not is_running(running.process_id)
    assert not running.running
    with pytest.raises(InputError, match="closed"):
        running.statistics([question(["a"]) + "a"])


def test_too_little_memory_says_so(files: MeteorFiles) -> None:
    with MeteorProcess(files, "24M") as small, pytest.raises(InputError, match="more memory than 24M"):
        small.statistics([question(["a"]) + "a"])


STRANGERS = [
    ("echo hello; cat >/dev/null", "answered b'hello"),
    ("exit 3", "ended with code 3"),
    ("echo 'no such option' >&2; exit 1", "said: no such option"),
    (f"read line; echo '{'1.0 ' * 23}'; read line; echo 0.5; echo 0.5; read line", "not METEOR 1.5"),
]


@pytest.mark.parametrize(("script", "told"), STRANGERS)
def test_a_program_that_is_not_meteor_is_an_error(script: str, told: str, tmp_path: Path) -> None:
    stranger = tmp_path / "java"
    stranger.write_text(f"#!/bin/sh\n{script}\n")
    stranger.chmod(0o755)
    with pytest.raises(InputError, match=told):
        MeteorPool(MeteorFiles(java=stranger, jar=stranger, paraphrases=stranger), "1G", 1).statistics(
            ["SCORE ||| a ||| a"]
        )


def test_java_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    nowhere = tmp_path / "java"
    with pytest.raises(InputError, match="could not be started"):
        MeteorProcess(MeteorFiles(java=nowhere, jar=nowhere, paraphrases=nowhere))


def test_without_java_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_meteor() is None
    assert "Java on the PATH" in (Meteor().why_not() or "")
    with pytest.raises(InputError, match="Java on the PATH"):
        Meteor().prepare(EvaluationSet.of(["a"], [["b"]]))


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycocoevalcap", None)
    assert find_meteor() is None
    assert "pip install 'paraloom[meteor]'" in (why_no_meteor() or "")


def test_the_signature_names_all_that_decides_the_value(files: MeteorFiles, pool: MeteorPool) -> None:
    measured = Meteor(processes=1).prepare(EvaluationSet.of(["a", "b"], [["c"], ["d", "e"]]))(["c", "x"])
    assert measured.signature == (
        "meteor|nrefs:var|version:1.5|lang:en|norm:yes|modules:exact,stem,synonym,paraphrase"
        f"|jar:{short_hash(files.jar)}|paraphrases:{short_hash(files.paraphrases)}"
    )
    assert measured.name == "meteor"
    assert measured.better == "higher"
    assert Meteor().why_not() is None


def test_outputs_that_do_not_fit_are_refused_before_java_is_asked(pool: MeteorPool) -> None:
    measure = Meteor(processes=1).prepare(EvaluationSet.of(["a"], [["b"]]))
    with pytest.raises(InputError, match="2 outputs for 1 sources"):
        measure(["a", "b"])
    with pytest.raises(InputError, match="at least 1"):
        Meteor(processes=0)


def test_there_are_no_more_processes_than_cores_this_one_may_use(
    pool: MeteorPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
    measure = Meteor(processes=2).prepare(EvaluationSet.of(["a"], [["b"]]))
    assert inspect.getclosurevars(measure).nonlocals["pool"] is pool  # the one that starts a single process
