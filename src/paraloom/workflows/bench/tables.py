"""Pooled results in, the papers' tables out: each published row with ours beside it, then our other rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.metrics.significance import Comparison
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.reports.bench_identification_rows import YARDSTICK, Against, BenchCost, BenchRow, BenchTable, Group
from paraloom.workflows.bench.collected import Collected, Place
from paraloom.workflows.bench.contenders import Contender, contender_of, contenders_on, why_no_base
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.known import READERS
from paraloom.workflows.bench.pooling import Pooled
from paraloom.workflows.bench.published import (
    AT_HALF,
    MATTHEWS,
    MAX_F1,
    TABLES,
    TEST_BASE_RATES,
    Measured,
    PublishedRow,
    PublishedTable,
)
from paraloom.workflows.bench.reasons import why

OTHER_CORPORA = ("ap-h", "qqp", "paws-wiki", "paws-qqp")
"""Corpora that no table of the papers has systems trained on alone, shown where they are found."""

LABELLED = {"Turku Paraphrase Corpus": "turku", "Opus-parsebank": "turku-opus-parsebank"}
"""Test sets of the papers' tables of single labels, and our names of their corpora."""

IN_TABLES = frozenset((*LABELLED.values(), *(row.corpus for table in TABLES for row in table.rows)))
"""Corpora that a paper's table is of."""

OWN = ("max-f1", "f1", "mcc", "average-precision")
"""What such a table shows; where each side must imply the other, MCC first, as in the paper."""

JUDGED_BY: Mapping[tuple[str, ...], tuple[str, ...]] = {MAX_F1: MAX_F1[:1], AT_HALF: ("f1",), MATTHEWS: MATTHEWS}
"""Metrics of a table whose distance from the published figures is explained; precision and recall trade places."""

SHORT = {
    "google-bert/bert-base-uncased": "BERT-base",
    "google-bert/bert-large-uncased": "BERT-large",
    "FacebookAI/roberta-base": "RoBERTa-base",
    "FacebookAI/roberta-large": "RoBERTa-large",
    "vinai/bertweet-large": "BERTweet-large",
    "albert/albert-xxlarge-v2": "ALBERT-v2-xxlarge",
    "microsoft/deberta-v3-large": "DeBERTa-v3-large",
    "google-t5/t5-base": "T5-base",
    "google-t5/t5-large": "T5-large",
    "all-MiniLM-L6-v2": "MiniLM-L6",
    "all-mpnet-base-v2": "mpnet-base",
}
"""Bases as the tables call them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """All that the tables are made of."""

    corpora: Mapping[str, KnownCorpus]
    """Those that were found."""
    collected: Collected
    not_run: Mapping[Place, str]
    options: BenchOptions
    known: dict[Place, BenchRow] = field(default_factory=dict)
    """Rows that were filled in already: some stand in several tables."""

    def tables(self) -> tuple[BenchTable, ...]:
        """Those of the papers, and one of each further corpus that was found or asked for."""
        published = [self._table(table) for table in TABLES]
        further = [self._own_table(name) for name in READERS if self._has_own_table(name)]
        return tuple(table for table in (*published, *further) if self._is_about_what_was_asked(table))

    def _has_own_table(self, corpus: str) -> bool:
        """Whether a corpus without a paper's table is shown: it is a usual one, was asked for, or has results."""
        is_usual = corpus in OTHER_CORPORA
        if corpus in IN_TABLES and not is_usual:
            return False
        has_results = any(name == corpus for name, _ in self.collected.pooled)
        return has_results or (corpus in self.corpora and (is_usual or corpus in self.options.corpora))

    def _is_about_what_was_asked(self, table: BenchTable) -> bool:
        """Where some corpora are asked for, a table of others is left out unless it has figures of earlier runs."""
        asked = self.options.corpora
        return not asked or any(row.corpus in asked or row.figures for row in table.rows)

    def _table(self, table: PublishedTable) -> BenchTable:
        rows = [self._published_row(table, row) for row in table.rows]
        seen = {(row.corpus, row.name) for row in rows}
        for corpus, contender in self._others(table):
            if (corpus, contender.name) not in seen:
                seen.add((corpus, contender.name))
                rows.append(self._row(corpus, contender))
        return BenchTable(
            name=table.name,
            heading=table.heading,
            paper=table.paper,
            number=table.number,
            caption=table.caption,
            metrics=table.metrics,
            is_in_per_cent=table.is_in_per_cent,
            rows=tuple(rows),
            notes=tuple(self._notes(dict.fromkeys(row.corpus for row in table.rows))),
        )

    def _own_table(self, corpus: str) -> BenchTable:
        definition = READERS[corpus].definition
        contenders = contenders_on(corpus, definition, BenchOptions(base=self.options.base))
        return BenchTable(
            name=corpus,
            heading=READERS[corpus].title,
            paper="",
            number=0,
            caption="Trained on its own pairs alone",
            metrics=OWN if definition != "implication" else ("mcc", *(name for name in OWN if name != "mcc")),
            is_in_per_cent=False,
            rows=tuple(self._row(corpus, contender) for contender in contenders if not contender.fit_on),
            notes=tuple(self._notes([corpus])),
        )

    def _others(self, table: PublishedTable) -> Iterator[tuple[str, Contender]]:
        """Our rows that the paper has not: on the same corpora, fitted on the same ones as some row of the table."""
        ways = {(row.corpus, contender_of(row).fit_on, contender_of(row).measured) for row in table.rows}
        for corpus in dict.fromkeys(row.corpus for row in table.rows):
            if corpus not in self.corpora:
                continue
            everything = BenchOptions(base=self.options.base)
            for contender in contenders_on(corpus, self.corpora[corpus].definition, everything):
                if (corpus, contender.fit_on, contender.measured) in ways:
                    yield corpus, contender

    def _published_row(self, table: PublishedTable, row: PublishedRow) -> BenchRow:
        ours = self._row(row.corpus, contender_of(row))
        filled = replace(
            ours,
            title=self._with_ways(row.title, row.corpus, row.fit_on, row.measured),
            group="paper",
            published=dict(zip(table.metrics, row.figures, strict=True)),
            published_parameters=row.parameters,
            published_learning_rate=row.learning_rate,
        )
        return replace(filled, why=why(filled, JUDGED_BY[table.metrics]))

    def _with_ways(self, title: str, corpus: str, fit_on: Sequence[str], measured: Measured) -> str:
        """A title that says what was learned from and measured on, where these are not one corpus's own splits."""
        if not fit_on:
            return title
        names = {name: self.corpora[name].title if name in self.corpora else name for name in (corpus, *fit_on)}
        learned = " + ".join(names[name] for name in fit_on)
        tested = {"own": "test", "all": "all"}.get(measured, measured)
        return f"{title} [{learned}] on {names[corpus]} ({tested})"

    def _row(self, corpus: str, contender: Contender) -> BenchRow:
        place = (corpus, contender.name)
        if place not in self.known:
            self.known[place] = self._made_row(corpus, contender)
        return self.known[place]

    def _made_row(self, corpus: str, contender: Contender) -> BenchRow:
        group: Group = "shipped" if contender.as_shipped else "ours"
        row = BenchRow(
            name=contender.name,
            title=self._own_title(corpus, contender),
            group=group,
            system=contender.system,
            corpus=corpus,
            is_trained_elsewhere=bool(contender.fit_on),
        )
        pooled = self.collected.pooled.get((corpus, contender.name))
        if pooled is None:
            return replace(row, not_run=self.why_not_run(corpus, contender))
        yardstick = replace(contender, system=YARDSTICK, base="", base_place="", as_shipped=False)
        return self._filled(row, pooled, self.collected.pooled.get((corpus, yardstick.name)))

    def _own_title(self, corpus: str, contender: Contender) -> str:
        title = SYSTEMS[contender.system].title
        if contender.as_shipped:
            return f"{title}, as shipped"
        parts = [title, SHORT.get(contender.base, contender.base)]
        title = " ".join(part for part in parts if part)
        return self._with_ways(title, corpus, contender.fit_on, contender.measured)

    def why_not_run(self, corpus: str, contender: Contender) -> str:
        """Why a contender has no figures on a corpus."""
        place = (corpus, contender.name)
        if corpus not in self.corpora:
            is_asked = corpus in (self.options.corpora or READERS)
            return "the corpus is not in the folder" if is_asked else "not asked for"
        if place in self.not_run:
            return self.not_run[place]
        if place in self.collected.why_not:
            return self.collected.why_not[place]
        without = "no result in the folder" if not self.options.fit else "not asked for"
        if self.options.systems and contender.system not in self.options.systems:
            return without
        return why_no_base(contender, hub=self.options.hub) or without

    def _filled(self, row: BenchRow, pooled: Pooled, yardstick: Pooled | None) -> BenchRow:
        first = pooled.first
        test_rate = TEST_BASE_RATES.get(row.corpus) if "test split" not in first.protocol else None
        compared = pooled.compared_with(yardstick) if yardstick is not None and yardstick is not pooled else None
        return replace(
            row,
            figures=pooled.figures(),
            measured_on=measured_on(pooled),
            pairs=len(pooled.truth),
            base_rate=float(pooled.truth.mean()),
            by_fold=tuple(pooled.by_fold()) if first.folds > 1 else (),
            at_test_rate=None if test_rate is None else pooled.at_base_rate(test_rate),
            test_rate=test_rate,
            against=None if compared is None else _against(compared),
            cost=cost_of(pooled),
            learning_rate=first.learning_rate,
            identifier=first.identifier,
            settings=first.settings,
            curve=first.curve,
        )

    def _notes(self, names: Sequence[str] | Mapping[str, None]) -> Iterator[str]:
        for name in names:
            if name in self.corpora:
                yield from (f"{self.corpora[name].title}: {note}" for note in self.corpora[name].notes)


def _against(compared: Comparison) -> Against:
    return Against(difference=compared.difference, p_value=compared.p_value, low=compared.low, high=compared.high)


def cost_of(pooled: Pooled) -> BenchCost:
    """What scoring and fitting took, over all folds and seeds that were run where the first was."""
    first = pooled.first
    timed = [result for result in pooled.results if result.machine == first.machine]
    scored = sum(len(result.scores) for result in timed)
    seconds = sum(result.score_seconds for result in timed)
    return BenchCost(
        parameters=first.parameters,
        pairs_per_second=scored / max(seconds, 1e-9),
        fit_seconds=float(np.mean([result.fit_seconds for result in timed])),
        fit_pairs=first.fit_pairs,
        device=first.device,
        processor=first.processor,
        cores=first.cores,
    )


def measured_on(pooled: Pooled) -> str:
    """Which pairs, how many of the folds, how many seeds."""
    told = [pooled.first.protocol]
    if not pooled.is_whole:
        told.append(f"{len(pooled.folds)} of {pooled.first.folds} folds so far")
    if len(pooled.seeds) > 1:
        told.append(f"{len(pooled.seeds)} seeds")
    if pooled.groups is None:
        told.append("intervals as if pairs were independent")
    return ", ".join(told)
