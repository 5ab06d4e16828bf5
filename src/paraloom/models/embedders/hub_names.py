"""A name that is nothing on this machine in, an error out, or nothing where the model hub may have it.

A mistyped name is no reason to ask the network: only `owner/model` is, or a name for which the hub is allowed. Before
transformers asks, which tries for a minute, it is looked once whether the hub is there at all.
"""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path

from paraloom.errors import InputError
from paraloom.models.embedders.catalogue import EMBEDDERS

OF_AN_OWNER = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
"""How models are called on the hub."""
HUB = "https://huggingface.co"
PATIENCE = 10.0
"""Seconds within which the hub must answer."""


def check_name(name: str, *, hub: bool = False) -> None:
    """Refuse a name that is nothing on this machine, unless it is one of the hub's or the hub is allowed.

    >>> check_name("owner/model"), check_name("roberta-base", hub=True)
    (None, None)
    """
    if Path(name).is_absolute() or name.startswith("."):
        raise InputError(f"There is no folder {name}. Check the path, or choose one of: {', '.join(EMBEDDERS)}.")
    if hub or OF_AN_OWNER.fullmatch(name):
        return
    meant = get_close_matches(name.rpartition("/")[2], EMBEDDERS, n=1)
    choice = f"Did you mean {meant[0]}?" if meant else f"Choose one of: {', '.join(EMBEDDERS)}."
    raise InputError(
        f"There is no embedder {name!r} on this machine: neither a name nor a folder. {choice} "
        "A model of the hub is called as OWNER/MODEL."
    )


def check_hub_answers(name: str) -> None:
    """Refuse, after one try, to ask a hub that does not answer; what it answers of the name is for others to read."""
    from urllib.error import HTTPError
    from urllib.request import urlopen

    if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE"):
        raise InputError(f"{name} is not on this machine, and HF_HUB_OFFLINE forbids to ask the model hub for it.")
    try:
        with urlopen(f"{os.environ.get('HF_ENDPOINT') or HUB}/api/models/{name}", timeout=PATIENCE):
            return
    except HTTPError:
        return
    except (OSError, ValueError) as error:
        meant = get_close_matches(name.rpartition("/")[2], EMBEDDERS, n=1)
        raise InputError(
            f"{name} is no folder here, and the model hub does not answer ({error}). "
            + (f"Did you mean {meant[0]}? " if meant else "")
            + "Without a network, copy the model's folder here and name the folder."
        ) from error
