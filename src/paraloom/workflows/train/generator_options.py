"""How to train a generator. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainGeneratorOptions:
    """Which language model learns to paraphrase, and from which pairs."""

    base: str = "smollm2-135m"
    """The language model that it starts from: a name on the shelf or in the model hub's cache, a folder that
    transformers reads (T5, BART, GPT-2 …), or a GGUF file of a Llama, whose adapter then runs without torch."""
    method: Literal["low-rank", "full"] = "low-rank"
    """What learns: two thin matrices beside each of a layer's own, or all weights. Of a GGUF file only the former."""
    start: str = ""
    """Go on from what an adapter over this base has learned: `paraloom`, or the folder of a trained generator."""
    rank: int = 16
    """How thin these matrices are: their shorter side."""
    layers: int = 0
    """Only so many of the last layers learn; 0 is all."""
    prompt: str | None = None
    """What stands before a source where transformers runs it; without one `paraphrase: ` for T5, nothing for others."""
    separator: str | None = None
    """What stands behind a source, from where a causal model of transformers goes on; without one a line and `=>`."""
    one_way: bool = False
    """The left text is the source and the right one its paraphrase; else a pair is learned from both ways."""
    max_pairs: int = 0
    """At most so many pairs of those that are fit are learned from, drawn by --seed; 0 is all."""
    weights_column: str = ""
    """Column of the files that says how much each pair counts."""
    judge: str = ""
    """Identifier, by name or folder, that is asked whether a pair is a paraphrase by the strict definition
    (--min-score); without one none is."""
    never: tuple[Path, ...] = ()
    """Files of tests: pairs with a text that is in one of them, or with the same `trend`, `topic` or `url`, are left
    out as `seen_in_test`. Pair files, or one text a line (.txt)."""
    keep_tokenised: bool = False
    """Leave texts as they are; else blanks that a tokeniser has put before full stops and the like are taken out."""
    filtered: Path | None = None
    """File for every example, with the reason (`dropped_for`) of those that are not learned from."""
    definition: str = ""
    """What the labels mean; `graded`: 1 and 2 are no paraphrases, 3 and 4 are. Empty: 1 or 0."""
    corpora: tuple[str, ...] = ()
    """Published corpora to learn from, by name, instead of files or beside them. Needs --data."""
    data: Path | None = None
    """Folder that holds the corpora in their published forms."""
    held_out: Path | None = None
    """Pair file whose perplexity is looked at while training. Without it the dev split, or a part of the pairs."""
    held_out_share: float = 0.05
    """How much of the pairs is held out where nothing else is; pairs that share a text are never parted."""
    most_held_out: int = 500
    """At most so many held-out examples are looked at, drawn by --split-seed."""
    split_seed: int = 1
    """Decides which pairs are held out."""
    without_rewrites: bool = False
    """Of graded files: leave out rewritten pairs (`rewrites`); else each is a pair of its own, with the label 4."""
    columns: tuple[str, ...] = ()
    """Where our columns lie in the files: `left=sentence1 right=sentence2 label=3`, by name or number from 1."""
    seed: int = 1
    """Decides the order of pairs, and what is drawn while training."""
    hub: bool = False
    """Let transformers ask the model hub for a base that is not on this machine."""

    def __post_init__(self) -> None:
        for name, least in (("rank", 1), ("layers", 0), ("max_pairs", 0), ("most_held_out", 1)):
            if getattr(self, name) < least:
                flag = f"--{name.replace('_', '-')}"
                raise InputError(f"{flag} {getattr(self, name)} is too few. Give {least} or more.")
