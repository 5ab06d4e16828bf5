"""What every run can be told, whatever it is made of. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass, field

from paraloom.corpus.options import CorpusOptions
from paraloom.engine.places import PlaceOptions
from paraloom.labels.options import LabelOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How pairs are judged and released, and where the work is done."""

    labels: LabelOptions = field(default_factory=LabelOptions)
    corpus: CorpusOptions = field(default_factory=CorpusOptions)
    place: PlaceOptions = field(default_factory=PlaceOptions)
