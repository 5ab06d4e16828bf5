"""A model's name or folder in, the folder it lies in out; and a list of all models that are there or can be had.

Looked through in this order: a folder that was given; `$PARALOOM_MODELS/NAME`; Paraloom's cache, where `fetch` puts
models; an installed carrier package, of which no code is imported; the model hub's cache.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.embedders.catalogue import CARD as EMBEDDER_CARD
from paraloom.models.embedders.catalogue import EMBEDDERS
from paraloom.models.embedders.catalogue import SHIPPED as SHIPPED_EMBEDDERS
from paraloom.models.identifiers import CARD as IDENTIFIER_CARD
from paraloom.models.identifiers import SHIPPED, load, shipped_systems
from paraloom.models.known import MODELS, KnownModel, known_name

CARD = "card.json"
"""What a model's folder says of itself: name, kind, licence, where it came from."""

SHIPPED_GENERATORS = SHIPPED / "generators"
"""Adapters that come with the package, a folder each."""

NUMBERS = ("definitions", "features", "rarest")
"""What the card of a saved identifier has of the model itself."""

WEIGHT_ENDINGS = (".safetensors", ".bin", ".pt", ".onnx", ".npz", ".gguf")
"""Of the files that hold weights, the one that encoders read first."""

State = Literal["shipped", "found", "to fetch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One model, as `paraloom models list` shows it."""

    name: str
    kind: str
    state: State
    megabytes: float
    licence: str
    about: str
    where: Path | None
    """A folder, or a single file; None where it must be fetched first."""

    def files(self) -> dict[str, Path]:
        """The files it consists of, by their names within its folder."""
        if self.where is None:
            return {}
        if self.where.is_file():
            return {self.where.name: self.where}
        found = sorted(file for file in self.where.rglob("*") if file.is_file())
        return {file.relative_to(self.where).as_posix(): file for file in found}

    def card(self) -> dict[str, Any]:
        """What is known of where it came from."""
        known = MODELS.get(self.name)
        written = _written_card(self.where) if self.where else {}
        return (known.card() if known else {}) | written

    def signature(self) -> str | None:
        """The name and a hash of the weights, as in the signatures of scores; None where there are none yet."""
        if self.where is None:
            return None
        if self.name in shipped_systems():
            return load(self.name).signature
        if self.where.parent == SHIPPED_EMBEDDERS:
            from paraloom.models.embedders import load_embedder

            return load_embedder(self.name).signature
        weights = weight_file(list(self.files().values()))
        return f"{self.name}|weights:{hash_of_file(weights)[:8]}" if weights else None


def weight_file(files: Sequence[Path]) -> Path | None:
    """The file of a model's weights: by its ending, of several the largest; else the largest of all, as of a lexicon.

    A model's vocabulary may well be larger than its weights.
    """
    for ending in WEIGHT_ENDINGS:
        holding = [file for file in files if file.suffix == ending]
        if holding:
            return max(holding, key=_size)
    return max((file for file in files if file.name != CARD), key=_size, default=None)


def _size(file: Path) -> int:
    return file.stat().st_size


def cache_folder() -> Path:
    """Where fetched models are kept."""
    return _cache_home() / "paraloom" / "models"


def find_model(name: str) -> Path | None:
    """The folder a known model lies in; None where it is nowhere, or where a path is given and no name.

    >>> find_model("no-such-model") is None, find_model("..") is None
    (True, True)
    """
    return next(_places(known_name(name)), None) if _is_name(name) else None


def _is_name(name: str) -> bool:
    """Whether the parts of a name, as in `owner/model`, lead to a folder below the one that holds all models."""
    return not {"", ".", ".."} & set(name.split("/"))


def model_folder(name_or_folder: str | Path) -> Path:
    """The folder of a model that must be there: a folder given, or a name."""
    given = Path(name_or_folder)
    name = known_name(str(name_or_folder))
    if name and given.is_dir() and name not in MODELS:
        return given
    found = find_model(name)
    if found is not None:
        return found
    if name in MODELS:
        raise InputError(f"The model {name} is not on this machine. Fetch it: paraloom models fetch {name}")
    raise InputError(
        f"There is no model {str(name_or_folder)!r}: it is no folder, and not one of {', '.join(MODELS)}. "
        "See: paraloom models list"
    )


def listed_models() -> list[Listed]:
    """Every model that is shipped, found or can be fetched."""
    return [*_shipped(), *(_known(model) for model in MODELS.values()), *_own()]


def show_model(name: str) -> Listed:
    """One of them."""
    models = {model.name: model for model in listed_models()}
    if known_name(name) not in models:
        raise InputError(f"There is no model {name!r}. There are: {', '.join(models)}.")
    return models[known_name(name)]


def read_card(folder: Path) -> dict[str, Any]:
    """What a folder says of itself; nothing where it has no card, or one that cannot be read."""
    return _read_object(folder / CARD)


def read_identifier_card(where: Path) -> dict[str, Any]:
    """What a saved identifier says of itself, but for the numbers it consists of."""
    card = _read_object(where if where.is_file() else where / IDENTIFIER_CARD)
    return {name: value for name, value in card.items() if name not in NUMBERS}


def _written_card(where: Path) -> dict[str, Any]:
    """What a model says of itself, whatever kind it is."""
    return read_card(where) or read_identifier_card(where) or _read_object(where / EMBEDDER_CARD)


def _read_object(file: Path) -> dict[str, Any]:
    """A JSON object; an empty one where the file holds none."""
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _places(name: str) -> Iterator[Path]:
    model = MODELS.get(name)
    own = os.environ.get("PARALOOM_MODELS")
    candidates = [Path(own) / name] if own else []
    candidates.append(cache_folder() / name)
    candidates += [*(_installed(model) if model else ()), *_in_hub_cache(model.hub if model else name)]
    for folder in candidates:
        if _holds(folder, model):
            yield folder


def _holds(folder: Path, model: KnownModel | None) -> bool:
    if model is None:
        return folder.is_dir()
    forms = (model.files, model.pickled)
    return any(form and all((folder / file).is_file() for file in form) for form in forms)


def _installed(model: KnownModel) -> Iterator[Path]:
    """The folder inside an installed carrier, if it has one that can be used as it is."""
    package, _, inner = model.inside.partition("/")
    if len(model.carriers) > 1 or not package.isidentifier():
        return
    spec = importlib.util.find_spec(package)  # of a package at the top nothing is run
    for root in (spec.submodule_search_locations or []) if spec else []:
        yield Path(root) / inner


def _in_hub_cache(hub_name: str) -> Iterator[Path]:
    """Snapshots in the hub's cache that hold weights, the current one first."""
    home = os.environ.get("HF_HOME")
    hub = os.environ.get("HF_HUB_CACHE") or (Path(home) if home else _cache_home() / "huggingface") / "hub"
    repository = Path(hub) / f"models--{hub_name.replace('/', '--')}"
    main = repository / "refs" / "main"
    current = (
        [repository / "snapshots" / main.read_text(encoding="utf-8").strip()] if hub_name and main.is_file() else []
    )
    for snapshot in [*current, *sorted((repository / "snapshots").glob("*"))]:
        if any(file.suffix in (".safetensors", ".bin") for file in snapshot.glob("*")):
            yield snapshot


def _cache_home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _shipped() -> Iterator[Listed]:
    """Weights that come with the package: a file for a small model, a folder for a larger one."""
    shipped = shipped_systems()
    for name, system in shipped.items():
        where = SHIPPED / Path(system.shipped[0]).parts[0]
        if all((SHIPPED / file).is_file() for file in system.shipped):
            yield _ours(name, "identifier", system.about, where)
    for name, embedder in EMBEDDERS.items():
        if embedder.is_shipped and (SHIPPED_EMBEDDERS / name / EMBEDDER_CARD).is_file():
            yield _ours(name, "embedder", embedder.about, SHIPPED_EMBEDDERS / name)
    for folder in sorted(SHIPPED_GENERATORS.iterdir()):
        # An identifier has that name, too.
        yield _ours(f"{folder.name}-generator", "generator", str(read_card(folder).get("about", "")), folder)
    kinds = {SHIPPED_EMBEDDERS.name, SHIPPED_GENERATORS.name}
    taken = {Path(file).parts[0] for system in shipped.values() for file in system.shipped} | kinds
    for folder in sorted(SHIPPED.iterdir()):
        if folder.is_dir() and folder.name not in taken and not folder.name.startswith(("_", ".")):
            card = read_card(folder)
            yield _ours(folder.name, str(card.get("kind", "model")), str(card.get("about", "")), folder)


def _ours(name: str, kind: str, about: str, where: Path) -> Listed:
    return Listed(
        name=name,
        kind=kind,
        state="shipped",
        megabytes=_megabytes(where),
        licence="Apache-2.0",
        about=about,
        where=where,
    )


def _known(model: KnownModel) -> Listed:
    where = find_model(model.name)
    return Listed(
        name=model.name,
        kind=model.kind,
        state="found" if where else "to fetch",
        megabytes=_megabytes(where) if where else model.megabytes,
        licence=model.licence,
        about=model.about,
        where=where,
    )


def _own() -> Iterator[Listed]:
    """Folders that the user, or a training command, has put beside the fetched ones."""
    seen = set(MODELS)
    roots = [Path(own) for own in [os.environ.get("PARALOOM_MODELS")] if own]
    for root in [*roots, cache_folder()]:
        for folder in sorted(root.iterdir()) if root.is_dir() else []:
            if folder.name not in seen and not folder.name.startswith(".") and _holds_weights(folder):
                seen.add(folder.name)
                card = _written_card(folder)
                is_embedder = (folder / EMBEDDER_CARD).is_file()
                yield Listed(
                    name=folder.name,
                    kind=str(card.get("kind", "embedder" if is_embedder else "model")),
                    state="found",
                    megabytes=_megabytes(folder),
                    licence=str(card.get("licence", "not said")),
                    about=str(card.get("about", "")),
                    where=folder,
                )


def _holds_weights(folder: Path) -> bool:
    return any(file.suffix in WEIGHT_ENDINGS and file.is_file() for file in folder.rglob("*"))


def _megabytes(where: Path) -> float:
    files = [where] if where.is_file() else [file for file in where.rglob("*") if file.is_file()]
    return round(sum(file.stat().st_size for file in files) / 1e6, 4)
