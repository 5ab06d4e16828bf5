"""An answer to an item that was handed out is taken, whoever the campaign is for by then."""

from __future__ import annotations

import secrets

from paraloom.judgments.store import schema
from tests.judgments.app.conftest import Visits
from tests.judgments.app.populated import LIMITED


def test_an_answer_is_taken_from_somebody_who_is_no_member_any_more(visits: Visits) -> None:
    ben = visits.program("other")
    handed = ben.post(f"/api/v1/campaigns/{LIMITED}/next", json={}).json()
    sent = {
        "item_id": handed["item"]["item_id"],
        "answer": {"is_paraphrase": True},
        "client_id": secrets.token_hex(8),
        "instructions_version": 1,
        "holding": [],
    }
    visits.database.write(lambda c: c.execute(schema.members.delete()))
    assert ben.post(f"/api/v1/campaigns/{LIMITED}/next", json={}).status_code == 404
    stored = ben.post(f"/api/v1/campaigns/{LIMITED}/answers", json=sent)
    assert (stored.status_code, stored.json()["repeated"], stored.json().get("next")) == (200, False, None)
    never = ben.post(
        f"/api/v1/campaigns/{LIMITED}/answers", json={**sent, "item_id": "i3", "client_id": secrets.token_hex(8)}
    )
    assert (never.status_code, never.json()["error"]) == (404, f"There is no campaign {LIMITED!r}.")


def test_a_check_cannot_pass_for_that_of_a_submitted_text(visits: Visits) -> None:
    """The leader board counts the checks of submitted texts, by their client ids."""
    annotator = visits.program("annotator")
    checked = annotator.post(
        "/api/v1/campaigns/write/items/i2/check", json={"text": "Quite other words.", "client_id": "submit:12345678"}
    )
    assert checked.status_code == 422
    assert "begins with 'submit:'" in checked.json()["error"]
