"""The command line: one module per verb, each command a few lines around a workflow or a library call."""

from __future__ import annotations

import os
import signal
import sys
from io import TextIOWrapper

from cyclopts import App, Parameter
from cyclopts.config import Toml

from paraloom.cli.adversarial import adversarial
from paraloom.cli.align import align
from paraloom.cli.annotate import annotate
from paraloom.cli.bench import bench
from paraloom.cli.build import build
from paraloom.cli.corpus import corpus
from paraloom.cli.demo import demo
from paraloom.cli.evaluate import evaluate
from paraloom.cli.experiment import experiment
from paraloom.cli.explain import explain
from paraloom.cli.generate import generate
from paraloom.cli.identify import identify
from paraloom.cli.label import label
from paraloom.cli.mine import mine
from paraloom.cli.mine.earlier_options import options_of_earlier_run
from paraloom.cli.models import models
from paraloom.cli.phrases import phrases
from paraloom.cli.train import train
from paraloom.engine.signatures import paraloom_version
from paraloom.errors import ParaloomError

app = App(
    name="paraloom",
    help="The whole life of a paraphrase corpus: gather texts that say the same thing, pair them, judge them, measure.",
    version=paraloom_version,
    config=(Toml("paraloom.toml", search_parents=True, must_exist=False), options_of_earlier_run),
    default_parameter=Parameter(negative_iterable=(), consume_multiple=True),
    help_format="markdown",
    suppress_keyboard_interrupt=False,  # `main` tells what becomes of the work
)

app.command(demo)
app.command(build)
app.command(align)
app.command(explain)
app.command(identify)
app.command(generate)
app.command(adversarial)
app.command(mine)
app.command(annotate)
app.command(label)
app.command(phrases)
app.command(corpus)
app.command(evaluate)
app.command(bench)
app.command(experiment)
app.command(train)
app.command(models)


def main() -> None:
    """Run the command line; an error of ours is one message and exit code 1, never a traceback."""
    from paraloom.cli.console import explain_error, nobody_reads

    try:
        _run()
    except KeyboardInterrupt:
        print("Stopped. Give the same command again: it goes on from what is kept under --out.", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)
    except (ParaloomError, OSError) as error:
        if isinstance(error, BrokenPipeError) and nobody_reads(sys.stdout.fileno()):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python writes as it ends
            sys.exit(128 + signal.SIGPIPE)
        explain_error(error)
        sys.exit(1)


def _run() -> None:
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # a file's name need not be UTF-8, and a text may lack half
    try:
        app()
    finally:
        sys.stdout.flush()  # so that a closed pipe is met here, not as the process ends


__all__ = ["app", "main"]
