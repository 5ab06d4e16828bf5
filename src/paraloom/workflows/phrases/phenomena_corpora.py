"""Files of pairs, runs and published corpora in, their paraphrases as tokens out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from heapq import nsmallest
from pathlib import Path

from paraloom.corpus.given_pairs import GivenPairs, PairsOfFile
from paraloom.corpus.known import read_corpus
from paraloom.corpus.label_counts import LabelCounter, LabelReader
from paraloom.corpus.run_pairs import PairsOfRun
from paraloom.engine.given import check_file
from paraloom.errors import InputError
from paraloom.models.aligners import TokenPair
from paraloom.phrases.phenomena_names import NamesOfTexts
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.phrases.align_pairs import tokens_of
from paraloom.workflows.phrases.phenomena_options import PhenomenaOptions

Pair = tuple[str, str, str]
"""Two texts, and the group of pairs they belong to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphrases:
    """The paraphrases of one corpus that are looked at."""

    name: str
    title: str
    pairs: tuple[TokenPair, ...]
    groups: tuple[str, ...]
    """What pairs that are not independent have in common: a source sentence, a trend, a URL."""
    of: int
    """Paraphrases that the corpus has."""
    notes: tuple[str, ...] = ()


def read_paraphrases(files: Sequence[str | Path], options: PhenomenaOptions) -> list[Paraphrases]:
    """Published corpora first, then files and runs, each with its paraphrases; without labels all pairs are."""
    found = []
    if options.data is not None:
        found += [_published(options.data, name, options) for name in options.corpora]
    found += [_given(Path(file), options) for file in files]
    if not found:
        raise InputError("There is no corpus to count. Give files of pairs, runs, or --data with published corpora.")
    names = [corpus.name for corpus in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"Two corpora are called {twice}. Rename one of the files.")
    return found


def known_names(corpora: Iterable[Paraphrases], options: PhenomenaOptions) -> NamesOfTexts:
    """The names that all these texts have, as far as they are written with capitals."""
    return NamesOfTexts(_texts(corpora, options))


def _texts(corpora: Iterable[Paraphrases], options: PhenomenaOptions) -> Iterator[Sequence[str]]:
    for corpus in corpora:
        for pair in corpus.pairs:
            yield from pair
    for name in options.names_from:
        assert options.data is not None
        for split in read_corpus(name, options.data).splits.values():
            for texts in split:
                yield from (tokens_of(text, tokenized=False) for text in texts)


def _published(folder: Path, name: str, options: PhenomenaOptions) -> Paraphrases:
    corpus = read_corpus(name, folder)
    if "train" not in corpus.splits:
        raise InputError(f"No training pairs of {corpus.title} are in {folder}. Leave {name} out of --corpora.")
    split = corpus.splits["train"]
    rows = zip(split.left, split.right, split.groups, split.targets, strict=True)
    pairs = [(left, right, group) for left, right, group, target in rows if target == 1]
    return _chosen(name, corpus.title, pairs, options.limit)


def _given(path: Path, options: PhenomenaOptions) -> Paraphrases:
    columns = named_columns(options.columns)
    given: GivenPairs
    if path.is_dir():
        given = PairsOfRun(run=path, name=path.resolve().name)
    else:
        check_file(path)
        given = PairsOfFile(path=path, name=path.stem, columns=columns)
    labels = LabelCounter()
    for pair in given:
        labels.add(pair.label)
    reader = LabelReader.of(labels)
    if reader.scheme == "other":
        raise InputError(
            f"{given.name} has labels that say neither yes or no nor a grade, so which of its pairs are paraphrases is "
            "not known. Give --columns label=COLUMN, or a file without a column of labels."
        )
    is_labelled = reader.scheme in ("graded", "yes-no")
    pairs = [
        (pair.left, pair.right, pair.left)
        for pair in given
        if not is_labelled or reader.is_paraphrase(pair.label) is True
    ]
    return _chosen(given.name, given.name, pairs, options.limit, tuple(given.notes()))


def _chosen(name: str, title: str, pairs: Sequence[Pair], limit: int, notes: tuple[str, ...] = ()) -> Paraphrases:
    """The pairs with the smallest hashes, in the order of the corpus, as tokens."""
    rows = range(len(pairs))
    if limit:
        rows_chosen = sorted(nsmallest(limit, rows, key=lambda row: (_hash(pairs[row]), row)))
    else:
        rows_chosen = list(rows)
    found, groups = [], []
    for row in rows_chosen:
        left, right, group = pairs[row]
        pair = tokens_of(left, tokenized=False), tokens_of(right, tokenized=False)
        if all(pair):
            found.append(pair)
            groups.append(group)
    if not found:
        raise InputError(f"{title} has no paraphrase of two texts. Give a corpus with at least one.")
    return Paraphrases(name=name, title=title, pairs=tuple(found), groups=tuple(groups), of=len(pairs), notes=notes)


def _hash(pair: Pair) -> bytes:
    return blake2b("\t".join(pair[:2]).encode("utf-8", "surrogatepass"), digest_size=8).digest()


Step = Callable[[str, int, int], None]
"""Called with a corpus, its pairs that are done and their number."""
