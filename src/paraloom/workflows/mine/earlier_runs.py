"""Mined runs among what is to be mined in, what of them can be used again out, and why the rest cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.engine.signatures import hash_of_file, hash_of_source
from paraloom.engine.store import made_by_file, read_made_by
from paraloom.models.neighbours.codes import LEARNED_ON
from paraloom.text.counted import counted
from paraloom.workflows.mine.numbers import Numbers, keys_of
from paraloom.workflows.mine.run_options import order_of

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from paraloom.models.neighbours.choice import Choice
    from paraloom.workflows.mine.options import EmbedOptions

LOOKED_AT = 64
"""Sentences that are embedded anew to see whether another version of the source gives them the same vectors."""
OUTNUMBERED = 10
"""Where there are so many times as many sentences as a small run has, what it has learned from its own says little."""
SAME = 0.999
"""The least cosine of the same vector: what is computed elsewhere differs in the last digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """Runs whose vectors are made as those that are wanted."""

    runs: tuple[Path, ...] = ()
    """The largest first: its way to make codes of vectors is taken over, and the others have the same."""
    passed_over: tuple[tuple[Path, str], ...] = ()
    """Every other run that was given, and why its vectors are not used again."""

    @property
    def first(self) -> Path | None:
        """The run that decides."""
        return self.runs[0] if self.runs else None

    @property
    def signature(self) -> str | None:
        """That of the vectors of the run that decides."""
        return None if self.first is None else str(read_made_by(self.first, "vectors")["signature"])


def same_vectors(runs: Sequence[Path], options: EmbedOptions, weights: Mapping[str, Path]) -> Earlier:
    """Those of these runs that were embedded in the same way; of the others, what was not the same."""
    from paraloom.workflows.mine.vectors_step import EMBEDDER, read_coder

    hashes = {name: hash_of_file(path) for name, path in weights.items()} if runs else {}
    alike: list[Path] = []
    others: dict[Path, str] = {}
    for run in sorted((run.resolve() for run in runs), key=order_of):
        if why := _difference(run, options, hashes):
            others[run] = why
        elif alike and (alike[0] / "vectors" / EMBEDDER).is_dir():
            others[run] = f"what its embedder has learned is not what that of {alike[0]} has"
        elif alike and read_coder(run / "vectors") != read_coder(alike[0] / "vectors"):
            others[run] = f"its codes have another scale than those of {alike[0]}"
        else:
            alike.append(run)
    return Earlier(runs=tuple(alike), passed_over=tuple(others.items()))


def without_small(earlier: Earlier, sentences: int) -> Earlier:
    """The same without runs that are too small to say how the vectors of so many sentences become codes, or what their
    embedder learns: the largest decides, and the others are smaller. To embed the few again costs little."""
    first = earlier.first
    if first is None or (vectors := _vectors_in(first)) >= LEARNED_ON or sentences <= OUTNUMBERED * vectors:
        return earlier
    small = ((run, counted(_vectors_in(run), "vector", "vectors")) for run in earlier.runs)
    why = tuple((run, f"it has {few}, too few to go by for {sentences:,} texts") for run, few in small)
    return Earlier(passed_over=(*earlier.passed_over, *why))


def _vectors_in(run: Path) -> int:
    return int(read_made_by(run, "vectors")["rows"])


def _difference(run: Path, options: EmbedOptions, weights: Mapping[str, str]) -> str:
    """How the vectors of a run were made otherwise than they are to be made now; empty where they were not.

    Neither where a folder lies nor what it is called says anything: its weights do. Nor does the version of Paraloom:
    where the source is another, a few sentences are embedded again.
    """
    from paraloom.workflows.mine.vectors_step import load, read_coder

    made_by = read_made_by(run, "vectors")
    then: Mapping[str, Any] = made_by["options"]
    now = Path(options.embedder).name
    if made_by["weights"] != weights or (not weights and then["embedder"] != now):
        which = "other weights of it" if then["embedder"] == now else now
        return f"it was embedded with {then['embedder']}, and now with {which}"
    embedder = load(replace(options, device="cpu"))
    if (dims := read_coder(run / "vectors").dims) != embedder.dims:
        return f"they have {dims} numbers, and now {embedder.dims}"
    if then["max_tokens"] != options.max_tokens:
        return f"up to {_tokens(then['max_tokens'])} of a text were read, and now {_tokens(options.max_tokens)}"
    if embedder.is_network and then["device"] != options.device:
        return f"a network gives others on {options.device} than on {then['device']}"
    if made_by["source"] != hash_of_source(("models",)) and not _gives_the_same(run, options):
        return "this version of Paraloom gives its sentences others"
    return ""


def _tokens(count: int) -> str:
    return f"{count} tokens" if count else "all tokens that the embedder can read"


def _gives_the_same(run: Path, options: EmbedOptions) -> bool:
    """Whether some sentences of a run have the vectors that they would be given now."""
    from paraloom.models.neighbours.codes import similarities, squared_norms
    from paraloom.workflows.mine.vectors_step import Vectors, load, lowest_texts, read_coder

    texts = lowest_texts(run, LOOKED_AT)
    if not texts:
        return True
    folder = run / "vectors"
    before = Vectors(folder, Numbers.of(folder).starts).read(0, len(texts))
    now = read_coder(folder).encode(load(replace(options, device="cpu"), folder).embed(texts))
    norms = squared_norms(before), squared_norms(now)
    if ((norms[0] == 0) != (norms[1] == 0)).any():
        return False
    dots = (before.astype(np.int32) * now.astype(np.int32)).sum(axis=1).astype(np.int32)
    is_known = norms[0] > 0
    alike = similarities(dots[is_known], norms[0][is_known], norms[1][is_known])
    return bool((alike >= SAME).all())


class KnownVectors:
    """Codes that earlier runs have of sentences."""

    def __init__(self, earlier: Earlier) -> None:
        from paraloom.workflows.mine.vectors_step import Vectors

        numbers = [Numbers.of(run / "vectors") for run in earlier.runs]
        self.known = [
            (each, Vectors(run / "vectors", each.starts)) for run, each in zip(earlier.runs, numbers, strict=True)
        ]

    def fill(self, ids: pa.ChunkedArray, codes: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Write the codes that are known into their rows; gives which rows are still to be made."""
        missing = np.ones(len(ids), bool)
        keys = keys_of(ids)
        for numbers, vectors in self.known:
            found = numbers.find(keys)
            rows = np.flatnonzero(missing & (found >= 0))
            codes[rows] = vectors.take(found[rows])
            missing[rows] = False
        return missing


def same_lists(earlier: Earlier, wanted: Choice) -> Path | None:
    """The run whose lists are to be used again: that of the vectors, while it has about as many as are wanted, of the
    same codes, and no more than half of all sentences are new to them."""
    return None if why_no_lists(earlier, wanted) else earlier.first


def why_no_lists(earlier: Earlier, wanted: Choice) -> str:
    """Why no run's lists are used again; empty where they are."""
    from paraloom.models.neighbours.lists import read_lists
    from paraloom.workflows.mine.index_step import LISTS, read_choice

    run = earlier.first
    if run is None:
        return "no run has vectors that are used again"
    if wanted.kind != "ivf":
        return "all sentences are compared with all"
    if not made_by_file(run, "index").is_file() or read_choice(run).kind != "ivf":
        return "it has no lists"
    choice = read_choice(run)
    if choice.codes != wanted.codes:
        return f"its codes are {choice.codes}, and {wanted.codes} are wanted"
    lists = len(read_lists(run / "index" / LISTS))
    if not wanted.lists / 2 <= lists <= 2 * wanted.lists:
        return f"it has {lists:,} lists, and {wanted.lists:,} are wanted"
    if wanted.sentences > 2 * choice.sentences:
        return "more than half of the sentences are new to them"
    return "it has sentences that are none now" if wanted.sentences < choice.sentences else ""


def without_folder(options: EmbedOptions) -> EmbedOptions:
    """The options as they stand in a signature: an embedder's folder by its last part."""
    path = Path(options.embedder)
    return replace(options, embedder=path.name) if path.is_dir() else options
