"""The gallery, served by a real server and opened in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest


@pytest.fixture(scope="module")
def address(serving: Callable[[Any], AbstractContextManager[str]]) -> Iterator[str]:
    from tests.web.gallery import app

    with serving(app) as found:
        yield found
