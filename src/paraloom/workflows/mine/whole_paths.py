"""Options in, the same out with folders of models by their whole paths: workers may be in another folder."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from paraloom.workflows.mine.options import MineOptions


def with_whole_paths(options: MineOptions) -> MineOptions:
    """The same options; a name that is known is no folder, whatever lies in this one."""
    from paraloom.models.embedders.catalogue import EMBEDDERS
    from paraloom.models.identifiers.systems import SYSTEMS
    from paraloom.models.known import MODELS

    named = {*EMBEDDERS, *MODELS, *(model.hub for model in MODELS.values())}
    return replace(
        options,
        embed=replace(options.embed, embedder=_whole(options.embed.embedder, named)),
        judge=replace(options.judge, identifier=_whole(options.judge.identifier, SYSTEMS)),
    )


def _whole(name: str, known: Collection[str | None]) -> str:
    return os.path.abspath(name) if name not in known and Path(name).is_dir() else name
