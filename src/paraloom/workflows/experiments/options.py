"""What experiments are run with. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paraloom.errors import InputError
from paraloom.labels.noise_options import LIMITS, check_limit
from paraloom.models.training.plan import PlanOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """What learns, how often, and from how much."""

    systems: tuple[str, ...] = ()
    """Systems that learn; by default `cross-encoder` where torch is installed, else `ngram-regression`."""
    base: str = ""
    """Model that transformer systems start from: a name or a folder. Empty: the system's own default."""
    seeds: tuple[int, ...] = (1,)
    """Every training is done once with each; figures are means with their deviation."""
    limit: int = 0
    """At most about so many pairs of each set, in whole groups, for a quick look. 0: all."""
    held_out_share: float = 0.1
    """Share of the groups of a training set that is held out where the corpus has no part of its own for it."""
    hub: bool = False
    """Let transformers ask the model hub for a base that is not on this machine."""

    def __post_init__(self) -> None:
        if not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise InputError(f"--seeds {' '.join(map(str, self.seeds))}: give at least one, each once.")
        if self.limit < 0:
            raise InputError(f"--limit {self.limit} makes no sense. Give a whole number from 0 on.")
        if not 0 < self.held_out_share <= 0.4:
            raise InputError(f"--held-out-share is {self.held_out_share}, but must be above 0 and at most .4.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseExperimentOptions:
    """Which labels are taken for noisy under which others."""

    loose: tuple[str, ...] = ("twitter-url", "pit2015")
    """Corpora with many labels of a looser definition."""
    strict: str = "multipit-expert"
    """Corpus with the labels that count."""
    lambdas: tuple[float, ...] = LIMITS
    """Values of λ that are tried; the one with the best F1 on held-out pairs is kept."""

    def __post_init__(self) -> None:
        if not self.loose or not self.lambdas:
            raise InputError("Give at least one corpus with --loose, and one value of λ with --lambdas.")
        if self.strict in self.loose:
            raise InputError(f"{self.strict} is given both with --loose and with --strict. Give it once.")
        for limit in self.lambdas:
            check_limit(limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionExperimentOptions:
    """Which definitions are held against each other."""

    corpora: tuple[str, ...] = ("twitter-url", "multipit-expert", "ap-h")
    """Corpora to train and test on, of several definitions."""

    def __post_init__(self) -> None:
        if len(set(self.corpora)) < 2:
            raise InputError("Give at least two corpora with --corpora, of different definitions.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeExperimentOptions:
    """How much is learned from."""

    corpus: str = "multipit-expert"
    """Corpus to train and test on."""
    groups: tuple[int, ...] = (10, 20, 40, 80, 120)
    """Numbers of groups to learn from, drawn anew with each seed; all of them come last."""

    def __post_init__(self) -> None:
        if any(count < 1 for count in self.groups):
            raise InputError(f"--groups {' '.join(map(str, self.groups))}: each must be 1 or more.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapExperimentOptions:
    """What is learned from, and where safe pairs are sought."""

    corpus: str = "turku"
    """Corpus that people made, to learn from and to measure on."""
    candidates: str = "turku-opus-parsebank"
    """Corpus of judged candidates: a third chooses bounds, a third is sought in with its labels hidden, a third is
    measured on."""
    mined: tuple[Path, ...] = ()
    """Runs of `paraloom mine`, or files of pairs, that are sought in too; nobody knows their labels."""
    most_negatives: float = 1.0
    """At most this share of the pairs that are learned from, and that place .5, are negative: .02 is as in Turku."""
    wanted_precision: float = 0.95
    """Bounds are sought that take most candidates while surely so many of them are right."""
    bounds: Literal["sought", "paper"] = "sought"
    """Whose bounds: sought on the judged third, or those of the paper's own classifier."""
    most_safe: int | Literal["equal"] = 0
    """At most so many safe negatives are learned from, and as many safe positives, drawn by lot; `equal`: as many as
    there are pairs of the corpus, as in Table 5 of the paper. 0: all, as in figures 8 to 11."""
    part: tuple[Literal["classifier", "embedder"], ...] = ("classifier",)
    """What learns from the safe pairs: the `classifier`, as in Tables 4 and 5, an `embedder`, as in figures 8 to 11, or
    both. For the embedder alone only the first classifier is trained, which selects."""

    def __post_init__(self) -> None:
        if self.corpus == self.candidates:
            raise InputError(f"{self.corpus} is given both with --corpus and with --candidates. Give two.")
        if not self.part or len(set(self.part)) < len(self.part):
            raise InputError(f"--part {' '.join(self.part)}: give classifier, embedder, or both, each once.")
        if self.most_safe != "equal" and self.most_safe < 0:
            raise InputError(f"--most-safe {self.most_safe} makes no sense. Give `equal`, or a whole number from 0 on.")
        if not 0 < self.most_negatives <= 1:
            raise InputError(f"--most-negatives is {self.most_negatives:g}, but must be above 0 and at most 1.")
        if not 0 < self.wanted_precision <= 1:
            raise InputError(f"--wanted-precision is {self.wanted_precision:g}, but must be above 0 and at most 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapEmbedderOptions:
    """Which embedder learns from the safe pairs, and what it is measured beside and among."""

    embedder: Literal["static", "transformer"] = "static"
    """Of `--part embedder`, as all below: a table of word pieces is trained, or a transformer."""
    embedder_base: str = ""
    """What it starts from, by name or folder, as with `paraloom train embedder --base`: `fast` of a table,
    all-MiniLM-L6-v2 of a transformer where it is empty. A table that starts from any other embedder is made once, with
    the word pieces of all texts that may be learned from, and is what all trainings start from."""
    objective: tuple[Literal["contrastive", "binary"], ...] = ("contrastive", "binary")
    """What it learns: `contrastive` (a paraphrase is to be found among all others of a batch; of negatives only those
    count that share a text with a paraphrase), `binary` (the labels of pairs, as in the paper), or both at once."""
    chosen_by: Literal["top-1", "mrr", "roc-auc"] = "top-1"
    """The figure on the corpus's held-out pairs by which learning rate and epoch are chosen."""
    embedder_epochs: int | None = None
    """How often every pair is seen. This and the two below: the embedder's own where it is not given."""
    embedder_batch_size: int | None = None
    """Pairs a step."""
    embedder_learning_rates: tuple[float, ...] | None = None
    """Each is tried; the one that does best on the corpus's held-out pairs is kept."""
    beside: tuple[str, ...] = ("characters",)
    """Embedders by name or folder that are measured too, as they are."""
    distractors: tuple[Path, ...] = ()
    """Files of texts to hide the answers among, beside the texts of both test sets and of the candidates that choose
    bounds: one a line, or a table with `text` or `left` and `right`."""

    def __post_init__(self) -> None:
        if not self.objective or len(set(self.objective)) < len(self.objective):
            raise InputError(f"--objective {' '.join(self.objective)}: give contrastive, binary, or both, each once.")
        if len(set(self.beside)) < len(self.beside):
            raise InputError(f"--beside {' '.join(self.beside)}: give each once.")
        self.plan()  # what no plan can have is refused before any work begins

    def plan(self, device: Literal["auto", "cpu", "cuda"] | None = None) -> PlanOptions:
        """What is to be otherwise than in the embedder's own plan."""
        return PlanOptions(
            epochs=self.embedder_epochs,
            batch_size=self.embedder_batch_size,
            learning_rates=self.embedder_learning_rates,
            device=device,
        )
