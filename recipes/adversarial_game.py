"""The adversarial game before and after training, and what its attempts teach an identifier, on two cores.

    python -m recipes.adversarial_game --data DATA --work WORK    (an hour and a half; what was stopped goes on)

DATA holds MSRP (`msrp/`), the attempts of T5 and of people (`apt/`) and Twitter-URL in their published forms. First
sentences of MSRP's train split are parted: some are played before and after, of others the attempts are learned from,
and on the last the trained generator makes attempts that an identifier learns from. WORK gets the games, the trained
generators, `comparison/` and `effect/` with a report each. The figures: docs/generation_results.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from paraloom.corpus.held_out_references import place_of
from paraloom.corpus.known import read_corpus
from paraloom.models.implication import load
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.adversarial_options import LessonOptions
from paraloom.reports.adversarial import write_adversarial_report
from paraloom.workflows.experiments.adversarial import run_adversarial
from paraloom.workflows.experiments.options import ExperimentOptions
from paraloom.workflows.generate.adversarial_attempts import read_attempts, reported
from paraloom.workflows.generate.adversarial_game import play_file
from paraloom.workflows.generate.adversarial_options import PlayerOptions, PlayerTrainingOptions
from paraloom.workflows.generate.adversarial_training import train_player

PLAYED, LEARNED, TAUGHT_FROM = 100, 150, 100
"""Sources that are played before and after; that are learned from; whose attempts teach an identifier."""
MOST_PAIRS = 540
"""Paraphrases that the paper's divided loss learns from."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the published corpora")
    parser.add_argument("--work", type=Path, required=True, help="folder for everything that is made")
    given = parser.parse_args()
    part_sources(given.data, given.work)
    train(given.data, given.work)
    compare(given.work)
    teach(given.data, given.work)


def part_sources(data: Path, work: Path) -> None:
    """`played.txt`, `learned.txt`, `taught.txt`; `never.txt` and `paraphrases.tsv` for what learns."""
    train = read_corpus("msrp", data).splits["train"]
    pairs = list(zip(train.left, train.right, train.targets.tolist(), strict=True))
    beside: dict[str, set[str]] = {}
    for left, right, _ in pairs:
        beside.setdefault(left, set()).add(right)
    parts: list[list[str]] = []
    taken: set[str] = set()
    sources = iter(sorted(beside, key=place_of))
    for size in (PLAYED, LEARNED, TAUGHT_FROM):
        part: list[str] = []
        own: set[str] = set()
        for source in sources:
            texts = {source, *beside[source]}
            if not texts & taken:
                part.append(source)
                own |= texts
            if len(part) == size:
                break
        parts.append(part)
        taken |= own
    played, learned, taught = parts
    never = {text for source in (*played, *taught) for text in (source, *beside[source])}
    paraphrases = [
        f"{left}\t{right}"
        for left, right, target in sorted(pairs, key=lambda pair: place_of(pair[0]))
        if target > 0.5 and not {left, right} & never
    ]
    work.mkdir(parents=True, exist_ok=True)
    _write(work / "played.txt", played)
    _write(work / "learned.txt", learned)
    _write(work / "taught.txt", taught)
    _write(work / "never.txt", sorted(never))
    _write(work / "paraphrases.tsv", ["left\tright", *paraphrases[:MOST_PAIRS]])


def _write(file: Path, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def train(data: Path, work: Path) -> None:
    """Preferences among T5's attempts, then among its own; beside these the paper's divided loss."""
    never = (work / "never.txt",)
    train_player(
        [str(data / "apt" / "ap_t5" / f"{corpus}1-*.tsv") for corpus in ("msrp", "twitterppdb")],
        work / "taught",
        PlayerTrainingOptions(never=never, anchor=0.1),
        plan=PlanOptions(epochs=1, batch_size=16, learning_rates=(2e-4,)),
        tell=print,
    )
    _play(work, "learned", "lessons", str(work / "taught"))
    train_player(
        [work / "lessons"],
        work / "preferred",
        PlayerTrainingOptions(start=str(work / "taught"), never=never, anchor=0.1),
        LessonOptions(least_gap=0.001),
        PlanOptions(epochs=4, batch_size=8, learning_rates=(3e-4,)),
        tell=print,
    )
    train_player(
        [work / "paraphrases.tsv"],
        work / "rewarded",
        PlayerTrainingOptions(method="rewarded", never=never),
        plan=PlanOptions(epochs=1),
        tell=print,
    )


def compare(work: Path) -> None:
    """The same sources by every generator; published figures stand beside them in the report."""
    players = {"before": "paraloom"} | {name: str(work / name) for name in ("taught", "preferred", "rewarded")}
    for name, generator in players.items():
        _play(work, "played", f"game-{name}", generator)
    sets = [f"{name}={work / f'game-{name}'}" for name in players]
    report = reported([read_attempts(one, load) for one in sets])
    print(report.as_text(), write_adversarial_report(report, work / "comparison"), sep="\n")


def teach(data: Path, work: Path) -> None:
    """What an identifier learns from attempts before and after, and from the published ones (Table 6)."""
    _play(work, "taught", "attempts-before", "paraloom")
    _play(work, "taught", "attempts-after", str(work / "preferred"))
    sets = [f"{name}={work / f'attempts-{name}'}" for name in ("before", "after")]
    sets.append(f"paper={data / 'apt' / 'ap_t5' / 'msrp1-*.tsv'}")
    options = ExperimentOptions(systems=("ngram-regression",), limit=8_000)
    found = run_adversarial(data, sets, options, out=work / "effect", tell=print)
    print(found.as_text())


def _play(work: Path, sources: str, game: str, generator: str) -> None:
    print(f"{game}: {generator} on {sources}.txt", flush=True)
    report = play_file(work / f"{sources}.txt", work / game, PlayerOptions(generator=generator))
    print(report.headline, flush=True)


if __name__ == "__main__":
    main()
