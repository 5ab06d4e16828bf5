"""What gates share: the published corpora that they measure on, which are not part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the corpora."""
    folder = os.environ.get("PARALOOM_DATA")
    return Path(folder) if folder else pytest.skip("needs PARALOOM_DATA: the folder of the published corpora")
