"""Files and corpora in, what is learned from and what is held out: one set of examples a definition, none in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from paraloom.corpus.known import check_name, read_corpus, split_by_group
from paraloom.corpus.known.groups import group_pairs
from paraloom.corpus.known.pairs import KnownPairs
from paraloom.corpus.leakage import check_no_leakage, without_leaks
from paraloom.errors import InputError
from paraloom.models.identifiers import DEFINITIONS, Examples
from paraloom.models.identifiers.graded_heads import GradedExamples
from paraloom.models.identifiers.mutual_implication import ENTAILMENT, Entailments
from paraloom.models.identifiers.refusals import check_sets
from paraloom.models.training.identity import hash_of_examples
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from paraloom.workflows.train.training_files import read_entailments, read_training_file, read_training_splits


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Pairs of one file or corpus, those to learn from and those that are held out."""

    name: str
    definition: str
    training: KnownPairs
    held_out: KnownPairs | None
    """None: some of the training pairs must be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSets:
    """What an identifier learns from, what it is chosen by, and where both came from."""

    examples: tuple[Examples, ...]
    held_out: tuple[Examples, ...]
    sources: tuple[Mapping[str, object], ...]
    """For people to read: name, definition, counts and a hash of each."""
    notes: tuple[str, ...]


def read_sets(
    files: Sequence[Path],
    options: TrainIdentifierOptions,
    columns: Mapping[str, str],
    *,
    with_grades: bool,
    unlabelled: bool = False,
) -> TrainingSets:
    """Read all sources, hold pairs out where none are, and refuse what would be learned and asked alike.

    With `unlabelled`, files without labels are files of paraphrases, and pairs of one kind may be all there are.
    """
    sources, notes = _sources(files, options, columns, unlabelled)
    if options.held_out is not None:
        definition = _definition_of_files(options)
        given, about = read_training_file(
            options.held_out, definition, columns, rewrites=not options.without_rewrites, unlabelled=unlabelled
        )
        notes += about
        sources = [replace(one, held_out=_none_of(one.training)) if one.held_out is None else one for one in sources]
        sources.append(
            Source(
                name=options.held_out.name, definition=definition, training=_none_of(given), held_out=given.labelled()
            )
        )
    parted = _with_held_out(sources, options)
    kept, told = _without_shared(parted, options)
    examples, held_out = _examples(kept, "training", with_grades), _examples(kept, "held_out", with_grades)
    if not unlabelled:
        check_sets(examples, held_out)
    return TrainingSets(
        examples=tuple(examples),
        held_out=tuple(held_out),
        sources=tuple(_described(one) for one in kept),
        notes=(*notes, *told),
    )


def _sources(
    files: Sequence[Path], options: TrainIdentifierOptions, columns: Mapping[str, str], unlabelled: bool
) -> tuple[list[Source], list[str]]:
    if options.definition and options.definition not in DEFINITIONS:
        raise InputError(f"There is no definition {options.definition!r}. Choose one of: {', '.join(DEFINITIONS)}.")
    if not 0 < options.held_out_share < 1:
        raise InputError(
            f"--held-out-share {options.held_out_share} is no share. Give one between 0 and 1, such as 0.1."
        )
    for name in options.corpora:
        check_name(name)
    if options.corpora and options.data is None:
        raise InputError("--corpora names corpora, but no folder holds them. Say where they are: --data FOLDER.")
    if options.data is not None and not options.corpora:
        raise InputError(
            "--data is a folder of corpora, but none is named. Name one: --corpora NAME, as in --corpora msrp."
        )
    if not files and not options.corpora:
        raise InputError(
            "There is nothing to learn from. Give files with left, right and label, or --corpora and --data."
        )
    definition = _definition_of_files(options)
    sources: list[Source] = []
    notes: list[str] = []
    for file in files:
        learned, held_out, about = read_training_splits(
            file, definition, columns, rewrites=not options.without_rewrites, unlabelled=unlabelled
        )
        sources.append(Source(name=file.name, definition=definition, training=learned, held_out=held_out))
        notes += about
    for name in options.corpora:
        assert options.data is not None
        corpus = read_corpus(name, options.data)
        notes += [f"{corpus.title}: {note}" for note in corpus.notes]
        training = corpus.splits.get("train")
        dev = corpus.splits.get("dev")
        if training is None:
            training, dev = dev, None
            notes.append(f"{corpus.title}: without a train split, its dev split is learned from.")
        if training is None:
            raise InputError(
                f"{corpus.title} has neither a train nor a dev split in {options.data}. Give another corpus."
            )
        sources.append(
            Source(
                name=corpus.title,
                definition=options.definition or corpus.definition,
                training=training.labelled(),
                held_out=None if dev is None else dev.labelled(),
            )
        )
    return sources, notes


def _definition_of_files(options: TrainIdentifierOptions) -> str:
    return options.definition or "loose"


def _none_of(pairs: KnownPairs) -> KnownPairs:
    return pairs.chosen(np.empty(0, np.int64))


def _with_held_out(sources: Sequence[Source], options: TrainIdentifierOptions) -> list[Source]:
    """Hold a share of the pairs out of those sources that have nothing held out; groups cross no source either."""
    open_ones = [place for place, one in enumerate(sources) if one.held_out is None]
    if not open_ones:
        return list(sources)
    rows = [(place, row) for place in open_ones for row in range(len(sources[place].training))]
    chosen = [(sources[place].training, f"{place} ", row) for place, row in rows]
    groups = group_pairs(
        [pairs.left[row] for pairs, _, row in chosen],
        [pairs.right[row] for pairs, _, row in chosen],
        [f"{name}{pairs.groups[row]}" if pairs.groups[row] else None for pairs, name, row in chosen],
    )
    parts = _parted(groups, options)
    if not parts["held_out"]:
        raise InputError(
            f"{len(rows):,} pairs hang together in {len(set(groups)):,} groups through the texts they share, and none "
            f"is small enough to be the {options.held_out_share:.0%} to hold out. Raise --held-out-share, or give a "
            "file of other pairs: --held-out FILE."
        )
    found = list(sources)
    for place in open_ones:
        one = sources[place]
        kept = {
            name: one.training.chosen([rows[number][1] for number in part if rows[number][0] == place])
            for name, part in parts.items()
        }
        found[place] = replace(one, training=kept["training"], held_out=kept["held_out"])
    return found


def _parted(groups: Sequence[str], options: TrainIdentifierOptions) -> dict[str, list[int]]:
    """The numbers of the rows to learn from and of those to hold out, by their groups."""
    numbers = [str(number) for number in range(len(groups))]
    numbered = KnownPairs(left=numbers, right=numbers, targets=np.zeros(len(groups)), groups=groups)
    shares = {"training": 1 - options.held_out_share, "held_out": options.held_out_share}
    parts = split_by_group(numbered, shares, options.split_seed)
    return {name: [int(number) for number in part.left] for name, part in parts.items()}


def read_entailment_sets(
    options: TrainIdentifierOptions, columns: Mapping[str, str]
) -> tuple[list[Examples], list[Examples], tuple[str, ...]]:
    """Entailments to learn from, a share of them that is held out, and notes; pairs of a premise are never parted."""
    if not options.entailments:
        return [], [], ()
    if options.system != "mutual-implication" or not options.base:
        raise InputError("--entailments are for --system mutual-implication with a --base that learns from them.")
    read = [read_entailments(path, columns) for path in options.entailments]
    whole = Entailments(
        left=[text for one, _ in read for text in one.left],
        right=[text for one, _ in read for text in one.right],
        targets=[target for one, _ in read for target in one.targets],
        definition=ENTAILMENT,
    )
    parts = _parted(group_pairs(whole.left, [""] * len(whole)), options)
    notes = tuple(note for _, about in read for note in about)
    return [whole.chosen(parts["training"])], [whole.chosen(parts["held_out"])], notes


def _without_shared(sources: Sequence[Source], options: TrainIdentifierOptions) -> tuple[list[Source], list[str]]:
    """Refuse training pairs that are also held out, or leave them out; tell of texts that are in both."""
    held_out = {one.name: list(one.held_out) for one in sources if one.held_out is not None and len(one.held_out)}
    training = {one.name: list(one.training) for one in sources if len(one.training)}
    report = check_no_leakage(training, held_out)
    if not options.drop_shared and report.leaks:
        leak = report.leaks[0]
        raise InputError(
            f"{leak.pairs:,} held-out pairs of {leak.held_out} are also training pairs of {leak.training}, in one "
            f"order or the other; one is {leak.pair_examples[0]!r}. Leave them out of the training pairs: "
            "--drop-shared does."
        )
    kept, notes = [], []
    for one in sources:
        rows = without_leaks(list(one.training), held_out.values())
        if len(rows) < len(one.training):
            notes.append(
                f"{one.name}: {len(one.training) - len(rows):,} training pairs that are also held out are left out."
            )
        kept.append(replace(one, training=one.training.chosen(rows)))
    notes += [
        f"{one.texts:,} of {one.of_texts:,} texts held out of {one.held_out} are also in pairs of {one.training}."
        for one in report.shared
        if one.texts
    ]
    return kept, notes


def _examples(sources: Sequence[Source], part: str, with_grades: bool) -> list[Examples]:
    """One set a definition, of all its sources in their order."""
    found: list[Examples] = []
    for definition in dict.fromkeys(one.definition for one in sources):
        parts: list[KnownPairs] = [getattr(one, part) for one in sources if one.definition == definition]
        parts = [pairs for pairs in parts if pairs is not None and len(pairs)]
        left = [text for pairs in parts for text in pairs.left]
        right = [text for pairs in parts for text in pairs.right]
        if with_grades and all(pairs.grades is not None for pairs in parts):
            grades = [grade for pairs in parts for grade in pairs.grades or ()]
            found.append(GradedExamples.of(left, right, grades))
            continue
        topics = [topic for pairs in parts for topic in pairs.topics or ()]
        found.append(
            Examples(
                left=left,
                right=right,
                targets=[float(target) for pairs in parts for target in pairs.targets],
                definition=definition,
                topics=topics if topics and len(topics) == len(left) else None,
            )
        )
    return found


def _described(source: Source) -> dict[str, object]:
    held_out = source.held_out if source.held_out is not None else _none_of(source.training)
    return {
        "name": source.name,
        "definition": source.definition,
        "training_pairs": len(source.training),
        "training_paraphrases": int((source.training.targets > 0.5).sum()),
        "held_out_pairs": len(held_out),
        "held_out_paraphrases": int((held_out.targets > 0.5).sum()),
        "training_hash": hash_of_examples([source.training.examples(source.definition)]),
        "held_out_hash": hash_of_examples([held_out.examples(source.definition)]),
    }
