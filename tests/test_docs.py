"""The pages say what the code does: every column and option is named, examples run, the commands' page is current."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import paraloom
from paraloom import sample
from paraloom.corpus.evaluation_options import EvaluationSetOptions
from paraloom.corpus.graded.released import GradedRow
from paraloom.corpus.options import CorpusOptions
from paraloom.corpus.statistics_options import StatisticsOptions
from paraloom.documents.options import ReadOptions, SourceOptions
from paraloom.engine.places import PlaceOptions
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.options import GroupOptions
from paraloom.groups.part_options import PartOptions
from paraloom.judgments.settings import CampaignSettings
from paraloom.labels.noise_options import NoiseOptions
from paraloom.labels.options import LabelOptions
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.adversarial_options import GameOptions, LessonOptions
from paraloom.pairs.extract_options import ExtractOptions
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.pairs.options import PairOptions
from paraloom.pairs.region_options import RegionOptions, SampleOptions
from paraloom.phrases.options import PhraseOptions
from paraloom.sentences.line_options import LineOptions
from paraloom.sentences.options import SentenceOptions
from paraloom.tables import NOUNS
from paraloom.workflows.bench.generation_options import GenerationBenchOptions
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.mining_options import MiningBenchOptions
from paraloom.workflows.build import BuildOptions, build
from paraloom.workflows.corpus.graded_options import GradedOptions
from paraloom.workflows.evaluate.agreement_options import AgreementOptions, AnswerFileOptions
from paraloom.workflows.evaluate.generation_options import GenerationOptions
from paraloom.workflows.evaluate.identification_options import IdentificationOptions
from paraloom.workflows.evaluate.leakage_options import LeakageOptions
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.parrot_options import ParrotOptions
from paraloom.workflows.evaluate.rating_options import RatingOptions
from paraloom.workflows.evaluate.retrieval_options import RetrievalOptions
from paraloom.workflows.evaluate.use_options import UseOptions
from paraloom.workflows.experiments.adversarial_options import AdversarialExperimentOptions
from paraloom.workflows.experiments.options import (
    BootstrapExperimentOptions,
    DefinitionExperimentOptions,
    ExperimentOptions,
    NoiseExperimentOptions,
    SizeExperimentOptions,
)
from paraloom.workflows.generate.adversarial_options import PlayedFileOptions, PlayerOptions, PlayerTrainingOptions
from paraloom.workflows.identify.options import IdentifyOptions
from paraloom.workflows.label.options import VoteLabelOptions
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, SearchOptions
from paraloom.workflows.mine.region_options import MeasureOptions, ScoringOptions, SelectOptions
from paraloom.workflows.phrases.lookup_options import LookupOptions
from paraloom.workflows.phrases.rank_options import RankOptions
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

OPTIONS = {
    "documents": ReadOptions,
    "groups": GroupOptions,
    "sentences": SentenceOptions,
    "pairs": PairOptions,
    "labels": LabelOptions,
    "corpus": CorpusOptions,
    "engine": PlaceOptions,
}
EVALUATION_OPTIONS = [
    ("evaluate/parrot", ParrotOptions),
    ("evaluate/parrot", EvaluationSetOptions),
    ("evaluate/generation", GenerationOptions),
    ("evaluate/generation", MetricOptions),
    ("evaluate/identification", IdentificationOptions),
    ("evaluate/retrieval", RetrievalOptions),
    ("evaluate/rating", RatingOptions),
    ("evaluate/use", UseOptions),
    ("train", TrainIdentifierOptions),
    ("train", TrainEmbedderOptions),
    ("train", PlanOptions),
    ("evaluate/leakage", LeakageOptions),
    ("labels", NoiseOptions),
    ("labels", VoteLabelOptions),
    ("experiments", ExperimentOptions),
    ("experiments", NoiseExperimentOptions),
    ("experiments", DefinitionExperimentOptions),
    ("experiments", SizeExperimentOptions),
    ("experiments", BootstrapExperimentOptions),
    ("bootstrap", SampleOptions),
    ("bootstrap", RegionOptions),
    ("bootstrap", ScoringOptions),
    ("bootstrap", MeasureOptions),
    ("bootstrap", SelectOptions),
    ("metrics/agreement", AgreementOptions),
    ("metrics/agreement", AnswerFileOptions),
    ("bench", BenchOptions),
    ("bench", MiningBenchOptions),
    ("bench", GenerationBenchOptions),
    ("adversarial", PlayerOptions),
    ("adversarial", PlayedFileOptions),
    ("adversarial", PlayerTrainingOptions),
    ("adversarial", GameOptions),
    ("adversarial", LessonOptions),
    ("adversarial", AdversarialExperimentOptions),
    ("identify", IdentifyOptions),
    ("annotate", CampaignSettings),
    ("statistics", StatisticsOptions),
    ("graded_corpora", GradedOptions),
    ("graded_corpora", GradedRow),
    ("documents", SourceOptions),
    ("mine", LineOptions),
    ("mine", EmbedOptions),
    ("mine", SearchOptions),
    ("mine", MinedPairOptions),
    ("mine", JudgeOptions),
    ("align", AlignmentOptions),
    ("align", PartOptions),
    ("segments", ExtractOptions),
    ("phrases", PhraseOptions),
    ("phrase_ranking", RankOptions),
    ("phrase_ranking", LookupOptions),
]
RUN_EXAMPLES = (
    *("index", "tables", "groups", "sentences", "pairs", "corpus", "engine"),
    *("metrics/overlap", "metrics/diversity", "metrics/adversarial", "metrics/agreement", "metrics/significance"),
    "evaluate/rating",
    "train",
    "identify",
    "labels",
    "statistics",
    "align",
    "bootstrap",
    "mine",
    "adversarial",
    *("phrases", "phrase_ranking", "phenomena", "aligners"),
)
"""The first makes the run that the others read."""


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


NAMED = [(name, field.name) for name, noun in NOUNS.items() for field in dataclasses.fields(noun)] + [
    (name, field.name)
    for name, options in [*OPTIONS.items(), *EVALUATION_OPTIONS]
    for field in dataclasses.fields(options)
]


@pytest.mark.parametrize("name", sorted({name for name, _ in NAMED}))
def test_a_page_names_every_column_and_option(name: str) -> None:
    text = page(name)
    flags = {field for its, field in NAMED if its == name}
    missing = [
        field for field in sorted(flags) if f"`{field}`" not in text and f"`--{field.replace('_', '-')}" not in text
    ]
    assert missing == []


def reasons_in(package: str) -> set[str]:
    """The reasons that a stage's source writes into `dropped_for`, as far as they stand there as plain strings."""
    source = "".join(
        file.read_text(encoding="utf-8") for file in sorted((ROOT / "src/paraloom" / package).glob("*.py"))
    )
    return set(
        re.findall(r'"(too_\w+|topic_balance|duplicate|few_paraphrases|retweet: [^"]+|language: [^"{]+)"', source)
    )


@pytest.mark.parametrize("name", ["groups", "sentences", "corpus"])
def test_a_page_names_every_reason_for_leaving_out(name: str) -> None:
    assert reasons_in(name)
    assert [reason for reason in sorted(reasons_in(name)) if f"`{reason}`" not in page(name)] == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pages are read: the run that the first one makes is there, whichever comes first."""
    folder = tmp_path_factory.mktemp("docs")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PARALOOM_AUTHOR_SALT", "grain")
        build([sample.posts()], folder / "run", BuildOptions(groups=GroupOptions(min_posts=3)))
    return folder


@pytest.mark.parametrize("name", RUN_EXAMPLES)
def test_a_pages_examples_run(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PARALOOM_AUTHOR_SALT", "grain")
    blocks = re.findall(r"^```python\n(.*?)^```", page(name), re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, f"docs/{name}.md", "exec"), names)
    for opened in names.values():
        if hasattr(opened, "close"):
            opened.close()  # type: ignore[attr-defined]
    assert capsys.readouterr().out


def test_the_commands_page_is_what_the_commands_say() -> None:
    script = [sys.executable, str(ROOT / "scripts" / "write_cli_page.py"), "--check"]
    source = str(Path(paraloom.__file__).parent.parent)
    done = subprocess.run(script, env={**os.environ, "PYTHONPATH": source}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r": ([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert {str(file.relative_to(DOCS)) for file in DOCS.rglob("*.md")} == listed
