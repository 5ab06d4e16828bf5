"""Entailments and a corpus of paraphrases in, what mutual implication learns from and is measured on out.

Nighojkar and Licato (2021): the network learns from premises and hypotheses alone. Of the corpus's own pairs those held
out tell where .5 lies; the rest is not looked at. So one training serves every corpus that it is measured on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from paraloom.corpus.known.division import at_most, without_texts_of
from paraloom.corpus.known.nli import ENTAILMENTS, as_entailments, entailed_pairs
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.engine.store import write_text
from paraloom.errors import InputError
from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.mutual_implication import ENTAILMENT
from paraloom.workflows.bench.division import SEED, Division, Part, divide, with_held_out
from paraloom.workflows.bench.identification_options import BenchOptions

FOLDER = "entailments"
"""Folder that keeps what was learned from entailments, for the next corpus and the next run."""
SECONDS = "seconds.json"


def divide_with_entailments(corpus: KnownCorpus, read: Iterable[KnownCorpus], options: BenchOptions) -> Division:
    """The corpus's own division, with entailments in the place of its pairs to fit on.

    None of them has a text that is measured on or held out.
    """
    told = [one for one in read if one.definition == ENTAILMENT]
    if not told:
        *most, last = (reader.title for reader in ENTAILMENTS.values())
        raise InputError(f"entailments ({', '.join(most)} or {last}), which it learns from, are not in the folder")
    whole = at_most(entailed_pairs(told), options.entailment_limit, SEED)
    division = divide(corpus, options)
    parts = tuple(replace(part, fit=without_texts_of(whole, part.held_out, part.measured)) for part in division.parts)
    names = ", ".join(one.title for one in told)
    protocol = f"{division.protocol}; learned from {len(whole):,} entailments alone ({names}), .5 by held-out pairs"
    return replace(division, protocol=protocol, parts=parts)


def entailment_sets(part: Part, definition: str) -> tuple[list[Examples], list[Examples]]:
    """Entailments to learn from, and those of them that are held out, in whole premises, with the corpus's pairs."""
    fit, held_out = with_held_out(part.fit)
    return [as_entailments(fit)], [as_entailments(held_out), part.held_out.examples(definition)]


def seconds_with_training(folder: Path, seconds: float) -> float:
    """What fitting took, where the first fit in this folder was the training and the later ones found it done."""
    file = folder / SECONDS
    if file.is_file():
        return float(json.loads(file.read_text(encoding="utf-8"))) + seconds
    write_text(file, f"{json.dumps(round(seconds, 3))}\n")
    return seconds
