"""A set in, out comes how far BLEU tells an input's references from random other sentences (appendix C).

Mao and Lee (2019) compare an input with its references and with a hundred sentences that are none, one at a time, and
show them in bins of BLEU. Here this is done for a few inputs in full, and for many in numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.correlation import ranks
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import SentenceBleu
from paraloom.metrics.overlap.chrf import Chrf
from paraloom.reports.parrot_summary import BleuBin, ScoredSentence, Separation, ShownInput

BIN = 0.05
BINS = round(1 / BIN)
SHOWN_FROM = 0.15
"""Below this the paper makes one bin, and shows some of its sentences."""
SHOWN_STRANGERS = 8
MOST_INPUTS = 2000
BELONG = 0.6
"""References that are less often above references of other sources belong to other sources."""
SHIFTS = (1, -1, 2, -2, 3, -3)
ENOUGH_SOURCES = 20
"""With fewer, this is said but not refused."""
MOST_REFERENCES = 5
"""As many of an input's references as the paper took."""


def show_inputs(
    evaluation_set: EvaluationSet, *, inputs: int, strangers: int, seed: int, bleu: SentenceBleu = SentenceBleu()
) -> tuple[ShownInput, ...]:
    """Some inputs with the most references (up to five), each with random sentences of other inputs."""
    counts = np.minimum(evaluation_set.reference_counts, MOST_REFERENCES)
    random = np.random.default_rng(seed)
    able = np.flatnonzero(counts == counts.max())
    chosen = sorted(random.permutation(able)[:inputs].tolist()) if strangers else []
    return tuple(_shown(evaluation_set, row, strangers, random, bleu) for row in chosen)


def separation(evaluation_set: EvaluationSet, *, seed: int, bleu: SentenceBleu = SentenceBleu()) -> Separation | None:
    """Sentence BLEU of references and of as many strangers, over up to 2,000 inputs; None where there is one input."""
    total = len(evaluation_set.sources)
    if total < 2:
        return None
    random = np.random.default_rng(seed)
    rows = np.sort(random.permutation(total)[:MOST_INPUTS])
    sources: list[str] = []
    texts: list[str] = []
    is_reference: list[bool] = []
    for row in rows.tolist():
        references = evaluation_set.references[row][:MOST_REFERENCES]
        for sentences, are in (
            (references, True),
            (_strangers_of(evaluation_set, row, len(references), random), False),
        ):
            sources += [evaluation_set.sources[row]] * len(sentences)
            texts += sentences
            is_reference += [are] * len(sentences)
    scores = _likeness(sources, texts, bleu)
    true = np.array(is_reference)
    if true.all():
        return None
    own, others = scores[true], scores[~true]
    return Separation(
        inputs=len(rows),
        reference_counts=_binned(own),
        stranger_counts=_binned(others),
        reference_mean=float(own.mean()),
        stranger_mean=float(others.mean()),
        area=chance_above(own, others),
    )


def doubts_of_references(evaluation_set: EvaluationSet, files: Sequence[str], seed: int) -> tuple[str, ...]:
    """Refuse references that are no more like their sources than other sources' references are; few are warned of.

    Letters are compared (chrF), since many languages do not write spaces between words.
    """
    found = references_above_others(evaluation_set, seed)
    if len(evaluation_set.sources) >= ENOUGH_SOURCES and (shift := shifted_by(evaluation_set)):
        raise InputError(
            f"The references of {' and '.join(files)} stand beside the wrong sources: source n is more like the "
            f"references of source n{shift:+d} than like its own. A line may be missing or doubled."
        )
    if found is None or found >= BELONG:
        return ()
    what = (
        f"The references of {' and '.join(files)} are no more like their sources than references of other sources are "
        f"(above them {found:.0%} of the time; chance is 50%)."
    )
    if len(evaluation_set.sources) < ENOUGH_SOURCES:
        return (f"{what} The set is too small to be sure. Check that each source stands beside its own references.",)
    raise InputError(f"{what} Check that each source stands beside its own references: a line may be missing.")


def shifted_by(evaluation_set: EvaluationSet) -> int | None:
    """By how many places references stand too late, up to three either way; None where most are beside their source.

    >>> towns = ["Arden", "Norland", "Caldera", "Harbor", "Touchline", "Brightfern"]
    >>> shifted_by(EvaluationSet.of([f"in {town}" for town in towns], [[f"at {towns[n - 2]}"] for n in range(6)]))
    2
    """
    total = min(len(evaluation_set.sources), MOST_INPUTS)
    sources = evaluation_set.sources[:total]
    likeness = Chrf().prepare(EvaluationSet.of(sources, [[source] for source in sources]))
    references = [texts[0] for texts in evaluation_set.references[:total]]
    own = likeness(references).items
    found: dict[int, float] = {}
    for shift in (shift for shift in SHIFTS if abs(shift) < total):
        moved = [references[(place + shift) % total] for place in range(total)]
        # Neighbours may be paraphrases of each other, as captions of one picture are.
        strange = np.array(
            [
                text != source and text not in texts
                for text, source, texts in zip(moved, sources, evaluation_set.references[:total], strict=True)
            ]
        )
        if 2 * strange.sum() >= total:
            gains = (own - likeness(moved).items)[strange]
            found[shift] = float((gains > 0).mean() + (gains == 0).mean() / 2)
    if not found or min(found.values()) >= 1 - BELONG:
        return None
    return min(found, key=lambda shift: found[shift])


def references_above_others(evaluation_set: EvaluationSet, seed: int) -> float | None:
    """How often a source's reference is more like it than another source's reference; None where all are its own."""
    total = len(evaluation_set.sources)
    random = np.random.default_rng(seed)
    sources, own, others = [], [], []
    for row in np.sort(random.permutation(total)[:MOST_INPUTS]).tolist():
        known = {evaluation_set.sources[row], *evaluation_set.references[row]}
        for reference in evaluation_set.references[row][:MOST_REFERENCES]:
            other = evaluation_set.references[int(random.integers(total))][0]
            if other not in known:
                sources.append(evaluation_set.sources[row])
                own.append(reference)
                others.append(other)
    if not sources:
        return None
    pairs = EvaluationSet.of(sources, [[source] for source in sources])
    likeness = Chrf().prepare(pairs)
    gains = likeness(own).items - likeness(others).items
    return float((gains > 0).mean() + (gains == 0).mean() / 2)


def chance_above(own: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    """How often a random one of the first is above a random one of the second; equal ones count half.

    That is the area under the ROC curve (Mann and Whitney, 1947).

    >>> chance_above(np.array([0.9, 0.4]), np.array([0.4, 0.1]))
    0.875
    """
    rank_sum = ranks(np.concatenate([own, others]))[: len(own)].sum()
    return float((rank_sum - len(own) * (len(own) + 1) / 2) / (len(own) * len(others)))


def _shown(
    evaluation_set: EvaluationSet, row: int, strangers: int, random: np.random.Generator, bleu: SentenceBleu
) -> ShownInput:
    source = evaluation_set.sources[row]
    references = list(evaluation_set.references[row][:MOST_REFERENCES])
    texts = references + _strangers_of(evaluation_set, row, strangers, random)
    scores = _likeness([source] * len(texts), texts, bleu)
    scored = sorted(
        (
            ScoredSentence(text=text, is_reference=place < len(references), bleu=round(float(score), 4))
            for place, (text, score) in enumerate(zip(texts, scores, strict=True))
        ),
        key=lambda sentence: -sentence.bleu,
    )
    lowest = round(SHOWN_FROM / BIN)
    places = [min(int(sentence.bleu / BIN + 1e-9), BINS - 1) for sentence in scored]
    bins = []
    for place in range(max(places), lowest - 1, -1):
        inside = tuple(sentence for sentence, where in zip(scored, places, strict=True) if where == place)
        bins.append(BleuBin(low=place * BIN, high=(place + 1) * BIN, sentences=inside, more=0))
    rest = [sentence for sentence, where in zip(scored, places, strict=True) if where < lowest]
    # References are always shown; of the strangers the first few and the last two, as in the paper.
    alien = [sentence for sentence in rest if not sentence.is_reference]
    kept = {id(sentence) for sentence in (*alien[: SHOWN_STRANGERS - 2], *alien[-2:])}
    shown = tuple(sentence for sentence in rest if sentence.is_reference or id(sentence) in kept)
    bins.append(BleuBin(low=0.0, high=SHOWN_FROM, sentences=shown, more=len(rest) - len(shown)))
    return ShownInput(source=source, bins=tuple(bins))


def _strangers_of(evaluation_set: EvaluationSet, row: int, count: int, random: np.random.Generator) -> list[str]:
    """Random other sources that are none of the input's references."""
    known = {evaluation_set.sources[row], *evaluation_set.references[row]}
    total = len(evaluation_set.sources)
    drawn = random.choice(total, size=min(total, count + len(known)), replace=False)
    return [text for text in (evaluation_set.sources[place] for place in drawn.tolist()) if text not in known][:count]


def _likeness(sources: Sequence[str], texts: Sequence[str], bleu: SentenceBleu) -> NDArray[np.float64]:
    """From 0 to 1, as the paper writes it: the input is the output, each sentence its only reference."""
    pairs = EvaluationSet.of(sources, [[text] for text in texts])
    return bleu.prepare(pairs)(sources).items / 100


def _binned(scores: NDArray[np.float64]) -> tuple[int, ...]:
    counts, _ = np.histogram(np.clip(scores, 0, 1), bins=BINS, range=(0, 1))
    return tuple(counts.tolist())
