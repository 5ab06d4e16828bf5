"""What tests of neighbours share: vectors in clusters, and an index of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from paraloom.models.neighbours.codes import Coder, learn_coder
from paraloom.models.neighbours.index import Index
from tests.models.neighbours.made_up import clustered, make_index


@pytest.fixture(scope="session")
def vectors() -> NDArray[np.float32]:
    """Three thousand vectors in sixty clusters; two of which nothing is known."""
    made = clustered(3000, 24, 60)
    made[[17, 1234]] = 0
    return made


@pytest.fixture(scope="session")
def coder(vectors: NDArray[np.float32]) -> Coder:
    return learn_coder(vectors)


@pytest.fixture(scope="session")
def rows(coder: Coder, vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    return coder.encode(vectors)


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory, rows: NDArray[np.int8], coder: Coder) -> Index:
    return make_index(tmp_path_factory.mktemp("index"), rows, coder, lists=40, cells=4)
