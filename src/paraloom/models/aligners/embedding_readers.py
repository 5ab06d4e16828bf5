"""Two texts as tokens in, a vector for each token out: by a network that reads each text, or both at once, or by an
embedder that is asked for each token alone.

A network reads the tokens joined by blanks. A token's vector points where the mean of its pieces does; it is zeros
where the network has not read so far, or knows nothing of it. No vector depends on the other pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners import TokenPair, Tokens
from paraloom.models.encoders.batches import alike, padded, readable
from paraloom.models.encoders.pair_states import CHARACTERS_A_TOKEN
from paraloom.models.encoders.session import start_session

if TYPE_CHECKING:
    from paraloom.models.embedders import Embedder
    from paraloom.models.encoders.session import OnnxModel

Vectors = NDArray[np.float32]
"""Tokens × width, each of length 1 or zeros."""

BATCH_SIZE = 64


class Reader(Protocol):
    """Turns the tokens of both texts of each pair into vectors."""

    @property
    def signature(self) -> str:
        """All that decides a vector."""

    def __call__(self, pairs: Sequence[TokenPair]) -> list[tuple[Vectors, Vectors]]:
        """The vectors of both texts of each pair, in the order given; products of two of them are cosines."""


class Network:
    """A BERT model up to one layer, and its tokeniser: what reads one text, or two texts at once."""

    def __init__(self, model: OnnxModel, tokeniser: Path, max_tokens: int) -> None:
        from tokenizers import Tokenizer

        self.tokeniser = Tokenizer.from_file(str(tokeniser))
        self.tokeniser.no_padding()
        self.tokeniser.enable_truncation(max_tokens, strategy="longest_first")
        self.tokeniser.encode_special_tokens = True  # a text that says "[SEP]" is a text about it
        self.max_tokens = max_tokens
        self.session = start_session(model)
        self.inputs = [given.name for given in self.session.get_inputs()]

    def __call__(self, read_at_once: Sequence[Sequence[Tokens]]) -> list[list[Vectors]]:
        """The vectors of each text of what is read at once."""
        encodings = self.tokeniser.encode_batch([self._joined(texts) for texts in read_at_once])
        found: list[list[Vectors]] = [[]] * len(encodings)
        for places, width in alike([len(encoding) for encoding in encodings], BATCH_SIZE):
            chosen = [encodings[place] for place in places]
            width = min(width, self.max_tokens)
            ids, mask = padded([np.array(one.ids, np.int64) for one in chosen], 0, width)
            segments, _ = padded([np.array(one.type_ids, np.int64) for one in chosen], 0, width)
            given = {"ids": ids, "mask": mask, "segments": segments}
            (states,) = self.session.run(["states"], {name: given[name] for name in self.inputs})
            for place, encoding, of_pieces in zip(places, chosen, states, strict=True):
                found[place] = _of_tokens(read_at_once[place], encoding, of_pieces)
        return found

    def _joined(self, texts: Sequence[Tokens]) -> str | tuple[str, ...]:
        most = CHARACTERS_A_TOKEN * self.max_tokens  # cutting the longer text first is slow where it is very long
        joined = readable([" ".join(tokens)[:most] for tokens in texts])
        return joined[0] if len(joined) == 1 else tuple(joined)


class EachText:
    """Vectors by a network that reads a text at a time; one that comes often is read once."""

    def __init__(self, network: Network, signature: str) -> None:
        self.network = network
        self.signature = signature

    def __call__(self, pairs: Sequence[TokenPair]) -> list[tuple[Vectors, Vectors]]:
        distinct = list(dict.fromkeys(tuple(tokens) for pair in pairs for tokens in pair))
        found = dict(zip(distinct, self.network([(text,) for text in distinct]), strict=True))
        return [(found[tuple(left)][0], found[tuple(right)][0]) for left, right in pairs]


class BothTexts:
    """Vectors by a network that reads both texts at once, in either order, so that their cosines are the means."""

    def __init__(self, network: Network, signature: str) -> None:
        self.network = network
        self.signature = signature

    def __call__(self, pairs: Sequence[TokenPair]) -> list[tuple[Vectors, Vectors]]:
        ahead, back = self.network(pairs), self.network([(right, left) for left, right in pairs])
        return [
            (_beside(left, left_again), _beside(right, right_again))
            for (left, right), (right_again, left_again) in zip(ahead, back, strict=True)
        ]


class EachToken:
    """Vectors that do not depend on a token's company: an embedder is asked for each token alone.

    One of which it knows nothing gets a vector from its letters, which is like itself and next to no other.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.signature = embedder.signature

    def __call__(self, pairs: Sequence[TokenPair]) -> list[tuple[Vectors, Vectors]]:
        tokens = dict.fromkeys(token for pair in pairs for side in pair for token in side)
        rows = {token: row for row, token in enumerate(tokens)}
        table = np.array(self.embedder.embed(list(tokens)))
        for token, row in rows.items():
            if not table[row].any():
                table[row] = _own_direction(token, table.shape[1])
        return [(table[[rows[one] for one in left]], table[[rows[one] for one in right]]) for left, right in pairs]


def _of_tokens(texts: Sequence[Tokens], encoding: Any, states: NDArray[np.float32]) -> list[Vectors]:
    """The vectors of the tokens of each text, from the states of an encoding's pieces."""
    sides = np.array([-1 if side is None else side for side in encoding.sequence_ids])
    starts = np.array([first for first, _ in encoding.offsets])
    found = []
    for side, tokens in enumerate(texts):
        pieces = np.flatnonzero(sides == side)
        vectors = np.zeros((len(tokens), states.shape[1]), np.float32)
        if len(pieces):
            ends = np.cumsum([len(token) + 1 for token in tokens])
            owners = np.searchsorted(ends, starts[pieces], side="right")
            firsts = np.flatnonzero(np.diff(owners, prepend=-1))
            vectors[owners[firsts]] = np.add.reduceat(states[pieces], firsts)  # a sum points where the mean does
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        found.append(np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32))
    return found


def _beside(one: Vectors, other: Vectors) -> Vectors:
    """Two vectors of length 1 as one of length 1; zeros where either is."""
    known = one.any(axis=1, keepdims=True) & other.any(axis=1, keepdims=True)
    return np.asarray(np.hstack([one, other]) * known * np.float32(0.5**0.5), np.float32)


def _own_direction(token: str, width: int) -> Vectors:
    seed = blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    drawn = np.random.default_rng(int.from_bytes(seed)).standard_normal(width, np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn), np.float32)
