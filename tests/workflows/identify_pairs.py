"""Identify the pairs of a file in a process of its own, so that it can be killed and its memory be measured.

python identify_pairs.py PAIRS OUT BATCH EVENTS: a line is added to EVENTS for each block, and the peak of memory at
the end.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from paraloom.workflows.identify.options import IdentifyOptions
from paraloom.workflows.identify.pair_file import identify_file


def main() -> None:
    pairs, out, batch, events = sys.argv[1:]

    def tell(done: int, total: int) -> None:
        with Path(events).open("a", encoding="utf-8") as file:
            file.write(f"{done} of {total}\n")

    identified = identify_file(pairs, out, IdentifyOptions(model="ngram-regression", batch=int(batch)), tell)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{identified.counts.resumed} {peak}")


if __name__ == "__main__":
    main()
