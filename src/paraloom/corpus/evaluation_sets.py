"""Files in, an evaluation set out, with a count of everything that was merged or left out on the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paraloom.corpus.evaluation_options import EvaluationSetOptions, Shape
from paraloom.corpus.reference_rows import ReferenceRow, is_plain_text, read_reference_rows
from paraloom.engine.given import read_lines
from paraloom.errors import InputError
from paraloom.graphs import clusters
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.text.counted import counted
from paraloom.text.tokenise import words

SHAPES: dict[Shape, str] = {
    "pairs": "pairs of a source and a reference",
    "references": "sources with all their references a row",
    "captions": "captions: texts of one key are references of each other",
}
"""What a file was taken for, in words."""

MISALIGNED_FROM = 20
"""Lines below which it is not judged whether files belong line to line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCounts:
    """What became of the rows of the files."""

    rows: int
    """Lines, rows or entries read."""
    sources: int
    references: int
    not_paraphrases: int = 0
    """Pairs left out because their label says that they are no paraphrases."""
    empty: int = 0
    """Pairs left out because one side holds no text."""
    repeated: int = 0
    """References that their source has already, word for word: counted once."""
    same_as_source: int = 0
    """References that are their source, word for word: kept, since people gave them, but a parrot gets them right."""
    few_references: int = 0
    """Sources left out for having fewer references than asked for."""
    over_maximum: int = 0
    """References left out because their source has more than asked for."""

    def told(self) -> list[str]:
        """What a person should know, in sentences; nothing is said of what did not occur."""
        lines = (
            (
                self.not_paraphrases,
                "pair is labelled as no paraphrase and was left out",
                "pairs are labelled as no paraphrases and were left out",
            ),
            (self.empty, "pair has an empty side and was left out", "pairs have an empty side and were left out"),
            (
                self.repeated,
                "reference stands twice under its source and counts once",
                "references stand twice under their source and count once",
            ),
            (
                self.same_as_source,
                "reference is its source word for word: a parrot gets this right",
                "references are their source word for word: a parrot gets these right",
            ),
            (
                self.few_references,
                "source has too few references and was left out",
                "sources have too few references and were left out",
            ),
            (
                self.over_maximum,
                "reference is beyond the number asked for and was left out",
                "references are beyond the number asked for and were left out",
            ),
        )
        return [f"{counted(count, one, several)}." for count, one, several in lines if count]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenSet:
    """An evaluation set as it was read from files."""

    evaluation_set: EvaluationSet
    shape: Shape
    files: tuple[str, ...]
    counts: SetCounts
    remarks: tuple[str, ...]

    @property
    def share_with_one_reference(self) -> float:
        """Share of the sources that have a single reference."""
        counts = self.evaluation_set.reference_counts
        return sum(count == 1 for count in counts) / len(counts)


def read_evaluation_set(
    files: Sequence[str | Path],
    options: EvaluationSetOptions = EvaluationSetOptions(),
    columns: Mapping[str, str] | None = None,
) -> GivenSet:
    """Sources and references of one or more files, by their shape; `columns` maps our names to the files'.

    Plain text files are line-aligned: the first holds the sources, each other one reference a line (an empty line
    where a source has fewer). All other files are put behind one another, and rows of one source are merged.
    """
    _check(options)
    paths = [Path(file) for file in files]
    for path in paths:
        if not path.is_file():
            raise InputError(f"There is no file {path}. Check the path.")
    if options.shape == "lines" or (options.shape == "auto" and len(paths) > 1 and all(map(is_plain_text, paths))):
        return read_aligned(paths[0], paths[1:], options)
    if len(paths) == 1 and options.shape == "auto" and is_plain_text(paths[0]):
        raise InputError(
            f"{paths[0]} holds one text a line and no references. Give the references' files behind it, line by line, "
            "or a file with a source, a tab and a reference a line."
        )
    read = [read_reference_rows(path, options.shape, columns or {}) for path in paths]
    shapes = {one.shape for one in read}
    if "captions" in shapes and (len(shapes) > 1 or options.both_directions or options.transitive):
        raise InputError(
            "Captions are references of each other already: give them alone, without --both-directions or --transitive."
        )
    rows = [row for one in read for row in one.rows]
    collected = _Collected(
        rows=sum(one.texts for one in read),
        not_paraphrases=sum(one.not_paraphrases for one in read),
        repeated=sum(one.repeated for one in read),
    )
    if "captions" in shapes:
        collected.take_as_they_are(rows)
    else:
        collected.merge(rows, options)
    told = (
        f"{path} was read as {SHAPES[one.shape]}." for path, one in zip(paths, read, strict=True) if not one.is_told
    )
    remarks = (*(remark for one in read for remark in one.remarks), *told)
    return collected.given(read[0].shape, paths, remarks, options)


def read_aligned(
    sources: Path, references: Sequence[Path], options: EvaluationSetOptions = EvaluationSetOptions()
) -> GivenSet:
    """Line n of every file belongs together; lines of one source are merged only where both sides are sources."""
    if not references:
        raise InputError(f"{sources} has no references. Give at least one file with a reference a line.")
    lines = read_aligned_lines([sources, *references])
    texts, streams = lines[0], lines[1:]
    for number, text in enumerate(texts, start=1):
        if not text.strip():
            raise InputError(f"{sources}, line {number}: the source is empty. Take the line out of every file.")
        if not any(stream[number - 1].strip() for stream in streams):
            raise InputError(
                f"{references[0]}, line {number}: {text[:60]!r} has no reference. Take the line out of every file."
            )
    for path, stream in zip(references, streams, strict=True):
        refuse_shifted(sources, texts, path, stream)
    rows = [
        ReferenceRow(number, text, tuple(stream[number - 1] for stream in streams if stream[number - 1].strip()))
        for number, text in enumerate(texts, start=1)
    ]
    collected = _Collected(rows=len(rows))
    if options.both_directions or options.transitive:
        collected.merge(rows, options)
    else:
        collected.take_as_they_are(rows)
    return collected.given("lines", [sources, *references], (), options)


def read_aligned_lines(paths: Sequence[Path]) -> list[list[str]]:
    """The lines of files that must have as many; else an error that says how many each has."""
    lines = [read_lines(path) for path in paths]
    for path, found in zip(paths, lines, strict=True):
        if not found:
            raise InputError(f"{path} is empty. Give a file with one text a line.")
        if len(found) != len(lines[0]):
            raise InputError(
                f"{path} has {len(found):,} lines, but {paths[0]} has {len(lines[0]):,}. "
                "Line n of every file must belong to line n of the sources."
            )
    return lines


def refuse_shifted(left: Path, left_lines: Sequence[str], right: Path, right_lines: Sequence[str]) -> None:
    """Refuse files of equal length where each line is much more like a neighbour's partner than like its own."""
    count = len(left_lines)
    if count < MISALIGNED_FROM:
        return
    mine, theirs = ([frozenset(words(line)) for line in lines] for lines in (left_lines, right_lines))

    def likeness(shift: int) -> float:
        rows = range(max(0, -shift), min(count, count - shift))
        return sum(len(mine[row] & theirs[row + shift]) / (len(mine[row] | theirs[row + shift]) or 1) for row in rows)

    own = likeness(0)
    for shift in (1, -1):
        if likeness(shift) > min(2 * own + 0.05 * count, own + 0.2 * count):
            raise InputError(
                f"{left} and {right} do not belong line to line: line n of the first is most like line n{shift:+d} of "
                "the second. A line is missing or doubled in one of them."
            )


def _check(options: EvaluationSetOptions) -> None:
    if options.min_references < 1:
        raise InputError(f"--min-references {options.min_references} means none are needed. Give at least 1.")
    if options.max_references is not None and options.max_references < options.min_references:
        raise InputError(
            f"--max-references {options.max_references} is less than --min-references {options.min_references}: "
            "no source can have both."
        )


class _Collected:
    """Sources with their references in the making, and what was counted."""

    def __init__(self, *, rows: int, not_paraphrases: int = 0, repeated: int = 0) -> None:
        self.rows, self.not_paraphrases, self.repeated, self.empty = rows, not_paraphrases, repeated, 0
        self.items: list[tuple[str, list[str]]] = []

    def take_as_they_are(self, rows: Iterable[ReferenceRow]) -> None:
        """One item a row, though two rows may have the same source."""
        for row in rows:
            texts = [text.strip() for text in row.references]
            once = list(dict.fromkeys(texts))
            self.repeated += len(texts) - len(once)
            self.items.append((row.source.strip(), once))

    def merge(self, rows: Sequence[ReferenceRow], options: EvaluationSetOptions) -> None:
        """One item a source, with the references of all its rows, in the order they were met."""
        pairs = []
        for row in rows:
            source = row.source.strip()
            references = [text.strip() for text in row.references if text.strip()]
            if not source or not references:
                self.empty += 1
            else:
                pairs += [(source, reference) for reference in references]
        once = list(dict.fromkeys(pairs))
        self.repeated += len(pairs) - len(once)
        if options.transitive:
            self.items = _clustered(once)
            return
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for source, reference in once:
            found[source][reference] = None
            if options.both_directions and source != reference:
                found[reference][source] = None
        self.items = [(source, list(references)) for source, references in found.items()]

    def given(
        self, shape: Shape, paths: Sequence[Path], remarks: tuple[str, ...], options: EvaluationSetOptions
    ) -> GivenSet:
        """The set that the options leave, checked."""
        files = tuple(path.name for path in paths)
        if not self.items:
            raise InputError(
                f"{' and '.join(map(str, paths))}: of {self.rows:,} rows none gives a source with a reference "
                f"({self.not_paraphrases:,} are labelled as no paraphrases, {self.empty:,} have an empty side)."
            )
        kept = [item for item in self.items if len(item[1]) >= options.min_references]
        if not kept:
            most = max(len(references) for _, references in self.items)
            raise InputError(
                f"{' and '.join(map(str, paths))}: no source is left of {len(self.items):,}. The most references that "
                f"one has are {most}; --min-references asks for {options.min_references}."
            )
        cut = [references[: options.max_references] for _, references in kept]
        counts = SetCounts(
            rows=self.rows,
            sources=len(kept),
            references=sum(map(len, cut)),
            not_paraphrases=self.not_paraphrases,
            empty=self.empty,
            repeated=self.repeated,
            same_as_source=sum(source in references for (source, _), references in zip(kept, cut, strict=True)),
            few_references=len(self.items) - len(kept),
            over_maximum=sum(len(references) for _, references in kept) - sum(map(len, cut)),
        )
        evaluation_set = EvaluationSet.of([source for source, _ in kept], cut)
        return GivenSet(evaluation_set=evaluation_set, shape=shape, files=files, counts=counts, remarks=remarks)


def _clustered(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Every text with all the texts that pairs join it to, directly or through others, in the order they were met."""
    order = {text: None for pair in pairs for text in pair}
    cluster = clusters(pairs)
    members: dict[str, list[str]] = defaultdict(list)
    for text in order:
        members[cluster[text]].append(text)
    found = [(text, [other for other in members[cluster[text]] if other != text]) for text in order]
    return [(text, others) for text, others in found if others]
