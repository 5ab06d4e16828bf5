"""The nouns: one frozen dataclass per table, its Arrow schema, its unique key and its check.

What goes in and out of every stage is one of these tables. A dataclass field is a column; a field that
may be `None` is a nullable column; `KEY` names the columns that together are unique and give the order
of the rows on disk.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from datetime import datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from paraloom.errors import TableError

if TYPE_CHECKING:
    import pyarrow as pa

TOPICS = ("science/tech", "health", "politics", "finance", "sports", "entertainment", "event", "others")
"""What a group can be about: the eight topics of Dou et al. (2022), figure 2."""

SPLITS = ("train", "dev", "test")
"""What a part of a corpus is for."""

ID_BYTES = 16
"""An id is this many bytes of blake2b, written as twice as many hex digits."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One text as its source published it: a post, an article, a subtitle file. Broken input rows are documents too."""

    KEY: ClassVar[tuple[str, ...]] = ("document_id",)

    document_id: str
    """Hash of platform and native id, else of author, time and text; never of the file's name."""
    text: str
    """Repaired text (entities decoded, encoding mended); offsets of sentences count its characters."""
    title: str | None
    created_at: datetime | None
    author: str | None
    """Salted hash of the author's name, unless the names were asked for."""
    language: str | None
    """The language the source claims, as its two-letter code."""
    urls: list[str]
    """Canonical links, without those that lead to media or to the post itself."""
    media_urls: list[str]
    """Links to a photo, a video, a post or a profile: counted, never grouped by. Accounts in them are hidden."""
    trend: str | None
    work: str | None
    """What it is one version of: a film, a text that was translated, an exercise, a thread's title and forum."""
    series: str | None
    """What the work is a part of: the series of an episode."""
    repost_of: str | None
    """Native id or author of the post that this one repeats automatically; a name in it is hashed like `author`."""
    page_title: str | None
    page_description: str | None
    source: str
    """Where the text comes from: an account, a site, a platform."""
    kind: str
    """post, article, subtitle …"""
    native_id: str | None
    """The id the platform gave it; hashed where it is not a number, since it may hold the author's name."""
    file: str
    """The file it was read from: its base name, in `align` with the folders before it that it is told by."""
    offset: int
    """Byte offset of the record in that file (row number in a Parquet file)."""
    copies: int
    """How many input rows were this same document."""
    dropped_for: str | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One caption of a subtitle document: its place in the document's text, and when it is on the screen."""

    KEY: ClassVar[tuple[str, ...]] = ("document_id", "start")

    document_id: str
    start: int
    end: int
    text: str
    begins_at: float
    """Seconds from the beginning of the film, as the file has them."""
    ends_at: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One document's place in one group of documents that may say the same thing."""

    KEY: ClassVar[tuple[str, ...]] = ("group_id", "document_id")

    group_id: str
    document_id: str
    kind: str
    """What holds the group together: url, trend, aligned …"""
    key: str
    """The URL, the trend, the work that both documents are versions of …"""
    is_origin: bool
    """This document is the one the others may have copied from."""
    topic: str
    created_at: datetime | None
    """When the group's first post was written: it decides the split."""
    size: int
    """Documents in the group, reposts and bad rows not counted."""
    start: int | None = None
    """Where in the document's text the part begins that belongs to the group; null: all of it does."""
    end: int | None = None
    similarity: float | None = None
    """How alike the two documents of an aligned group are: cosine of character n-grams."""
    dropped_for: str | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a document, cleaned; `start` and `end` are its exact place in the document's text."""

    KEY: ClassVar[tuple[str, ...]] = ("sentence_id",)

    sentence_id: str
    """Hash of document_id, start, end; in a mined run, of the normalised text."""
    document_id: str
    """In a mined run, the file of the first of its copies, with the folders it is told by, or what the run that the
    sentence is from has here."""
    text: str
    start: int
    """In a mined run, the byte offset in the file (row number in a Parquet file)."""
    end: int
    made_by: str
    """The splitter, or the person who selected the span; in a mined run, the kind of file."""
    copies: int = 1
    """In a mined run, how many input rows were this same text."""
    native_id: str | None = None
    """In a mined run, the id that the row of the first of its copies had, where its column was named."""
    dropped_for: str | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of each of two aligned documents, suggested as saying the same."""

    KEY: ClassVar[tuple[str, ...]] = ("segment_id",)

    segment_id: str
    """Hash of both documents' ids and the offsets."""
    group_id: str
    left_document_id: str
    left_start: int
    left_end: int
    right_document_id: str
    right_start: int
    right_end: int
    shape: str
    """Sentences on either side: 1-1, 1-2, 2-1, 2-2; `phrase-1` where the left is a part of one; or `heading`."""
    suggested_by: str
    """What found it: the alignment in order, the best match in any order, the headings."""
    reason: str
    """Why it was suggested, for a person to read."""
    score: float
    dropped_for: str | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two sentences of one group, proposed as paraphrases."""

    KEY: ClassVar[tuple[str, ...]] = ("pair_id",)

    pair_id: str
    """Hash of the two sentence ids, sorted."""
    group_id: str
    """Of a mined pair, its left sentence: what was found near it is a group."""
    left_id: str
    right_id: str
    left: str
    right: str
    created_at: datetime | None
    """When the younger of the two was written."""
    proposed_by: str
    rank: int
    """Rank of the right sentence in its group; the left one is the seed. Of a mined pair, its rank among all that are
    kept, from 1; 0 where it was dropped."""
    pinc: float
    jaccard: float
    similarity: float
    """Cosine of word counts; of a mined pair, of the two sentences' vectors."""
    margin: float | None = None
    """Of a mined pair: its similarity over the mean similarity of both sentences to those nearest to them."""
    is_mutual: bool | None = None
    """Of a mined pair: each sentence is among those nearest to the other."""
    lexical: float | None = None
    """Of a mined pair: cosine of the counts of character n-grams of lengths 2 to 4."""
    dropped_for: str | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """One annotator's answer on one item. Never overwritten; a change of mind is a new row."""

    KEY: ClassVar[tuple[str, ...]] = ("judgment_id",)

    judgment_id: str
    campaign: str
    task: str
    item_kind: str
    item_id: str
    annotator: str
    answer: str
    """JSON of the task's answer."""
    instructions_version: int
    seconds: float | None
    created_at: datetime
    is_test: bool
    client_id: str | None
    not_counted_for: str | None = None
    """set_aside, superseded or test; null where it counts."""
    left_id: str | None = None
    """Of a judged pair, the sentence that was shown on the left: graded labels have a direction."""
    is_decision: bool = False
    """An expert settled a dispute with it: it counts in place of everybody's answers."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What is held true of one pair under one definition of paraphrase."""

    KEY: ClassVar[tuple[str, ...]] = ("pair_id", "definition")

    pair_id: str
    definition: str
    is_paraphrase: bool | None
    grade: str | None
    score: float | None
    votes_for: int | None
    votes: int | None
    labelled_by: str
    """Signature of the identifier, or how the votes were joined."""
    left_id: str | None = None
    """The sentence that was on the left when `grade` was given; null: the pair's own left one."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """One sentence's place among those that it is joined with by mined pairs, directly or through others."""

    KEY: ClassVar[tuple[str, ...]] = ("sentence_id",)

    sentence_id: str
    cluster_id: str
    """Hash of the cluster's smallest sentence id."""
    size: int
    """Sentences in the cluster."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPair:
    """One labelled pair as it is released: texts, label, cluster and split together."""

    KEY: ClassVar[tuple[str, ...]] = ("pair_id",)

    pair_id: str
    group_id: str
    left_id: str
    right_id: str
    left: str
    right: str
    definition: str
    is_paraphrase: bool
    grade: str | None = None
    """The graded label of left and right in this order, where there is one."""
    score: float
    cluster_id: str | None
    """Sentences joined by paraphrase links share it; null where the pair is no paraphrase."""
    split: str
    topic: str
    kind: str
    key: str
    created_at: datetime | None
    pinc: float
    jaccard: float
    labelled_by: str
    dropped_for: str | None
    """Why the pair is no part of the released corpus, such as a group with too few paraphrases."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """Two texts of a pair as tokens, and which of these stand for each other. Broken input rows are alignments too."""

    KEY: ClassVar[tuple[str, ...]] = ("group_id", "alignment_id")

    group_id: str
    """What the pair is from, as its row says; of a row that says nothing, its own id."""
    alignment_id: str
    """Hash of the row's ids and texts."""
    pair_id: str
    """As the row says, or its own id."""
    left: str
    """Tokens with a blank between them."""
    right: str
    links: str
    """Places of tokens, left and right, from 0: `0-0 1-2`."""
    copies: int = 1
    """How many input rows were this same pair."""
    dropped_for: str | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Two phrases that stood for each other in aligned sentences, each pair once in either order.

    Sentence pairs are read in both directions: the row of (right, left) has the same counts, and `forward` and
    `backward`, `lexical_forward` and `lexical_backward` exchanged. Probabilities have six significant digits.
    """

    KEY: ClassVar[tuple[str, ...]] = ("left", "right")

    left: str
    right: str
    count: int
    """How often the left phrase, on whichever side of a pair, was aligned with the right one. With itself it is twice a
    time, once from either side."""
    forward: float
    """p(right | left): the share of `count` in all that the left phrase was aligned with, itself among it."""
    backward: float
    """p(left | right)."""
    lexical_forward: float
    """The words of the right phrase given those of the left one that they are linked to (Koehn et al., 2003)."""
    lexical_backward: float
    """The words of the left phrase given those of the right one."""
    score: float
    """What the pairs are ranked by; as they are extracted, the geometric mean of `forward` and `backward`."""
    left_count: int | None = None
    """How often the left phrase was aligned with anything."""
    right_count: int | None = None
    pair_count: int | None = None
    """In how many sentence pairs the two were aligned."""
    group_count: int | None = None
    """In how many groups of these."""
    links: str | None = None
    """Between the words inside, as they were most often: `0-0 1-2`."""
    contexts: list[str] | None = None
    """Places where the left phrase stood: up to two words before it, up to two behind it and the pair's id, with tabs
    between."""
    dropped_for: str | None = None


Noun: TypeAlias = type[
    Document | Cue | Group | Segment | Sentence | Pair | Judgment | Label | Cluster | CorpusPair | Alignment | Phrase
]

NOUNS: dict[str, Noun] = {
    "documents": Document,
    "cues": Cue,
    "groups": Group,
    "segments": Segment,
    "sentences": Sentence,
    "pairs": Pair,
    "judgments": Judgment,
    "labels": Label,
    "clusters": Cluster,
    "corpus": CorpusPair,
    "alignments": Alignment,
    "phrases": Phrase,
}
"""A table's folder name and the noun of its rows."""


def make_id(*parts: object) -> str:
    """The id of what these parts name together; the order of the parts matters, their types do not.

    >>> make_id("twitter", 12) == make_id("twitter", "12")
    True
    >>> make_id("ab", "c") == make_id("a", "bc")
    False
    """
    named = "\x1f".join(str(part) for part in parts)
    return blake2b(named.encode("utf-8", "surrogatepass"), digest_size=ID_BYTES).hexdigest()


def sentence_id_of(document_id: str, start: int, end: int) -> str:
    """The id of a stretch of a document, whoever cut it out: a splitter, an aligner or a person."""
    return make_id(document_id, start, end)


def pair_id_of(left_id: str, right_id: str) -> str:
    """The id of two sentences, the same whichever side each stands on.

    >>> pair_id_of("a", "b") == pair_id_of("b", "a")
    True
    """
    return make_id(*sorted((left_id, right_id)))


def schema(noun: Noun) -> pa.Schema:
    """The Arrow schema of a noun's table, derived from its fields."""
    import pyarrow as pa

    hints = typing.get_type_hints(noun)
    fields = []
    for field in dataclasses.fields(noun):
        arrow_type, nullable = _arrow_type(hints[field.name])
        fields.append(pa.field(field.name, arrow_type, nullable=nullable))
    return pa.schema(fields)


def _arrow_type(hint: object) -> tuple[pa.DataType, bool]:
    import pyarrow as pa

    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        (inner,) = (arm for arm in typing.get_args(hint) if arm is not type(None))
        return _arrow_type(inner)[0], True
    if typing.get_origin(hint) is list:
        (item,) = typing.get_args(hint)
        return pa.list_(_arrow_type(item)[0]), False
    plain = {
        str: pa.string(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        datetime: pa.timestamp("us", tz="UTC"),
    }
    return plain[typing.cast(type, hint)], False


def check(table: pa.Table, noun: Noun) -> pa.Table:
    """The table itself, in the noun's column order, or a `TableError` that says what is wrong with it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    expected = schema(noun)
    name = noun.__name__
    missing = [column for column in expected.names if column not in table.column_names]
    if missing:
        raise TableError(f"A table of {name} rows lacks the columns {', '.join(missing)}.")
    extra = [column for column in table.column_names if column not in expected.names]
    if extra:
        raise TableError(f"A table of {name} rows has columns that {name} does not know: {', '.join(extra)}.")
    for field in expected:
        if not field.nullable and (nulls := table.column(field.name).null_count):
            raise TableError(f"{name}.{field.name} may not be null, and {nulls} rows are.")
    try:
        table = table.select(expected.names).cast(expected)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise TableError(f"A table of {name} rows does not have {name}'s column types: {error}") from error
    keys = table.select(list(noun.KEY))
    distinct = keys.group_by(list(noun.KEY)).aggregate([([], "count_all")])
    if len(distinct) != len(table):
        twice = distinct.filter(pc.greater(distinct.column("count_all"), 1)).slice(0, 1).to_pylist()[0]
        shown = ", ".join(f"{column}={twice[column]!r}" for column in noun.KEY)
        raise TableError(f"A table of {name} rows has {len(table) - len(distinct)} keys twice, the first: {shown}.")
    return table
