"""What became of a source in, one line of the written file out, or what a journal notes of it; and back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from paraloom.engine.written_blocks import dumped
from paraloom.models.generators.ranking import Output
from paraloom.pairs.generate import Generated, Refused

_ESCAPED = {letter.encode(): rb"\u%04x" % ord(letter) for letter in "\u0085\u2028\u2029"}
_LINE_ENDS = re.compile(b"|".join(_ESCAPED))
"""What some readers take for the end of a line, though it stands in a text."""


def line_of(generated: Generated, *, details: bool) -> bytes:
    """One JSON object and a line feed.

    >>> line_of(Generated(source="a b", outputs=(Output(text="c", score=0.5),)), details=False)
    b'{"source":"a b","outputs":[{"text":"c","score":0.5}]}\\n'
    """
    written: dict[str, Any] = {
        "source": generated.source,
        "outputs": [_object(output, details=details) for output in generated.outputs],
    }
    if generated.dropped_for is not None:
        written["dropped_for"] = generated.dropped_for
    if details:
        written["refused"] = [{"text": each.text, "reason": each.reason} for each in generated.refused]
    return _LINE_ENDS.sub(lambda found: _ESCAPED[found[0]], dumped(written)) + b"\n"


def _object(output: Output, *, details: bool) -> dict[str, Any]:
    written: dict[str, Any] = {"text": output.text, "score": output.score}
    if output.refused_for is not None:
        written["refused_for"] = output.refused_for
    if details and output.parts:
        written["parts"] = dict(output.parts)
    return written


def as_noted(generated: Generated, *, details: bool) -> list[Any]:
    """As a journal keeps it, without the source; texts that were refused only where they are written."""
    return [
        generated.dropped_for,
        [[output.text, output.score, dict(output.parts), output.refused_for] for output in generated.outputs],
        [[each.text if details else "", each.reason] for each in generated.refused],
    ]


def from_noted(source: str, noted: Sequence[Any]) -> Generated:
    """What was noted of this source."""
    dropped_for, outputs, refused = noted
    return Generated(
        source=source,
        dropped_for=dropped_for,
        outputs=tuple(
            Output(text=text, score=score, parts=parts, refused_for=reason) for text, score, parts, reason in outputs
        ),
        refused=tuple(Refused(text=text, reason=reason) for text, reason in refused),
    )


def told(generated: Generated) -> str:
    """For a person at a terminal: the source, and its outputs below it."""
    lines = [generated.source.strip()]
    lines += [f"  {output.score:8.3f}  {output.text}" for output in generated.outputs]
    if generated.dropped_for is not None:
        reasons = ", ".join(dict.fromkeys(each.reason for each in generated.refused))
        lines.append(f"  nothing: {generated.dropped_for}" + (f" ({reasons})" if reasons else ""))
    return "\n".join(lines) + "\n"
