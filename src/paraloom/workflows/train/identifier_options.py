"""How to train an identifier. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainIdentifierOptions:
    """Which system learns from what."""

    system: str = "cross-encoder"
    """The kind of identifier: cross-encoder, bi-encoder, esim, ngram-regression …; an unknown name lists all."""
    base: str = ""
    """What a transformer starts from: a known model, a folder, or a name on the model hub. Empty: the system's own."""
    settings: tuple[str, ...] = ()
    """Other settings of the system, as NAME=VALUE: `objective=classification`."""
    definition: str = ""
    """What the labels mean: loose, strict, implication or graded. Empty: loose for files, for corpora their own."""
    corpora: tuple[str, ...] = ()
    """Published corpora to learn from, by name, instead of files or beside them. Needs --data."""
    data: Path | None = None
    """Folder that holds the corpora in their published forms."""
    held_out: Path | None = None
    """Pair file that decides when to stop and where .5 lies. Without it the dev split, or a part of the pairs."""
    held_out_share: float = 0.1
    """How much of the pairs is held out where nothing else is; pairs that share a text are never parted."""
    split_seed: int = 1
    """Decides which pairs are held out."""
    drop_shared: bool = False
    """Leave out training pairs that are also held out, instead of refusing them."""
    without_rewrites: bool = False
    """Of graded files: leave out rewritten pairs (`rewrites`); else each is a pair of its own, with the label 4."""
    entailments: tuple[Path, ...] = ()
    """For mutual-implication: files of premises (`left`), hypotheses (`right`), labels; or folders with SNLI, MNLI …"""
    seeds: tuple[int, ...] = (1,)
    """It is trained once a seed; the best on the held-out pairs is kept, and all are told."""
    columns: tuple[str, ...] = ()
    """Where our columns lie in the files: `left=sentence1 right=sentence2 label=3`, by name or number from 1."""
    resamples: int = 1000
    """Draws of the held-out pairs, those that share a text together, for intervals."""
    hub: bool = False
    """Let transformers ask the model hub for a base that is not on this machine."""
