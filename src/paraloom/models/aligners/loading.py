"""A name in, an aligner out that is ready to be asked, or to learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from paraloom.errors import InputError
from paraloom.models.aligners import Aligner
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.models.aligners.systems import SYSTEMS, System
from paraloom.models.settings import read_settings

Settings = Mapping[str, Any]


def load_aligner(asked: AlignerOptions | str = AlignerOptions()) -> Aligner:
    """The aligner of that name, with its settings.

    >>> load_aligner("lexical").name
    'lexical'
    """
    options = asked if isinstance(asked, AlignerOptions) else AlignerOptions(aligner=asked)
    settings = read_settings(options.aligner, system_of(options), options.settings)
    return _LOADERS[options.aligner](settings)


def system_of(options: AlignerOptions) -> System:
    """What is known of the aligner that is asked for."""
    if options.aligner not in SYSTEMS:
        raise InputError(f"There is no aligner {options.aligner!r}. Choose one of: {', '.join(SYSTEMS)}.")
    return SYSTEMS[options.aligner]


def has_learned(options: AlignerOptions) -> bool:
    """Whether it can align at once: one that need not learn, or that is told a folder of what it has learned."""
    return not system_of(options).learns or any(one.startswith("folder=") for one in options.settings)


def _learned(settings: Settings) -> Aligner:
    from paraloom.models.aligners.learned import LearnedAligner

    folder = settings.get("folder")
    return LearnedAligner.load(Path(folder) if folder else None, threshold=settings.get("threshold"))


def _lexical(settings: Settings) -> Aligner:
    from paraloom.models.aligners.lexical import LexicalAligner, LexicalOptions

    return LexicalAligner.load(options=LexicalOptions(**settings))


def _embedding(settings: Settings) -> Aligner:
    from paraloom.models.aligners.embedding import EmbeddingAligner
    from paraloom.models.aligners.embedding_options import EmbeddingOptions

    return EmbeddingAligner(EmbeddingOptions(**settings))


def _statistical(settings: Settings) -> Aligner:
    from paraloom.models.aligners.statistical.aligner import StatisticalAligner
    from paraloom.models.aligners.statistical.options import StatisticalOptions

    if "folder" not in settings:
        return StatisticalAligner(StatisticalOptions(**settings))
    folder = settings["folder"]
    if not folder:
        raise InputError("folder= names no folder. Give one that --save has written, or leave it out.")
    if others := [name for name in settings if name != "folder"]:
        raise InputError(f"What lies in {folder} was learned with settings of its own. Leave out {', '.join(others)}.")
    return StatisticalAligner.load(Path(folder))


def _program(settings: Settings, command: Any) -> Aligner:
    from paraloom.models.aligners.external import ExternalAligner, ExternalOptions

    return ExternalAligner(ExternalOptions(command=command, **settings))


_LOADERS: dict[str, Callable[[Settings], Aligner]] = {
    "learned": _learned,
    "lexical": _lexical,
    "embedding": _embedding,
    "statistical": _statistical,
    "eflomal": lambda settings: _program(settings, "eflomal"),
    "fast_align": lambda settings: _program(settings, "fast_align"),
}
