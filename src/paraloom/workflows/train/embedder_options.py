"""How to train an embedder. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Objective = Literal["contrastive", "binary", "distil"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainEmbedderOptions:
    """Which embedder learns what from which pairs."""

    system: Literal["static", "transformer"] = "static"
    """A table of word pieces (no network to run, trained in minutes on a laptop), or a transformer."""
    base: str = ""
    """What it starts from, by name or folder: `fast` of a table, all-MiniLM-L6-v2 of a transformer where it is empty.
    For a table any other embedder will do: its vectors of the texts' word pieces are where the table starts."""
    objective: tuple[Objective, ...] = ("contrastive",)
    """What is learned: `contrastive` (a paraphrase is to be found among all others of a batch), `binary` (labels of
    pairs), `distil` (what a --teacher says). Several are learned at once."""
    teacher: str = ""
    """For `distil`: an identifier, whose scores of pairs are learned, or an embedder, whose vectors are; by name or
    folder. An identifier also says which near texts are no paraphrases (--hard-negatives)."""
    hard_negatives: int = 0
    """Near texts that are no paraphrases, mined for each pair: they compete with it, or are its negatives."""
    dims: int = 0
    """Numbers of a vector; 0: as many as the base has, and 256 of a table that starts from another embedder."""
    sizes: tuple[int, ...] = ()
    """The first so many numbers of a vector are to do alone (Matryoshka). Empty: 64, 128, 256 … of a table, and all of
    a transformer's."""
    temperature: float = 0.05
    """What cosines are divided by before they compete: the lower, the more the nearest count."""
    pieces: int = 30_000
    """Of a table that starts from another embedder: how many word pieces are learned from the texts."""
    chosen_by: Literal["top-1", "mrr", "roc-auc"] = "top-1"
    """The figure on held-out pairs by which learning rate and epoch are chosen."""
    pack: bool = False
    """Of a transformer that is a plain BERT: write it once more, in 8 bits, into the folder `int8` beside its files."""
    definition: str = ""
    """What the labels mean; `graded`: 1 and 2 are no paraphrases, 3 and 4 are. Empty: 1 or 0."""
    corpora: tuple[str, ...] = ()
    """Published corpora to learn from, by name, instead of files or beside them. Needs --data."""
    data: Path | None = None
    """Folder that holds the corpora in their published forms."""
    held_out: Path | None = None
    """Pair file that is looked at while training. Without it the dev split, or a part of the pairs."""
    held_out_share: float = 0.1
    """How much of the pairs is held out where nothing else is; pairs that share a text are never parted."""
    split_seed: int = 1
    """Decides which pairs are held out."""
    drop_shared: bool = False
    """Leave out training pairs that are also held out, instead of refusing them."""
    without_rewrites: bool = False
    """Of graded files: leave out rewritten pairs (`rewrites`); else each is a pair of its own, with the label 4."""
    columns: tuple[str, ...] = ()
    """Where our columns lie in the files: `left=sentence1 right=sentence2 label=3`, by name or number from 1."""
    seed: int = 1
    """Decides the order of pairs, and what is drawn while training."""
    hub: bool = False
    """Let transformers ask the model hub for a base that is not on this machine."""
