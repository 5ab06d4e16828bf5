"""A text in, the facts a paraphrase of it must keep out; a source and an output in, the facts lost or made up out."""

from paraloom.text.facts.breaches import NAMES_AND_NUMBERS, Breach, breaches
from paraloom.text.facts.reading import KINDS, Facts, FactSpan, Kind, fact_spans, facts_of

__all__ = ["KINDS", "NAMES_AND_NUMBERS", "Breach", "FactSpan", "Facts", "Kind", "breaches", "fact_spans", "facts_of"]
