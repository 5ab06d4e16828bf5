"""A base's name in, what is trained of it out: a table of word pieces, or a transformer; and how each is saved."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.embedders import Embedder, can_embed, load_embedder
from paraloom.models.embedders.catalogue import CARD as EMBEDDER_CARD
from paraloom.models.embedders.static import StaticEmbedder, save_static
from paraloom.models.embedders.transformer import TORCH_POOLS, TransformerEmbedder
from paraloom.models.encoders.bert_graph import BertShape
from paraloom.models.encoders.pooling import KEYS, Pooling
from paraloom.models.encoders.transformers_encoder import quietly, transformer_libraries
from paraloom.models.identifiers.bases_here import check_base
from paraloom.models.identifiers.transformer_base import open_base, place_of_base
from paraloom.models.training.plan import TrainingPlan
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions

if TYPE_CHECKING:
    from paraloom.models.training.embedding_networks import EmbeddingTask

BASES = {"static": "fast", "transformer": "all-MiniLM-L6-v2"}
"""What is started from where nothing is said."""
PLANS = {
    "static": TrainingPlan(epochs=10, batch_size=512, learning_rates=(1e-3, 3e-3), weight_decay=0.0, max_tokens=512),
    "transformer": TrainingPlan(epochs=3, batch_size=64, learning_rates=(2e-5,)),
}
"""How each is trained where nothing is said."""
DIMS = 256
"""Of a table that starts from another embedder."""
SMOOTHING = 1e-3
"""How soon a common piece loses weight in such a table: later than where a whole language was counted."""
SIZES = (64, 128, 256, 512)
INT8 = "int8"
"""The folder of a packed transformer, within its own."""


class Trainee(Protocol):
    """What is trained."""

    @property
    def embedder(self) -> Embedder:
        """The base as it embeds before any training."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """The first so many numbers of a vector that are to do alone, all of them first."""

    def make_task(self) -> EmbeddingTask:
        """A fresh network."""

    def save(self, task: Any, folder: Path, card: Mapping[str, Any]) -> None:
        """Write what `load_embedder` needs into a folder, with what the card is to say beside."""


def open_source(options: TrainEmbedderOptions, max_tokens: int = 0) -> Embedder:
    """The embedder that is started from; what cannot be trained is refused before any work begins.

    A table reads `max_tokens` pieces of a text; 0 is as many as the usual plan.
    """
    base = options.base or BASES[options.system]
    if options.system == "transformer":
        check_base(base, hub=options.hub)
    source = load_embedder(base, hub=options.hub)
    wanted = max_tokens or PLANS[options.system].max_tokens
    if isinstance(source, StaticEmbedder) and source.pieces.max_tokens != wanted:
        source = load_embedder(base, max_tokens=wanted)
    if options.system == "transformer":
        _check_transformer(base, source, options)
    elif not can_embed(source):
        raise InputError(f"{base} learns from a collection, so no table can start from it. Choose another --base.")
    if options.system == "static" and options.pack:
        raise InputError("A table of word pieces is in 8 bits already. Leave out --pack.")
    if options.dims < 0 or options.dims > source.dims:
        raise InputError(f"{base} has vectors of {source.dims} numbers; there are none of {options.dims} (--dims).")
    _sizes(options, _dims(options, source))
    return source


def _check_transformer(base: str, source: Embedder, options: TrainEmbedderOptions) -> None:
    if not isinstance(source, TransformerEmbedder):
        raise InputError(
            f"{base} is no transformer that can be trained. Name one that transformers can load (all-MiniLM-L6-v2, a "
            "folder), or train a table: --system static."
        )
    place = Path(place_of_base(base))
    if place.is_dir() and Pooling.read(place).layers:
        raise InputError(
            f"{base} has a dense layer behind its pooling, which is not trained here. Choose another --base."
        )
    if options.dims not in (0, source.dims):
        raise InputError(
            f"A transformer's vectors have as many numbers as it is wide, of {base} {source.dims}. Leave out --dims "
            f"{options.dims}; to have vectors that can be cut, give --sizes {options.dims}."
        )
    if options.pack and (BertShape.read(Path(place_of_base(base))) is None or source.before or source.lower_case):
        raise InputError(f"{base} cannot be written in 8 bits: only a plain BERT can. Leave out --pack.")


def _dims(options: TrainEmbedderOptions, source: Embedder) -> int:
    if options.dims or options.system == "transformer" or isinstance(source, StaticEmbedder):
        return options.dims or source.dims
    return min(DIMS, source.dims)


def _sizes(options: TrainEmbedderOptions, dims: int) -> tuple[int, ...]:
    usual = SIZES if options.system == "static" else ()
    wrong = [size for size in options.sizes if not 1 <= size <= dims]
    if wrong:
        raise InputError(f"Of vectors of {dims} numbers the first {wrong[0]} cannot be taken. Mend --sizes.")
    return tuple(sorted({dims, *(options.sizes or (size for size in usual if size < dims))}, reverse=True))


def open_trainee(
    source: Embedder, texts: Sequence[str], options: TrainEmbedderOptions, folder: Path, max_tokens: int = 0
) -> Trainee:
    """What is trained; a table that starts from another embedder is made first, in a folder.

    It reads `max_tokens` pieces of a text; 0 is as many as the usual plan.
    """
    max_tokens = max_tokens or PLANS[options.system].max_tokens
    dims = _dims(options, source)
    sizes = _sizes(options, dims)
    if options.system == "transformer":
        assert isinstance(source, TransformerEmbedder)
        base = options.base or BASES["transformer"]
        return TransformerTrainee(embedder=source, sizes=sizes, base=base, max_tokens=max_tokens)
    if not isinstance(source, StaticEmbedder):
        source = _distilled(source, texts, dims, options.pieces, max_tokens, folder)
    pieces, _ = source.pieces.cut(texts)
    met = np.unique(pieces).astype(np.int64)
    if not len(met):
        raise InputError(f"{source.name} knows no piece of any text to learn from. Choose a --base of their language.")
    table = source.table[:, :dims].astype(np.float32) * source.scales[:, None]
    return StaticTrainee(embedder=source, sizes=sizes, table=table, met=met)


def _distilled(
    teacher: Embedder, texts: Sequence[str], dims: int, most: int, max_tokens: int, folder: Path
) -> StaticEmbedder:
    """A table of the teacher's vectors of the texts' word pieces; kept in a folder, for it may take minutes."""
    from paraloom.models.embedders.distil import distil_static, pieces_of
    from paraloom.models.embedders.known_pieces import KnownPieces
    from paraloom.models.training.embedding_pieces import learned_tokeniser

    if most < 1:
        raise InputError(f"--pieces {most}: a table needs at least one word piece. Give some thousands.")
    if not (folder / EMBEDDER_CARD).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        tokeniser = folder / "pieces.json"
        described = learned_tokeniser(texts, most)
        tokeniser.write_text(described, encoding="utf-8")
        met, _ = KnownPieces(tokeniser, max_tokens).cut(texts)
        counts = np.bincount(met, minlength=len(pieces_of(described)[0])).tolist()
        about = {"name": teacher.name}
        distil_static(teacher, tokeniser, folder, dims=dims, counts=counts, smoothing=SMOOTHING, card=about)
    made = load_embedder(folder, max_tokens=max_tokens)
    assert isinstance(made, StaticEmbedder)
    return made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StaticTrainee:
    """A table of word pieces."""

    embedder: StaticEmbedder
    sizes: tuple[int, ...]
    table: NDArray[np.float32]
    met: NDArray[np.int64]
    """The pieces that are learned."""

    def make_task(self) -> EmbeddingTask:
        from paraloom.models.training.embedding_networks import TableTask

        return TableTask(self.embedder.pieces, self.table, self.met)

    def save(self, task: Any, folder: Path, card: Mapping[str, Any]) -> None:
        tokeniser = folder / "tokenizer.json"
        tokeniser.write_text(self.embedder.pieces.tokeniser.to_str(), encoding="utf-8")
        told = {"sizes": sorted(self.sizes), "max_tokens": self.embedder.pieces.max_tokens}
        save_static(folder, task.learned_table(), tokeniser, card={**told, **card})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TransformerTrainee:
    """A transformer, pooled as its folder says."""

    embedder: TransformerEmbedder
    sizes: tuple[int, ...]
    base: str
    max_tokens: int

    def make_task(self) -> EmbeddingTask:
        from paraloom.models.training.embedding_networks import TransformerTask

        return TransformerTask(
            open_base(self.base),
            mode=self._pooling().mode,
            before=self.embedder.before,
            lower_case=self.embedder.lower_case,
            max_tokens=self.max_tokens,
        )

    def _pooling(self) -> Pooling:
        place = Path(place_of_base(self.base))
        pooling = Pooling.read(place) if place.is_dir() else Pooling()
        assert pooling.mode in TORCH_POOLS
        return pooling

    def save(self, task: Any, folder: Path, card: Mapping[str, Any]) -> None:
        """As sentence-transformers saves a model, so that it reads it too, and our card beside."""
        from paraloom.models.embedders.cards import write_card

        with quietly(transformer_libraries()[1]):
            task.base.tokeniser.save_pretrained(folder)
            task.encoder.save_pretrained(folder)
        mode = self._pooling().mode
        files: dict[str, Any] = {
            "modules.json": [
                {"idx": place, "name": str(place), "path": path, "type": f"sentence_transformers.models.{kind}"}
                for place, (path, kind) in enumerate(
                    (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize"))
                )
            ],
            "1_Pooling/config.json": {
                "word_embedding_dimension": self.embedder.dims,
                **{key: mode == named for key, named in KEYS.items()},
            },
            "sentence_bert_config.json": {
                "max_seq_length": task.max_tokens,
                "do_lower_case": self.embedder.lower_case,
            },
        }
        if self.embedder.before:
            files["config_sentence_transformers.json"] = {
                "prompts": {"text": self.embedder.before},
                "default_prompt_name": "text",
            }
        (folder / "2_Normalize").mkdir(exist_ok=True)
        for name, told in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        write_card(folder, "transformer", {"dims": self.embedder.dims, "sizes": sorted(self.sizes), **card})

    def pack(self, task: Any, folder: Path, card: Mapping[str, Any]) -> None:
        """Once more, in 8 bits, into the folder `int8`."""
        from paraloom.models.embedders.int8_encoder import pack_encoder

        tensors = {name: one.detach().cpu().numpy() for name, one in task.encoder.state_dict().items()}
        pack_encoder(
            tensors,
            folder / "config.json",
            folder / INT8,
            tokeniser=folder / "tokenizer.json",
            card={"sizes": sorted(self.sizes), "max_tokens": task.max_tokens, **card},
        )
