"""Files of an evaluation of generators in, the set and the systems' rows out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paraloom.corpus.evaluation_options import EvaluationSetOptions
from paraloom.corpus.evaluation_sets import GivenSet, read_aligned, read_evaluation_set
from paraloom.corpus.reference_rows import is_plain_text
from paraloom.corpus.system_outputs import SystemRows, read_aligned_system, read_system
from paraloom.errors import InputError
from paraloom.workflows.evaluate.named_columns import named_columns


def read_generation(
    files: Sequence[Path],
    references: Sequence[Path],
    sources: Path | None,
    outputs: Sequence[Path],
    reading: EvaluationSetOptions = EvaluationSetOptions(),
) -> tuple[GivenSet, list[SystemRows]]:
    """Files of JSON lines, or text files that belong together line by line; never both."""
    if files and (sources or outputs):
        raise InputError("Give either files of outputs with their sources, or --sources with --outputs; not both.")
    if not files and not (sources and outputs):
        raise InputError(
            "There are no outputs to measure. Give files of outputs, as `generate` writes them, or --sources S with "
            "--outputs O."
        )
    for path in (*files, *references, *outputs, *([sources] if sources else [])):
        if not path.is_file():
            raise InputError(f"There is no file {path}. Check the path.")
    if sources is not None:
        if all(map(is_plain_text, references)):
            given = read_aligned(sources, references, reading)
        else:
            given = read_evaluation_set(references, reading, named_columns(reading.columns))
        return given, [read_aligned_system(sources, path) for path in outputs]
    given = read_evaluation_set(references, reading, named_columns(reading.columns))
    return given, [read_system(path) for path in files]
