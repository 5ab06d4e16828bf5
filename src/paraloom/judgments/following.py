"""One campaign's answers in, the next campaign's items out: seeds give pairs, matches documents to extract from,
extractions pairs to grade. Done again later, only what is new is added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.conflicts import Judged, in_batches, judged_items
from paraloom.judgments.extracted import ExtractedPair, Stretch, extracted_pairs
from paraloom.judgments.items import Added, NewItem, add_items, bar
from paraloom.judgments.store import schema
from paraloom.judgments.tasks.extract import ExtractTask
from paraloom.judgments.tasks.match import MatchTask
from paraloom.judgments.tasks.seed import SeedAnswer, SeedContent, SeedTask
from paraloom.tables import pair_id_of


def pairs_of_seed(content: SeedContent, answer: SeedAnswer, *, group_id: str | None = None) -> list[NewItem]:
    """The seed against each of the others (Dou et al., 2022, section 2.3); none where the group is skipped.

    >>> from paraloom.judgments.tasks.listed import Listed
    >>> group = SeedContent(sentences=tuple(Listed(id=name, text=f"Text {name}.") for name in "abc"))
    >>> [item.content for item in pairs_of_seed(group, SeedAnswer(seed="b"))]
    [{'left': 'Text b.', 'right': 'Text a.'}, {'left': 'Text b.', 'right': 'Text c.'}]
    """
    ranks = {sentence.id: rank for rank, sentence in enumerate(content.sentences, start=1)}
    if answer.seed is None:
        return []
    seed = content.sentences[ranks[answer.seed] - 1]
    return [
        NewItem(
            content={"left": seed.text, "right": other.text},
            item_id=pair_id_of(seed.id, other.id),
            group_id=group_id,
            proposed_by="seed",
            origin={
                "left_id": seed.id,
                "right_id": other.id,
                "left_rank": ranks[seed.id],
                "right_rank": ranks[other.id],
            },
        )
        for other in content.sentences
        if other.id != seed.id
    ]


def fill_from_seeds(connection: Connection, seeds: Campaign, pairs: Campaign, *, now: datetime) -> Added:
    """Pairs of every group for which more than half of the people chose the same seed, or an expert decided on one."""
    _check_kinds((seeds, "seed"), (pairs, "pair"))
    task = SeedTask()

    def found() -> Iterator[NewItem]:
        for row, answer in _settled(connection, seeds):
            content = task.read_content(row.content)
            yield from pairs_of_seed(content, task.read_answer(answer, content), group_id=row.group_id or row.item_id)

    return add_items(connection, pairs, list(found()), now=now)


def fill_from_matches(connection: Connection, matches: Campaign, extract: Campaign, *, now: datetime) -> Added:
    """Document pairs that more than half of the people accept, or an expert did, to extract paraphrases from.

    They keep their documents' ids, and what an aligner suggested (`suggestions` of the origin) is shown with them.
    """
    _check_kinds((matches, "match"), (extract, "extract"))
    task = MatchTask()

    def found() -> Iterator[NewItem]:
        for row, answer in _settled(connection, matches):
            if not answer["accept"]:
                continue
            origin = dict(row.origin)
            content = {**asdict(task.read_content(row.content)), "suggestions": origin.pop("suggestions", None) or []}
            yield NewItem(
                content=content,
                item_id=row.item_id,
                group_id=row.group_id,
                proposed_by=row.proposed_by,
                origin={**origin, "matched_in": matches.campaign_id},
            )

    return add_items(connection, extract, list(found()), now=now)


def fill_from_extractions(
    connection: Connection, extract: Campaign, grade: Campaign, *, now: datetime, by_same_people: bool = False
) -> Added:
    """Every extracted pair, in its documents, to be graded.

    An item's id is that of the pair in the exported tables: found by two people, or in two campaigns, it is one item.
    Nobody grades what they extracted, unless `by_same_people`: in Kanerva et al. (2023, section 5.3) the extractor
    usually did.
    """
    _check_kinds((extract, "extract"), (grade, "grade"))
    task = ExtractTask()
    total = Added(added=0, tests=0, there_already=0)
    for judged, row in _with_items(connection, extract.campaign_id, judged_items(connection, extract.campaign_id)):
        content = task.read_content(row.content)
        for person_id, said_by, said in _marked(judged):
            for pair in extracted_pairs(content, task.read_answer(said, content), row.origin):
                new = _to_grade(row, pair, person_id, said_by, by_same_people=by_same_people)
                one = add_items(connection, grade, [new], now=now)
                total = Added(
                    added=total.added + one.added,
                    tests=total.tests,
                    there_already=total.there_already + one.there_already,
                )
                if one.there_already and not by_same_people:
                    bar(connection, grade.campaign_id, pair.pair_id, person_id, now)  # found by two people
    return total


def _marked(judged: Judged) -> Iterator[tuple[str, Mapping[str, str], Mapping[str, Any]]]:
    """Who marked something, where that is kept, and the answer; what an expert decided comes last."""
    for said in judged.said:
        yield said.person_id, {"judgment_id": said.judgment_id}, said.answer
    if (decision := judged.decision) is not None:
        yield decision.decided_by, {"decided_by": decision.decided_by}, decision.answer


def _to_grade(
    row: sa.Row[Any], pair: ExtractedPair, person_id: str, said_by: Mapping[str, str], *, by_same_people: bool
) -> NewItem:
    return NewItem(
        content={
            "left": pair.left.text,
            "right": pair.right.text,
            "left_document": _around(pair.left),
            "right_document": _around(pair.right),
        },
        item_id=pair.pair_id,
        group_id=row.group_id or row.item_id,
        proposed_by=person_id,
        for_proposers=by_same_people,
        origin={
            "extracted_in": row.campaign_id,
            "document_pair": row.item_id,
            **said_by,
            **_place("left", pair.left),
            **_place("right", pair.right),
        },
    )


def _place(side: str, stretch: Stretch) -> dict[str, Any]:
    """What the origin of a pair tells of one side: the sentence, its document, and where it stands there."""
    return {
        f"{side}_id": stretch.sentence_id,
        f"{side}_document_id": stretch.document_id,
        f"{side}_start": stretch.start,
        f"{side}_end": stretch.end,
    }


def _around(stretch: Stretch) -> dict[str, Any]:
    shown = stretch.shown
    return {"text": shown.text, "start": stretch.shown_start, "end": stretch.shown_end, "title": shown.title}


def _check_kinds(*campaigns: tuple[Campaign, str]) -> None:
    for campaign, kind in campaigns:
        if campaign.task != kind:
            raise InputError(
                f"The campaign {campaign.campaign_id!r} is of the kind {campaign.task!r}, but {kind!r} is needed here."
            )


def _settled(connection: Connection, campaign: Campaign) -> Iterator[tuple[sa.Row[Any], Mapping[str, Any]]]:
    """Items with the answer that an expert decided on, or that more than half of the people gave."""
    found = judged_items(connection, campaign.campaign_id)
    for judged, row in _with_items(connection, campaign.campaign_id, found):
        if (answer := majority_answer(judged)) is not None:
            yield row, answer


def majority_answer(judged: Judged) -> Mapping[str, Any] | None:
    """The answer that was decided on, or that more than half of the people gave to a complete item; else None."""
    if judged.decision is not None:
        return judged.decision.answer
    if not judged.is_complete or not judged.said:
        return None
    votes, count = Counter(one.votes for one in judged.said).most_common(1)[0]
    if 2 * count <= len(judged.said):
        return None
    return next(one.answer for one in judged.said if one.votes == votes)


def _with_items(
    connection: Connection, campaign_id: str, found: Iterator[Judged]
) -> Iterator[tuple[Judged, sa.Row[Any]]]:
    """The same with the items' rows, in the same order; documents are large, so few are held at once."""
    items = schema.items.c
    for some in in_batches(found, 50):
        rows = connection.execute(
            sa.select(schema.items).where(
                items.campaign_id == campaign_id, items.item_id.in_([judged.item_id for judged in some])
            )
        )
        by_id = {row.item_id: row for row in rows}
        for judged in some:
            yield judged, by_id[judged.item_id]
