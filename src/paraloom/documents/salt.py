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

from paraloom.documents.authors import author_hash
from paraloom.documents.options import ReadOptions
from paraloom.errors import InputError


def with_salt(options: ReadOptions) -> ReadOptions:
    """The options with a salt: the given one, the environment's, or the person's own."""
    if options.author_salt:
        return options
    return replace(options, author_salt=os.environ.get("PARALOOM_AUTHOR_SALT") or own_salt())


def own_salt() -> str:
    """This person's salt, drawn at its first use."""
    file = configuration_folder() / "author_salt"
    try:
        return file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_name(f".author_salt.{os.getpid()}")
        unfinished.touch(mode=0o600)
        unfinished.write_text(secrets.token_hex(16) + "\n", encoding="ascii")
        try:
            os.link(unfinished, file)  # fails if another process was first: then its salt is the one
        except FileExistsError:
            pass
        finally:
            unfinished.unlink()
        return file.read_text(encoding="ascii").strip()


def configuration_folder() -> Path:
    """Where a person's settings lie."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "paraloom"


def without_secrets(options: ReadOptions) -> ReadOptions:
    """The options as they may stand in a signature: the salt's hash instead of the salt, no places of files."""
    hashed = blake2b(options.author_salt.encode(), digest_size=8).hexdigest()
    return replace(options, author_salt=hashed, shorteners=None, pages=None)


def read_accounts(file: Path | None, options: ReadOptions) -> frozenset[str]:
    """The listed accounts, as they stand in the documents' `author` column but for upper case."""
    if file is None:
        return frozenset()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"The accounts file {file} cannot be read: {error}. It has one account's name a line."
        ) from error
    names = [name for line in lines if (name := line.partition("#")[0].strip().removeprefix("@"))]
    return frozenset(
        (name.casefold() for name in names)
        if options.keep_authors
        else (author_hash(name, options.author_salt) for name in names)
    )
