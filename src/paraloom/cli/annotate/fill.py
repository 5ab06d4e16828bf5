"""`paraloom annotate fill experts|rounds|next|rewrites|outputs`: campaigns filled by runs, campaigns and generators."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from paraloom.cli.annotate.database import DEFAULT_DB, Db
from paraloom.judgments.expert_options import ExpertOptions
from paraloom.labels.options import LabelOptions

fill = App(
    name="fill",
    help="Fill a campaign by what a run or another campaign found, or by what generators wrote.\n\n"
    "Example: `paraloom annotate fill experts run --campaign strict`",
)

Flat = Parameter(name="*")


@fill.command
def experts(
    run: Path,
    /,
    *,
    campaign: str,
    db: Db = DEFAULT_DB,
    labels: Annotated[LabelOptions, Flat] = LabelOptions(),
    options: Annotated[ExpertOptions, Flat] = ExpertOptions(),
) -> None:
    """Fill a campaign of pairs for experts: two seed sentences of each group against its largest cluster.

    An identifier judges the run's pairs; sentences that accepted pairs link, directly or through others, are a cluster.

    Example: `paraloom annotate fill experts run --campaign strict --identifier paraloom`

    Parameters
    ----------
    run
        A run folder of `paraloom build`.
    campaign
        The campaign's name.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=campaign) as database:
        from paraloom.workflows.annotate.fill_experts import fill_experts

        done = fill_experts(database, campaign, run, labels=labels, options=options)
    print(done.as_text())


@fill.command
def rounds(run: Path, /, *, campaign: str, db: Db = DEFAULT_DB, kind: str = "trend") -> None:
    """Fill an adaptive campaign: twenty pairs of each trend, and more by itself where they are paraphrases.

    Example: `paraloom annotate fill rounds run --campaign trends`

    Parameters
    ----------
    run
        A run folder of `paraloom build --by trend`.
    campaign
        The campaign's name; its setting `adaptive` must be on.
    kind
        Groups of this kind are taken.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=campaign) as database:
        from paraloom.workflows.annotate.fill_rounds import fill_rounds

        done = fill_rounds(database, campaign, run, kind=kind)
    print(f"{done.added:,} new pairs ({done.there_already:,} were there already)")


@fill.command(name="next")
def following(
    source: str,
    /,
    *,
    campaign: str,
    db: Db = DEFAULT_DB,
    by_same_people: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Fill a campaign by what another one found: seeds give pairs, matches documents to extract from, extractions
    pairs to grade. Done again later, only what is new is added.

    Seeds and matches are taken of items that have all their judgments and on which more than half agree, or that an
    expert decided; every extracted pair is taken.

    Example: `paraloom annotate fill next extracted --campaign graded`

    Parameters
    ----------
    source
        A campaign of the kind seed, match or extract.
    campaign
        The campaign to fill, which is there: of the kind pair, extract or grade.
    by_same_people
        Whoever extracted a pair may grade it, too.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=campaign) as database:
        from paraloom.workflows.annotate.fill_next import fill_next, told
        from paraloom.workflows.annotate.opened import check_campaign

        check_campaign(database, source)
        done = fill_next(database, source, campaign, by_same_people=by_same_people)
    print(told(done, source))


@fill.command
def rewrites(source: str, /, *, campaign: str, db: Db = DEFAULT_DB, sample: int = 500, seed: int = 1) -> None:
    """Make a campaign that checks rewrites blind: mixed half and half with ordinary pairs, without their documents.

    Example: `paraloom annotate fill rewrites graded --campaign second-look --sample 200`

    Parameters
    ----------
    source
        A campaign of the kind grade in which pairs were rewritten.
    campaign
        The new campaign's name; it is a draft until it is opened.
    sample
        Rewrites to draw, and as many ordinary pairs.
    seed
        Decides which are drawn, and their order.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=source) as database:
        from paraloom.workflows.annotate.fill_next import check_rewrites

        made = check_rewrites(database, source, campaign, sample=sample, seed=seed)
    print(f"{made.campaign_id}: {made.title} ({made.task}, {made.state})")


@fill.command
def outputs(
    systems: list[str], /, *, campaign: str, db: Db = DEFAULT_DB, most_sources: int = 50, seed: int = 1
) -> None:
    """Fill a campaign of ratings with what generators wrote, blind: the first outputs of all for the same sources.

    Which system wrote what is never shown to annotators. A text that several systems wrote is one item, which counts
    for each; copies of the source are kept. Done again, nothing is added twice. `paraloom evaluate rating` reads what
    `paraloom annotate export` writes of the campaign.

    Example: `paraloom annotate fill outputs lexical=lexical.jsonl quora=quora.jsonl --campaign rated`

    Parameters
    ----------
    systems
        NAME=FILE for every system, the files as `paraloom generate` writes them.
    campaign
        A campaign of the kind rate, which is there.
    most_sources
        Sources to draw among those that every system has an output for.
    seed
        Decides which are drawn, and in which order systems are shown.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=campaign) as database:
        from paraloom.workflows.annotate.fill_outputs import fill_outputs

        done = fill_outputs(database, campaign, systems, most_sources=most_sources, seed=seed)
    print(done.as_text())
