"""Names in, metrics out: every metric that a system's outputs can be measured with, and why one cannot run here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from paraloom.errors import InputError, ParaloomError
from paraloom.metrics.measured import Metric
from paraloom.workflows.evaluate.metric_options import MetricOptions

if TYPE_CHECKING:
    from paraloom.metrics.meaning.adversarial import ImplicationModel
    from paraloom.metrics.meaning.embedding_cosine import SentenceEncoder
    from paraloom.metrics.meaning.token_vectors import TokenEncoder

Against = Literal["references", "source", "both", "outputs"]
"""What an output is compared with: its references, its source, both, or the other outputs."""

About = Literal["overlap", "diversity", "copying", "faithfulness", "meaning", "balance"]
"""What a metric tells of a paraphrase; `balance` weighs meaning or overlap against new wording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One metric by its name: how it is made, and what it tells."""

    make: Callable[[MetricOptions], Metric]
    against: Against
    about: About
    is_slow: bool = False
    """Takes more than a millisecond or so a sentence: a sweep measures it on a sample."""


def _bleu(options: MetricOptions) -> Metric:
    from paraloom.metrics.overlap.bleu import Bleu

    return Bleu(lowercase=options.lowercase, tokenize=options.tokenize)


def _sentence_bleu(options: MetricOptions) -> Metric:
    from paraloom.metrics.overlap.bleu import SentenceBleu

    return SentenceBleu(lowercase=options.lowercase, tokenize=options.tokenize)


def _chrf(options: MetricOptions) -> Metric:
    from paraloom.metrics.overlap.chrf import Chrf

    return Chrf(lowercase=options.lowercase)


def _ter(options: MetricOptions) -> Metric:
    from paraloom.metrics.overlap.ter import Ter

    return Ter()


def _meteor(options: MetricOptions) -> Metric:
    from paraloom.metrics.meteor.meteor import Meteor

    if options.language != "en":
        raise InputError(f"METEOR is run with its English tables, and the texts are said to be {options.language!r}.")
    return Meteor()


def _nltk_meteor(options: MetricOptions) -> Metric:
    from paraloom.metrics.meteor.nltk_meteor import NltkMeteor
    from paraloom.models.shelf import find_model

    return NltkMeteor(data=find_model("wordnet"))


def _self_bleu(options: MetricOptions) -> Metric:
    from paraloom.metrics.overlap.bleu import Bleu
    from paraloom.metrics.overlap.self_bleu import SelfBleu

    return SelfBleu(bleu=Bleu(lowercase=options.lowercase, tokenize=options.tokenize))


def _ibleu(options: MetricOptions) -> Metric:
    from paraloom.metrics.overlap.bleu import Bleu
    from paraloom.metrics.overlap.ibleu import IBleu

    return IBleu(alpha=options.alpha, bleu=Bleu(lowercase=options.lowercase, tokenize=options.tokenize))


def _pinc(options: MetricOptions) -> Metric:
    from paraloom.metrics.diversity.pinc import Pinc

    return Pinc()


def _jaccard(options: MetricOptions) -> Metric:
    from paraloom.metrics.diversity.jaccard import Jaccard

    return Jaccard()


def _edit_ratio(options: MetricOptions) -> Metric:
    from paraloom.metrics.diversity.edit_ratio import EditRatio

    return EditRatio()


def _distinct(n: int, options: MetricOptions) -> Metric:
    from paraloom.metrics.diversity.distinct import Distinct

    return Distinct(n=n)


def _copy_rate(options: MetricOptions) -> Metric:
    from paraloom.metrics.diversity.copying import CopyRate

    return CopyRate()


def _small_change_rate(options: MetricOptions) -> Metric:
    from paraloom.metrics.diversity.small_changes import SmallChangeRate

    return SmallChangeRate(language=options.language)


def _facts_kept(options: MetricOptions) -> Metric:
    from paraloom.metrics.faithfulness.facts import FactsKept

    return FactsKept(language=options.language)


def _facts_invented(options: MetricOptions) -> Metric:
    from paraloom.metrics.faithfulness.facts import FactsInvented

    return FactsInvented(language=options.language)


def _bertscore(against: Literal["references", "source"], options: MetricOptions) -> Metric:
    from paraloom.metrics.meaning.bertscore import BertScore

    return BertScore(encoder=_token_encoder(options.encoder, options.layer), against=against)


def _bert_ibleu(options: MetricOptions) -> Metric:
    from paraloom.metrics.meaning.bert_ibleu import BertIBleu
    from paraloom.metrics.meaning.bertscore import BertScore
    from paraloom.metrics.overlap.bleu import SentenceBleu

    meaning = BertScore(encoder=_token_encoder(options.encoder, options.layer), against="source")
    bleu = SentenceBleu(lowercase=options.lowercase, tokenize=options.tokenize)
    return BertIBleu(bertscore=meaning, beta=options.beta, bleu=bleu)


def _embedding_cosine(options: MetricOptions) -> Metric:
    from paraloom.metrics.meaning.embedding_cosine import EmbeddingCosine

    return EmbeddingCosine(encoder=_sentence_encoder(options.encoder))


def _sim(options: MetricOptions) -> Metric:
    from paraloom.metrics.meaning.sim import Sim

    return Sim(encoder=_sentence_encoder("sim"))


@cache
def _token_encoder(name: str, layer: int | None) -> TokenEncoder:
    from paraloom.models.encoders import load_encoder

    return load_encoder(name, layer)


@cache
def _sentence_encoder(name: str) -> SentenceEncoder:
    from paraloom.models.encoders import load_sentence_encoder

    return load_sentence_encoder(name)


def _mutual_implication(options: MetricOptions) -> Metric:
    from paraloom.metrics.meaning.adversarial import MutualImplication

    return MutualImplication(model=_implication())


def _learned_similarity(options: MetricOptions) -> Metric:
    from paraloom.metrics.meaning.adversarial import LearnedSimilarity

    return LearnedSimilarity(model=_implication())


def _apt_reward(options: MetricOptions) -> Metric:
    from paraloom.metrics.meaning.adversarial import AptReward

    return AptReward(model=_implication())


def _apt_pass(options: MetricOptions) -> Metric:
    from paraloom.metrics.meaning.adversarial import AptPass

    return AptPass(model=_implication())


@cache
def _implication() -> ImplicationModel:
    from paraloom.models.implication import load

    return load()


METRICS: dict[str, Measure] = {
    "bleu": Measure(make=_bleu, against="references", about="overlap"),
    "sentence-bleu": Measure(make=_sentence_bleu, against="references", about="overlap"),
    "chrf2": Measure(make=_chrf, against="references", about="overlap"),
    "ter": Measure(make=_ter, against="references", about="overlap"),
    "meteor": Measure(make=_meteor, against="references", about="overlap", is_slow=True),
    "nltk-meteor": Measure(make=_nltk_meteor, against="references", about="overlap", is_slow=True),
    "bertscore-f1": Measure(
        make=partial(_bertscore, "references"), against="references", about="meaning", is_slow=True
    ),
    "ibleu": Measure(make=_ibleu, against="both", about="balance"),
    "bert-ibleu": Measure(make=_bert_ibleu, against="source", about="balance", is_slow=True),
    "source-bertscore-f1": Measure(make=partial(_bertscore, "source"), against="source", about="meaning", is_slow=True),
    "embedding-cosine": Measure(make=_embedding_cosine, against="source", about="meaning", is_slow=True),
    "sim": Measure(make=_sim, against="source", about="meaning", is_slow=True),
    "mutual-implication": Measure(make=_mutual_implication, against="source", about="meaning", is_slow=True),
    "learned-similarity": Measure(make=_learned_similarity, against="source", about="meaning", is_slow=True),
    "apt-reward": Measure(make=_apt_reward, against="source", about="balance", is_slow=True),
    "apt-pass": Measure(make=_apt_pass, against="source", about="balance", is_slow=True),
    "self-bleu": Measure(make=_self_bleu, against="source", about="diversity"),
    "pinc": Measure(make=_pinc, against="source", about="diversity"),
    "jaccard": Measure(make=_jaccard, against="source", about="diversity"),
    "edit-ratio": Measure(make=_edit_ratio, against="source", about="diversity"),
    "distinct-1": Measure(make=partial(_distinct, 1), against="outputs", about="diversity"),
    "distinct-2": Measure(make=partial(_distinct, 2), against="outputs", about="diversity"),
    "copy-rate": Measure(make=_copy_rate, against="source", about="copying"),
    "small-change-rate": Measure(make=_small_change_rate, against="source", about="copying"),
    "facts-kept": Measure(make=_facts_kept, against="source", about="faithfulness"),
    "facts-invented": Measure(make=_facts_invented, against="source", about="faithfulness"),
}
"""Every metric by its name, in the order they are shown."""


def chosen_metrics(
    names: Iterable[str] | None = None,
    options: MetricOptions = MetricOptions(),
    among: Iterable[str] = tuple(METRICS),
) -> tuple[list[Metric], dict[str, str]]:
    """The metrics of these names, and those that cannot run here with the reason.

    Without names, those that the options name; without those, all of `among` that can run. A metric that was asked for
    by name is never passed over: if it cannot run, that is an error.

    >>> metrics, not_run = chosen_metrics(["bleu", "ter"])
    >>> [metric.name for metric in metrics], not_run
    (['bleu', 'ter'], {})
    """
    asked = list(dict.fromkeys(names or options.metrics))
    unknown = [name for name in asked if name not in METRICS]
    if unknown:
        raise InputError(f"There is no metric {unknown[0]!r}. Choose from {', '.join(METRICS)}.")
    metrics: list[Metric] = []
    not_run: dict[str, str] = {}
    for name in asked or among:
        try:
            metrics.append(_made(name, options))
        except ParaloomError as error:
            if asked:
                raise
            not_run[name] = str(error)
    return metrics, not_run


@runtime_checkable
class _NeedsMore(Protocol):
    """A metric that needs what not every computer has."""

    def why_not(self) -> str | None:
        """What must be installed; None where nothing is missing."""


def _made(name: str, options: MetricOptions) -> Metric:
    metric = METRICS[name].make(options)
    missing = metric.why_not() if isinstance(metric, _NeedsMore) else None
    if missing is not None:
        raise InputError(missing)
    return metric
