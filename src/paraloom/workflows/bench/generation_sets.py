"""A folder of published corpora in, the sets that generators are measured on out: sources with people's references.

All are splits for development, or held out of train by us. Texts are written as people type them: a tokeniser's blanks
are taken out of sources and references alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from paraloom.corpus.evaluation_options import EvaluationSetOptions, Shape
from paraloom.corpus.evaluation_sets import GivenSet, SetCounts, read_evaluation_set
from paraloom.corpus.held_out_references import HeldOutReferences, hold_out_references, place_of
from paraloom.corpus.known import KnownPairs, read_corpus
from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.text.detokenise import detokenise

Item = tuple[str, tuple[str, ...]]
"""A source and its references."""

AUTO, EXPERT = "multipit-auto", "multipit-expert"
_NAME = re.compile(r"\w[\w.+-]*")
"""A name is that of a folder, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReader:
    """One set: what it is, and how it is read."""

    title: str
    about: str
    read: Callable[[Path], list[Item]]
    is_lower: bool = False
    """Whether its texts were published without upper case: BLEU then has no regard to it."""
    is_usual: bool = True
    """Measured unless others are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSet:
    """Sources with references, in the order of their hashes."""

    name: str
    title: str
    about: str
    is_lower: bool
    evaluation_set: EvaluationSet
    of: int
    """Sources of the whole set."""

    def digest(self) -> str:
        """A short name for all sources and references in their order."""
        whole = blake2b(digest_size=8)
        for source, references in zip(self.evaluation_set.sources, self.evaluation_set.references, strict=True):
            whole.update("\x1e".join((source, *references)).encode("utf-8", "surrogatepass") + b"\n")
        return whole.hexdigest()

    def given(self) -> GivenSet:
        """As an evaluation takes it."""
        counts = SetCounts(
            rows=self.of,
            sources=len(self.evaluation_set.sources),
            references=sum(self.evaluation_set.reference_counts),
            same_as_source=sum(
                source in texts
                for source, texts in zip(self.evaluation_set.sources, self.evaluation_set.references, strict=True)
            ),
        )
        return GivenSet(
            evaluation_set=self.evaluation_set, shape="references", files=(self.name,), counts=counts, remarks=()
        )


def held_out_of_auto(data: Path) -> HeldOutReferences:
    """Sources with several references out of MultiPIT_Auto's train split, far from its dev split and from the experts'.

    Most sources of the published test are the experts': what shares a text with them is passed over.
    """
    auto = read_corpus(AUTO, data).splits
    train = _of(auto, AUTO, "train", data)
    try:
        experts = read_corpus(EXPERT, data).splits
    except InputError as error:
        raise InputError(f"What is held out must share no text with {EXPERT}. {error}") from error
    others = [pairs for name, pairs in auto.items() if name != "train"] + list(experts.values())
    known = [text for pairs in others for text in (*pairs.left, *pairs.right)]
    return hold_out_references(list(zip(train.left, train.right, strict=True)), known)


def write_held_out(data: Path, folder: Path) -> HeldOutReferences:
    """The set as files, and what a generator that is measured on it must not learn from.

    `dev.jsonl` has `source` and `references` a line, `sources.txt` a source a line, `never.txt` every text of their
    clusters: `train generator --never never.txt` leaves them out.
    """
    from paraloom.engine.store import write_text
    from paraloom.engine.written_blocks import dumped

    held = held_out_of_auto(data)
    folder.mkdir(parents=True, exist_ok=True)
    items = _plain(zip(held.evaluation_set.sources, held.evaluation_set.references, strict=True))
    lines = [dumped({"source": source, "references": list(texts)}).decode() for source, texts in items]
    write_text(folder / "dev.jsonl", "".join(f"{line}\n" for line in lines))
    write_text(folder / "sources.txt", "".join(f"{source}\n" for source, _ in items))
    write_text(folder / "never.txt", "".join(f"{' '.join(text.split())}\n" for text in held.texts))
    return held


def _of(splits: Mapping[str, KnownPairs], corpus: str, split: str, data: Path) -> KnownPairs:
    if split not in splits:
        raise InputError(f"The {split} split of {corpus} is not in {data}.")
    return splits[split]


def _auto(data: Path) -> list[Item]:
    pairs = _of(read_corpus(AUTO, data).splits, AUTO, "dev", data)
    return [(left, (right,)) for left, right in zip(pairs.left, pairs.right, strict=True)]


def _held_out(data: Path) -> list[Item]:
    held = held_out_of_auto(data).evaluation_set
    return list(zip(held.sources, held.references, strict=True))


def _files(shape: Shape, *places: Sequence[str], **columns: str) -> Callable[[Path], list[Item]]:
    """A reader of files that lie at one of these places."""

    def read(data: Path) -> list[Item]:
        for place in places:
            files = [data / name for name in place]
            if all(file.is_file() for file in files):
                found = read_evaluation_set(files, EvaluationSetOptions(shape=shape), columns).evaluation_set
                return list(zip(found.sources, found.references, strict=True))
        raise InputError(f"There is no {' nor '.join(' and '.join(place) for place in places)} in {data}.")

    return read


def _one_an_image(read: Callable[[Path], list[Item]]) -> Callable[[Path], list[Item]]:
    """Of the captions of an image one is the source, the first by hash, and the others are its references."""

    def read_one(data: Path) -> list[Item]:
        chosen: dict[frozenset[str], Item] = {}
        for source, texts in read(data):
            image = frozenset((source, *texts))
            if image not in chosen or place_of(source) < place_of(chosen[image][0]):
                chosen[image] = (source, texts)
        return list(chosen.values())

    return read_one


def _qcpg(name: str) -> Callable[[Path], list[Item]]:
    return _files(
        "pairs", *((f"{folder}{name}.validation.csv{gz}",) for folder in ("qcpg/", "") for gz in (".gz", "")),
        left="source", right="target",
    )  # fmt: skip


SETS: dict[str, SetReader] = {
    "multipit-held-out": SetReader(
        title="MultiPIT held out",
        about="posts of MultiPIT_Auto's train split with four to twelve references each, held out by us; pairs with a "
        "high BLEU were taken out of that split, so references share fewer words with their source than people's do",
        read=_held_out,
    ),
    "multipit-auto": SetReader(
        title="MultiPIT_Auto dev", about="posts, most with one reference: the published dev split", read=_auto
    ),
    "quora": SetReader(
        title="Quora",
        about="questions that their askers' site holds to be duplicates",
        read=_files("pairs", ("qqp/generation/val.tsv",), ("generation/val.tsv",)),
        is_lower=True,
    ),
    "captions": SetReader(
        title="Captions",
        about="one caption of an image of Flickr8k, the other four as its references",
        read=_one_an_image(_files("captions", ("flickr8k/Flickr8k.token.txt",), ("Flickr8k.token.txt",))),
    ),
    "science": SetReader(
        title="Science",
        about="sentences of papers of computational linguistics (ParaSCI-ACL)",
        read=_files(
            "lines",
            ("parasci_acl/val/val.src", "parasci_acl/val/val.tgt"),
            ("ParaSCI-ACL/val/val.src", "ParaSCI-ACL/val/val.tgt"),
        ),
        is_lower=True,
    ),
    "mscoco": SetReader(
        title="MSCOCO", about="captions of images, as QCPG pairs them", read=_qcpg("mscoco"), is_usual=False
    ),
    "wikianswers": SetReader(
        title="WikiAnswers", about="questions, as QCPG pairs them", read=_qcpg("wikians"), is_usual=False
    ),
    "parabank2": SetReader(
        title="ParaBank 2", about="translations of one foreign text", read=_qcpg("parabk2"), is_usual=False
    ),
}
"""Each set by its name, in the order of the tables."""


def read_bench_sets(data: Path, names: Sequence[str] = (), limit: int = 0) -> tuple[list[BenchSet], dict[str, str]]:
    """The sets that are asked for and there; and those that are not, with the reason."""
    if not data.is_dir():
        raise InputError(f"--data {data} is no folder. Give the one that holds the corpora.")
    found: list[BenchSet] = []
    skipped: dict[str, str] = {}
    for name, reader in _asked_for(names).items():
        try:
            items = sorted(_merged(reader.read(data)), key=lambda item: place_of(item[0]))
        except InputError as error:
            skipped[name] = str(error)
            continue
        kept = _plain(items[:limit] if limit else items)
        found.append(
            BenchSet(
                name=name,
                title=reader.title,
                about=reader.about,
                is_lower=reader.is_lower,
                evaluation_set=EvaluationSet.of([source for source, _ in kept], [texts for _, texts in kept]),
                of=len(items),
            )
        )
    if not found:
        raise InputError(f"No set is in {data}. {next(iter(skipped.values()))}")
    return found, skipped


def _asked_for(names: Sequence[str]) -> dict[str, SetReader]:
    """The readers of sets by their names, of one's own sets by NAME=FILE, and without names those of the tables."""
    if not names:
        return {name: reader for name, reader in SETS.items() if reader.is_usual}
    found: dict[str, SetReader] = {}
    for written in names:
        name, equals, file = written.partition("=")
        if equals and _NAME.fullmatch(name) and name not in SETS:
            reader = _own_set(name, Path(file))
        elif equals:
            raise InputError(
                f"--sets {written}: {name!r} cannot be the name of a set of your own. Give letters and digits, and no "
                "name of a set that is here."
            )
        elif name in SETS:
            reader = SETS[name]
        else:
            raise InputError(
                f"There is no set {name!r}. Choose from: {', '.join(SETS)}; or give one of your own, as NAME=FILE."
            )
        if name in found:
            raise InputError(f"--sets names {name} twice. Give each once.")
        found[name] = reader
    return found


def _own_set(name: str, file: Path) -> SetReader:
    """A file that somebody brings: it is an error where it cannot be read, and no set that is not there."""
    if file.suffix == ".txt" and file.is_file():
        raise InputError(
            f"--sets {name}={file}: a text file has no references beside its sources. Give JSONL with source and "
            "references, or pairs."
        )
    given = read_evaluation_set([file], EvaluationSetOptions(), {})
    items = list(zip(given.evaluation_set.sources, given.evaluation_set.references, strict=True))
    is_lower = not any(text != text.lower() for source, texts in items for text in (source, *texts))
    told = " ".join([f"sources and references of {file.name}.", *given.counts.told(), *given.remarks])
    return SetReader(title=name, about=told.rstrip("."), read=lambda _: items, is_lower=is_lower)


def _plain(items: Iterable[Item]) -> list[Item]:
    """Without a tokeniser's blanks."""
    return _merged((detokenise(source), tuple(detokenise(text) for text in texts)) for source, texts in items)


def _merged(items: Iterable[Item]) -> list[Item]:
    """Each source once, with the references of all its rows."""
    found: dict[str, dict[str, None]] = {}
    for source, texts in items:
        found.setdefault(source, {}).update(dict.fromkeys(texts))
    return [(source, tuple(texts)) for source, texts in found.items() if source.strip() and texts]
