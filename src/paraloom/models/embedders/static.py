"""Texts in, the mean of their word pieces' vectors out: a tokeniser and a table, no network (model2vec's idea).

A folder holds `embedder.json` and `table.safetensors`: `table`, a row a word piece, in 8 bits as we save it, and
`scales`, what each row is multiplied by: the step of its 8 bits and the weight of the piece in one. Folders that
model2vec or sentence-transformers saved are read as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.parts import of_parts
from paraloom.models.embedders.cards import hash_of_weights, prefix_length, read_tensors, write_card
from paraloom.models.embedders.catalogue import CARD, Asked
from paraloom.models.embedders.known_pieces import KnownPieces
from paraloom.models.embedders.piece_loops import summed_vectors
from paraloom.models.embedders.shared_parts import PAIRS, TOKENISER, deciding_files, said_of_shared, tokeniser_file
from paraloom.models.embedders.static_folders import read_static
from paraloom.models.known import short_name

TABLE = "table.safetensors"
MAX_TOKENS = 512
ROWS = 4096
"""Texts that one thread turns into vectors at a time."""

Table = NDArray[Any]


class StaticEmbedder:
    """The mean of vectors of word pieces, of length 1."""

    is_network: ClassVar[bool] = False

    def __init__(
        self, name: str, pieces: KnownPieces, table: Table, scales: NDArray[np.float32], *, dims: int, weights: str
    ) -> None:
        """`weights` stands for all files that decide a vector; `dims` may be fewer than the table has."""
        check_table(name, table, scales, pieces.size)
        self.name = name
        self.pieces = pieces
        self.table = np.ascontiguousarray(table)
        self.scales = np.ascontiguousarray(scales, np.float32)
        self.dims = dims
        self.signature = (
            f"embedder:{name}|dims:{dims}|max-tokens:{pieces.max_tokens}|weights:{weights}"
            f"|paraloom:{paraloom_version()}"
        )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1; zeros where no piece of a text is known."""

        def some(first: int, last: int) -> NDArray[np.float32]:
            return summed_vectors(*self.pieces.cut(texts[first:last]), self.table, self.scales, self.dims)

        return np.concatenate([np.zeros((0, self.dims), np.float32), *of_parts(some, len(texts), ROWS)])

    @classmethod
    def load(cls, folder: Path | None, asked: Asked) -> StaticEmbedder:
        """The table in a folder; fewer dimensions are a prefix where the card names such sizes, or others made it.

        Model2vec orders them by how much they matter, sentence-transformers trains them so.
        """
        if folder is None:
            raise InputError(f"There is no folder of word-piece vectors {asked.name!r}. Check the name or the path.")
        if not (folder / CARD).is_file():
            return cls._of_others(folder, asked, asked.max_tokens or MAX_TOKENS)
        from paraloom.models.embedders import read_card

        card = read_card(folder)
        tensors = read_tensors(folder / TABLE, ("table", "scales"))
        table = tensors["table"]
        dims = prefix_length(card, asked.dims) or table.shape[-1]
        max_tokens = asked.max_tokens or int(card.get("max_tokens", MAX_TOKENS))
        tokeniser = tokeniser_file(folder, card)
        weights = hash_of_weights([*deciding_files(folder, card, (TABLE,)), tokeniser])
        pieces = KnownPieces(tokeniser, max_tokens)
        name = str(card.get("name") or short_name(asked.name))
        return cls(name, pieces, table, tensors["scales"], dims=dims, weights=weights)

    @classmethod
    def _of_others(cls, folder: Path, asked: Asked, max_tokens: int) -> StaticEmbedder:
        found = read_static(folder)
        table, scales = found.read()
        dims = asked.dims if 0 < asked.dims <= table.shape[-1] else table.shape[-1]
        weights = hash_of_weights([found.weights, found.tokeniser])
        pieces = KnownPieces(found.tokeniser, max_tokens)
        return cls(short_name(asked.name), pieces, table, scales, dims=dims, weights=weights)


def check_table(name: str, table: Table, scales: NDArray[Any], pieces: int) -> None:
    """Refuse a table that has not one row and one scale a word piece."""
    if table.ndim != 2 or len(table) < pieces or scales.shape != (len(table),):
        raise InputError(
            f"The table of {name} has the shape {table.shape} and its scales {scales.shape}, but its tokeniser has "
            f"{pieces} word pieces. Save it with the tokeniser it was made for."
        )
    if not np.isfinite(scales).all() or not np.isfinite(table).all():
        raise InputError(f"The table of {name} holds vectors that are not numbers. Get or make it anew.")


def save_static(
    folder: Path,
    vectors: NDArray[Any],
    tokeniser: Path | None,
    *,
    weights: NDArray[Any] | None = None,
    card: Mapping[str, Any] | None = None,
) -> None:
    """Write a table in 8 bits, a row a word piece, with what the card is to say beside (`name`, `sizes`, `licence` …).

    `tokeniser` is the tokenizer.json that is copied; None is that of the shipped model of pairs, which is shared.
    `weights` are those of the pieces; where none are given they are in the vectors already.
    """
    import shutil

    from safetensors.numpy import save

    from paraloom.models.int8 import quantise

    numbers, steps = quantise(np.asarray(vectors, np.float32))
    scales = steps[:, 0] if weights is None else steps[:, 0] * np.asarray(weights, np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    tensors: dict[str, NDArray[Any]] = {"table": numbers, "scales": np.ascontiguousarray(scales, np.float32)}
    (folder / TABLE).write_bytes(save(tensors))  # readable by whoever may read other files, as save_file's are not
    if tokeniser is not None and tokeniser.resolve() != (folder / TOKENISER).resolve():
        shutil.copyfile(tokeniser, folder / TOKENISER)
    told = {"dims": int(numbers.shape[1]), "tokeniser": PAIRS if tokeniser is None else TOKENISER}
    write_card(folder, "static", {**told, **(card or {}), **said_of_shared(told)})


def convert_static(source: Path, folder: Path, card: Mapping[str, Any] | None = None) -> None:
    """What model2vec or sentence-transformers saved becomes a folder of ours, a quarter of the size."""
    found = read_static(source)
    table, weights = found.read()
    sizes = [1, table.shape[1]]  # any prefix, as where the table is read from theirs
    save_static(folder, table, found.tokeniser, weights=weights, card={"sizes": sizes, **(card or {})})
