"""A name that is nothing on this machine in, an error out, or the model's folder where the hub may be asked and has it.

Nothing is downloaded unless it is said so (`--hub`): neither for a mistyped name nor for `owner/model`. Before the
hub's own library asks, which tries for a minute, it is looked once whether the hub is there at all.
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
NEEDED = ("*.json", "*.txt", "*.model", "*.spm")
"""What is fetched of a model beside its weights: settings and tokeniser."""
WEIGHTS, PICKLED = "*.safetensors", "*.bin"
"""The weights; pickled ones of a model that has no others."""
NOT_NEEDED = ("onnx/*", "openvino/*")
"""The same networks for other programs."""


def check_name(name: str, *, hub: bool = False) -> None:
    """Refuse a name that is nothing on this machine, unless the hub may be asked for it.

    >>> check_name("owner/model", hub=True), check_name("roberta-base", hub=True)
    (None, None)
    """
    if Path(name).is_absolute() or name.startswith("."):
        raise InputError(f"There is no folder {name}. Check the path, or choose one of: {', '.join(EMBEDDERS)}.")
    if hub:
        return
    meant = get_close_matches(name.rpartition("/")[2], EMBEDDERS, n=1)
    choice = f"Did you mean {meant[0]}?" if meant else f"Choose one of: {', '.join(EMBEDDERS)}."
    asks = " The model hub is asked for it only with --hub (hub=True)." if OF_AN_OWNER.fullmatch(name) else ""
    raise InputError(f"There is no embedder {name!r} on this machine: neither a name nor a folder. {choice}{asks}")


def fetch_from_hub(name: str) -> Path:
    """The folder of a model that the hub has, in the hub's cache, where it is found from then on."""
    check_hub_answers(name)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    from paraloom.models.encoders.transformers_encoder import why_not_loaded

    of_its_library = (kind for kind in HfHubHTTPError.__bases__ if issubclass(kind, Exception))
    failures: tuple[type[Exception], ...] = (OSError, ValueError, *of_its_library)

    def got(*patterns: str) -> Path:
        return Path(snapshot_download(name, allow_patterns=list(patterns), ignore_patterns=list(NOT_NEEDED)))

    try:
        got(*NEEDED)
        folder = got(*NEEDED, WEIGHTS)  # last: a folder with weights is taken for a whole one
        return folder if any(folder.glob(WEIGHTS)) else got(*NEEDED, PICKLED)
    except failures as error:
        raise InputError(why_not_loaded(name, error)) from error


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
