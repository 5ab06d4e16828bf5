"""Put the load on the peers alone; `benchmarks/annotate.py` puts it on ours in the same run.

cd benchmarks && python -m annotate_peers --cache ~/.cache/paraloom-peers --people 20 --seconds 10
cd benchmarks && python -m annotate_peers --cache ~/.cache/paraloom-peers --peers potato --json
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from annotate_peers.environment import LABEL_STUDIO, POTATO, peer_environment
from annotate_peers.floor import Floor
from annotate_peers.label_studio import LabelStudio
from annotate_peers.load import Load, Service, put_load_on, shown
from annotate_peers.postgres import Postgres
from annotate_peers.potato import Potato
from annotate_peers.work import Work, made_up_work

MakePeer = Callable[[Path, Path, Work, int], Service]
"""From the folder that keeps environments, a folder for this run, the work, and how many annotators sign in."""

PEERS: dict[str, MakePeer] = {
    "floor": lambda cache, folder, work, people: Floor(folder),
    "label-studio": lambda cache, folder, work, people: LabelStudio(
        peer_environment(LABEL_STUDIO, cache), folder, work
    ),
    "label-studio-postgres": lambda cache, folder, work, people: LabelStudio(
        peer_environment(LABEL_STUDIO, cache), folder, work, Postgres(folder.with_name("postgres"))
    ),
    "potato": lambda cache, folder, work, people: Potato(peer_environment(POTATO, cache), folder, work, people),
}


def main() -> None:
    """One peer after the other."""
    options = asked_for()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended from outside."))  # so that servers are ended as well
    load = Load(people=options.people, seconds=options.seconds)
    work = made_up_work(options.pairs, options.judgments_each)
    rows = []
    for peer in options.peers:
        folder = Path(tempfile.mkdtemp(prefix=f"paraloom-{peer}-", dir=options.keep))
        try:
            service = PEERS[peer](options.cache, folder / "run", work, load.people + 1)
            row = put_load_on(service, load, lambda line: print(line, file=sys.stderr, flush=True))
        finally:
            if options.keep is None:
                shutil.rmtree(folder)
        rows.append(asdict(row))
        if not options.json:
            print(shown(row), flush=True)
    if options.json:
        print(json.dumps(rows, indent=2))


def asked_for() -> argparse.Namespace:
    """What was given on the command line."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--cache", type=Path, required=True, help="folder that keeps the peers' environments")
    asked.add_argument("--peers", nargs="+", choices=sorted(PEERS), default=["floor", "label-studio", "potato"])
    asked.add_argument("--people", type=int, default=200)
    asked.add_argument("--seconds", type=float, default=60.0)
    asked.add_argument("--pairs", type=int, default=5_000)
    asked.add_argument("--judgments-each", type=int, default=5, help="annotators for a pair")
    asked.add_argument("--keep", type=Path, help="existing folder in which databases and logs of the runs are left")
    asked.add_argument("--json", action="store_true", help="print one JSON list instead of text")
    return asked.parse_args()


if __name__ == "__main__":
    main()
