"""Sentences in, their vectors out: int8 codes, a file a part, a row a kept sentence."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, fields
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.folders import WHOLE, FolderStep, Round
from paraloom.engine.store import part_files, write_text
from paraloom.models.neighbours.codes import LEARNED_ON, Coder, learn_coder, squared_norms
from paraloom.models.neighbours.lists import read_array
from paraloom.workflows.mine.earlier_runs import Earlier, KnownVectors, without_folder
from paraloom.workflows.mine.numbers import FOLDER as NUMBERS
from paraloom.workflows.mine.numbers import Numbers, keys_of, write_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from paraloom.models.embedders import Embedder
    from paraloom.workflows.mine.options import EmbedOptions

CODER = "coder.json"
EMBEDDER = "embedder"
"""Folder of an embedder that has learned from the sentences."""
TEXTS_AT_ONCE = 8192
LEARNS_FROM = 200_000
"""Sentences that an embedder learns from where the more are the better."""
SMALL = 20_000
"""Below so many bytes of sentences, helper processes cost more than they save."""


def vectors_step(run: Path, options: EmbedOptions, earlier: Earlier) -> FolderStep:
    """Sentences → vectors; those that earlier runs have are taken from there."""
    from paraloom.models.embedders import weight_files

    parts = part_files(run, "sentences")
    is_small = sum(part.stat().st_size for part in parts) < SMALL
    return FolderStep(
        table="vectors",
        rounds=(
            partial(_learn_round, run=run, options=options, earlier=earlier),
            partial(_coder_round, run=run, options=options, earlier=earlier),
            partial(_vectors_round, run=run, options=options, earlier=earlier, parts=len(parts), is_small=is_small),
            partial(_numbers_round, run=run, parts=len(parts)),
        ),
        options=(without_folder(options), {"earlier": earlier.signature} if earlier.runs else {}),
        stages=("models",),
        inputs=("sentences",),
        weights=weight_files(options.embedder),
        rows=lambda folder: len(Numbers.of(folder)),
    )


def load(options: EmbedOptions, learned_in: Path | None = None, moved_to: str | None = None) -> Embedder:
    """The embedder that the options name, or what it became by learning; or the folder that it has been moved to."""
    from paraloom.models.embedders import weight_files

    name, dims = moved_to or options.embedder, options.dims
    if learned_in is not None and (learned_in / EMBEDDER).is_dir():
        name, dims = str(learned_in / EMBEDDER), 0
    files = [file.stat() for _, file in sorted(weight_files(name).items())]
    weights = tuple((file.st_ino, file.st_size, file.st_mtime_ns) for file in files)
    return _loaded(name, dims, options.device, options.max_tokens, weights)


@lru_cache(maxsize=2)
def _loaded(name: str, dims: int, device: str, max_tokens: int, weights: tuple[tuple[int, int, int], ...]) -> Embedder:
    """Loaded once in a process, while its files are the same: several steps need it."""
    from paraloom.models.embedders import load_embedder

    return load_embedder(name, dims=dims, device=device, max_tokens=max_tokens)


def options_of(run: Path) -> EmbedOptions:
    """How the sentences of a run became vectors."""
    from paraloom.engine.store import read_made_by
    from paraloom.workflows.mine.options import EmbedOptions

    told = read_made_by(run, "vectors")["options"]
    return EmbedOptions(**{field.name: told[field.name] for field in fields(EmbedOptions)})


def read_coder(folder: Path) -> Coder:
    """How the vectors of a folder became codes."""
    return Coder(**json.loads((folder / CODER).read_text(encoding="utf-8")))


def kept_sentences(run: Path, part: int, columns: tuple[str, ...]) -> pa.Table:
    """The kept sentences of one part, in the order of their ids: the order of their numbers."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    (file,) = [file for file in part_files(run, "sentences") if file.stem == f"part-{part:02d}"]
    rows = pq.read_table(file, columns=[*columns, "dropped_for"], partitioning=None)
    return rows.filter(pc.is_null(rows.column("dropped_for"))).select(list(columns))


def lowest_texts(run: Path, most: int) -> list[str]:
    """The texts of the sentences with the lowest ids: a sample, since ids are hashes, and always the same one."""
    texts: list[str] = []
    for part in range(len(part_files(run, "sentences"))):
        texts += kept_sentences(run, part, ("text",)).column("text").slice(0, most - len(texts)).to_pylist()
        if len(texts) >= most:
            break
    return texts


def _learn_round(folder: Path, *, run: Path, options: EmbedOptions, earlier: Earlier) -> Round:
    from paraloom.models.embedders import can_embed

    has_to_learn = not can_embed(load(options))
    return Round(
        name="learned",
        files=(EMBEDDER,) if has_to_learn else (),
        work=partial(partial, _learn, run, options, earlier.first),
        is_small=True,
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


def _coder_round(folder: Path, *, run: Path, options: EmbedOptions, earlier: Earlier) -> Round:
    work = partial(partial, _learn_coder, run, options, earlier.first, folder / WHOLE)
    return Round(name="coder", files=(CODER,), work=work, is_small=True)


def _learn_coder(run: Path, options: EmbedOptions, first: Path | None, whole: Path, number: int, target: Path) -> None:
    if first is not None:
        coder = read_coder(first / "vectors")
    else:
        coder = learn_coder(_embedded(load(options, whole), lowest_texts(run, LEARNED_ON)))
    write_text(target, json.dumps(asdict(coder)) + "\n")


def _embedded(embedder: Embedder, texts: list[str]) -> NDArray[np.float32]:
    if not texts:
        return np.zeros((0, embedder.dims), np.float32)
    return np.concatenate([embedder.embed(texts[start : start + TEXTS_AT_ONCE]) for start in _starts(len(texts))])


def _starts(count: int) -> Iterator[int]:
    yield from range(0, count, TEXTS_AT_ONCE)


def _vectors_round(
    folder: Path, *, run: Path, options: EmbedOptions, earlier: Earlier, parts: int, is_small: bool
) -> Round:
    return Round(
        name="embedded",
        files=tuple(vectors_file(part) for part in range(parts)),
        work=partial(VectorWriter, run, options, earlier, folder / WHOLE),
        is_small=is_small,
        workers=workers_on(options.device),
    )


def workers_on(device: str) -> int | None:
    """How many workers share a device: a GPU is for one, which fills it."""
    return 1 if device == "cuda" else None


def vectors_file(part: int) -> str:
    """The name of the file with the codes of one part."""
    return f"part-{part:02d}.npy"


class VectorWriter:
    """Embeds and encodes the sentences of one part."""

    def __init__(self, run: Path, options: EmbedOptions, earlier: Earlier, folder: Path) -> None:
        self.run = run
        self.embedder = load(options, folder)
        self.coder = read_coder(folder)
        self.known = KnownVectors(earlier)

    def __call__(self, part: int, target: Path) -> None:
        import pyarrow as pa

        sentences = kept_sentences(self.run, part, ("sentence_id", "text"))
        codes = np.empty((len(sentences), self.coder.dims), np.int8)
        rows = np.flatnonzero(self.known.fill(sentences.column("sentence_id"), codes))
        texts = sentences.column("text").take(pa.array(rows))
        for start in _starts(len(texts)):
            some = texts.slice(start, TEXTS_AT_ONCE).to_pylist()
            codes[rows[start : start + len(some)]] = self.coder.encode(self.embedder.embed(some))
        with target.open("wb") as file:
            np.save(file, codes, allow_pickle=False)


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
