"""Pairs of texts in, answers to every question that was learned out: the one shipped network, read in stages.

Identification (`models/identifiers/paraloom.py`), mutual implication and similarity (`models/implication.py`) all ask
it. How it was trained: `recipes/identifier`. English.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.encoders.batches import alike, readable
from paraloom.models.encoders.bert_graph import BertShape
from paraloom.models.encoders.pair_states import CHARACTERS_A_TOKEN
from paraloom.models.encoders.session import start_session
from paraloom.models.encoders.staged_graph import stage_graph
from paraloom.models.identifiers import SHIPPED
from paraloom.models.int8 import Int8File

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Floats = NDArray[np.float64]
FilesState = tuple[tuple[int, int], ...]

FOLDER = "pairs"
WEIGHTS, TOKENISER, CONFIG, MODEL_CARD = "model.safetensors", "tokenizer.json", "config.json", "card.json"
DECIDING = (WEIGHTS, TOKENISER, CONFIG)
"""The files that decide an answer: the same weights read other word pieces by another tokeniser."""
QUESTIONS = ("loose", "strict", "implication", "similarity", "likeness", "forwards", "backwards", "duplicate")
"""What the network is asked of a pair. Loose, strict: is it a paraphrase. Implication: does each text imply the other.
Similarity: on BLEURT's scale. Likeness: the STS benchmark's scale, as a logit. Forwards, backwards: does the left text
imply the right one, the right the left. Duplicate: is it the same question (Quora)."""
TURNED = {"forwards": "backwards", "backwards": "forwards"}
"""What a question becomes when the texts change places."""
MAX_TOKENS = 256
BATCH_SIZE = 64
PAIRS_AT_ONCE = 4096
"""So many pairs are cut into word pieces and sorted by length together."""


class PairModel:
    """One encoder, several exits, one head a question at each.

    The longer text is always read first, so either order of a pair gives the same answers.
    """

    def __init__(self, folder: Path, *, max_tokens: int = MAX_TOKENS) -> None:
        from tokenizers import Tokenizer

        shape = BertShape.read(folder)
        self.weights = Int8File(folder / WEIGHTS)
        self.exits = tuple(sorted({int(name.split(".")[1]) for name in self.weights if name.startswith("heads.")}))
        if shape is None or not self.exits or self.exits[-1] != shape.layers:
            raise InputError(f"{folder} holds no model of pairs with heads after its last layer. Save the model anew.")
        if not (folder / TOKENISER).is_file():
            raise InputError(f"There is no {folder / TOKENISER}. Save the model anew.")
        self.folder, self.shape, self.max_tokens = folder, shape, min(max_tokens, shape.positions)
        self.parameters = self.weights.numbers
        self.tokeniser = Tokenizer.from_file(str(folder / TOKENISER))
        self.tokeniser.no_padding()
        self.tokeniser.enable_truncation(self.max_tokens, strategy="longest_first")
        self.tokeniser.encode_special_tokens = True  # a text that says "[SEP]" is a text about it
        self._stages: dict[int, InferenceSession] = {}

    def stage(self, last: int) -> InferenceSession:
        """The part of the network that ends at an exit, made when it is first needed: a clear pair needs few layers."""
        if last not in self._stages:
            first = (0, *self.exits)[self.exits.index(last)]
            self._stages[last] = start_session(stage_graph(self.weights, self.shape, first, last))
        return self._stages[last]

    @cached_property
    def signature(self) -> str:
        hashes = "".join(hash_of_file(self.folder / file) for file in DECIDING)
        weights = blake2b(hashes.encode(), digest_size=4).hexdigest()
        return f"model:{FOLDER}|max-tokens:{self.max_tokens}|arithmetic:int8|weights:{weights}"

    def answers(
        self, left: Sequence[str], right: Sequence[str], questions: Sequence[str], sure: Mapping[int, Any] | None = None
    ) -> tuple[Floats, NDArray[np.int64]]:
        """A row a pair and a column a question, and the layer each row was answered at.

        `sure` says when a pair need not go on: for an exit's layer, a function of the answers there that gives True
        for each row that is clear.
        """
        at_exits, layers = self._read(left, right, questions, sure or {})
        last_read = np.searchsorted(self.exits, layers)
        return at_exits[last_read, np.arange(len(left))], layers

    def every_exit(self, left: Sequence[str], right: Sequence[str], questions: Sequence[str]) -> dict[int, Floats]:
        """For each exit's layer what `answers` would say of every pair if it ended there."""
        at_exits, _ = self._read(left, right, questions, {})
        return dict(zip(self.exits, at_exits, strict=True))

    def _read(
        self, left: Sequence[str], right: Sequence[str], questions: Sequence[str], sure: Mapping[int, Any]
    ) -> tuple[Floats, NDArray[np.int64]]:
        """Answers at every exit that a pair came to (exits × pairs × questions), and the layer it ended at."""
        if len(left) != len(right):
            raise InputError(f"There are {len(left)} left texts and {len(right)} right texts; give as many of each.")
        found = np.full((len(self.exits), len(left), len(QUESTIONS)), np.nan)
        layers = np.full(len(left), self.exits[-1], np.int64)
        pairs = list(zip(left, right, strict=True))
        turned = np.array([_rank(one) < _rank(other) for one, other in pairs], bool)
        columns = [QUESTIONS.index(question) for question in questions]
        for start in range(0, len(pairs), PAIRS_AT_ONCE):
            places = slice(start, start + PAIRS_AT_ONCE)
            read = [
                pair[::-1] if turn else pair for pair, turn in zip(pairs[places], turned[places].tolist(), strict=True)
            ]
            found[:, places], layers[places] = self._block(read, columns, sure)
        by_turn = [QUESTIONS.index(TURNED.get(question, question)) for question in questions]
        return np.where(turned[None, :, None], found[..., by_turn], found[..., columns]), layers

    def _block(
        self, pairs: Sequence[tuple[str, str]], columns: Sequence[int], sure: Mapping[int, Any]
    ) -> tuple[Floats, NDArray[np.int64]]:
        most = CHARACTERS_A_TOKEN * self.max_tokens  # cutting the longer text first is slow where it is very long
        first, second = (readable([pair[side][:most] for pair in pairs]) for side in (0, 1))
        encodings = self.tokeniser.encode_batch(list(zip(first, second, strict=True)))
        found = np.full((len(self.exits), len(pairs), len(QUESTIONS)), np.nan)
        layers = np.empty(len(pairs), np.int64)
        for together, width in alike([len(encoding) for encoding in encodings], BATCH_SIZE):
            places = np.array(together)
            ids, mask, segments = (
                _filled([getattr(encodings[place], part) for place in together], width)
                for part in ("ids", "attention_mask", "type_ids")
            )
            given = {"ids": ids, "mask": mask, "segments": segments}
            for number, layer in enumerate(self.exits):
                answers, states = self.stage(layer).run(["answers", "states_out"], given)
                found[number, places], layers[places] = answers, layer
                if layer in sure:
                    unclear = ~sure[layer](answers[:, columns].astype(np.float64))
                    if unclear.sum() == 1:
                        unclear = np.flatnonzero(unclear).repeat(2)  # see alike
                    places, states, mask = places[unclear], states[unclear], mask[unclear]
                if not len(places):
                    break
                given = {"states": states, "mask": mask}
        return found, layers


def _filled(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.int64]:
    """Rows of numbers as one array, filled up with zeros at the end."""
    numbers = np.zeros((len(rows), width), np.int64)
    for place, row in enumerate(rows):
        numbers[place, : len(row)] = row
    return numbers


def _rank(text: str) -> tuple[int, str]:
    return len(text), text


def load_pair_model(folder: str | Path | None = None) -> PairModel:
    """The shipped model, or one that the recipe packed into a folder; loaded once, and anew when its files change."""
    place = Path(folder) if folder else SHIPPED / FOLDER
    return _loaded(place.resolve(), state_of_files(place))


@lru_cache(maxsize=2)
def _loaded(folder: Path, state: FilesState) -> PairModel:
    return PairModel(folder)


def state_of_files(folder: Path) -> FilesState:
    """When each deciding file was last written, and its size: what was read from them before is theirs while it stays.

    >>> state_of_files(SHIPPED / FOLDER) == state_of_files(SHIPPED / FOLDER)
    True
    """
    found = [(folder / file).stat() for file in DECIDING if (folder / file).is_file()]
    return tuple((one.st_mtime_ns, one.st_size) for one in found)


def card(folder: Path | None = None) -> dict[str, Any]:
    """How the model was made, how its answers are to be read, and what was measured."""
    file = (folder or SHIPPED / FOLDER) / MODEL_CARD
    if not file.is_file():
        raise InputError(f"There is no {file}, so its folder holds no model of pairs. Check the path.")
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return told
