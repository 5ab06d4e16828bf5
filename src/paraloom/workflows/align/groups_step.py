"""Options in, the step out that puts documents side by side: blocks, their comparison, series, parts of films."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING

from paraloom.engine.layout import Laid
from paraloom.engine.passes import Join, Pass, Read
from paraloom.engine.steps import Step
from paraloom.tables import Cue, Group
from paraloom.workflows.align.steps import columns_of
from paraloom.workflows.steps import bind

if TYPE_CHECKING:
    from paraloom.groups.alignment_options import AlignmentOptions
    from paraloom.groups.block_documents import Neighbours
    from paraloom.groups.blocks import Plan
    from paraloom.groups.part_options import PartOptions
    from paraloom.metrics.likeness.character_tfidf import CharacterTfidf


def groups_step(options: AlignmentOptions, parts: PartOptions) -> Step:
    """Documents and their captions → pairs of documents, or of parts of them."""
    from paraloom.groups.aligned_groups import Version, versions_of_film
    from paraloom.groups.by_alignment import Aligned, works_of_family

    told = {field.name: getattr(parts, field.name) for field in fields(parts) if field.name != "yields"}
    return Step(
        table="groups",
        passes=(
            *placing_passes(options),
            partial(_compare_pass, options=options),
            Pass(
                name="chosen",
                reads=(Read(table="compared", columns=columns_of(Aligned), kept_only=False),),
                by="family",
                work=bind(works_of_family, options=options),
                row=Aligned,
                to="work_id",
            ),
            Pass(
                name="versions",
                reads=(Read(table="chosen", columns=("work_id", "document_kind", "left_id", "right_id")),),
                by="work_id",
                work=bind(versions_of_film),
                row=Version,
                to="document_id",
            ),
            Join(
                name="timed",
                reads=(
                    Read(table="versions", columns=columns_of(Version), kept_only=False),
                    Read(table="cues", columns=columns_of(Cue), kept_only=False),
                ),
                by="document_id",
                to="work_id",
            ),
            partial(_part_pass, alignment=options, parts=parts),
            *((partial(_round_pass, parts=parts),) if parts.most_works is not None else ()),
        ),
        options=(options, told),  # what the yields are counts, not where they lie
        stages=("groups",),
        inputs=("documents", "cues"),
        files={"yields": parts.yields} if parts.yields else {},
    )


def placing_passes(options: AlignmentOptions) -> tuple[Pass | Callable[[Mapping[str, Laid]], Pass], ...]:
    """Documents → the same in blocks of those that are compared with each other."""
    from paraloom.groups.blocks import WEIGHED, Weighed, weigh_documents

    weigh = Pass(
        name="weighed",
        reads=(Read(table="documents", columns=WEIGHED),),
        by=None,
        work=bind(weigh_documents, options=options),
        row=Weighed,
        to="block",
    )
    return weigh, partial(_place_pass, options=options)


def plan_of(laid: Mapping[str, Laid], options: AlignmentOptions) -> Plan:
    """Which blocks there are, seen from what every document weighs."""
    from paraloom.groups.blocks import Weighed, plan_blocks

    return plan_blocks(lambda: laid["weighed"].rows(columns_of(Weighed)), options)


def _place_pass(laid: Mapping[str, Laid], *, options: AlignmentOptions) -> Pass:
    from paraloom.groups.block_documents import SHOWN
    from paraloom.groups.blocks import Placed, place_documents

    plan = plan_of(laid, options)
    return Pass(
        name="placed",
        reads=(Read(table="documents", columns=SHOWN),),
        by=None,
        work=bind(place_documents, options=options, cuts=plan.cuts, last=plan.last),
        row=Placed,
        to="block",
    )


def models_of(laid: Mapping[str, Laid], options: AlignmentOptions) -> dict[str, CharacterTfidf]:
    """What is common among the documents of every kind."""
    from paraloom.groups.common_grams import common_grams

    return common_grams(laid["placed"].rows(("kind", "document_id", "text")), options)


def neighbours_of(laid: Mapping[str, Laid], plan: Plan) -> Neighbours:
    """Blocks that meet, and their documents where they lie."""
    from paraloom.groups.block_documents import SHOWN, Neighbours

    return Neighbours(meets=plan.meets, read=partial(laid["placed"].of_key, columns=SHOWN))


def _compare_pass(laid: Mapping[str, Laid], *, options: AlignmentOptions) -> Pass:
    """Learns what is common among the documents, and compares those of blocks that meet."""
    from paraloom.groups.blocks import Placed
    from paraloom.groups.by_alignment import Aligned, Aligner

    neighbours = neighbours_of(laid, plan_of(laid, options))
    return Pass(
        name="compared",
        reads=(Read(table="placed", columns=columns_of(Placed), kept_only=False),),
        by="block",
        work=partial(Aligner, models_of(laid, options), options, neighbours),
        row=Aligned,
        to="family",
    )


def _part_pass(laid: Mapping[str, Laid], *, alignment: AlignmentOptions, parts: PartOptions) -> Pass:
    """Sees which works there are, and takes those that were read in earlier rounds, if some are named."""
    from paraloom.groups.aligned_groups import CAPTIONS, FILM, groups_of_work
    from paraloom.groups.by_alignment import Aligned
    from paraloom.groups.rounds import works_read_before

    works: frozenset[str] | None = None
    if parts.yields is not None:
        columns = ("key", "document_kind", "dropped_for")
        rows = (row for part in laid["chosen"].rows(columns) for row in part.to_pylist())
        films = {row["key"] for row in rows if row["dropped_for"] is None and row["document_kind"] == FILM}
        works = works_read_before(films, parts.yields)
    return Pass(
        name="parted",
        reads=(
            Read(table="chosen", columns=columns_of(Aligned), kept_only=False),
            Read(table="timed", columns=CAPTIONS, kept_only=False),
        ),
        by="work_id",
        work=bind(groups_of_work, alignment=alignment, parts=parts, works=works),
        row=Group,
        to="group_id",
    )


def _round_pass(laid: Mapping[str, Laid], *, parts: PartOptions) -> Pass:
    """Sees which films have a part left, and takes those of them that gave most."""
    from paraloom.groups.aligned_groups import leave_to_another_round
    from paraloom.groups.rounds import read_yields, works_by_yield

    rows = (row for part in laid["parted"].rows(("key", "dropped_for")) for row in part.to_pylist())
    films = {row["key"] for row in rows if row["dropped_for"] is None}  # nothing else is read in a later round
    yields = read_yields(parts.yields) if parts.yields else {}
    works = frozenset(works_by_yield(films, yields, parts.most_works))
    return Pass(
        name="of-this-round",
        reads=(Read(table="parted", columns=columns_of(Group), kept_only=False),),
        by=None,
        work=bind(leave_to_another_round, works=works),
        row=Group,
        to="group_id",
    )
