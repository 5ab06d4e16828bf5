"""One pair in, how likely it is a paraphrase out, with the words behind the score."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from paraloom.models.identifiers.grades import grades_of
from paraloom.workflows.identify.asked_for import identifier_asked_for
from paraloom.workflows.identify.options import IdentifyOptions

if TYPE_CHECKING:
    from paraloom.models.identifiers.aligned_words import AlignedWords

GAP = 3
"""Spaces between two columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an identifier says of one pair."""

    left: str
    right: str
    score: float
    is_paraphrase: bool
    grade: str | None
    definition: str
    threshold: float
    signature: str
    words: AlignedWords

    def as_json(self) -> dict[str, Any]:
        """One object; `words` are those behind the score."""
        words = self.words
        return {
            "left": self.left,
            "right": self.right,
            "score": self.score,
            "is_paraphrase": int(self.is_paraphrase),
            **({} if self.grade is None else {"grade": self.grade}),
            "definition": self.definition,
            "threshold": self.threshold,
            "words": {
                "aligned": [
                    {
                        "left": words.left[pair.left].text,
                        "right": words.right[pair.right].text,
                        "strength": pair.strength,
                        "kind": pair.kind,
                    }
                    for pair in words.pairs
                ],
                "only_left": list(words.only_left),
                "only_right": list(words.only_right),
                "differences": [asdict(difference) for difference in words.differences],
                "compared_by": words.compared_by,
            },
            "signature": self.signature,
        }

    def as_text(self) -> str:
        """The decision, the words in two columns, those without a counterpart, the signature."""
        verdict = "a paraphrase" if self.is_paraphrase else "no paraphrase"
        grade = "" if self.grade is None else f", grade {self.grade}"
        lines = [
            f"score {self.score:.3f}{grade}: {verdict} by the {self.definition} definition "
            f"(a paraphrase scores above {self.threshold:g})",
            "",
            *_columns(self.words),
        ]
        alone = [("only left", self.words.only_left), ("only right", self.words.only_right)]
        lines += [f"{which}: {' '.join(words)}" for which, words in alone if words]
        for one in self.words.differences:
            instead = f", where the other has {one.instead}" if one.instead else ""
            lines.append(f"a {one.what} that only the {one.side} text has: {one.word}{instead}")
        return "\n".join([*lines, "", self.signature])


def identify_pair(left: str, right: str, options: IdentifyOptions = IdentifyOptions()) -> Answer:
    """Score one pair and align its words."""
    from paraloom.models.identifiers.aligned_words import align_words, shipped_encoder

    identifier = identifier_asked_for(options)
    scores = identifier.score([left], [right], options.definition)
    graded = options.definition == "graded"
    return Answer(
        left=left,
        right=right,
        score=float(scores[0]),
        is_paraphrase=bool(scores[0] > options.threshold),
        grade=grades_of(identifier, [left], [right], scores)[0] if graded else None,
        definition=options.definition,
        threshold=options.threshold,
        signature=f"{identifier.signature}|definition:{options.definition}|threshold:{options.threshold:g}",
        words=align_words(left, right, shipped_encoder()),
    )


def _columns(words: AlignedWords) -> list[str]:
    """Corresponding words side by side, and how strongly they do."""
    from rich.cells import cell_len

    rows = [("left", "right", "strength")] if words.pairs else []
    for pair in words.pairs:
        strength = "same" if pair.kind == "same" else f"{pair.strength:.2f}"
        rows.append((words.left[pair.left].text, words.right[pair.right].text, strength))
    widths = [max((cell_len(row[column]) for row in rows), default=0) + GAP for column in (0, 1)]
    return [
        "".join(text + " " * (width - cell_len(text)) for text, width in zip(row[:2], widths, strict=True)) + row[2]
        for row in rows
    ]
