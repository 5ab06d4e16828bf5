"""The build's own functions under pandas, from file to pairs: what a careful person would write without the engine."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa

from paraloom.documents.decode import decode
from paraloom.documents.options import ReadOptions
from paraloom.engine import foreign
from paraloom.engine.rows import Members, from_rows, members_of, row_schema
from paraloom.groups.membership import describe_group, memberships
from paraloom.groups.options import GroupOptions
from paraloom.groups.topics import TopicMapping
from paraloom.pairs.members import pairs_of_group
from paraloom.pairs.options import PairOptions
from paraloom.sentences.members import sentences_of_group
from paraloom.sentences.options import SentenceOptions
from paraloom.tables import Group, Pair, Sentence


def build(file: str, out: Path, detect_language: str) -> None:
    """Documents, groups, sentences and pairs of one file of posts, each written as Parquet."""
    out.mkdir(parents=True)
    records = [batch for chunk in foreign.plan([file]) for batch in foreign.records(chunk)]
    documents = pd.concat([_frame(decode(batch, ReadOptions(author_salt="benchmark"))) for batch in records])
    documents = documents.drop_duplicates("document_id").sort_values("document_id")
    documents.to_parquet(out / "documents.parquet")
    kept = documents[documents.dropped_for.isna()]

    options = GroupOptions()
    columns = ["document_id", "text", "urls", "trend", "created_at", "author"]
    documents_table = pa.Table.from_pandas(kept[columns], preserve_index=False)
    grouped = memberships(documents_table, options=options).to_pandas().groupby("group_id", sort=True)
    rows = [
        row
        for group_id, members in grouped
        for row in describe_group(
            group_id, _members(members), options=options, topics=TopicMapping(), accounts=frozenset()
        )
    ]
    groups = _rows_frame(rows, Group).sort_values(["group_id", "document_id"])
    groups.to_parquet(out / "groups.parquet")
    groups = groups[groups.dropped_for.isna()]

    joined = groups[["group_id", "document_id", "kind", "is_origin"]].merge(
        kept[["document_id", "text", "language", "created_at", "page_title", "page_description"]], on="document_id"
    )
    sentence_options = SentenceOptions(detect_language=detect_language)  # type: ignore[arg-type]
    rows = [
        row
        for group_id, members in joined.groupby("group_id", sort=True)
        for row in sentences_of_group(group_id, _members(members), options=sentence_options)
    ]
    sentences = _rows_frame(rows, Sentence).sort_values(["sentence_id", "dropped_for"]).drop_duplicates("sentence_id")
    sentences.to_parquet(out / "sentences.parquet")

    joined = (
        sentences[sentences.dropped_for.isna()][["document_id", "sentence_id", "text"]]
        .merge(groups[["document_id", "group_id", "kind"]], on="document_id")
        .merge(kept[["document_id", "created_at"]], on="document_id")
    )
    rows = [
        row
        for group_id, members in joined.groupby("group_id", sort=True)
        for row in pairs_of_group(group_id, _members(members), options=PairOptions())
    ]
    pairs = _rows_frame(rows, Pair).sort_values(["pair_id", "group_id"]).drop_duplicates("pair_id")
    pairs.to_parquet(out / "pairs.parquet")


def _frame(table: pa.Table) -> pd.DataFrame:
    return table.to_pandas()


def _rows_frame(rows: list[object], kind: type) -> pd.DataFrame:
    return from_rows(rows, row_schema(kind)).to_pandas()


def _members(rows: pd.DataFrame) -> Members:
    return members_of(**{name: [_none(value) for value in rows[name].tolist()] for name in rows.columns})


def _none(value: object) -> object:
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    return None if value is pd.NaT or value != value else value


if __name__ == "__main__":
    build(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
