"""How to evaluate retrieval. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalOptions:
    """Which embedders look for what, among how many."""

    embedder: tuple[str, ...] = ("fast",)
    """Embedders by name or folder; `NAME@128` has so many dimensions. `characters-exact` is TF-IDF of character bi- and
    trigrams that are not folded into dimensions."""
    distractors: tuple[Path, ...] = ()
    """Files of texts to hide the answers among: one a line, or a table with `text` or `left` and `right`; or folders of
    `paraloom mine`, whose sentences are not embedded again where they were with the same embedder."""
    most_distractors: int = 0
    """Take at most so many of them, the first ones; 0 takes all."""
    k: tuple[int, ...] = (1, 10, 100, 1000, 2048)
    """How many of the first candidates are looked at for the answer."""
    both_ways: bool = False
    """Look for the left text by the right one too."""
    data: Path | None = None
    """Folder with published corpora, for those given by name."""
    device: str = "cpu"
    """Where transformers run and candidates are counted: `cpu` or `cuda`."""
    hub: bool = False
    """Ask the model hub for embedders that are not on this machine."""
    resamples: int = 1000
    """Draws of the groups of pairs for intervals and comparisons; pairs that share a text are one group."""
    seed: int = 1
    """Decides the draws."""
    where: tuple[str, ...] = ()
    """Only rows with these values, as in `split=test`, by the file's column names."""
    columns: tuple[str, ...] = ()
    """Where our columns lie in the files: `left=sentence1 right=sentence2 label=3`, by name or number from 1."""
