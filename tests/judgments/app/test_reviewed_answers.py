"""An answer to an item that was handed out is taken, whoever the campaign is for by then."""

from __future__ import annotations

import secrets

from paraloom.judgments.store import schema
from tests.judgments.app.conftest import Visits
from tests.judgments.app.populated import LIMITED


def test_an_answer_is_taken_from_somebody_who_is_no_member_any_more(visits: Visits) -> None:
    ben = visits.program("ben")
    handed = ben.post(f"/api/v1/campaigns/{LIMITED}/next", json={}).json()
    print(handed)
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
