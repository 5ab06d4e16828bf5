"""JSON from outside in, checked values out; what is wrong is named with its field.

Texts may be of any script, but hold no character that a database cannot store.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from paraloom.errors import InputError

MOST_LETTERS = 20_000
"""Of a sentence, a rewrite, a note."""
MOST_DOCUMENT_LETTERS = 400_000


def only(raw: Any, fields: Collection[str], what: str) -> Mapping[str, Any]:
    """The object, if it is one and has no field that nobody reads: a misspelled field would be a lost answer.

    >>> only({"lable": "4"}, ("label",), "answer")
    Traceback (most recent call last):
    paraloom.errors.InputError: The answer has a field 'lable' that is not known. Its fields are: label.
    """
    if not isinstance(raw, Mapping):
        raise InputError(f"The {what} must be an object with the fields: {', '.join(fields)}.")
    unknown = sorted(str(field) for field in raw if field not in fields)
    if unknown:
        raise InputError(
            f"The {what} has a field {unknown[0]!r} that is not known. Its fields are: {', '.join(fields)}."
        )
    return raw


def text(raw: Mapping[str, Any], field: str, *, most: int = MOST_LETTERS, empty: bool = False) -> str:
    """A text that is there and can be stored."""
    value = raw.get(field)
    if not isinstance(value, str):
        raise InputError(f"`{field}` must be a text.")
    return checked_text(value, field, most=most, empty=empty)


def optional_text(raw: Mapping[str, Any], field: str, *, most: int = MOST_LETTERS) -> str | None:
    """A text, or None where there is none or nothing but space."""
    value = raw.get(field)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    return text(raw, field, most=most)


def checked_text(value: str, field: str, *, most: int = MOST_LETTERS, empty: bool = False) -> str:
    """The text, unless it is empty, too long or cannot be stored."""
    if not empty and not value.strip():
        raise InputError(f"`{field}` is empty.")
    if len(value) > most:
        raise InputError(f"`{field}` has {len(value):,} characters; at most {most:,} can be kept.")
    if "\x00" in value:
        raise InputError(f"`{field}` holds a NUL character, which cannot be stored.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"`{field}` holds half a character (a lone surrogate) at {error.start}.") from None
    return value


def flag(raw: Mapping[str, Any], field: str, *, default: bool | None = None) -> bool:
    """True or false; 1 and "yes" are refused rather than guessed."""
    value = raw.get(field, default)
    if not isinstance(value, bool):
        raise InputError(f"`{field}` must be true or false.")
    return value


def choice(raw: Mapping[str, Any], field: str, among: Collection[str]) -> str:
    """One of the given words."""
    value = raw.get(field)
    if not isinstance(value, str) or value not in among:
        raise InputError(f"`{field}` must be one of: {', '.join(among)}.")
    return value


def whole_number(raw: Mapping[str, Any], field: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    value = raw.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError(f"`{field}` must be a whole number from {least} to {most}.")
    return value


def objects(raw: Mapping[str, Any], field: str, *, least: int, most: int) -> list[Any]:
    """A list within bounds."""
    value = raw.get(field)
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise InputError(f"`{field}` must be a list of {least} to {most}.")
    return value


def texts(raw: Mapping[str, Any], field: str, *, least: int, most: int, letters: int = MOST_LETTERS) -> tuple[str, ...]:
    """A list of texts within bounds."""
    found = objects(raw, field, least=least, most=most)
    return tuple(text({f"{field}[{n}]": one}, f"{field}[{n}]", most=letters) for n, one in enumerate(found))
