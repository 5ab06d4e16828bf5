"""Read options in, read options with a secret salt out: nobody can look for a name among the hashes of the authors.

The salt is drawn once per person and kept in their configuration folder, so that an author keeps the same hash from
run to run. `PARALOOM_AUTHOR_SALT` or `--author-salt` give another one, for a team that wants to share hashes.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from paraloom.documents.authors import account_name, author_hash
from paraloom.documents.options import ReadOptions
from paraloom.errors import InputError


def with_salt(options: ReadOptions) -> ReadOptions:
    """The options with a salt: the given one, the environment's, or the person's own."""
    if options.author_salt:
        return options
    return replace(options, author_salt=os.environ.get("PARALOOM_AUTHOR_SALT") or own_salt())


def own_salt() -> str:
    """This person's salt, drawn at its first use."""
    try:
        file = configuration_folder() / "author_salt"
        return _kept(file) or _drawn(file)
    except (OSError, RuntimeError, UnicodeDecodeError) as error:  # Path.home raises RuntimeError where there is none
        raise InputError(
            f"Your salt of the authors' hashes can be neither read nor written: {error}. "
            "Set PARALOOM_AUTHOR_SALT or give --author-salt."
        ) from error


def _kept(file: Path) -> str:
    """The salt in this file: its first line, empty if it has none."""
    try:
        return file.read_text(encoding="ascii").strip().partition("\n")[0]
    except FileNotFoundError:
        return ""


def _drawn(file: Path) -> str:
    """A new salt, or that of another process that was first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f".author_salt.{secrets.token_hex(4)}")
    _append(unfinished, secrets.token_hex(16))
    try:
        os.link(unfinished, file)  # whole or absent
    except OSError:  # another process was first, or the file is empty, or there are no hard links here
        if not _kept(file):
            _append(file, _kept(unfinished))
    finally:
        unfinished.unlink()
    return _kept(file)


def _append(file: Path, salt: str) -> None:
    """As a line of a file that only its owner can read: of processes that write at once, the first line counts."""
    opened = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(opened, f"{salt}\n".encode("ascii"))
    finally:
        os.close(opened)


def configuration_folder() -> Path:
    """Where a person's settings lie."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "paraloom"


def without_secrets(options: ReadOptions) -> ReadOptions:
    """The options as they may stand in a signature: the salt's hash instead of the salt, no places of files."""
    hashed = blake2b(options.author_salt.encode(), digest_size=8).hexdigest()
    return replace(options, author_salt=hashed, shorteners=None, pages=None)


def read_accounts(file: Path | None, options: ReadOptions) -> frozenset[str]:
    """The listed accounts, as they stand in the documents' `author` column."""
    if file is None:
        return frozenset()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"The accounts file {file} cannot be read: {error}. It has one account's name a line."
        ) from error
    names = {name for line in lines if (name := account_name(line.partition("#")[0]))}
    return frozenset(names if options.keep_authors else {author_hash(name, options.author_salt) for name in names})
