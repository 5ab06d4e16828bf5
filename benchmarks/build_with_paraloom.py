"""The build from file to pairs, as a command, for the benchmark."""

from __future__ import annotations

import sys
from pathlib import Path

from paraloom.documents.options import ReadOptions
from paraloom.sentences.options import SentenceOptions
from paraloom.workflows.build import BuildOptions, build

if __name__ == "__main__":
    options = BuildOptions(
        read=ReadOptions(author_salt="benchmark"),
        sentences=SentenceOptions(detect_language=sys.argv[3]),  # type: ignore[arg-type]
    )
    build([sys.argv[1]], Path(sys.argv[2]), options, until="pairs")
