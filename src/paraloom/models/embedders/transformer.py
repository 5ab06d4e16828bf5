"""Texts in, pooled vectors of a transformer out: any folder of sentence-transformers, any encoder of the model hub.

BERT models run in onnxruntime; others, and all of them on a GPU, in torch (the extra `train`). Pooling, and dense
layers behind it, are what the folder says; the mean alone where it says nothing (vanilla BERT, as in Kanerva et al.,
2023, section 7.2).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.embedders.cards import prefix_length
from paraloom.models.embedders.catalogue import CARD, Asked
from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.encoders.batches import Pieces, alike, padded
from paraloom.models.encoders.pair_states import CHARACTERS_A_TOKEN
from paraloom.models.encoders.pooling import POOLS, Pooling
from paraloom.models.known import known_name, short_name

BATCH_SIZE = 32
TEXTS_AT_ONCE = 4096
"""So many texts are cut into pieces and sorted by length together."""
GPU_BATCH_SIZE, GPU_TOKENS_AT_ONCE, GPU_TEXTS_AT_ONCE = 1024, 131_072, 65_536
TOKENS_ON_CPU = 4096
ASKS = re.compile(r"(?:^|[-_/])e5-(?:small|base|large)")
ASKING = "query: "
"""What E5 models read before each text (Wang et al., 2022)."""
SILENT = ("[UNK]", "<unk>", "▁")
"""What tokenisers write for what they do not know, and for the blank before it."""


class Runs(Protocol):
    """A network that is ready to run."""

    @property
    def signature(self) -> str:
        """The network, its files, and in which numbers it computes."""

    @property
    def dims(self) -> int:
        """How many numbers a pooled vector has."""

    @property
    def max_tokens(self) -> int:
        """How many tokens of a text it reads."""

    @property
    def silent(self) -> NDArray[np.int64]:
        """The numbers of the pieces that say nothing of a text."""

    def cut(self, texts: Sequence[str]) -> list[Pieces]:
        """The pieces of each text."""

    def pooled(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        """One row a text of a batch."""


class TransformerEmbedder:
    """A transformer's pooled states, of length 1."""

    is_network: ClassVar[bool] = True

    def __init__(
        self,
        name: str,
        runs: Runs,
        *,
        before: str = "",
        lower_case: bool = False,
        dims: int = 0,
        on_gpu: bool = False,
    ) -> None:
        """`before` is what stands before each text; `lower_case` has all of it in small letters; `dims` 0 is all of
        them, fewer are a prefix."""
        self.name = name
        self.runs = runs
        self.dims = min(dims or runs.dims, runs.dims)
        self.before = before.lower() if lower_case else before
        self.lower_case = lower_case
        self.on_gpu = on_gpu
        self.skipped = sum(int((~piece.special).sum()) for piece in runs.cut([self.before.strip()])) if before else 0
        asked = f"|before:{before.strip()}" if before else ""
        asked += "|lower-case:yes" if lower_case else ""
        asked += f"|dims:{self.dims}" if self.dims < runs.dims else ""
        self.signature = f"embedder:{name}{asked}|{runs.signature}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1; zeros where a text is blank or has no piece that the tokeniser knows."""
        found = np.zeros((len(texts), self.dims), np.float32)
        at_once = GPU_TEXTS_AT_ONCE if self.on_gpu else TEXTS_AT_ONCE
        for start in range(0, len(texts), at_once):
            found[start : start + at_once] = self._block(texts[start : start + at_once])
        return found

    def _block(self, texts: Sequence[str]) -> NDArray[np.float32]:
        most = CHARACTERS_A_TOKEN * self.runs.max_tokens
        read = [text[:most].lower() if self.lower_case else text[:most] for text in texts]
        pieces = self.runs.cut([self.before + text for text in read])
        told = [place for place, text in enumerate(texts) if text.strip() and self._says_something(pieces[place])]
        rows = np.zeros((len(texts), self.dims), np.float32)
        size, tokens = (GPU_BATCH_SIZE, GPU_TOKENS_AT_ONCE) if self.on_gpu else (BATCH_SIZE, TOKENS_ON_CPU)
        for together, width in alike([len(pieces[place].ids) for place in told], size, tokens):
            places = [told[one] for one in together]
            width = min(width, self.runs.max_tokens)  # there may be no places beyond
            pooled = self.runs.pooled(*padded([pieces[place].ids for place in places], 0, width))
            rows[places] = pooled[:, : self.dims]
        return unit_length(rows)

    def _says_something(self, piece: Pieces) -> bool:
        return says_something(piece.ids[~piece.special][self.skipped :], self.runs.silent)

    @classmethod
    def load(cls, folder: Path | None, asked: Asked) -> TransformerEmbedder:
        """The model in a folder; fewer dimensions are a prefix from the least size on that our card in it names."""
        from paraloom.models.embedders import read_card
        from paraloom.models.encoders.onnx_bert import can_run

        assert folder is not None, "a transformer is read from a folder"
        name = known_name(asked.name)
        pooling = Pooling.read(folder)
        before = text_before(folder, name)
        if before and not pooling.includes_prompt:
            raise InputError(
                f"{folder} leaves the words that it reads before a text ({before.strip()!r}) out when it pools "
                "(include_prompt), which is not done here. Choose another embedder."
            )
        max_tokens = asked.max_tokens or pooling.max_tokens
        runs: Runs
        if asked.device == "cpu" and can_run(folder):
            runs = _InOnnx(folder, short_name(name), pooling, max_tokens)
        else:
            runs = _InTorch(str(folder), short_name(name), pooling, max_tokens, asked.device)
        card = read_card(folder) if (folder / CARD).is_file() else {}
        return cls(
            short_name(name),
            runs,
            before=before,
            lower_case=pooling.lower_case,
            dims=prefix_length(card, asked.dims),
            on_gpu=asked.device != "cpu",
        )


def text_before(folder: Path | None, name: str) -> str:
    """What a model is to read before each text: its folder's own default, or E5's.

    >>> text_before(None, "intfloat/multilingual-e5-small"), text_before(None, "gte-small")
    ('query: ', '')
    """
    try:
        written = (folder / "config_sentence_transformers.json").read_text(encoding="utf-8") if folder else "{}"
        told: dict[str, Any] = json.loads(written)
        return str(told["prompts"][told["default_prompt_name"]])
    except (OSError, ValueError, KeyError, TypeError):
        return ASKING if ASKS.search(name) else ""


class _InOnnx:
    """A BERT model in onnxruntime."""

    def __init__(self, folder: Path, name: str, pooling: Pooling, max_tokens: int) -> None:
        from paraloom.models.encoders.bert_graph import BertShape
        from paraloom.models.encoders.onnx_bert import OnnxBert

        shape = BertShape.read(folder)
        assert shape is not None, "it can run"
        self.encoder = OnnxBert(folder, shape.layers, name=name, max_tokens=max_tokens)
        self.pooling = pooling
        self.dims = pooling.dims(shape.width)
        self.max_tokens = self.encoder.max_tokens
        self.silent = silent_pieces(self.encoder.pieces.tokeniser)
        self.signature = f"{self.encoder.signature}|{pooling.described}"

    def cut(self, texts: Sequence[str]) -> list[Pieces]:
        return self.encoder.pieces(texts)

    def pooled(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        lengths = mask.sum(axis=1).tolist()
        states = self.encoder.states(ids, mask)
        pool = POOLS[self.pooling.mode]
        pooled = np.stack([pool(one[:length]) for one, length in zip(states, lengths, strict=True)])
        return self.pooling.through_layers(pooled)


class _InTorch:
    """Any encoder in torch; on a GPU its products are of 16-bit numbers."""

    def __init__(self, place: str, name: str, pooling: Pooling, max_tokens: int, device: str) -> None:
        from paraloom.models.encoders.transformers_encoder import TransformersEncoder, transformer_libraries

        torch, _ = transformer_libraries()
        check_device(torch, device)
        self.torch, self.device, self.pooling = torch, device, pooling
        self.encoder = TransformersEncoder(place, None, name=name, max_tokens=max_tokens, device=device)
        self.dims = pooling.dims(int(self.encoder.model.config.hidden_size))
        self.max_tokens = self.encoder.max_tokens
        self.filler = self.encoder.tokeniser.pad_token_id or 0
        self.silent = silent_pieces(self.encoder.tokeniser)
        numbers = "float32" if device == "cpu" else "float16"
        self.signature = f"{self.encoder.signature}|{pooling.described}|arithmetic:{numbers}"

    def cut(self, texts: Sequence[str]) -> list[Pieces]:
        return self.encoder.pieces(texts)

    def pooled(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        torch = self.torch
        kept = torch.from_numpy(mask).to(self.device)
        given = torch.from_numpy(np.where(mask == 1, ids, self.filler)).to(self.device)
        with torch.inference_mode(), in_half(torch, self.device):
            states = self.encoder.model(input_ids=given, attention_mask=kept).last_hidden_state
            pooled = TORCH_POOLS[self.pooling.mode](states.float(), kept[..., None])
        return self.pooling.through_layers(np.asarray(pooled.cpu().numpy(), np.float32))


def check_device(torch: Any, device: str) -> None:
    """Refuse a GPU that is not there."""
    if device != "cpu" and not torch.cuda.is_available():
        raise InputError(f"There is no GPU here that torch can use, so device {device!r} cannot be. Use cpu.")


def in_half(torch: Any, device: str) -> Any:
    """Where products are of 16-bit numbers, if it is a GPU; sums, norms and softmax stay in 32."""
    return torch.autocast(device.partition(":")[0], torch.float16, enabled=device != "cpu")


TORCH_POOLS: dict[str, Any] = {
    "mean": lambda states, kept: (states * kept).sum(1) / kept.sum(1),
    "cls": lambda states, kept: states[:, 0],
    "max": lambda states, kept: states.masked_fill(kept == 0, float("-inf")).amax(1),
    "lasttoken": lambda states, kept: states[range(len(states)), kept.sum((1, 2)) - 1],
    "weightedmean": lambda states, kept: (states * kept.cumsum(1) * kept).sum(1) / (kept.cumsum(1) * kept).sum(1),
    "mean_sqrt_len_tokens": lambda states, kept: (states * kept).sum(1) / kept.sum(1).sqrt(),
}
"""As `POOLS`, of a batch in torch."""


def silent_pieces(tokeniser: Any) -> NDArray[np.int64]:
    """The numbers of the pieces of a tokeniser that say nothing of a text."""
    numbers = tokeniser.get_vocab()
    return np.array([numbers[piece] for piece in SILENT if piece in numbers], np.int64)


def says_something(ids: NDArray[np.int64], silent: NDArray[np.int64]) -> bool:
    """Whether any of a text's pieces is a known one.

    >>> says_something(np.array([7, 100]), np.array([100])), says_something(np.array([100]), np.array([100]))
    (True, False)
    """
    return bool((ids[:, None] != silent).all(axis=1).any())
