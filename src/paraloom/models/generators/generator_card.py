"""A generator's folder in, what it says of itself out: its name, and the text that stands around a source."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from paraloom.errors import InputError

CARD = "generator.json"
"""The file of a folder that says how its language model is asked for a paraphrase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorCard:
    r"""How a language model is asked: `prompt`, the source, `separator`; and what ends its answer.

    >>> GeneratorCard(prompt="paraphrase: ").asked("a storm hit the coast")
    'paraphrase: a storm hit the coast'
    >>> GeneratorCard(prompt="Q: ", separator="\nA:", end="\n").asked("a storm")
    'Q: a storm\nA:'
    """

    name: str = ""
    """As it stands in tables; without one, the name of the folder."""
    about: str = ""
    """What it was trained on, in words."""
    prompt: str = ""
    """What stands before the source."""
    separator: str = ""
    """What stands after the source; a causal model goes on from there."""
    end: str = ""
    """The text at which an answer ends; the model's own token for the end always ends it."""

    def asked(self, source: str) -> str:
        """What the model reads."""
        return f"{self.prompt}{source}{self.separator}"

    def with_given(self, *, prompt: str | None, separator: str | None, end: str | None) -> GeneratorCard:
        """The same with what is given, which goes before what the folder says."""
        given = {"prompt": prompt, "separator": separator, "end": end}
        return replace(self, **{name: value for name, value in given.items() if value is not None})


ENCODER_DECODER = GeneratorCard()
"""How an encoder with a decoder is asked that has no card: it is given the source alone."""
CAUSAL = GeneratorCard(prompt="Sentence: ", separator="\nThe same in other words:", end="\n")
"""How a causal model is asked that has no card."""


def read_card(folder: Path) -> GeneratorCard | None:
    """What a folder says of itself; None where it has no card."""
    file = folder / CARD
    if not file.is_file():
        return None
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read as JSON: {error}. Write it anew, or delete it.") from error
    known = {field.name for field in fields(GeneratorCard)}
    if not isinstance(said, dict) or any(not isinstance(said.get(name, ""), str) for name in known):
        raise InputError(f"{file} is no object with texts for {', '.join(sorted(known))}. Write it anew, or delete it.")
    return GeneratorCard(**{name: value for name, value in said.items() if name in known})


def write_card(folder: Path, card: GeneratorCard) -> None:
    """Put the card into a folder."""
    (folder / CARD).write_text(json.dumps(asdict(card), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
