"""Everything mining can be told, stage by stage. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from paraloom.engine.places import PlaceOptions
from paraloom.errors import InputError
from paraloom.labels.options import LabelOptions
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.mine.plan_options import read_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedOptions:
    """How sentences become vectors."""

    embedder: str = "fast"
    """Name of an embedder (`paraloom models list`), or the folder of one."""
    dims: int = 0
    """Numbers of a vector; 0: as many as the embedder has. Fewer are quicker to search and take less disk."""
    max_tokens: int = 0
    """Of a longer text only so many tokens are read; 0: as many as the embedder was made for."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Where vectors and products are computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How the nearest neighbours of every sentence are found."""

    neighbours: int = 8
    """So many nearest sentences of each sentence are looked at."""
    index: Literal["auto", "exact", "ivf"] = "auto"
    """`exact`: every sentence is compared with every other. `ivf`: with those of the nearest lists. `auto`: exact
    while it takes about two minutes on this machine."""
    recall: float = 0.98
    """With lists: as many of them are searched as find this share of the true neighbours, estimated on a sample."""
    probes: int = 0
    """With lists: search so many of them, whatever the recall; 0: as many as the recall needs."""
    codes: Literal["auto", "int8", "pq"] = "auto"
    """How vectors are kept in lists: one byte a number, or product-quantised (`auto`: where those of a byte a number
    would not fit on the disk or into memory)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions(LabelOptions):
    """Who judges the mined pairs, by which definition, and how many of them."""

    identifier: str = "cascade"
    """Name of a shipped identifier, or the folder of one that was trained and saved."""
    identify: bool = True
    """Let an identifier judge the pairs; without it they are ranked by their margin."""
    judge_most: int | None = None
    """Judge only so many pairs, those of the highest rank; by default all that are kept."""
    keep_negatives: bool = False
    """Write pairs that the identifier does not hold true into the file of pairs too, and those it was not asked
    about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Everything mining can be told."""

    lines: LineOptions = field(default_factory=LineOptions)
    embed: EmbedOptions = field(default_factory=EmbedOptions)
    search: SearchOptions = field(default_factory=SearchOptions)
    pairs: MinedPairOptions = field(default_factory=MinedPairOptions)
    judge: JudgeOptions = field(default_factory=JudgeOptions)
    place: PlaceOptions = field(default_factory=PlaceOptions)
    hub: bool = False
    """Ask the model hub for an embedder that is not on this machine."""
    memory: str = ""
    """Memory of this machine that the run may use, such as `8GB` or `64GiB`: no more helper processes are started than
    fit into it, and vectors are packed (`codes`) where their lists do not. By default what is free; where `workers` is
    given, so many are started."""


def check_ranges(options: MineOptions) -> None:
    """An error that names the option for a number that says nothing: nothing need be read to see it."""
    lines, pairs, search = options.lines, options.pairs, options.search
    check_least("--min-characters", lines.min_characters, 0)
    check_least("--max-characters", lines.max_characters, max(lines.min_characters, 1))
    check_least("--dims", options.embed.dims, 0)
    check_least("--max-tokens", options.embed.max_tokens, 0)
    check_least("--neighbours", search.neighbours, 1)
    if not 0 < search.recall <= 1:
        raise InputError(f"--recall {search.recall}: give a share above 0 and up to 1.")
    check_least("--probes", search.probes, 0)
    if not 0 <= pairs.min_similarity <= 1:
        raise InputError(f"--min-similarity {pairs.min_similarity}: give a cosine from 0 to 1.")
    check_least("--min-margin", pairs.min_margin, 0)
    low, high = pairs.lexical_band
    if not 0 <= low <= high <= 1:
        raise InputError(f"--lexical-band {low} {high}: give two numbers from 0 to 1, the lower one first.")
    check_least("--most", pairs.most, 0)
    if not 0 <= options.judge.threshold <= 1:
        raise InputError(f"--threshold {options.judge.threshold}: give a score from 0 to 1.")
    check_least("--judge-most", options.judge.judge_most, 0)
    check_least("--workers", options.place.workers, 1)
    if options.memory and options.place.engine == "ray":
        raise InputError("--memory is that of this machine. On a cluster say how many --workers there are.")
    if options.memory:
        read_bytes(options.memory)


def check_lookup(k: int, probes: int) -> None:
    """The same for what `look_up` can be told."""
    check_least("-k", k, 1)
    check_least("--probes", probes, 0)


def check_least(option: str, given: float | None, least: int) -> None:
    """Refuse a number that is below the least one; None is no number."""
    if given is not None and not given >= least:
        raise InputError(f"{option} {given}: give {least} or more.")
