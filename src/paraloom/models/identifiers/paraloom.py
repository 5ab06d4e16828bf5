"""Pairs of texts in, how likely they are paraphrases out, by the one shipped network that is told the definition.

25 million numbers in 8 bits, distilled from an ensemble four times its size; onnxruntime, no torch. Each definition has
a head of its own, since one set of labels ruins the other (Dou et al., 2022, table 3), and its own reading: where .5
lies and how sure a score is were found on held-out pairs.

**Clear pairs end early.** After 3 and after 6 of the 10 layers the network answers too; a pair whose score lies outside
the range of doubt there is not read any further (Xin et al., 2020).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.identifiers import CARD, SHIPPED, Examples
from paraloom.models.identifiers.plain_cases import plain_scores, with_plain_scores
from paraloom.models.identifiers.refusals import check_definition, check_pairs, with_held_out
from paraloom.models.identifiers.thresholds import Threshold, place_threshold, probabilities
from paraloom.models.pair_model import DECIDING, FOLDER, MODEL_CARD, PairModel, card, load_pair_model

NAME = "paraloom"
ASKED = {
    "loose": ("loose",),
    "strict": ("strict",),
    "implication": ("implication", "strict"),
    "graded": ("likeness",),
}
"""The questions that each definition asks of the network; several answers are added up. Implication was mostly learned
from machines' labels, and is nearer to people's pairs with the strict head beside it (AUC .82 instead of .78)."""
FOUR, TWO = 0.9, 0.3
"""Likeness from which a paraphrase is a 4, and another pair a 2: 4.5 and 1.5 of the STS benchmark's 5. Between 3 and 2
lies the decision point of the score, 3.5 as shipped (.7)."""
CLEARLY_ONE_WAY = 1.0
"""How much surer (in logits) one direction must be implied than the other for a grade of 4 to get an arrow."""

Floats = NDArray[np.float64]
Readings = Mapping[str, Mapping[int, Threshold]]


@dataclass(frozen=True, kw_only=True)
class ParaloomIdentifier:
    """The shipped identifier, for all four definitions.

    >>> from paraloom.models.identifiers import load
    >>> identifier = load("paraloom")
    >>> scores = identifier.score(["The mayor refused to resign."], ["The mayor would not step down."], "strict")
    >>> (scores > 0.5).tolist()
    [True]
    """

    doubt: float = 0.1
    """A pair goes on to deeper layers while its score lies between this and 1 minus this; 0 reads every pair to the
    end. A higher one is faster and a little less right."""
    readings: Readings = field(default_factory=dict)
    """Where .5 lies and how sure an answer is, by definition and by layer. Empty: as the model's card has them."""
    folder: Path | None = field(default=None, repr=False)
    """Where the network lies; None is the shipped one."""

    def __post_init__(self) -> None:
        if not 0 <= self.doubt < 0.5:
            raise InputError(f"doubt is {self.doubt}, but must be from 0 (read every pair to its end) to below 0.5.")

    @property
    def name(self) -> str:
        return NAME

    @cached_property
    def model(self) -> PairModel:
        """The network, loaded at first use."""
        return load_pair_model(self.folder)

    @cached_property
    def card(self) -> dict[str, Any]:
        """What the recipe wrote of the network."""
        return card(self.folder)

    @cached_property
    def read_by(self) -> Readings:
        """The readings that count: those fitted here, else those of the card."""
        return self.readings or readings_from(self.card["readings"])

    @property
    def trained_on(self) -> tuple[str, ...]:
        """The corpora and splits that the network has learned from."""
        return tuple(self.card["trained_on"])

    @property
    def chosen_on(self) -> tuple[str, ...]:
        """Those that nothing was learned from, but where .5 was placed or what to keep was decided."""
        return tuple(self.card.get("chosen_on", ()))

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(self.read_by)

    @property
    def parameters(self) -> int:
        return self.model.parameters

    @property
    def signature(self) -> str:
        numbers = json.dumps(as_json(self.read_by), sort_keys=True)
        read_by = blake2b(numbers.encode(), digest_size=4).hexdigest()
        return f"{NAME}|doubt:{self.doubt:g}|readings:{read_by}|{self.model.signature}|paraloom:{paraloom_version()}"

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> Floats:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        return self.score_with_depth(left, right, definition)[0]

    def score_with_depth(
        self, left: Sequence[str], right: Sequence[str], definition: str = "loose"
    ) -> tuple[Floats, NDArray[np.int64]]:
        """The scores, and after how many layers each pair was clear.

        An empty text says nothing, so it scores 0; a text and its copy, whatever the case of its letters, score 1.
        """
        check_definition(NAME, definition, self.definitions)
        check_pairs(left, right)
        readings = self.read_by[definition]
        # A grade is given at the end, and follows the score.
        sure = self._sure(readings) if definition != "graded" else {}
        answers, layers = self.model.answers(left, right, ASKED[definition], sure)
        return with_plain_scores(_read_by(readings, answers, layers), left, right), layers

    def with_doubt(self, doubt: float) -> ParaloomIdentifier:
        """The same identifier, but it goes on to deeper layers only while it doubts so much."""
        return replace(self, doubt=doubt)

    def hurried(
        self, left: Sequence[str], right: Sequence[str], definition: str, doubts: Sequence[float]
    ) -> list[tuple[Floats, NDArray[np.int64]]]:
        """What `score_with_depth` would say with each of these doubts, from one reading to the end."""
        check_definition(NAME, definition, self.definitions)
        check_pairs(left, right)
        readings, exits = self.read_by[definition], self.model.exits
        answers = self.model.every_exit(left, right, ASKED[definition])
        told = []
        for doubt in doubts:
            sure = self.with_doubt(doubt)._sure(readings) if definition != "graded" else {}
            layers = np.full(len(left), exits[-1], np.int64)
            for layer in reversed(sure):
                layers[sure[layer](answers[layer])] = layer
            last = np.select([(layers == layer)[:, None] for layer in exits], [answers[layer] for layer in exits])
            told.append((with_plain_scores(_read_by(readings, last, layers), left, right), layers))
        return told

    def _sure(self, readings: Mapping[int, Threshold]) -> dict[int, Callable[[Floats], NDArray[np.bool_]]]:
        if self.doubt == 0:
            return {}
        early = [layer for layer in self.model.exits[:-1] if layer in readings]
        return {layer: _Clear(readings[layer], self.doubt) for layer in early}

    def grades(self, left: Sequence[str], right: Sequence[str]) -> list[str]:
        """A grade of the Turku scheme for each pair: 4 in every context, 3 in this one, 2 related, 1 not.

        3 and 4 are the pairs that score above .5. An arrow after a 4 points to the more general text. Style and small
        deviations are not told.
        """
        check_definition(NAME, "graded", self.definitions)
        check_pairs(left, right)
        answers, _ = self.model.answers(left, right, ["likeness", "forwards", "backwards"])
        plain = plain_scores(left, right)
        likeness = np.where(np.isnan(plain), probabilities(answers[:, 0]), plain)
        reading = self.read_by["graded"][self.model.exits[-1]]
        is_paraphrase = np.where(np.isnan(plain), reading.apply(answers[:, 0]), plain) > 0.5
        answers[plain == 1, 1:] = 0.0
        return [_grade(*told) for told in zip(is_paraphrase, likeness, answers[:, 1], answers[:, 2], strict=True)]

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> ParaloomIdentifier:
        """The same network, read by your own pairs: .5 lies where F1 is best on the held-out ones.

        The network itself stays as it is (fine-tune a `cross-encoder` to change one), so `examples` only say which
        definitions are meant, and `seed` decides nothing.
        """
        fitted = dict(self.read_by)
        for one, held in with_held_out(examples, held_out):
            if one.definition not in ASKED:
                raise InputError(f"{NAME} has no head for {one.definition!r}. It has: {', '.join(ASKED)}.")
            answers, _ = self.model.answers(held.left, held.right, ASKED[one.definition])
            last = self.model.exits[-1]
            fitted[one.definition] = {last: place_threshold(answers.sum(axis=1), np.asarray(held.targets))}
        return replace(self, readings=fitted)

    def save(self, folder: Path) -> None:
        """Write network and readings into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        source = self.folder or SHIPPED / FOLDER
        for file in (*DECIDING, MODEL_CARD):
            if (source / file).resolve() != (folder / file).resolve():
                shutil.copyfile(source / file, folder / file)
        written = {"name": NAME, "doubt": self.doubt, "readings": as_json(self.read_by)}
        (folder / CARD).write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path | None) -> ParaloomIdentifier:
        """What was saved into a folder; the shipped one where none is given."""
        if folder is None:
            return cls()
        written = json.loads((folder / CARD).read_text(encoding="utf-8"))
        return cls(doubt=written["doubt"], readings=readings_from(written["readings"]), folder=folder)


def _grade(is_paraphrase: bool, likeness: float, forwards: float, backwards: float) -> str:
    """The grade of one pair, from its decision, its likeness and the logits of both directions."""
    if not is_paraphrase:
        return "2" if likeness >= TWO else "1"
    if likeness < FOUR:
        return "3"
    one_way = (forwards > 0) != (backwards > 0) and abs(forwards - backwards) > CLEARLY_ONE_WAY
    return "4" + ("" if not one_way else ">" if forwards > backwards else "<")


def _read_by(readings: Mapping[int, Threshold], answers: Floats, layers: NDArray[np.int64]) -> Floats:
    """Scores out of answers, each read as those of the layer it was given at."""
    scores = np.zeros(len(answers))
    for layer in np.unique(layers).tolist():
        there = layers == layer
        scores[there] = readings[layer].apply(answers[there].sum(axis=1))
    return scores


@dataclass(frozen=True, slots=True)
class _Clear:
    """Which answers lie outside the range of doubt."""

    reading: Threshold
    doubt: float

    def __call__(self, answers: Floats) -> NDArray[np.bool_]:
        scores = self.reading.apply(answers.sum(axis=1))
        return (scores < self.doubt) | (scores > 1 - self.doubt)


def readings_from(written: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, dict[int, Threshold]]:
    """Readings as a card has them."""
    return {
        definition: {int(layer): Threshold(**numbers) for layer, numbers in layers.items()}
        for definition, layers in written.items()
    }


def as_json(readings: Readings) -> dict[str, dict[str, dict[str, float]]]:
    """Readings as a card has them.

    >>> as_json({"loose": {3: Threshold(middle=0.5, slope=2.0)}})
    {'loose': {'3': {'middle': 0.5, 'slope': 2.0}}}
    """
    return {
        definition: {str(layer): asdict(reading) for layer, reading in layers.items()}
        for definition, layers in readings.items()
    }
