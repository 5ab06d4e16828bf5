"""Options in, the identifier that they ask for out."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.models.identifiers import load
from paraloom.models.identifiers.refusals import check_definition

if TYPE_CHECKING:
    from paraloom.models.identifiers import Identifier
    from paraloom.workflows.identify.options import IdentifyOptions


def identifier_asked_for(options: IdentifyOptions) -> Identifier:
    """The model of that name or folder, if it was trained for the definition; a cascade with the bounds given."""
    if not isfinite(options.threshold):
        raise InputError(f"--threshold {options.threshold} parts nothing. Give a number such as 0.5.")
    identifier = load(options.model)
    check_definition(identifier.name, options.definition, identifier.definitions)
    if options.low is None and options.high is None:
        return identifier
    from paraloom.models.identifiers.cascade import Cascade

    if not isinstance(identifier, Cascade):
        raise InputError(f"--low and --high are for a cascade, but --model is {identifier.name}. Leave them out.")
    return replace(
        identifier,
        low=identifier.low if options.low is None else options.low,
        high=identifier.high if options.high is None else options.high,
    )
