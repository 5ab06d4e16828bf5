"""A base's name in, an error out where it is not on this machine and the model hub may not be asked for it."""

from __future__ import annotations

from pathlib import Path

from paraloom.errors import InputError
from paraloom.models.identifiers.transformer_base import place_of_base


def check_base(base: str, *, hub: bool) -> None:
    """Refuse a base that is not on this machine, unless the model hub may be asked.

    >>> check_base("roberta-base", hub=True)
    """
    if base and not hub and not Path(place_of_base(base)).is_dir():
        raise InputError(
            f"The base {base!r} is not on this machine: it is neither a folder nor a model that `paraloom models list` "
            "shows. Name one that is, or give --hub to ask the model hub for it."
        )
