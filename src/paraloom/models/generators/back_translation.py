"""Sources in, paraphrases out, by way of other languages: translated there and back (Bannard and Callison-Burch, 2005).

Each pivot language has a model there and one back, in the manner of the OPUS-MT models, which are there for hundreds of
pairs of languages (Tiedemann and Thottingal, 2020). A source is translated into several wordings of each pivot, and
each of these back into several; what comes back more than once stands once, with its best score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.models.generators import Candidate, Generator, Usage
from paraloom.models.generators.copy_block import copies_run
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.language_models import place_of_model
from paraloom.models.generators.transformers_options import TransformersOptions
from paraloom.models.generators.translation_options import BackTranslationOptions as BackTranslationOptions
from paraloom.models.known import MODELS
from paraloom.models.shelf import find_model

if TYPE_CHECKING:
    import numpy as np

NAME = "back-translation"
OWNER = "Helsinki-NLP"
"""Whose translation models are sought on the model hub where a name has no owner."""


@dataclass(frozen=True, slots=True)
class Route:
    """One pivot: a model that translates there, and one that translates back."""

    there: Generator
    back: Generator


class BackTranslation:
    """A `Generator` that translates there and back by one route or several."""

    def __init__(
        self, routes: Mapping[str, Route], *, wordings: int = 2, copy_block: int = 0, name: str = NAME
    ) -> None:
        """`routes` by the name of the pivot; `wordings` translations into each pivot are translated back.

        What comes back with `copy_block` words of the source in a row is left out; 0 leaves all.
        """
        self.routes = dict(sorted(routes.items()))
        self.wordings = wordings
        self.copy_block = copy_block
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def signature(self) -> str:
        ways = "|".join(
            f"{pivot}:({route.there.signature})({route.back.signature})" for pivot, route in self.routes.items()
        )
        return f"{self.name}|wordings:{self.wordings}|copy_block:{self.copy_block}|{ways}"

    @property
    def usage(self) -> Usage:
        """What all models used up together, as far as they say it."""
        models = [model for route in self.routes.values() for model in (route.there, route.back)]
        used = [model.usage for model in models if hasattr(model, "usage")]
        return Usage(
            requests=sum(one.requests for one in used),
            tokens_read=sum(one.tokens_read for one in used),
            tokens_written=sum(one.tokens_written for one in used),
            cost=sum(one.cost for one in used),
        )

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        """Up to `n` different candidates for each source; a score is the sum of those of both ways."""
        found: list[list[Candidate]] = [[] for _ in sources]
        for route in self.routes.values():
            for candidates, more in zip(found, self._by(route, sources, n, rng), strict=True):
                candidates += more
        return [
            _best([one for one in candidates if not copies_run(source, one.text, self.copy_block)], n)
            for source, candidates in zip(sources, found, strict=True)
        ]

    def _by(self, route: Route, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        translated = route.there.generate(sources, self.wordings, rng)
        pivots = [pivot for candidates in translated for pivot in candidates]
        texts = list(dict.fromkeys(pivot.text for pivot in pivots))
        returned = dict(zip(texts, route.back.generate(texts, n, rng), strict=True))
        return [
            [
                replace(candidate, score=round(pivot.score + candidate.score, 6))
                for pivot in candidates
                for candidate in returned[pivot.text]
            ]
            for candidates in translated
        ]


def _best(candidates: Sequence[Candidate], n: int) -> list[Candidate]:
    """Each text once, the best first."""
    by_text: dict[str, Candidate] = {}
    for one in sorted(candidates, key=lambda one: (-one.score, one.text)):
        by_text.setdefault(one.text, one)
    return list(by_text.values())[:n]


def load_back_translation(
    options: BackTranslationOptions = BackTranslationOptions(), decoding: Decoding = Decoding(), *, name: str = NAME
) -> BackTranslation:
    """Back-translation with models found by the names of the languages. Needs the extra `train`."""
    from paraloom.models.generators.transformers_lm import TransformersGenerator

    asked = TransformersOptions(by_sentence=True, device=options.device, hub=options.hub)
    folders = {
        pivot: [
            place_of_translator(options.models, *languages, hub=options.hub)
            for languages in ((options.language, pivot), (pivot, options.language))
        ]
        for pivot in options.pivots
    }  # all are looked for before the first is loaded
    each = replace(decoding, copy_block=0)  # what is forbidden to copy is the source's, not its translation's
    routes = {
        pivot: Route(TransformersGenerator(there, asked, each), TransformersGenerator(back, asked, each))
        for pivot, (there, back) in folders.items()
    }
    return BackTranslation(routes, wordings=options.wordings, copy_block=decoding.copy_block, name=name)


def place_of_translator(models: str, source: str, target: str, *, hub: bool = False) -> Path:
    """The folder of the model that translates from one language into another."""
    name = models.format(source=source, target=target)
    owned = f"{OWNER}/{name}"
    is_here = name in MODELS or Path(name).is_dir() or find_model(name) is not None
    may_be_owned = "/" not in name and (hub or find_model(owned) is not None)
    return place_of_model(owned if may_be_owned and not is_here else name, hub=hub)
