"""Options in, the steps of a build out: which stage's function runs over which rows, table by table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.layout import Laid
from paraloom.engine.passes import Join, Pass, Read
from paraloom.engine.steps import Step
from paraloom.tables import CorpusPair, Document, Group, Label, Pair, Sentence

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.corpus.options import CorpusOptions
    from paraloom.documents.options import ReadOptions
    from paraloom.engine.foreign import Chunk
    from paraloom.groups.options import GroupOptions
    from paraloom.labels.options import LabelOptions
    from paraloom.pairs.options import PairOptions
    from paraloom.sentences.options import SentenceOptions


def bind(function: Callable[..., Any], **options: Any) -> Callable[[], Callable[..., Any]]:
    """A pass's `work`: makes this function with these options, in whatever process it is to run."""
    return partial(partial, function, **options)


def documents_step(chunks: Sequence[Chunk], files: Mapping[str, Path], options: ReadOptions) -> Step:
    """Raw records of foreign files → documents."""
    from paraloom.documents.reader import Decoder, merge_documents
    from paraloom.documents.salt import without_secrets

    given = {name: path for name, path in (("shorteners", options.shorteners), ("pages", options.pages)) if path}
    return Step(
        table="documents",
        passes=(Pass(name="decode", by=None, work=partial(Decoder, options), row=Document, to="document_id"),),
        options=without_secrets(options),
        stages=("documents",),
        files={**files, **files_below(given)},
        chunks=chunks,
        merge=merge_documents,
    )


def files_below(given: Mapping[str, Path]) -> dict[str, Path]:
    """Files by name, a folder's files one by one."""
    found: dict[str, Path] = {}
    for name, path in given.items():
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.is_file())
            found |= {f"{name}/{file.relative_to(path).as_posix()}": file for file in files}
        else:
            found[name] = path
    return found


def groups_step(options: GroupOptions, accounts: frozenset[str]) -> Step:
    """Documents → groups, by URL or by trend."""
    from paraloom.groups.membership import Membership, describe_group, memberships
    from paraloom.groups.topics import TopicMapping, read_topics

    topics = read_topics(options.topics) if options.topics else TopicMapping()
    passes: list[Any] = [
        Pass(
            name="memberships",
            reads=(Read(table="documents", columns=("document_id", "text", "urls", "trend", "created_at", "author")),),
            by=None,
            work=bind(memberships, options=options),
            row=Membership,
            to="group_id",
        ),
        Pass(
            name="described",
            reads=(
                Read(
                    table="memberships",
                    columns=("group_id", "document_id", "kind", "key", "created_at", "author"),
                    kept_only=False,
                ),
            ),
            by="group_id",
            work=bind(describe_group, options=options, topics=topics, accounts=accounts),
            row=Group,
            to="group_id",
        ),
    ]
    if options.balance is not None:
        passes.append(partial(_balance_pass, options=options, share=options.balance))
    given = {name: path for name, path in (("accounts", options.accounts), ("topics", options.topics)) if path}
    return Step(
        table="groups",
        passes=tuple(passes),
        options=replace(options, accounts=None, topics=None),  # their content counts, not where they lie
        stages=("groups",),
        inputs=("documents",),
        files=given,
    )


def _balance_pass(laid: Mapping[str, Laid], *, options: GroupOptions, share: float) -> Pass:
    """Sees how many groups each topic has, and leaves out those of a topic that has too many."""
    from collections import Counter

    from paraloom.groups.balance import balance_groups, limits_for_balance
    from paraloom.groups.topics import quotas

    topics: dict[str, str] = {}
    for part in laid["described"].rows(("group_id", "topic", "dropped_for")):
        for group_id, topic, dropped in zip(*(column.to_pylist() for column in part.columns), strict=True):
            if dropped is None:
                topics[group_id] = topic
    limits = limits_for_balance(topics.items(), quotas(Counter(topics.values()), share), options.seed)
    return Pass(
        name="balanced",
        reads=(Read(table="described", columns=tuple(laid["described"].schema.names), kept_only=False),),
        by=None,
        work=bind(balance_groups, seed=options.seed, limits=limits),
        row=Group,
        to="group_id",
    )


def sentences_step(options: SentenceOptions) -> Step:
    """Documents and groups → sentences."""
    from paraloom.sentences.members import merge_sentences, sentences_of_group

    shown = ("document_id", "text", "language", "created_at", "page_title", "page_description")
    return Step(
        table="sentences",
        passes=(
            Join(
                name="grouped",
                reads=(
                    Read(table="groups", columns=("group_id", "document_id", "kind", "is_origin")),
                    Read(table="documents", columns=shown),
                ),
                by="document_id",
                to="group_id",
            ),
            Pass(
                name="split",
                reads=(Read(table="grouped", columns=("group_id", "kind", "is_origin", *shown), kept_only=False),),
                by="group_id",
                work=bind(sentences_of_group, options=options),
                row=Sentence,
                to="sentence_id",
            ),
        ),
        options=options,
        stages=("sentences",),
        inputs=("documents", "groups"),
        merge=merge_sentences,
    )


def pairs_step(options: PairOptions) -> Step:
    """Sentences and groups → proposed pairs."""
    from paraloom.pairs.members import merge_pairs, pairs_of_group

    return Step(
        table="pairs",
        passes=(
            Join(
                name="grouped",
                reads=(
                    Read(table="sentences", columns=("document_id", "sentence_id", "text")),
                    Read(table="groups", columns=("document_id", "group_id", "kind")),
                    Read(table="documents", columns=("document_id", "created_at")),
                ),
                by="document_id",
                to="group_id",
            ),
            Pass(
                name="proposed",
                reads=(
                    Read(
                        table="grouped",
                        columns=("group_id", "sentence_id", "text", "kind", "created_at"),
                        kept_only=False,
                    ),
                ),
                by="group_id",
                work=bind(pairs_of_group, options=options),
                row=Pair,
                to="pair_id",
            ),
        ),
        options=options,
        stages=("pairs",),
        inputs=("documents", "groups", "sentences"),
        merge=merge_pairs,
    )


def labels_step(options: LabelOptions) -> Step:
    """Pairs → labels, by an identifier."""
    from paraloom.labels.label import PairLabeller
    from paraloom.models.identifiers import weight_files

    return Step(
        table="labels",
        passes=(
            Pass(
                name="identified",
                reads=(Read(table="pairs", columns=("pair_id", "left", "right")),),
                by=None,
                work=partial(PairLabeller, options),
                row=Label,
                to="pair_id",
            ),
        ),
        options=options,
        stages=("labels", "models"),
        inputs=("pairs",),
        weights=weight_files(options.identifier),
    )


def corpus_step(options: CorpusOptions, splits: Path, clusters: Callable[[], pa.Table]) -> Step:
    """Pairs, labels and groups → the corpus; the file `splits` says which group is in which split."""
    from paraloom.corpus.assemble import LABEL_COLUMNS, PAIR_COLUMNS, LabelledPair, corpus_of_group, labelled_pairs
    from paraloom.engine.rows import row_schema
    from paraloom.pairs.propose import worth_judging

    return Step(
        table="corpus",
        passes=(
            Pass(
                name="labelled",
                reads=(
                    Read(table="pairs", columns=("pair_id", *PAIR_COLUMNS)),
                    Read(table="labels", columns=("pair_id", *LABEL_COLUMNS), kept_only=False),
                    Read(table="clusters", columns=("pair_id", "cluster_id"), kept_only=False),
                ),
                by="pair_id",
                work=bind(labelled_pairs),
                row=LabelledPair,
                to="group_id",
            ),
            Pass(
                name="assembled",
                reads=(
                    Read(table="labelled", columns=tuple(row_schema(LabelledPair).names), kept_only=False),
                    Read(table="groups", columns=("group_id", "kind", "key", "topic")),
                    Read(table="splits", columns=("group_id", "split", "is_across"), kept_only=False),
                ),
                by="group_id",
                work=bind(corpus_of_group, options=options, worth_releasing=worth_judging),
                row=CorpusPair,
                to="pair_id",
            ),
        ),
        options=options,
        stages=("corpus",),
        inputs=("groups", "pairs", "labels"),
        files={"splits": splits},
        prepared={"clusters": ("pair_id", clusters), "splits": ("group_id", partial(_table, splits))},
    )


def _table(file: Path) -> pa.Table:
    import pyarrow.parquet as pq

    return pq.read_table(file, partitioning=None)
