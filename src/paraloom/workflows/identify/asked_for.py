"""Options in, the identifier that they ask for out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.models.identifiers import load
from paraloom.models.identifiers.refusals import check_definition

if TYPE_CHECKING:
    from paraloom.models.identifiers import Identifier
    from paraloom.workflows.identify.options import IdentifyOptions


def identifier_asked_for(options: IdentifyOptions) -> Identifier:
    """The model of that name or folder, if it was trained for the definition; a cascade with the bounds given."""
    if not 0 <= options.threshold <= 1:
        raise InputError(f"--threshold {options.threshold:g} parts nothing: scores lie from 0 to 1. Give one of these.")
    identifier = load(options.model)
    check_definition(identifier.name, options.definition, identifier.definitions)
    given = {name: value for name in ("loss", "low", "high") if (value := getattr(options, name)) is not None}
    if not given:
        return identifier
    from paraloom.models.identifiers.cascade import Cascade

    if not isinstance(identifier, Cascade):
        named = " and ".join(f"--{name}" for name in given)
        raise InputError(f"{named} can be given to a cascade, but --model is {identifier.name}. Leave it out.")
    bounded = replace(identifier, **given)
    bounded.band(options.definition)  # bounds that make no band are refused before any work begins
    return bounded
