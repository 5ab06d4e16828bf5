"""`paraloom annotate …`: campaigns, files, people and the server; each command a few lines around a workflow."""

from __future__ import annotations

from cyclopts import App

from paraloom.cli.annotate.campaigns import create, end, instructions, open_campaign, pause, settings
from paraloom.cli.annotate.files import backup, export, import_items, import_judgments, restore
from paraloom.cli.annotate.fill import fill
from paraloom.cli.annotate.people import invite, people, token
from paraloom.cli.annotate.serve import serve
from paraloom.cli.annotate.simulate import simulate
from paraloom.cli.annotate.status import status

annotate = App(
    name="annotate",
    help="Let people judge: campaigns with test questions, a web page to work on, and what came of it.\n\n"
    "Example: `paraloom annotate serve`",
)

annotate.command(serve)
annotate.command(create)
annotate.command(import_items, name="import")
annotate.command(fill)
annotate.command(open_campaign, name="open")
annotate.command(pause)
annotate.command(end)
annotate.command(settings)
annotate.command(instructions)
annotate.command(invite)
annotate.command(people)
annotate.command(token)
annotate.command(status)
annotate.command(export)
annotate.command(import_judgments, name="import-judgments")
annotate.command(backup)
annotate.command(restore)
annotate.command(simulate)
