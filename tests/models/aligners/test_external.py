"""Programs are called as they want to be called, and what they write, refuse or never finish comes back as it should.

The programs here are small scripts that speak the protocols of eflomal-align and fast_align; the real ones are tried
where they are installed.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.aligners import Aligner, LearnsFromPairs, TokenPair
from paraloom.models.aligners.external import PROGRAMS, ExternalAligner, ExternalOptions, _safe, _written

EFLOMAL = """\
import sys

given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(given["-s"], encoding="utf-8") as source, open(given["-t"], encoding="utf-8") as target:
    sides = source.read().split("\\n")[:-1], target.read().split("\\n")[:-1]
assert len(sides[0]) == len(sides[1])
with open(given["-f"], "w") as forward, open(given["-r"], "w") as backward, open({log!r}, "a") as log:
    for left, right in zip(*sides):
        log.write(left + "|" + right + "\\n")
        left, right = left.split(), right.split()
        same = [(left.index(word), place) for place, word in enumerate(right) if word in left]
        print(*("%d-%d" % link for link in same), file=forward)
        same = [(place, right.index(word)) for place, word in enumerate(left) if word in right]
        print(*("%d-%d" % link for link in same), file=backward)
"""
FAST_ALIGN = """\
import sys

file = sys.argv[sys.argv.index("-i") + 1]
assert {"-d", "-o", "-v"} < set(sys.argv)
for number, line in enumerate(open(file, encoding="utf-8"), start=1):
    left, right = ([*part.split()] for part in line.split(" ||| "))
    if not left or not right:
        sys.exit("Error in line %d" % number)
    if "-r" in sys.argv:
        print(*("%d-%d" % (place, right.index(word)) for place, word in enumerate(left) if word in right))
    else:
        print(*("%d-%d" % (left.index(word), place) for place, word in enumerate(right) if word in left))
"""
"""Both link equal words: each right word to its first like on the left, and in the other direction."""

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a Python script on the PATH, before all else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def installed(name: str, script: str) -> None:
        program = folder / name
        program.write_text(f"#!{sys.executable}\n{script}", encoding="utf-8")
        program.chmod(0o755)

    return installed


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def pair_of(left: str, right: str) -> TokenPair:
    return left.split(), right.split()


STORM = pair_of("the storm hit the coast", "The coast the storm")
STORM_LINKS = ((0, 0), (1, 3), (4, 1))  # both directions: the first `the` of the other side

UNHANDY: list[tuple[TokenPair, tuple[tuple[int, int], ...]]] = [
    (((), ("storm",)), ()),
    ((("storm",), ()), ()),
    (((), ()), ()),
    ((["New York", "storm"], ["storm", "new\u3000york"]), ((0, 1), (1, 0))),
    ((["", "storm"], ["storm", ""]), ((0, 1), (1, 0))),
    ((["a\nb", "|||"], ["|||", "A\r\nB"]), ((0, 1), (1, 0))),
    ((["x\x85y", "\u2028", "\x00"], ["\u2028", "x y"]), ((0, 1), (1, 0))),
    ((["storm", "\ud83d"], ["🙂", "嵐", "storm"]), ((0, 2),)),
    ((["<eps>", "-"], ["-", "<eps>"]), ((0, 1), (1, 0))),
]


@pytest.mark.parametrize(("command", "script"), [("eflomal", EFLOMAL), ("fast_align", FAST_ALIGN)])
def test_links_of_both_directions_come_back_as_one(command, script: str, install: Install, log: Path) -> None:
    install(PROGRAMS[command].executable, script.replace("{log!r}", repr(str(log))))
    aligner = ExternalAligner(ExternalOptions(command=command, symmetrised="intersection"))
    assert isinstance(aligner, Aligner)
    assert isinstance(aligner, LearnsFromPairs)
    assert aligner.name == command
    assert aligner.align([STORM]) == [STORM_LINKS]
    union = ExternalAligner(ExternalOptions(command=command, symmetrised="union"))
    assert set(union.align([STORM])[0]) == {*STORM_LINKS, (0, 2), (3, 0)}
    assert aligner.signature != union.signature


@pytest.mark.parametrize(("command", "script"), [("eflomal", EFLOMAL), ("fast_align", FAST_ALIGN)])
def test_no_token_and_no_empty_side_breaks_a_line(command, script: str, install: Install, log: Path) -> None:
    install(PROGRAMS[command].executable, script.replace("{log!r}", repr(str(log))))
    aligner = ExternalAligner(ExternalOptions(command=command, symmetrised="intersection"))
    pairs = [pair for pair, _ in UNHANDY]
    unhandy = [links for _, links in UNHANDY]
    found = aligner.align([*pairs, STORM, *pairs])
    assert found == [*unhandy, STORM_LINKS, *unhandy]


@given(st.lists(st.text(max_size=6), min_size=1, max_size=5))
def test_a_line_has_as_many_tokens_as_were_given(tokens: list[str]) -> None:
    left, right = _written((tokens, ["x"]))
    assert len(left.split()) == len(left.split(" ")) == len(tokens)
    assert len(left.splitlines()) == 1
    assert "|||" not in left.split()
    assert left.encode() == " ".join(map(_safe, tokens)).encode()
    assert right == "x"


def test_learned_pairs_keep_their_links_and_stand_by_others(install: Install, log: Path) -> None:
    install("eflomal-align", EFLOMAL.replace("{log!r}", repr(str(log))))
    aligner = ExternalAligner(ExternalOptions(symmetrised="intersection"))
    aligner.learn([STORM, pair_of("a b", "b a"), pair_of("", "x")])
    learned = log.read_text(encoding="utf-8")
    assert learned == "the storm hit the coast|the coast the storm\na b|b a\n"
    assert aligner.align([pair_of("A b", "b a"), STORM]) == [((0, 1), (1, 0)), STORM_LINKS]
    assert log.read_text(encoding="utf-8") == learned  # no further run
    assert aligner.align([pair_of("c", "c"), STORM, pair_of("c", "c")]) == [((0, 0),), STORM_LINKS, ((0, 0),)]
    assert log.read_text(encoding="utf-8") == learned + learned + "c|c\n"
    aligner.learn([pair_of("d", "d")])
    assert "learned-from:1" in aligner.signature
    assert aligner.align([STORM]) == [STORM_LINKS]
    assert log.read_text(encoding="utf-8").endswith("d|d\nd|d\nthe storm hit the coast|the coast the storm\n")


def test_nothing_to_align_starts_no_program(install: Install) -> None:
    install("eflomal-align", "raise SystemExit('started')")
    aligner = ExternalAligner()
    assert aligner.align([]) == []
    assert aligner.align([([], []), (["a"], [])]) == [(), ()]


@pytest.mark.parametrize("command", PROGRAMS)
def test_a_program_that_is_not_there_is_named_with_how_to_get_it(
    command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=PROGRAMS[command].executable) as told:
        ExternalAligner(ExternalOptions(command=command))
    assert PROGRAMS[command].get_it in str(told.value)


TROUBLE = [
    (
        "import sys\nprint('first', *range(9), sep='\\n', file=sys.stderr)\nsys.exit('no memory')",
        "said last: .*\n.*no memory",
    ),
    ("raise SystemExit(3)", "status 3.*nothing"),
    ("import os\nos.kill(os.getpid(), 9)", "SIGKILL"),
    ("print('did nothing')", "given 1 pairs and wrote 0 lines"),
    ("import sys\nfor at in (6, 8): open(sys.argv[at], 'w').write('0-9\\n')", "not there, in pair 1: 0-9"),
    ("import sys\nfor at in (6, 8): open(sys.argv[at], 'w').write('0:0\\n')", "0:0.* is no link"),
    (
        "import sys\nfor at in (6, 8): open(sys.argv[at], 'w').write('0-0\\n0-0\\n')",
        "given 1 pairs and wrote 2 lines",
    ),
]


@pytest.mark.parametrize(("script", "told"), TROUBLE)
def test_what_goes_wrong_is_told(script: str, told: str, install: Install) -> None:
    install("eflomal-align", script)
    with pytest.raises(InputError, match=rf"(?s){told}"):
        ExternalAligner().align([STORM])


def test_only_the_last_lines_of_what_a_program_said_are_told(install: Install) -> None:
    install("eflomal-align", "import sys\nfor line in range(1000): print('line', line, file=sys.stderr)\nsys.exit(1)")
    with pytest.raises(InputError) as told:
        ExternalAligner().align([STORM])
    assert "line 999" in str(told.value)
    assert "line 990" not in str(told.value)


def test_a_program_that_takes_too_long_is_stopped_with_all_it_has_started(install: Install, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers"
    script = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(numbers)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(600)\n"
    )
    install("eflomal-align", script)
    with pytest.raises(InputError, match="stopped after 3 seconds"):
        ExternalAligner(ExternalOptions(seconds=3)).align([STORM])
    for number in numbers.read_text().split():
        assert is_gone(int(number))


def is_gone(number: int) -> bool:
    """Whether a process has ended; one that nobody has asked for yet has, too."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


def test_a_program_that_cannot_be_run_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "eflomal-align"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="cannot be run"):
        ExternalAligner().align([STORM])


REFUSED = [
    ({"command": "giza"}, "giza"),
    ({"symmetrised": "magic"}, "magic"),
    ({"seconds": 0.0}, "seconds is 0"),
    ({"seconds": float("nan")}, "seconds is nan"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_what_cannot_be_is_refused(options: dict, told: str) -> None:
    with pytest.raises(InputError, match=told):
        ExternalOptions(**options)


@pytest.mark.parametrize("command", PROGRAMS)
def test_the_real_program_links_words_that_come_together(command) -> None:
    if shutil.which(PROGRAMS[command].executable) is None:
        pytest.skip(f"{PROGRAMS[command].executable} is not on the PATH")
    draw = random.Random(1)  # in any company: words that always come together could not be told apart
    texts = [draw.sample([f"word{number}" for number in range(40)], draw.randint(3, 8)) for _ in range(300)]
    pairs = [(text, [f"other{draw.randint(1, 9)}", *(word.upper() for word in text)]) for text in texts]
    aligner = ExternalAligner(ExternalOptions(command=command, symmetrised="intersection"))
    aligner.learn(pairs)
    found = aligner.align([*pairs, *(pair for pair, _ in UNHANDY)])
    expected = [{(place, place + 1) for place in range(len(text))} for text in texts]
    right = sum(len(links & set(one)) for links, one in zip(expected, found, strict=False))
    assert right > 0.95 * sum(map(len, expected))
    assert right > 0.95 * sum(map(len, found[: len(pairs)]))
    assert found[len(pairs) : len(pairs) + 3] == [(), (), ()]
