"""A name or a folder in, an embedder out: what turns sentences into vectors whose products say how alike they are.

Every embedder, from character n-grams to a transformer, implements `Embedder`; nothing else in Paraloom knows more
about it. Importing this module loads no model library: an embedder's module is imported when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from paraloom.errors import InputError
from paraloom.models.embedders.catalogue import CARD, EMBEDDERS, SYSTEMS, Asked, shipped_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_EMBEDDER = "fast"


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors, one for each text."""

    @property
    def name(self) -> str:
        """What it is called: a key of `EMBEDDERS`, or the last part of its folder."""

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""

    @property
    def signature(self) -> str:
        """All that decides a vector, in the manner of sacrebleu: `embedder:name|setting:value|…|weights:ab12cd34`."""

    @property
    def is_network(self) -> bool:
        """Whether it is a neural network: it runs on the device that was asked for, and takes its time."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1; zeros where nothing of a text is known, which makes it like no other.

        Any string may be given: empty, of a million letters, with half a surrogate pair. No row depends on the others
        (on a GPU its last digits may).
        """


@runtime_checkable
class LearningEmbedder(Embedder, Protocol):
    """An embedder that learns from the very collection it is to embed."""

    @property
    def is_learned(self) -> bool:
        """Whether it has learned already."""

    @property
    def learns_from(self) -> int:
        """From how many texts at most it is worth learning; 0 where the more the better."""

    def learn(self, texts: Iterable[str]) -> Embedder:
        """A new embedder with these settings that has learned from all these texts."""

    def save(self, folder: Path) -> None:
        """Write everything `load_embedder` needs into a folder."""


def load_embedder(
    name_or_folder: str | Path = DEFAULT_EMBEDDER,
    *,
    dims: int = 0,
    device: str = "cpu",
    max_tokens: int = 0,
    hub: bool = False,
) -> Embedder:
    """The embedder of that name, or the one in that folder: saved by an embedder, by model2vec or a transformer's.

    `dims` 0 is as many as it has. Fewer are a prefix of its vectors where it was trained so (Matryoshka) and no shorter
    than trained; else it comes back with the directions to keep still to be learned (see `learned`). `device` is that
    of transformers, `cpu` or `cuda`; `max_tokens` 0 reads as much of a text as the model was made for. With `hub` the
    model hub is asked for a name that is nothing on this machine (`owner/model`); without, nothing is downloaded.

    >>> characters = load_embedder("characters", dims=256)
    >>> vectors = characters.embed(["The storm hit the coast.", "The storm hits the coast", "Shares fell", ""])
    >>> (vectors @ vectors[0] > 0.5).tolist()
    [True, True, False, False]
    """
    if dims < 0 or max_tokens < 0:
        raise InputError(f"dims ({dims}) and max_tokens ({max_tokens}) are counts. Give 0 to leave them as they are.")
    name, folder = str(name_or_folder), embedder_folder(str(name_or_folder), hub=hub)
    asked = Asked(name=name, dims=dims, device=device, max_tokens=max_tokens)
    embedder = cast("Embedder", _system(name, folder).load(folder, asked))
    if not dims or embedder.dims == dims:
        return embedder
    from paraloom.models.embedders.reduced import ReducedEmbedder

    return ReducedEmbedder(of=embedder, wanted=dims, source=asked)


def learned(embedder: Embedder, texts: Iterable[str], seed: int = 1) -> Embedder:
    """An embedder that can embed: the one given, or what it becomes by learning from a sample of these texts.

    The sample, and so what is learned, does not depend on the order of the texts.
    """
    if can_embed(embedder):
        return embedder
    from paraloom.models.embedders.samples import sample_of

    assert isinstance(embedder, LearningEmbedder), "what cannot embed yet can learn"
    return embedder.learn(sample_of(texts, embedder.learns_from, seed))


def can_embed(embedder: Embedder) -> bool:
    """Whether it has nothing left to learn from the collection."""
    return not isinstance(embedder, LearningEmbedder) or embedder.is_learned


def embedder_folder(name: str, *, hub: bool = False) -> Path | None:
    """Where an embedder lies, fetched from the model hub where that is allowed; None where it learns from the texts.

    >>> embedder_folder("characters") is None
    True
    """
    if name in EMBEDDERS and EMBEDDERS[name].is_shipped:
        return shipped_folder(name)
    if name in EMBEDDERS and EMBEDDERS[name].learns:
        return None
    from paraloom.models.known import MODELS, known_name
    from paraloom.models.shelf import find_model, model_folder

    if known_name(name) in MODELS or Path(name).is_dir():
        return model_folder(name)
    found = find_model(name)
    if found is None:
        from paraloom.models.embedders.hub_names import check_name, fetch_from_hub

        check_name(name, hub=hub)
        found = fetch_from_hub(name)
    return found


def weight_files(name_or_folder: str | Path = DEFAULT_EMBEDDER) -> dict[str, Path]:
    """The files an embedder's vectors depend on, by name: what a signature hashes. None of one that learns anew.

    >>> weight_files("characters")
    {}
    """
    name, folder = str(name_or_folder), embedder_folder(str(name_or_folder))
    if folder is None:
        return {}
    from paraloom.models.embedders.shared_parts import shared_files

    own = {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*")) if file.is_file()}
    return own | shared_files(read_card(folder) if _is_ours(folder) else {"name": name})


def read_card(folder: Path) -> dict[str, Any]:
    """What an embedder's folder says of itself."""
    file = folder / CARD
    try:
        card = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error}. Name a folder that an embedder was saved to.") from error
    except ValueError as error:
        raise InputError(f"{file} is not JSON: {error}. Save the embedder anew.") from error
    if not isinstance(card, dict) or card.get("system") not in SYSTEMS:
        told = card.get("system") if isinstance(card, dict) else card
        raise InputError(
            f"{file} names the system {told!r}, which this version does not know. It knows: {', '.join(SYSTEMS)}."
        )
    return card


def _system(name: str, folder: Path | None) -> Any:
    """The class of an embedder: by its card, by its name, or by what lies in its folder."""
    from importlib import import_module

    if folder is not None and _is_ours(folder):
        system = str(read_card(folder)["system"])
    elif name in EMBEDDERS:
        system = EMBEDDERS[name].system
    else:
        from paraloom.models.embedders.static_folders import find_static

        system = "static" if folder is not None and find_static(folder) is not None else "transformer"
    module, _, kind = SYSTEMS[system].partition(":")
    return getattr(import_module(f"{__package__}.{module}"), kind)


def _is_ours(folder: Path) -> bool:
    return (folder / CARD).is_file()
