"""Sources and references in, a checked evaluation set out: what a generator's outputs are measured on.

Most wrong scores come from lists that do not fit: references transposed, a line lost, an empty file read as perfect
agreement. Such lists never get as far as a number here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from paraloom.errors import InputError

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Sources in their order and, for each, the references people wrote for it: at least one."""

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        """Refuse what cannot be measured, and say which line it is."""
        _refuse_what_is_no_text(self.sources, self.references)
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
    def of(cls, sources: Iterable[str], references: Iterable[Iterable[str]]) -> EvaluationSet:
        """One list of references a source, as they were written down.

        >>> EvaluationSet.of(["a b", "c d"], [["a c"], ["c e", "d c"]]).reference_counts
        (1, 2)
        >>> EvaluationSet.of(["a b", "c d", "e f"], [["a c", "c e", "e g"], ["a d", "c f", "e h"]])
        Traceback (most recent call last):
        ...
        paraloom.errors.InputError: There are 3 sources but 2 lists of references, each of 3: they are transposed. \
Give one list of references a source, or use EvaluationSet.of_streams.
        """
        sources, references = _as_tuple(sources), _as_tuple(references)
        _refuse_bare_strings(sources, references)
        return cls(sources, tuple(_as_tuple(texts) for texts in references))

    @classmethod
    def of_streams(cls, sources: Iterable[str], streams: Iterable[Iterable[str | None]]) -> EvaluationSet:
        """One list a stream, as sacrebleu takes them and as line-aligned files are; None where a source has fewer.

        >>> EvaluationSet.of_streams(["a b", "c d"], [["a c", "c e"], [None, "d c"]]).references
        (('a c',), ('c e', 'd c'))
        """
        sources = _as_tuple(sources)
        streams = _as_tuple(streams)
        _refuse_bare_strings(sources, streams)
        read = [_as_tuple(stream) for stream in streams]
        for number, stream in enumerate(read, start=1):
            if len(stream) != len(sources):
                raise InputError(
                    f"Stream {number} of references has {len(stream)} lines, but there are {len(sources)} sources. "
                    "Line n of every file must belong to line n of the sources."
                )
        lists = zip(*read, strict=True) if read else [()] * len(sources)
        return cls.of(sources, [[text for text in texts if text is not None] for texts in lists])

    @property
    def reference_counts(self) -> tuple[int, ...]:
        """How many references each source has."""
        return tuple(len(texts) for texts in self.references)

    def chosen(self, rows: Sequence[int]) -> EvaluationSet:
        """The sources of these rows with their references, in the order given."""
        return EvaluationSet(tuple(self.sources[row] for row in rows), tuple(self.references[row] for row in rows))

    def check_outputs(self, outputs: Iterable[str]) -> tuple[str, ...]:
        """The outputs in their order, by row; refused where they are not one text a source. An empty one is a text.

        Measure what is returned: a column of a data frame, say, finds `outputs[0]` by its label.
        """
        if isinstance(outputs, str):
            raise InputError("Outputs are one string. Give a list with one output a source.")
        outputs = tuple(outputs)
        if len(outputs) != len(self.sources):
            raise InputError(
                f"There are {len(outputs)} outputs for {len(self.sources)} sources. Give one a source, in their order."
            )
        for row, text in enumerate(outputs, start=1):
            if not isinstance(text, str):
                raise InputError(f"Output {row} is {type(text).__name__}, not text. Give one text a source.")
        return outputs


def _as_tuple(given: Iterable[Given]) -> tuple[Given, ...]:
    """All that was given, read once; what is one thing stays one, for the checks to refuse."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        return cast("tuple[Given, ...]", given)
    return tuple(given)


def _refuse_what_is_no_text(sources: Sequence[object], references: Sequence[object]) -> None:
    _refuse_bare_strings(sources, references)
    for row, source in enumerate(sources, start=1):
        if not isinstance(source, str):
            raise InputError(f"Source {row} is {type(source).__name__}, not text. Leave it and its references out.")
    for row, texts in enumerate(references, start=1):
        if not isinstance(texts, Sequence):
            raise InputError(f"The references of source {row} are {type(texts).__name__}. Give a list of texts.")
        for number, text in enumerate(texts, start=1):
            if not isinstance(text, str):
                raise InputError(
                    f"Reference {number} of source {row} is {type(text).__name__}, not text. Leave it out."
                )


def _refuse_bare_strings(sources: object, references: object) -> None:
    if isinstance(sources, str):
        raise InputError("Sources are one string. Give a list of texts.")
    for what, given in (("Sources", sources), ("References", references)):
        if not isinstance(given, Iterable):
            raise InputError(f"{what} are {type(given).__name__}, not a list. Give a list with one entry a source.")
    assert isinstance(references, Iterable)
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
