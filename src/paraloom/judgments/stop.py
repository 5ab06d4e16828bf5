"""A person in, the end of their work on a campaign out, or its new beginning; decided by an admin, never by a rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from paraloom.errors import NotAllowed
from paraloom.judgments.assign import hand_back_all
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.people import person_of
from paraloom.judgments.set_aside import restore_work, set_aside_work
from paraloom.judgments.standing import keep_standing, standing_of
from paraloom.judgments.store.one_at_a_time import one_at_a_time
from paraloom.judgments.tasks.reading import checked_text

MOST_REASON = 500


def stop_person(
    connection: Connection,
    campaign: Campaign,
    person_id: str,
    *,
    reason: str,
    set_aside: bool,
    now: datetime,
    by: str,
) -> int:
    """Nothing more is handed to this person; how many of their answers were set aside, if that was asked for."""
    person_of(connection, person_id)
    checked_text(reason, "reason", most=MOST_REASON)
    one_at_a_time(connection, campaign.campaign_id, person_id)
    standing = standing_of(connection, campaign, person_id, now)
    keep_standing(connection, replace(standing, state="stopped", reason=reason))
    hand_back_all(connection, campaign.campaign_id, person_id)
    detail = {"person": person_id, "reason": reason}
    note_action(connection, who=by, what="person stopped", about=campaign.campaign_id, now=now, detail=detail)
    return republish_work(connection, campaign, person_id, reason=reason, now=now, by=by) if set_aside else 0


def reinstate_person(
    connection: Connection, campaign: Campaign, person_id: str, *, restore: bool, now: datetime, by: str
) -> int:
    """This person may go on; how many of their answers count again, if that was asked for.

    The counts of test questions and kappa begin anew: the rule that stopped them would do so again at once.
    """
    one_at_a_time(connection, campaign.campaign_id, person_id)
    standing = standing_of(connection, campaign, person_id, now)
    if standing.state != "stopped":
        raise NotAllowed("This person is not stopped.")
    anew = replace(standing, state="working", reason=None, tests=0, tests_right=0, kappa=None, compared=0)
    keep_standing(connection, anew)
    detail = {"person": person_id, "reason_before": standing.reason}
    note_action(connection, who=by, what="person reinstated", about=campaign.campaign_id, now=now, detail=detail)
    if not restore:
        return 0
    restored = restore_work(connection, campaign, person_id, reason="reinstated", now=now, by=by)
    counts = {"person": person_id, "answers": restored}
    note_action(connection, who=by, what="work restored", about=campaign.campaign_id, now=now, detail=counts)
    return restored


def republish_work(
    connection: Connection, campaign: Campaign, person_id: str, *, reason: str, now: datetime, by: str
) -> int:
    """Set a person's answers aside, so that their items go to others; how many (Lan et al., 2017, section 3.3)."""
    one_at_a_time(connection, campaign.campaign_id, person_id)
    aside = set_aside_work(connection, campaign, person_id, reason=reason, now=now, by=by)
    detail = {"person": person_id, "answers": aside, "reason": reason}
    note_action(connection, who=by, what="work set aside", about=campaign.campaign_id, now=now, detail=detail)
    return aside
