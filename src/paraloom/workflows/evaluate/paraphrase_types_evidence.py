"""Options in, out comes what types are decided by: an embedder, synonyms, facts, and a network that judges meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.types.alignment import Likeness
from paraloom.metrics.types.pair_types import RULES, Evidence, Meaning, PairTypes, types_of
from paraloom.workflows.evaluate.paraphrase_types_options import TypeOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paraloom.models.embedders import Embedder

QUESTIONS = ("strict", "implication")
"""Of the shipped network: do both say the same, does each imply the other."""
AT_ONCE = 256
"""Pairs that the network reads together."""
REMEMBERED = 1 << 16
"""Words and phrases whose vectors are kept."""


@dataclass(frozen=True, slots=True)
class RememberedVectors:
    """An embedder that is asked for each word once: texts share most of their words."""

    embedder: Embedder
    _row: Callable[[str], NDArray[np.float32]]

    @classmethod
    def of(cls, embedder: Embedder) -> RememberedVectors:
        """Ask this embedder."""
        return cls(embedder, lru_cache(maxsize=REMEMBERED)(lambda text: embedder.embed([text])[0]))

    @property
    def signature(self) -> str:
        """The embedder's."""
        return self.embedder.signature

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.embedder.dims), np.float32)
        return np.stack([self._row(text) for text in texts])


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeFinder:
    """Finds the types of pairs, by what its options named."""

    evidence: Evidence
    judge: Callable[[Sequence[str], Sequence[str]], list[Meaning]] | None
    signature: str

    @classmethod
    def load(cls, options: TypeOptions = TypeOptions()) -> TypeFinder:
        """Load what the options ask for."""
        vectors = _vectors(options.embedder)
        synonyms = _synonyms() if options.wordnet and options.language == "en" else None
        judge, network = _judge() if options.meaning else (None, "no")
        settings = {
            "rules": RULES,
            "language": options.language,
            "vectors": vectors.signature.replace("|", "/") if vectors else "no",
            "synonyms": synonyms[1] if synonyms else "no",
            "meaning": network,
            "paraloom": paraloom_version(),
        }
        return cls(
            evidence=Evidence(
                likeness=Likeness(vectors=vectors, are_synonyms=synonyms[0] if synonyms else None),
                language=options.language,
            ),
            judge=judge,
            signature="|".join(f"{name}:{value}" for name, value in settings.items()),
        )

    def find(self, pairs: Sequence[tuple[str, str]]) -> Iterator[PairTypes]:
        """The types of each output; what is found of a pair does not depend on the others."""
        given = iter(pairs)
        while some := list(islice(given, AT_ONCE)):
            meanings = (
                self.judge([source for source, _ in some], [output for _, output in some]) if self.judge else None
            )
            for number, (source, output) in enumerate(some):
                yield types_of(source, output, self.evidence, meanings[number] if meanings else None)


def _vectors(name: str) -> RememberedVectors | None:
    if not name:
        return None
    from paraloom.errors import InputError
    from paraloom.models.embedders import can_embed, load_embedder

    embedder = load_embedder(name)
    if not can_embed(embedder):
        raise InputError(f"The embedder {name} learns from a collection, and there is none here. Use --embedder fast.")
    return RememberedVectors.of(embedder)


def _synonyms() -> tuple[Callable[[str, str], bool], str] | None:
    from paraloom.corpus.synonyms import read_wordnet
    from paraloom.models.shelf import find_model

    folder = find_model("wordnet")
    if folder is None:
        return None
    read = read_wordnet(folder)
    return read.are_synonyms, read.name


def _judge() -> tuple[Callable[[Sequence[str], Sequence[str]], list[Meaning]], str]:
    import numpy as np

    from paraloom.models.pair_model import load_pair_model

    model = load_pair_model()

    def judge(left: Sequence[str], right: Sequence[str]) -> list[Meaning]:
        answers, _ = model.answers(left, right, QUESTIONS)
        return [
            Meaning(paraphrase=paraphrase, implication=implication)
            for paraphrase, implication in (1 / (1 + np.exp(-answers))).round(6).tolist()
        ]

    return judge, model.signature.replace("|", "/")
