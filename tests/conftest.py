"""What all tests share: patience with a busy machine, and a configuration folder that is not the person's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import paraloom

hypothesis.settings.register_profile("paraloom", deadline=None)  # a busy machine is no failure
hypothesis.settings.load_profile("paraloom")


def pytest_configure(config: pytest.Config) -> None:
    # Daft leaves the pipes of its helper processes to the garbage collector, which meets them in any later test.
    config.addinivalue_line("filterwarnings", "ignore:unclosed file <_io.BufferedReader name=:ResourceWarning")


@pytest.fixture(scope="session", autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Salts drawn in tests stay in tests; a Ray cluster of the person's is left alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("configuration")))
        patch.delenv("RAY_ADDRESS", raising=False)
        yield


@pytest.fixture(scope="session")
def child_environment() -> dict[str, str]:
    """Environment for processes that tests start: they import the same Paraloom as the tests do."""
    source = str(Path(paraloom.__file__).parents[1])
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{before}" if before else source}
