"""Options in, the generator, the ranker and the measure of likeness out that they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.models.generators.loading import load_generator, load_ranker
from paraloom.pairs.generate import Generated, Similarity, generate_paraphrases, word_overlap

if TYPE_CHECKING:
    from paraloom.models.generators import Generator
    from paraloom.models.generators.ranking import Ranker
    from paraloom.pairs.generate_options import GenerateOptions
    from paraloom.workflows.generate.options import GenerateFileOptions

WORDS = "words"
ON_CORES = ("lexical", "parrot", "server")
"""Generators for which a GPU of this machine does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """A generator that is loaded, with all that decides its outputs."""

    generator: Generator
    ranker: Ranker
    similarity: Similarity
    similarity_by: str
    wanted: GenerateOptions

    @classmethod
    def of(cls, options: GenerateFileOptions) -> Writer:
        """Load what the options name."""
        asked = options.generator
        if asked.device != "cpu" and asked.generator in ON_CORES:
            raise InputError(
                f"{asked.generator} runs on the cores of a processor. Leave out --device {asked.device}; --run DIR "
                "shares the work among all cores, and with --engine ray among nodes. paraloom and networks of "
                "transformers run on a GPU."
            )
        generator = load_generator(asked, options.decoding)
        return cls(
            generator=generator,
            ranker=load_ranker(asked.rank_by, generator, judge=asked.rank_judge),
            similarity=similarity_by(asked.similarity_by),
            similarity_by=asked.similarity_by,
            wanted=options.wanted,
        )

    @property
    def name(self) -> str:
        """The generator's."""
        return self.generator.name

    @property
    def signature(self) -> str:
        """All that decides an output."""
        by = f"similarity_by:{self.similarity_by}"
        return f"{self.generator.signature}|ranker:{self.ranker.signature}|{by}|{self.wanted.signature}"

    def write(self, sources: Sequence[str]) -> list[Generated]:
        """What becomes of these sources: the same for each, whichever stand beside it (on a GPU, up to rounding)."""
        return generate_paraphrases(sources, self.generator, self.ranker, self.wanted, None, similarity=self.similarity)


def similarity_by(name: str) -> Similarity:
    """Words in common, or the cosine of an embedder's vectors."""
    if name == WORDS:
        return word_overlap
    import numpy as np

    from paraloom.models.embedders import load_embedder

    embedder = load_embedder(name)

    def cosines(source: str, texts: Sequence[str]) -> list[float]:
        vectors = np.asarray(embedder.embed([source, *texts]), np.float64)  # of length 1
        return [round(float(cosine), 6) for cosine in vectors[1:] @ vectors[0]]

    return cosines
