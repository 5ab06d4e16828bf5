"""Figures that Kanerva et al. (2023) state of the Turku Paraphrase Corpus. Nothing is read off a drawing.

Jenna Kanerva and others: Towards diverse and contextually anchored paraphrase modeling: a dataset and baselines for
Finnish.
"""

from __future__ import annotations

from dataclasses import dataclass

TOKENS = {"Turku": 8.8, "TaPaCo": 5.6, "Opusparcus": 3.6}
"""Mean tokens of a statement in three Finnish corpora (section 6.2)."""

TURKU_STATEMENTS = {"phrase": 0.12, "1": 0.73, "2": 0.13, "3+": 0.02}
"""Statements of the Turku corpus by their sentences, a well-formed one having a verb (section 6.2)."""

TURKU_MAPPINGS = {"1-1": 0.63, "1-2": 0.10, "1-phrase": 0.09, "phrase-phrase": 0.07, "2-2": 0.07}
"""Pairs of the Turku corpus by the sentences on their sides; others occur rarely (section 6.2)."""

TURKU_PATTERNS = {
    "word_reordering": "<1%",
    "inflection": "<1%",
    "lemma_reordering": "<1%",
    "synonyms": "2%",
}
"""Patterns of true paraphrases of the Turku corpus; the text says no more of figure 5."""

TURKU_PARAPHRASES = 0.98
"""Share of labels 3 and 4 in the Turku corpus (section 6)."""

OPUS_PARSEBANK_PARAPHRASES = 0.32
"""The same in the automatic sample: 68% are labelled 1 or 2 (section 7.2)."""

OPUS_PARSEBANK_TRIVIAL = 0.17
"""Share of the sample's paraphrases that a pattern explains, small differences of letters among them (section 7.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedExtraction:
    """One line of Table 1 of Kanerva et al. (2023): what was taken out of the documents of one source."""

    source: str
    kind: str
    """What we call such documents."""
    documents: int
    empty: float
    extracted_per_document: float
    coverage: float
    length: int


EXTRACTION: tuple[PublishedExtraction, ...] = tuple(
    PublishedExtraction(
        source=source,
        kind=kind,
        documents=documents,
        empty=empty,
        extracted_per_document=extracted,
        coverage=coverage,
        length=length,
    )
    for source, kind, documents, empty, extracted, coverage, length in (
        ("Alternative subtitles", "subtitle", 2781, 0.092, 17.6, 0.175, 4300),
        ("News article bodies", "article", 1463, 0.114, 3.7, 0.246, 1600),
        ("Discussion forum messages", "thread", 7106, 0.367, 1.7, 0.228, 500),
        ("Student translations", "translation", 28, 0.0, 22.7, 0.751, 3700),
        ("University exams", "essay", 190, 0.316, 2.4, 0.258, 1100),
    )
)
"""Table 1."""

SOURCE_SHARES = {"subtitle": 0.82, "article": 0.09, "thread": 0.08, "translation": 0.01}
"""Table 2: pairs of the Turku corpus by their source; exams are less than 1%."""
