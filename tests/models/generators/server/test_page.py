"""The page about servers names every option, and every word that `counts` may say."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

from paraloom.models.generators.server.answers import Reason
from paraloom.models.generators.server.generator import ServerGenerator
from paraloom.models.generators.server.options import ServerOptions

PAGE = (Path(__file__).parents[4] / "docs" / "generators_server.md").read_text(encoding="utf-8")


def test_the_page_names_every_option() -> None:
    assert [field.name for field in fields(ServerOptions) if not re.search(rf"`{field.name}\b", PAGE)] == []


def test_the_page_names_every_count() -> None:
    counts = {*get_args(Reason), *re.findall(r"`(\w+)`", ServerGenerator.counts.__doc__ or "")}
    assert len(counts) == 15
    assert sorted(count for count in counts if f"`{count}`" not in PAGE) == []
