"""The whole API as its own description tells it, against a real server: whatever is sent, no answer is a crash, and
every answer is one that the description announces (schemathesis)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.judgments.app.conftest import listening
from tests.judgments.app.ways import WAYS

EXAMPLES = 20
"""Of each operation, and of each way to be wrong."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
THERE: tuple[dict[str, str], ...] = (
    {},
    *({"campaign_id": kind, "item_id": "i2"} for kind in ("pair", "grade", "topic", "write")),
)
"""Names that lead somewhere; what is generated hardly ever does."""
OPERATIONS = sorted(name for name in WAYS if " /api/v1/" in name and "openapi" not in name)


@pytest.fixture(scope="module")
def api(populated_file, tmp_path_factory) -> Iterator[tuple[Any, str, dict[str, str]]]:
    """The description, the address, and what an admin's program sends along."""
    import shutil

    from paraloom.judgments.store.migrate import open_database
    from tests.judgments.app.conftest import Visits

    known, file = populated_file
    copied = tmp_path_factory.mktemp("api") / "copy.db"
    shutil.copy(file, copied)
    database = open_database(f"sqlite:///{copied}")
    try:
        visits = Visits(known, database)
        with listening(visits.app) as url:
            headers = {"authorization": f"Bearer {known.tokens['admin']}"}
            yield schemathesis.openapi.from_url(f"{url}/api/v1/openapi.json"), url, headers
    finally:
        database.close()


def test_the_description_names_every_operation(api) -> None:
    schema, *_ = api
    found = [result.ok() for result in schema.get_all_operations()]
    assert sorted(f"{one.method.upper()} {one.path}" for one in found) == OPERATIONS


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["as told", "otherwise"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_no_request_crashes_the_api_and_every_answer_was_announced(api, name, mode) -> None:
    schema, url, headers = api
    method, _, path = name.partition(" ")
    operation = schema[path][method]

    @hypothesis.settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode), there=st.sampled_from(THERE))
    def check(case: schemathesis.Case, there: dict[str, str]) -> None:
        case.path_parameters.update({field: there[field] for field in case.path_parameters if field in there})
        response = case.call(base_url=url, headers=headers)
        case.validate_response(response, checks=CHECKS)

    try:
        check()
    except hypothesis.errors.Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "nothing about this operation can be told otherwise"
