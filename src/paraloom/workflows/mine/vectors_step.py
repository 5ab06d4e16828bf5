"""Sentences in, their vectors out: int8 codes, a file a part, a row a kept sentence."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.folders import ASIDE, WHOLE, FolderStep, Round
from paraloom.engine.layout import count_rows, read_range
from paraloom.engine.store import part_files, write_text
from paraloom.models.neighbours.codes import LEARNED_ON, Coder, learn_coder, squared_norms
from paraloom.models.neighbours.lists import read_array
from paraloom.workflows.mine.earlier_runs import Earlier, KnownVectors, without_folder
from paraloom.workflows.mine.numbers import FOLDER as NUMBERS
from paraloom.workflows.mine.numbers import Numbers, keys_of, write_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from paraloom.models.embedders import Embedder
    from paraloom.workflows.mine.options import EmbedOptions

CODER = "coder.json"
EMBEDDER = "embedder"
"""Folder of an embedder that has learned from the sentences."""
TEXTS_AT_ONCE = 8192
NETWORK_TEXTS, GPU_TEXTS = 4096, 65_536
"""Sentences that one task of an embedder that is a network takes, and one on a GPU; of all others a task takes a part:
they embed it in seconds."""
PIECES, SAMPLE = "pieces", "sample"
"""Folders of what was made by tasks of less than a part: codes, until they are joined; and vectors that it was learned
from how codes are made."""
LEARNS_FROM = 200_000
"""Sentences that an embedder learns from where the more are the better."""
SMALL = 20_000
"""Below so many bytes of sentences, helper processes cost more than they save."""


def vectors_step(run: Path, options: EmbedOptions, earlier: Earlier, *, on_ray: bool = False) -> FolderStep:
    """Sentences → vectors; those that earlier runs have are taken from there."""
    from paraloom.models.embedders import weight_files

    parts = part_files(run, "sentences")
    is_small = sum(part.stat().st_size for part in parts) < SMALL
    asked = _Asked(run, options, earlier, is_here=not on_ray)
    return FolderStep(
        table="vectors",
        rounds=(
            partial(_learn_round, asked=asked),
            partial(_sample_round, asked=asked, is_small=is_small),
            partial(_coder_round, asked=asked),
            partial(_vectors_round, asked=asked, is_small=is_small),
            partial(_joined_round, asked=asked),
            partial(_numbers_round, run=run, parts=len(parts)),
        ),
        options=(without_folder(options), {"earlier": earlier.signature} if earlier.runs else {}),
        stages=("models",),
        inputs=("sentences",),
        weights=weight_files(options.embedder),
        rows=lambda folder: len(Numbers.of(folder)),
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What all rounds are planned from."""

    run: Path
    options: EmbedOptions
    earlier: Earlier
    is_here: bool
    """Whether it is done on this machine: others may have a GPU that this one lacks."""

    def embedder(self) -> Embedder:
        """The embedder, to see what it is."""
        return load(self.options if self.is_here else replace(self.options, device="cpu"))

    def on_gpu(self) -> bool:
        """Whether it needs a GPU: what is no network runs on cores wherever products are computed."""
        return self.options.device != "cpu" and self.embedder().is_network

    def pieces(self) -> list[Piece]:
        """What each task embeds."""
        sizes = [count_rows(file) for file in part_files(self.run, "sentences")]
        if not self.embedder().is_network:
            return [Piece(part, 0, size) for part, size in enumerate(sizes)]
        most = GPU_TEXTS if self.on_gpu() else NETWORK_TEXTS
        return [
            Piece(part, start, min(start + most, size))
            for part, size in enumerate(sizes)
            for start in range(0, max(size, 1), most)
        ]

    def sampled(self) -> list[Piece]:
        """What a network embeds before it is known how codes are made, since they are learned from its vectors: no
        sentence is embedded twice."""
        sampled: list[Piece] = []
        if self.earlier.first is not None or not self.embedder().is_network:
            return sampled
        count = 0
        for piece in self.pieces():
            if count >= LEARNED_ON:
                break
            sampled.append(piece)
            count += len(kept_of(piece, self.run, ("sentence_id",)))
        return sampled


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows of a part of the sentences."""

    part: int
    start: int
    stop: int

    def file(self, folder: str = PIECES) -> str:
        """The name of the file with their codes, or their vectors."""
        return f"{folder}/part-{self.part:02d}-{self.start:09d}.npy"


def load(options: EmbedOptions, learned_in: Path | None = None) -> Embedder:
    """The embedder that the options name, or what it became by learning."""
    from paraloom.models.embedders import weight_files

    name, dims, of = options.embedder, options.dims, ""
    if learned_in is not None and (learned_in / EMBEDDER).is_dir():
        name, dims, of = str(learned_in / EMBEDDER), 0, name
    files = [file.stat() for each in (name, of) if each for _, file in sorted(weight_files(each).items())]
    weights = tuple((file.st_ino, file.st_size, file.st_mtime_ns) for file in files)
    return _loaded(name, dims, options.device, options.max_tokens, weights, of)


@lru_cache(maxsize=2)
def _loaded(
    name: str, dims: int, device: str, max_tokens: int, weights: tuple[tuple[int, int, int], ...], of: str
) -> Embedder:
    """Loaded once in a process, while its files are the same: several steps need it. `of` is what it has learned from,
    wherever that lay at the time."""
    from paraloom.models.embedders import load_embedder, read_card
    from paraloom.models.embedders.catalogue import Asked
    from paraloom.models.embedders.reduced import SYSTEM, ReducedEmbedder

    if of and read_card(Path(name))["system"] == SYSTEM:
        return ReducedEmbedder.load(Path(name), Asked(name=name, device=device), of=of)
    return load_embedder(name, dims=dims, device=device, max_tokens=max_tokens)


def options_of(run: Path) -> EmbedOptions:
    """How the sentences of a run became vectors."""
    from paraloom.engine.store import read_made_by
    from paraloom.workflows.mine.options import EmbedOptions

    told = read_made_by(run, "vectors")["options"]
    return EmbedOptions(**{field.name: told[field.name] for field in fields(EmbedOptions) if field.name in told})


def read_coder(folder: Path) -> Coder:
    """How the vectors of a folder became codes."""
    return Coder(**json.loads((folder / CODER).read_text(encoding="utf-8")))


def kept_sentences(run: Path, part: int, columns: tuple[str, ...]) -> pa.Table:
    """The kept sentences of one part, in the order of their ids: the order of their numbers."""
    file = run / "sentences" / f"part-{part:02d}.parquet"
    return kept_of(Piece(part, 0, count_rows(file)), run, columns)


def kept_of(piece: Piece, run: Path, columns: tuple[str, ...]) -> pa.Table:
    """Those of some rows of a part."""
    import pyarrow.compute as pc

    file = run / "sentences" / f"part-{piece.part:02d}.parquet"
    rows = read_range(file, (*columns, "dropped_for"), piece.start, piece.stop)
    return rows.filter(pc.is_null(rows.column("dropped_for"))).select(list(columns))


def lowest_texts(run: Path, most: int) -> list[str]:
    """The texts of the sentences with the lowest ids: a sample, since ids are hashes, and always the same one."""
    texts: list[str] = []
    for part in range(len(part_files(run, "sentences"))):
        texts += kept_sentences(run, part, ("text",)).column("text").slice(0, most - len(texts)).to_pylist()
        if len(texts) >= most:
            break
    return texts


def _learn_round(folder: Path, *, asked: _Asked) -> Round:
    from paraloom.models.embedders import can_embed

    return Round(
        name="learned",
        files=() if can_embed(asked.embedder()) else (EMBEDDER,),
        work=partial(partial, _learn, asked.run, asked.options, asked.earlier.first),
        is_small=True,
        on_gpu=asked.on_gpu(),
    )


def _learn(run: Path, options: EmbedOptions, first: Path | None, number: int, target: Path) -> None:
    from paraloom.models.embedders import LearningEmbedder

    if first is not None:
        shutil.copytree(first / "vectors" / EMBEDDER, target)
        return
    embedder = load(options)
    assert isinstance(embedder, LearningEmbedder)
    learned = embedder.learn(lowest_texts(run, embedder.learns_from or LEARNS_FROM))
    assert isinstance(learned, LearningEmbedder)
    learned.save(target)


def _sample_round(folder: Path, *, asked: _Asked, is_small: bool) -> Round:
    pieces = asked.sampled()
    return Round(
        name="sampled",
        files=tuple(piece.file(SAMPLE) for piece in pieces),
        work=partial(SampleWriter, asked.run, asked.options, folder / WHOLE, pieces),
        is_kept=False,
        is_small=is_small,
        on_gpu=asked.on_gpu(),
    )


class SampleWriter:
    """Embeds the sentences of a piece."""

    def __init__(self, run: Path, options: EmbedOptions, folder: Path, pieces: Sequence[Piece]) -> None:
        self.run = run
        self.embedder = load(options, folder)
        self.pieces = pieces

    def __call__(self, number: int, target: Path) -> None:
        texts = kept_of(self.pieces[number], self.run, ("text",)).column("text").to_pylist()
        with target.open("wb") as file:
            np.save(file, _embedded(self.embedder, texts), allow_pickle=False)


def _coder_round(folder: Path, *, asked: _Asked) -> Round:
    sample = [folder / ASIDE / piece.file(SAMPLE) for piece in asked.sampled()]
    return Round(
        name="coder", files=(CODER,), work=partial(partial, _learn_coder, asked, folder / WHOLE, sample), is_small=True
    )


def _learn_coder(asked: _Asked, whole: Path, sample: Sequence[Path], number: int, target: Path) -> None:
    if asked.earlier.first is not None:
        coder = read_coder(asked.earlier.first / "vectors")
    elif sample:
        coder = learn_coder(np.concatenate([read_array(file, in_memory=False) for file in sample])[:LEARNED_ON])
    else:
        coder = learn_coder(_embedded(load(asked.options, whole), lowest_texts(asked.run, LEARNED_ON)))
    write_text(target, json.dumps(asdict(coder)) + "\n")


def _embedded(embedder: Embedder, texts: list[str]) -> NDArray[np.float32]:
    if not texts:
        return np.zeros((0, embedder.dims), np.float32)
    return np.concatenate([embedder.embed(texts[start : start + TEXTS_AT_ONCE]) for start in _starts(len(texts))])


def _starts(count: int) -> Iterator[int]:
    yield from range(0, count, TEXTS_AT_ONCE)


def _vectors_round(folder: Path, *, asked: _Asked, is_small: bool) -> Round:
    pieces, is_cut = asked.pieces(), asked.embedder().is_network
    is_embedded = len(pieces) == len(asked.sampled())
    return Round(
        name="embedded",
        files=tuple(piece.file() if is_cut else vectors_file(piece.part) for piece in pieces),
        work=partial(VectorWriter, asked.run, asked.options, asked.earlier, folder, pieces),
        is_kept=not is_cut,
        is_small=is_small or is_embedded,
        on_gpu=asked.on_gpu() and not is_embedded,
    )


def vectors_file(part: int) -> str:
    """The name of the file with the codes of one part."""
    return f"part-{part:02d}.npy"


class VectorWriter:
    """Embeds and encodes the sentences of a part, or of a piece of it."""

    def __init__(
        self, run: Path, options: EmbedOptions, earlier: Earlier, folder: Path, pieces: Sequence[Piece]
    ) -> None:
        self.run = run
        self.embedder = partial(load, options, folder / WHOLE)  # where all is embedded already, it is not needed
        self.coder = read_coder(folder / WHOLE)
        self.known = KnownVectors(earlier)
        self.pieces = pieces
        self.aside = folder / ASIDE

    def __call__(self, number: int, target: Path) -> None:
        sample = self.aside / self.pieces[number].file(SAMPLE)
        codes = self.coder.encode(read_array(sample)) if sample.is_file() else self._codes(self.pieces[number])
        with target.open("wb") as file:
            np.save(file, codes, allow_pickle=False)

    def _codes(self, piece: Piece) -> NDArray[np.int8]:
        import pyarrow as pa

        sentences = kept_of(piece, self.run, ("sentence_id", "text"))
        codes = np.empty((len(sentences), self.coder.dims), np.int8)
        rows = np.flatnonzero(self.known.fill(sentences.column("sentence_id"), codes))
        texts = sentences.column("text").take(pa.array(rows))
        for start in _starts(len(texts)):
            some = texts.slice(start, TEXTS_AT_ONCE).to_pylist()
            codes[rows[start : start + len(some)]] = self.coder.encode(self.embedder().embed(some))
        return codes


def _joined_round(folder: Path, *, asked: _Asked) -> Round:
    """The codes of every part in one file, where tasks have made less than a part each."""
    pieces = asked.pieces() if asked.embedder().is_network else []
    files: dict[int, list[Path]] = {}
    for piece in pieces:
        files.setdefault(piece.part, []).append(folder / ASIDE / piece.file())
    return Round(
        name="joined",
        files=tuple(vectors_file(part) for part in files),
        work=partial(partial, _join, list(files.values())),
        is_small=True,
    )


def _join(pieces: Sequence[Sequence[Path]], part: int, target: Path) -> None:
    codes = [read_array(file, in_memory=False) for file in pieces[part]]
    with target.open("wb") as file:
        np.save(file, np.concatenate(codes), allow_pickle=False)


def _numbers_round(folder: Path, *, run: Path, parts: int) -> Round:
    work = partial(partial, _number, run, folder / WHOLE, parts)
    return Round(name="numbered", files=(NUMBERS,), work=work, is_small=True)


def _number(run: Path, whole: Path, parts: int, number: int, target: Path) -> None:
    files = [whole / vectors_file(part) for part in range(parts)]
    starts = [0, *accumulate(len(read_array(file, in_memory=False)) for file in files)]

    def found() -> Iterator[tuple[NDArray[np.int32], NDArray[np.uint64]]]:
        for part, file in enumerate(files):
            norms = squared_norms(read_array(file))
            keys = keys_of(kept_sentences(run, part, ("sentence_id",)).column("sentence_id"))
            assert keys.shape[1] == len(norms), f"part {part} of the vectors is not of these sentences"
            yield norms, keys

    write_numbers(target, starts, found())


@dataclass(frozen=True, slots=True)
class Vectors:
    """The codes of a run, read by number."""

    folder: Path
    starts: NDArray[np.int64]

    def read(self, start: int, stop: int) -> NDArray[np.int8]:
        """The codes of the sentences from one number to another."""
        pieces = [
            read_array(self.folder / vectors_file(part), in_memory=False)[max(start - low, 0) : stop - low]
            for part, (low, high) in enumerate(pairwise(self.starts.tolist()))
            if low < stop and high > start
        ]
        return np.concatenate(pieces) if pieces else np.zeros((0, read_coder(self.folder).dims), np.int8)

    def take(self, numbers: NDArray[np.int64]) -> NDArray[np.int8]:
        """The codes of these sentences, whose numbers rise."""
        ends = np.searchsorted(numbers, self.starts)
        pieces = [
            read_array(self.folder / vectors_file(part), in_memory=False)[numbers[start:stop] - self.starts[part]]
            for part, (start, stop) in enumerate(pairwise(ends.tolist()))
            if stop > start
        ]
        return np.concatenate(pieces) if pieces else np.zeros((0, read_coder(self.folder).dims), np.int8)

    def parts(self) -> Iterator[tuple[int, NDArray[np.int8]]]:
        """Every part's codes, with the number that it begins with."""
        for part, start in enumerate(self.starts[:-1].tolist()):
            yield start, read_array(self.folder / vectors_file(part))
