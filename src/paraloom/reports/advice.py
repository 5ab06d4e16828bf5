"""A build's summary in, what its reader should do about it out: a run that kept nothing must not look like success."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TOO_MANY = 0.5
"""Share of bad rows from which on something is wrong with how the files are read, not with the files."""


def advice(summary: Mapping[str, Any]) -> Iterator[str]:
    """Sentences for the person at the terminal, from the summary as `summary.json` holds it."""
    funnel = summary["funnel"]
    if not funnel["rows_read"]:
        yield "The files hold no rows."
        return
    reasons = {drop["table"]: drop["reasons"] for drop in summary["drops"]}
    bad = next((reason for reason in reasons.get("documents", ()) if reason["reason"] == "bad_row"), None)
    if bad is not None and bad["count"] > TOO_MANY * funnel["rows_read"]:
        most = bad["details"][0]["name"]
        told = f"{bad['count']:,} of {funnel['rows_read']:,} rows could not be read, most of them for: {most}."
        mapping = " Say where the text is with --map text=COLUMN,created_at=COLUMN,url=COLUMN."
        yield told + (mapping if most.startswith(("unknown shape", "no text")) else "")
    if funnel["documents_kept"] and not funnel["groups_kept"]:
        yield "No group has enough posts to be kept. Group another way (--by trend), or lower --min-posts."
    elif funnel["sentences_kept"] and not funnel["pairs"]:
        yield "No group has two sentences left to pair. The report says what was left out, and why."
