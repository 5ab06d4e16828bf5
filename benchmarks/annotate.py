"""How long do annotators wait? The same load on Paraloom and on peers, one after the other in the same run.

    python benchmarks/annotate.py --cache ~/.cache/paraloom-peers                       # 200 people for 60 s each
    python benchmarks/annotate.py --peers none --people 50 --seconds 10                 # ours alone, shorter
    python benchmarks/annotate.py --peers none --profile /tmp/paraloom.profile          # where our server spends time
    python benchmarks/annotate.py --two-requests                                        # next item by its own request

200 annotators, each with an account of their own, think one second and answer, for 60 s; server and annotators share
two cores. Every service has the same 5,000 pairs, each for 5 people. The wait that counts is that of an answer until
it is acknowledged; ours is on the disk then. Afterwards the export is held against what was acknowledged. Test
questions (one in five), kappa and leases are at work in ours; the peers have none.

The bars for Paraloom: p95 of an answer below 200 ms, no error, every acknowledged answer in the export exactly once.
Prints a row for each service and the ratios, and writes benchmarks/results/annotate.json; fails where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from annotate_ours import Paraloom
from annotate_peers.__main__ import PEERS
from annotate_peers.load import Load, LoadRow, Service, put_load_on, shown
from annotate_peers.work import made_up_work

HERE = Path(__file__).resolve().parent
MOST_P95 = 200.0


def main() -> None:
    """Ours, then each peer."""
    asked = asked_for()
    load = Load(people=asked.people, seconds=asked.seconds, thought=asked.thought)
    work = made_up_work(asked.pairs, asked.judgments_each)

    def ours(folder: Path) -> Service:
        return Paraloom(folder, work, two_requests=asked.two_requests, profile=asked.profile)

    rows = [loaded(ours, load)]
    for peer in asked.peers:
        if peer != "none":
            rows.append(loaded(lambda folder, peer=peer: PEERS[peer](asked.cache, folder, work, load.people + 1), load))
    ratios = [ratio(rows[0], row) for row in rows[1:]]
    for one in ratios:
        print(
            f"{one['peer']} against Paraloom: p95 of an answer {one['submit_p95']:.1f} times as long, "
            f"{one['server_cores_an_answer']:.1f} times the processor time an answer",
            flush=True,
        )
    missed = bars_missed(rows[0])
    asked.out.parent.mkdir(exist_ok=True)
    told = {"rows": [asdict(row) for row in rows], "ratios": ratios, "missed": missed}
    asked.out.write_text(json.dumps(told, indent=2) + "\n")
    if missed:
        raise SystemExit("\n".join(missed))


def loaded(make: Callable[[Path], Service], load: Load) -> LoadRow:
    """One service under the load, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="paraloom-load-") as folder:
        row = put_load_on(make(Path(folder) / "run"), load, lambda line: print(line, file=sys.stderr, flush=True))
    print(shown(row), flush=True)
    return row


def ratio(ours: LoadRow, peer: LoadRow) -> dict[str, float | str]:
    """How many times as long, or as much, the peer takes."""

    def cores(row: LoadRow) -> float:
        return row.server_cores / max(row.answers_a_second, 1e-9)

    return {
        "peer": peer.service,
        "submit_p50": (peer.submit.p50 or float("nan")) / (ours.submit.p50 or float("nan")),
        "submit_p95": (peer.submit.p95 or float("nan")) / (ours.submit.p95 or float("nan")),
        "answers_a_second": ours.answers_a_second / max(peer.answers_a_second, 1e-9),
        "server_cores_an_answer": cores(peer) / max(cores(ours), 1e-9),
    }


def bars_missed(row: LoadRow) -> list[str]:
    """What our own row should be and is not."""
    missed = []
    if row.submit.p95 is None or row.submit.p95 >= MOST_P95:
        missed.append(f"p95 of an answer is {row.submit.p95} ms, not below {MOST_P95:.0f}.")
    if row.errors or row.without_work:
        missed.append(f"There were errors ({row.errors}), or people without work ({row.without_work}).")
    if row.lost or row.doubled or row.unacknowledged:
        missed.append(f"{row.lost} answers were lost, {row.doubled} doubled, {row.unacknowledged} never acknowledged.")
    return missed


def asked_for() -> argparse.Namespace:
    """What was given on the command line."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--cache", type=Path, default=Path("~/.cache/paraloom-peers").expanduser())
    asked.add_argument(
        "--peers", nargs="+", choices=["none", *sorted(PEERS)], default=["floor", "label-studio", "potato"]
    )
    asked.add_argument("--people", type=int, default=200)
    asked.add_argument("--seconds", type=float, default=60.0)
    asked.add_argument("--thought", type=float, default=1.0)
    asked.add_argument("--pairs", type=int, default=5_000)
    asked.add_argument("--judgments-each", type=int, default=5)
    asked.add_argument("--two-requests", action="store_true", help="ask for the next item by a request of its own")
    asked.add_argument("--profile", type=Path, default=None, help="profile our server into FILE.loop and FILE.write")
    asked.add_argument("--out", type=Path, default=HERE / "results" / "annotate.json")
    return asked.parse_args()


if __name__ == "__main__":
    main()
