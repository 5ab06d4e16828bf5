"""Judgments and tries of the game in, the pairs that people made out: rewritten, extracted, written to win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.exchange.snapshot import AT_ONCE, Said, called
from paraloom.judgments.extracted import extracted_pairs
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.grade import UNIVERSAL, rewritten
from paraloom.metrics.diversity.cosine import cosine_of_counts
from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.metrics.diversity.pinc import pinc_of_tokens
from paraloom.metrics.meaning.adversarial import IMPLIED
from paraloom.tables import Label, Pair, Sentence, make_id, pair_id_of
from paraloom.text.tokenise import words

MAKING = ("grade", "extract", "write")
"""Kinds of task in which people make pairs."""

PLACES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One pair that somebody made, with its label and its sentences where it has them."""

    pair: Pair
    label: Label | None
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try in the game, as it was judged."""

    number: int
    check_id: str
    campaign: str
    item_id: str
    annotator: str
    source: str
    text: str
    implication: float
    similarity: float
    """On BLEURT's scale."""
    reward: float
    passes: bool
    judged_by: str
    created_at: datetime
    group_id: str | None


def made_by_judgment(said: Said) -> Iterator[Made]:
    """What one answer made: the rewritten pair, or every extracted one. What does not count is kept, with a reason.

    A decision makes the same; where an expert accepted somebody's rewrite, it is the same pair as theirs.
    """
    if said.task == "grade":
        yield from _rewritten(said)
    elif said.task == "extract":
        yield from _extracted(said)


def _rewritten(said: Said) -> Iterator[Made]:
    task = task_named(said.task)
    content = task.read_content(said.content)
    new = rewritten(content, task.read_answer(said.answer, content))
    if new is None:
        return
    ids = [
        _same_sentence(said, side)
        if text == said.content[side]
        else make_id("rewrite", _same_sentence(said, side), " ".join(text.split()))
        for side, text in zip(("left", "right"), new, strict=True)
    ]
    pair = _pair(
        (ids[0], ids[1]),
        new,
        group_id=said.group_id or said.item_id,
        proposed_by=f"rewrite:{_maker(said)}",
        created_at=said.created_at,
        dropped_for=said.not_counted_for,
    )
    label = Label(
        pair_id=pair.pair_id,
        definition="graded",
        is_paraphrase=True,
        grade=UNIVERSAL,
        score=None,
        votes_for=1,
        votes=1,
        labelled_by=f"{'decision' if said.is_decision else 'judgment'}:{said.judgment_id}",
    )
    yield Made(pair=pair, label=label if said.is_counted else None)


def _same_sentence(said: Said, side: str) -> str:
    """The id of a side that was not rewritten: the sentence's own where it is known."""
    found = said.origin.get(f"{side}_id")
    return found if isinstance(found, str) else make_id("text", said.content[side])


def _maker(said: Said) -> str:
    """By what `items.proposers_of` finds out who may not judge the pair: a judgment, or whoever decided."""
    return said.person_id if said.is_decision else said.judgment_id


def _extracted(said: Said) -> Iterator[Made]:
    task = task_named(said.task)
    content = task.read_content(said.content)
    for found in extracted_pairs(content, task.read_answer(said.answer, content), said.origin):
        sentences = tuple(
            Sentence(
                sentence_id=stretch.sentence_id,
                document_id=stretch.document_id,
                text=stretch.text,
                start=stretch.start,
                end=stretch.end,
                made_by=f"person:{said.person_id}",
                dropped_for=said.not_counted_for,
            )
            for stretch in (found.left, found.right)
        )
        pair = _pair(
            (found.left.sentence_id, found.right.sentence_id),
            (found.left.text, found.right.text),
            group_id=said.group_id or said.item_id,
            proposed_by=f"extract:{_maker(said)}",
            created_at=said.created_at,
            dropped_for=said.not_counted_for,
        )
        yield Made(pair=pair, label=None, sentences=sentences)


def made_by_attempt(attempt: Attempt) -> Made:
    """A try as a pair, labelled by the model that judged it under the definition of mutual implication."""
    pair = _pair(
        (make_id("text", attempt.source), make_id("attempt", attempt.check_id)),
        (attempt.source, attempt.text),
        group_id=attempt.group_id or attempt.item_id,
        proposed_by=f"attempt:{attempt.check_id}",
        created_at=attempt.created_at,
        dropped_for=None,
    )
    label = Label(
        pair_id=pair.pair_id,
        definition="implication",
        is_paraphrase=attempt.implication > IMPLIED,
        grade=None,
        score=attempt.implication,
        votes_for=None,
        votes=None,
        labelled_by=attempt.judged_by,
    )
    return Made(pair=pair, label=label)


def every_attempt(connection: Connection, campaign_id: str | None, *, names: bool = False) -> Iterator[Attempt]:
    """All tries of the game, the oldest first, a batch at a time."""
    tries, items, people = schema.checks, schema.items, schema.people
    asked = (
        sa.select(tries, people.c.name, items.c.content, items.c.group_id)
        .join(items, sa.and_(items.c.campaign_id == tries.c.campaign_id, items.c.item_id == tries.c.item_id))
        .join(people, people.c.person_id == tries.c.person_id)
        .order_by(tries.c.number)
        .limit(AT_ONCE)
    )
    if campaign_id is not None:
        asked = asked.where(tries.c.campaign_id == campaign_id)
    last = 0
    while rows := connection.execute(asked.where(tries.c.number > last)).all():
        for row in rows:
            yield Attempt(
                number=row.number,
                check_id=row.check_id,
                campaign=row.campaign_id,
                item_id=row.item_id,
                annotator=called(row.person_id, row.name, names=names),
                source=row.content["source"],
                text=row.text,
                implication=row.implication,
                similarity=row.similarity,
                reward=row.reward,
                passes=row.passes,
                judged_by=row.judged_by,
                created_at=row.created_at,
                group_id=row.group_id,
            )
        last = rows[-1].number


def _pair(
    ids: tuple[str, str],
    texts: tuple[str, str],
    *,
    group_id: str,
    proposed_by: str,
    created_at: datetime,
    dropped_for: str | None,
) -> Pair:
    left, right = (words(text) for text in texts)
    return Pair(
        pair_id=pair_id_of(*ids),
        group_id=group_id,
        left_id=ids[0],
        right_id=ids[1],
        left=texts[0],
        right=texts[1],
        created_at=created_at,
        proposed_by=proposed_by,
        rank=1,
        pinc=round(pinc_of_tokens(left, right), PLACES),
        jaccard=round(jaccard_of_tokens(left, right), PLACES),
        similarity=round(cosine_of_counts(Counter(left), Counter(right)), PLACES),
        dropped_for=dropped_for,
    )
