"""A name or a folder in, a generator out that is ready to be asked; what is missing for it is said in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.loading_options import FORMULAS, JUDGED_BY, OWN_SCORE, GeneratorOptions
from paraloom.models.generators.ranking import ByOwnScore
from paraloom.models.generators.systems import SYSTEMS, TRANSFORMERS
from paraloom.models.settings import read_settings

if TYPE_CHECKING:
    from paraloom.models.generators import Generator
    from paraloom.models.generators.ranking import Ranker

Settings = Mapping[str, Any]


def load_generator(
    asked: GeneratorOptions | str | Path = GeneratorOptions(), decoding: Decoding = Decoding()
) -> Generator:
    """The generator of that name, in that folder, or of that name on the model hub.

    >>> load_generator("parrot").name
    'parrot'
    """
    options = asked if isinstance(asked, GeneratorOptions) else GeneratorOptions(generator=str(asked))
    system = SYSTEMS.get(options.generator, TRANSFORMERS)
    settings = read_settings(options.generator, system, options.settings)
    if not system.decodes and decoding != Decoding():
        changed = _changed(decoding)
        raise InputError(f"{options.generator} does not decode: {changed} says nothing to it. Leave it out.")
    load = _LOADERS.get(options.generator, _folder)
    try:
        return load(settings, options, decoding)
    except ImportError as missing:
        if (missing.name or "").startswith("paraloom"):
            raise  # a mistake of ours, and nothing to be installed
        raise InputError(
            f"The generator {options.generator} needs {missing.name or missing}, which is not installed: {system.needs}"
        ) from missing


def load_ranker(written: str, generator: Generator, *, judge: str = JUDGED_BY) -> Ranker:
    """The generator's own order, or that of a formula over parts (see `reranking`), judged by an identifier.

    >>> parrot = load_generator("parrot")
    >>> [load_ranker(written, parrot).signature for written in ("own-score", "usual", "own=1,novelty=2")]
    ['own-score', 'own-score', 'weighed|novelty:2|own:1']
    """
    from paraloom.models.generators.reranking import KnowsLikelihoods, by_formula

    if written in FORMULAS:
        with_likelihoods, without = FORMULAS[written]
        written = with_likelihoods if isinstance(generator, KnowsLikelihoods) else without
    if written == OWN_SCORE:
        return ByOwnScore()
    return by_formula(written, generator, identifier=judge)


def _changed(decoding: Decoding) -> str:
    usual = Decoding()
    changed = [each.name for each in fields(decoding) if getattr(decoding, each.name) != getattr(usual, each.name)]
    return " and ".join(f"--{name.replace('_', '-')}" for name in changed)


def _parrot(settings: Settings, options: GeneratorOptions, decoding: Decoding) -> Generator:
    from paraloom.models.generators.parroting import ParrotGenerator

    return ParrotGenerator(**settings)


def _shipped(settings: Settings, options: GeneratorOptions, decoding: Decoding) -> Generator:
    from paraloom.models.generators.shipped import load_shipped

    return load_shipped(decoding, device=options.device, **settings)


def _lexical(settings: Settings, options: GeneratorOptions, decoding: Decoding) -> Generator:
    from paraloom.models.generators.lexical.load import load_lexical
    from paraloom.models.generators.lexical.options import LexicalOptions

    own = {each.name: settings[each.name] for each in fields(LexicalOptions) if each.name in settings}
    return load_lexical(
        phrases=_file("phrases", settings),
        sentences=_file("sentences", settings),
        find=settings.get("find", True),
        embedder=settings.get("embedder", "fast"),
        options=LexicalOptions(**own),
    )


def _file(name: str, settings: Settings) -> Path | None:
    if name not in settings:
        return None
    path = Path(settings[name])
    if not path.is_file():
        raise InputError(f"--settings {name}={path}: there is no such file. Check the path.")
    return path


def _back_translation(settings: Settings, options: GeneratorOptions, decoding: Decoding) -> Generator:
    from paraloom.models.generators.back_translation import load_back_translation
    from paraloom.models.generators.translation_options import BackTranslationOptions

    asked = {"device": options.device, "hub": options.hub, **settings}
    return load_back_translation(BackTranslationOptions(**asked), decoding)


def _server(settings: Settings, options: GeneratorOptions, decoding: Decoding) -> Generator:
    from paraloom.models.generators.server import ServerGenerator
    from paraloom.models.generators.server.options import ServerOptions

    own = {each.name: settings[each.name] for each in fields(ServerOptions) if each.name in settings}
    ledger = settings.get("ledger")
    return ServerGenerator(
        settings["url"], settings["model"], ServerOptions(**own), ledger=Path(ledger) if ledger else None
    )


def _folder(settings: Settings, options: GeneratorOptions, decoding: Decoding) -> Generator:
    """A folder that a training has left, one with an adapter alone, or anything that transformers can load."""
    from paraloom.models.generators.shipped import ADAPTER, load_shipped
    from paraloom.models.generators.trained_folder import load_trained, read_trained

    trained = read_trained(Path(options.generator))
    is_adapter = (Path(options.generator) / ADAPTER).is_file()
    if settings and (trained is not None or is_adapter):
        raise InputError(f"{options.generator} was trained with all its settings. Leave out --settings.")
    if trained is not None:
        return load_trained(Path(options.generator), trained, decoding, device=options.device)
    if is_adapter:
        return load_shipped(decoding, folder=options.generator, device=options.device)
    return _transformers(settings, options, decoding)


def _transformers(settings: Settings, options: GeneratorOptions, decoding: Decoding) -> Generator:
    from paraloom.models.generators.generator_card import CARD
    from paraloom.models.generators.transformers_lm import TransformersGenerator
    from paraloom.models.generators.transformers_options import TransformersOptions

    name = options.generator
    if "/" not in name and not Path(name).exists():
        raise InputError(
            f"There is no generator {name!r}: it is none of {', '.join(SYSTEMS)}, no folder that holds {CARD} or a "
            "network for transformers, and no model of the hub (owner/model). Choose one of these."
        )
    asked = {"device": options.device, "hub": options.hub, **settings}
    return TransformersGenerator(name, TransformersOptions(**asked), decoding)


_LOADERS: dict[str, Callable[[Settings, GeneratorOptions, Decoding], Generator]] = {
    "paraloom": _shipped,
    "lexical": _lexical,
    "back-translation": _back_translation,
    "server": _server,
    "parrot": _parrot,
}
