"""Align the pairs of a file in a process of its own, so that it can be killed.

python align_a_file.py PAIRS OUT ALIGNER BATCH EVENTS: a line is added to EVENTS for each block.
"""

from __future__ import annotations

import sys
from pathlib import Path

from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.workflows.phrases.align_options import AlignOptions
from paraloom.workflows.phrases.align_pairs import align_pairs


def main() -> None:
    pairs, out, aligner, batch, events = sys.argv[1:]

    def tell(done: int, total: int) -> None:
        with Path(events).open("a", encoding="utf-8") as file:
            file.write(f"{done} of {total}\n")

    asked = AlignerOptions(aligner=aligner)
    print(align_pairs(pairs, out, AlignOptions(batch=int(batch)), tell, aligner=asked).resumed)


if __name__ == "__main__":
    main()
