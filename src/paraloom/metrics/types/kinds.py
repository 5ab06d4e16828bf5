"""The types of paraphrase that Dou et al. (2022, Table 7) found in generated texts, five good and six poor, by name."""

from __future__ import annotations

from typing import Literal

GoodType = Literal["add-new", "word-syn", "phrase-syn", "structure", "simplification"]
PoorType = Literal["copy", "small-change", "hallucination", "miss-info", "misinterpret", "bad-grammar"]

GOOD: dict[GoodType, str] = {
    "add-new": "new phrases are added, and the meaning stays",
    "word-syn": "a word is replaced by another that means the same",
    "phrase-syn": "a phrase is replaced by another, or a word by a phrase",
    "structure": "the same is said in another structure: order, voice, clauses",
    "simplification": "minor details are left out or phrases shortened, and the meaning stays",
}
"""An output may have several of these, with what they mean, in the table's order."""

POOR: dict[PoorType, str] = {
    "copy": "the source again, whatever its letter case and punctuation",
    "small-change": "nothing but articles, tense, prepositions and the like differ",
    "hallucination": "something is added that the source does not say",
    "miss-info": "something important is left out",
    "misinterpret": "the meaning is another, or the contrary",
    "bad-grammar": "an error of grammar, or words that make no sentence",
}
"""An output has one of these at most, and then none of the good ones."""
