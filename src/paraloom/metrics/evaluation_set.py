"""Sources and references in, a checked evaluation set out: what a generator's outputs are measured on.

Most wrong scores come from lists that do not fit: references transposed, a line lost, an empty file read as perfect
agreement. Such lists never get as far as a number here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Sources in their order and, for each, the references people wrote for it: at least one."""

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        """Refuse what cannot be measured, and say which line it is."""
        _refuse_bare_strings(self.sources, self.references)
        if not self.sources:
            raise InputError("There is no source sentence. Give a file with at least one line.")
        if len(self.references) != len(self.sources):
            raise InputError(_why_lengths_differ(self.sources, self.references))
        for row, (source, references) in enumerate(zip(self.sources, self.references, strict=True), start=1):
            if not references:
                raise InputError(f"Source {row} ({_shown(source)}) has no reference. Leave it out, or give it one.")
            empty = next((n for n, text in enumerate(references, start=1) if not text.strip()), None)
            if empty is not None:
                raise InputError(
                    f"Reference {empty} of source {row} ({_shown(source)}) is empty. Every reference must hold text: "
                    "an empty one would count as a perfect match for an empty output."
                )
            if not source.strip():
                raise InputError(f"Source {row} is empty. Leave it and its references out.")

    @classmethod
    def of(cls, sources: Sequence[str], references: Sequence[Sequence[str]]) -> EvaluationSet:
        """One list of references a source, as they were written down.

        >>> EvaluationSet.of(["a b", "c d"], [["a c"], ["c e", "d c"]]).reference_counts
        (1, 2)
        >>> EvaluationSet.of(["a b", "c d", "e f"], [["a c", "c e", "e g"], ["a d", "c f", "e h"]])
        Traceback (most recent call last):
        ...
        paraloom.errors.InputError: There are 3 sources but 2 lists of references, each of 3: they are transposed. \
Give one list of references a source, or use EvaluationSet.of_streams.
        """
        _refuse_bare_strings(sources, references)
        return cls(tuple(sources), tuple(tuple(texts) for texts in references))

    @classmethod
    def of_streams(cls, sources: Sequence[str], streams: Sequence[Sequence[str | None]]) -> EvaluationSet:
        """One list a stream, as sacrebleu takes them and as line-aligned files are; None where a source has fewer.

        >>> EvaluationSet.of_streams(["a b", "c d"], [["a c", "c e"], [None, "d c"]]).references
        (('a c',), ('c e', 'd c'))
        """
        _refuse_bare_strings(sources, streams)
        for number, stream in enumerate(streams, start=1):
            if len(stream) != len(sources):
                raise InputError(
                    f"Stream {number} of references has {len(stream)} lines, but there are {len(sources)} sources. "
                    "Line n of every file must belong to line n of the sources."
                )
        lists = zip(*streams, strict=True) if streams else [()] * len(sources)
        return cls.of(sources, [[text for text in texts if text is not None] for texts in lists])

    @property
    def reference_counts(self) -> tuple[int, ...]:
        """How many references each source has."""
        return tuple(len(texts) for texts in self.references)

    def chosen(self, rows: Sequence[int]) -> EvaluationSet:
        """The sources of these rows with their references, in the order given."""
        return EvaluationSet(tuple(self.sources[row] for row in rows), tuple(self.references[row] for row in rows))

    def check_outputs(self, outputs: Sequence[str]) -> None:
        """Refuse outputs that are not one text a source; an empty output is a text."""
        if isinstance(outputs, str):
            raise InputError("Outputs are one string. Give a list with one output a source.")
        if len(outputs) != len(self.sources):
            raise InputError(
                f"There are {len(outputs)} outputs for {len(self.sources)} sources. Give one a source, in their order."
            )
        for row, text in enumerate(outputs, start=1):
            if not isinstance(text, str):
                raise InputError(f"Output {row} is {type(text).__name__}, not text. Give one text a source.")


def _refuse_bare_strings(sources: Sequence[str], references: Sequence[object]) -> None:
    if isinstance(sources, str):
        raise InputError("Sources are one string. Give a list of texts.")
    if isinstance(references, str) or any(isinstance(texts, str) for texts in references):
        raise InputError(
            "References are a flat list of texts, so each character would be taken for a reference. "
            "Give a list of references for each source, even where there is one."
        )


def _why_lengths_differ(sources: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    told = f"There are {len(sources)} sources but {len(references)} lists of references"
    if references and all(len(texts) == len(sources) for texts in references):
        return (
            f"{told}, each of {len(sources)}: they are transposed. "
            "Give one list of references a source, or use EvaluationSet.of_streams."
        )
    return f"{told}. Give one list of references a source, in their order."


def _shown(text: str, longest: int = 40) -> str:
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")
