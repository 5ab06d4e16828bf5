"""An admin's way to what was judged, as a file, while the service runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from paraloom.errors import InputError
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.shown import show
from paraloom.judgments.app.visitors import Admin, InService
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.exchange.decisions_out import everything_said
from paraloom.judgments.exchange.rows_out import csv_lines, json_lines
from paraloom.judgments.progress import progress_of

router = APIRouter(prefix="/admin/campaigns/{campaign_id}")

CHUNK = 65_536

FORMATS: dict[str, tuple[Callable[..., Iterator[bytes]], str]] = {
    "jsonl": (json_lines, "application/x-ndjson"),
    "csv": (csv_lines, "text/csv; charset=utf-8"),
}
"""What can be sent line by line; tables are for the command line."""


@router.get("/export")
async def export(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    file: Annotated[str, Query(alias="format", max_length=20)] = "",
    names: bool = False,
) -> Response:
    """Every judgment of a campaign as a file; without a format, the page that offers them."""
    campaign = await service.database.reading(lambda connection: campaign_of(connection, campaign_id))
    if not file:
        progress = await service.database.reading(lambda connection: progress_of(connection, campaign_id))
        return show(service, asking, "admin/export.html", campaign=campaign, progress=progress, formats=list(FORMATS))
    if file not in FORMATS:
        raise InputError(f"There is no format {file!r}. Choose one of: {', '.join(FORMATS)}.")
    now, detail = service.clock(), {"format": file, "names": names}
    await service.database.writing(
        lambda connection: note_action(
            connection, who=asking.person.person_id, what="exported", about=campaign_id, now=now, detail=detail
        )
    )
    kind = FORMATS[file][1]
    called = {"content-disposition": f'attachment; filename="{campaign_id}.{file}"'}
    lines = _lines(service, campaign_id, file, names=names)
    return StreamingResponse(_in_chunks(lines), media_type=kind, headers=called)


def _lines(service: Service, campaign_id: str, file: str, *, names: bool) -> Iterator[bytes]:
    """As it stands at this moment, however long it takes to send."""
    with service.database.engine.connect() as connection:
        make, _ = FORMATS[file]
        yield from make(everything_said(connection, campaign_id), names=names, for_spreadsheets=file == "csv")


def _in_chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines put together: each piece that is sent takes a turn of a thread."""
    held = bytearray()
    for line in lines:
        held += line
        if len(held) >= CHUNK:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)
