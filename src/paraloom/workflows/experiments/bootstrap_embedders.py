"""Safe pairs in, embedders that learned with and without them out, and where each finds the answers of held-out pairs.

Kanerva et al. (2023, section 8.1): the four trainings, of an embedder, beside one that was not trained and n-grams of
letters. All start from the same base, and the corpus's held-out pairs choose learning rate and epoch of all, as in the
paper. The right text of a held-out pair is looked for with the left one among all texts of both test sets and of the
candidates that chose bounds, none of which any of them has learned from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from paraloom.corpus.known import KnownPairs, joined
from paraloom.engine.given import check_file
from paraloom.engine.signatures import hash_of_file
from paraloom.metrics.identification.ranking import FIGURES, Ranking
from paraloom.metrics.retrieval.figures import AREA, FORGIVING, Found
from paraloom.metrics.retrieval.labels import in_order
from paraloom.metrics.retrieval.vectors import MILLIONTHS
from paraloom.models.embedders.catalogue import EMBEDDERS
from paraloom.models.embedders.static import StaticEmbedder
from paraloom.models.identifiers.bases_here import check_base
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import PlanOptions
from paraloom.reports.experiments import ResultTable
from paraloom.reports.pages import number
from paraloom.workflows.evaluate.distractors import Distractors
from paraloom.workflows.evaluate.retrieval import look_with
from paraloom.workflows.evaluate.retrieval_sets import RetrievalSet, set_of_known
from paraloom.workflows.evaluate.text_vectors import EXACT_CHARACTERS, ask_for, name_and_dims
from paraloom.workflows.experiments.bootstrap_embedder_tables import embedder_headline, embedder_tables
from paraloom.workflows.experiments.bootstrap_sets import Sets, safe_pairs, trainings
from paraloom.workflows.experiments.options import BootstrapEmbedderOptions, ExperimentOptions
from paraloom.workflows.experiments.saved_rows import SavedRows
from paraloom.workflows.experiments.trials import EXTENDED, Result, Trials
from paraloom.workflows.train.embedder import train_embedder
from paraloom.workflows.train.embedder_bases import BASES, open_source, open_trainee
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions

FOLDER = "embedder"
"""Where results of embedders are kept: they can be added to a folder that has those of classifiers."""
BASE = "base"
LEAST = 2
"""Paraphrases that an embedder can learn from."""

Selected = Mapping[str, Mapping[int, Result]]
"""By system and seed, what the first classifier selected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedEmbedder:
    """How every embedder of the experiment is trained, and what it starts from."""

    options: TrainEmbedderOptions
    plan: PlanOptions
    made_by: Mapping[str, Any]

    @property
    def base(self) -> str:
        return self.options.base or BASES[self.options.system]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedEmbedders:
    """What an experiment tells of its embedders."""

    headline: str
    tables: Sequence[ResultTable]
    notes: Sequence[str]
    signatures: Mapping[str, str]


def embedder_options(
    options: ExperimentOptions, embedding: BootstrapEmbedderOptions, plan: PlanOptions
) -> AskedEmbedder:
    """What is asked for; a base or a file that is not there is refused before anything is read."""
    for file in embedding.distractors:
        check_file(file)
    for name in (embedding.embedder_base, *embedding.beside):
        if name_and_dims(name)[0] not in (*EMBEDDERS, EXACT_CHARACTERS):
            check_base(name, hub=options.hub)
    torch_library()
    for name in embedding.beside:
        ask_for(name, hub=options.hub)
    asked = TrainEmbedderOptions(
        system=embedding.embedder,
        base=embedding.embedder_base,
        objective=embedding.objective,
        chosen_by=embedding.chosen_by,
        hub=options.hub,
    )
    own_plan = embedding.plan(plan.device)
    return AskedEmbedder(
        options=asked,
        plan=own_plan,
        made_by={
            "embedder": embedding.embedder,
            "embedder base": open_source(asked).signature,
            "objective": list(embedding.objective),
            "chosen by": embedding.chosen_by,
            "embedder plan": {name: value for name, value in own_plan.given.items() if name != "device"},
            "distractors": [hash_of_file(file) for file in embedding.distractors],
        },
    )


def train_embedders(
    trials: Trials,
    sets: Sets,
    asked: AskedEmbedder,
    embedding: BootstrapEmbedderOptions,
    selected: Selected,
    *,
    most_safe: int | str = 0,
) -> TrainedEmbedders:
    """Train an embedder in every way with what each system selected, and look with it for the pairs of both tests."""
    made_by = {**trials.made_by, **asked.made_by}
    kept = None if trials.folder is None else trials.folder / FOLDER
    own = replace(
        trials,
        rows=SavedRows(kept, {name: value for name, value in made_by.items() if name not in EXTENDED}),
        folder=kept,
        figure="top-1",
    )
    with _place(kept) as place:
        embedders = _Embedders(trials=own, sets=sets, asked=asked, files=embedding.distractors, place=place)
        before = {"untrained": embedders.untrained()} | {name: embedders.beside(name) for name in embedding.beside}
        by_system = {
            system: {
                seed: embedders.all_ways(system, seed, safe_pairs(sets, one, most_safe))
                for seed, one in by_seed.items()
            }
            for system, by_seed in selected.items()
        }
        searches = embedders.searches
    told = {system: f"{embedding.embedder} embedder, safe pairs of {system}" for system in selected}
    tables = [
        table
        for system, results in by_system.items()
        for table in embedder_tables(told[system], sets, searches, before, results)
    ]
    first = next(iter(by_system.values()))
    return TrainedEmbedders(
        headline=embedder_headline(f"{embedding.embedder} embedder", sets.corpus.title, before["untrained"], first),
        tables=tables,
        notes=(_about(asked, sets, searches, before["untrained"]),),
        signatures={name: f"{trials.signatures()[system]}|{_written(asked)}" for system, name in told.items()},
    )


@contextmanager
def _place(folder: Path | None) -> Iterator[Path]:
    """Where trainings are until they are done: what was stopped goes on from there."""
    if folder is None:
        with TemporaryDirectory(prefix="paraloom-experiment-") as forgotten:
            yield Path(forgotten)
        return
    place = folder / "unfinished"
    place.mkdir(parents=True, exist_ok=True)
    yield place
    rmtree(place, ignore_errors=True)


def _about(asked: AskedEmbedder, sets: Sets, searches: Mapping[str, RetrievalSet], one: Result) -> str:
    counts = " and ".join(
        f"{number(one[which]['candidates'])} candidates ({number(len(searches[which]))} pairs of {part.title})"
        for which, part in (("own", sets.corpus), ("found", sets.found))
    )
    return (
        f"Embedders start from {asked.base} and learn by the objective {' and '.join(asked.options.objective)}. Each "
        f"pair's right text is looked for with its left one among {counts}: the texts of both test sets and of the "
        "candidates that chose bounds, which nobody has learned from, and those of given files. top-k is of the "
        "paraphrases (forgiving: other texts that the pairs tell to be right answers are no candidates); ranks are the "
        "mean share, in per cent, of candidates before the answer, by label: low is good of paraphrases, high of "
        "others; roc-auc says how often a paraphrase is more alike than another pair. What "
        f"{sets.corpus.title} holds out chooses learning rate and epoch."
    )


def _written(asked: AskedEmbedder) -> str:
    plan = asked.made_by["embedder plan"]
    told = {
        "embedder": asked.options.system,
        "objective": "+".join(asked.options.objective),
        "chosen-by": asked.options.chosen_by,
        "embedder-plan": ",".join(f"{name}={value}" for name, value in plan.items()) or "own",
        "distractors": "+".join(one[:6] for one in asked.made_by["distractors"]) or "none",
        "base": f"({asked.made_by['embedder base']})",
    }
    return "|".join(f"{name}:{value}" for name, value in told.items())


@dataclass(frozen=True, kw_only=True)
class _Embedders:
    """All trainings and searches."""

    trials: Trials
    sets: Sets
    asked: AskedEmbedder
    files: Sequence[Path]
    place: Path

    @cached_property
    def searches(self) -> dict[str, RetrievalSet]:
        """By test set: what is looked for."""
        tests = {"own": self.sets.corpus, "found": self.sets.found}
        return {which: set_of_known(part.title, part.test) for which, part in tests.items()}

    @cached_property
    def distractors(self) -> Distractors:
        """Texts that nobody has learned from, and those of given files."""
        file = self.place / "not-learned.jsonl"
        parts = (self.sets.corpus.test, self.sets.found.test, self.sets.judged)
        texts = dict.fromkeys(text for part in parts for text in (*part.left, *part.right))
        _write_lines(file, ({"text": text} for text in texts))
        return Distractors([file, *self.files])

    @cached_property
    def base(self) -> str:
        """What all trainings start from; where a table must be made first, it is made once, for all texts."""
        source = open_source(self.asked.options)
        if self.asked.options.system == "transformer" or isinstance(source, StaticEmbedder):
            return self.asked.base
        self.trials.tell(f"making a table of the vectors that {self.asked.base} gives word pieces …")
        parts = (self.sets.corpus.train, self.sets.pool)
        texts = list(dict.fromkeys(text for part in parts for text in (*part.left, *part.right)))
        open_trainee(source, texts, self.asked.options, self.place / BASE)
        return str(self.place / BASE)

    def untrained(self) -> Result:
        """The base as it is."""
        return self.trials.done("untrained", lambda: self._measured(self.base))

    def beside(self, name: str) -> Result:
        """Another embedder, as it is."""
        return self.trials.done(f"beside {name}", lambda: self._measured(name))

    def all_ways(self, system: str, seed: int, selected: Mapping[str, KnownPairs]) -> dict[str, Result]:
        """By way of learning; the corpus alone is the same whoever selected."""
        found = {}
        for way, own, safe in trainings(self.sets.corpus.train, selected):
            pairs = joined([one for one in (own, safe) if one is not None])
            if _paraphrases(pairs) >= LEAST:
                name = f"{way}/seed {seed}" if safe is None else f"{system}/{way}/seed {seed}"
                found[way] = self.trials.done(name, partial(self._trained, name, pairs, seed))
        return found

    def _trained(self, name: str, pairs: KnownPairs, seed: int) -> Result:
        folder = self.place / name.replace("/", "-").replace(" ", "_")
        folder.mkdir(exist_ok=True)
        files = [folder / "pairs.jsonl", folder / "held-out.jsonl"]
        for file, some in zip(files, (pairs, self.sets.corpus.dev), strict=True):
            targets = some.targets.tolist()
            rows = zip(some.left, some.right, targets, strict=True)
            _write_lines(file, ({"left": left, "right": right, "label": target} for left, right, target in rows))
        options = replace(self.asked.options, base=self.base, held_out=files[1], seed=seed)
        out = folder / "trained"
        card = train_embedder(files[:1], out, options, self.asked.plan, tell=self.trials.tell)
        result = self._measured(str(out))
        rmtree(folder)
        is_base = card.epoch == 0
        return {**result, "learned": len(pairs), "paraphrases": _paraphrases(pairs), "is_base": is_base}

    def _measured(self, asked: str) -> Result:
        device = "cuda" if self.asked.plan.device == "cuda" else "cpu"
        sets, hub = list(self.searches.values()), self.asked.options.hub
        found = look_with(asked, sets, self.distractors, device=device, hub=hub)
        return {which: _figures(its, one) for (which, its), one in zip(self.searches.items(), found, strict=True)}


def _figures(pairs: RetrievalSet, found: Found) -> Result:
    """Figures of one embedder, and where each answer stands, so that two embedders can be compared pair by pair."""
    places, labels = found.places, np.asarray(pairs.labels, dtype=object)
    area = None
    if pairs.truth.any() and not pairs.truth.all():
        area = float(Ranking.of(found.similarities / MILLIONTHS, pairs.truth).figures()[FIGURES.index(AREA)])
    return {
        "top-1": float(places.within(1)[pairs.truth].mean()),
        FORGIVING: float(found.forgiving.within(1)[pairs.truth].mean()),
        AREA: area,
        "ranks": {label: float(places.percent()[labels == label].mean()) for label in in_order(pairs.labels)},
        "candidates": places.candidates,
        "above": places.above.tolist(),
        "tied": places.tied.tolist(),
        "similarities": found.similarities.tolist(),
    }


def _paraphrases(pairs: KnownPairs) -> int:
    """Those of two different texts."""
    marks = zip(pairs.left, pairs.right, pairs.targets.tolist(), strict=True)
    return sum(left != right and target > 0.5 for left, right, target in marks)


def _write_lines(file: Path, rows: Iterator[Mapping[str, object]]) -> None:
    with file.open("w", encoding="utf-8", errors="surrogatepass") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
