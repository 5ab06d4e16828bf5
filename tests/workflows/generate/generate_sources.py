"""Generate from a file in a process of its own, so that it can be killed and its memory be measured.

python generate_sources.py SOURCES OUT PAIRS GENERATOR BATCH EVENTS [SETTING...]: a line is added to EVENTS for each
block; at the end it prints how many sources were resumed, and the peak of memory.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from paraloom.models.generators.loading_options import GeneratorOptions
from paraloom.workflows.generate.generate_file import generate_file
from paraloom.workflows.generate.options import GenerateFileOptions, SourceFileOptions


def main() -> None:
    sources, out, pairs, generator, batch, events, *settings = sys.argv[1:]

    def tell(done: int, total: int) -> None:
        with Path(events).open("a", encoding="utf-8") as file:
            file.write(f"{done} of {total}\n")

    options = GenerateFileOptions(
        generator=GeneratorOptions(generator=generator, settings=tuple(settings)),
        file=SourceFileOptions(batch=int(batch)),
    )
    done = generate_file(sources, out, options, tell, as_pairs=pairs or None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{done.counts.resumed} {peak}")


if __name__ == "__main__":
    main()
