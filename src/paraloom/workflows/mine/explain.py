"""A mined pair in, its way out: where both texts were met, what is near to each, its scores, its label, its cluster."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.engine.store import find_rows, made_by_file, read_made_by
from paraloom.text.counted import counted
from paraloom.workflows.mine.numbers import Numbers, keys_of
from paraloom.workflows.mine.run_neighbours import RunNeighbours
from paraloom.workflows.mine.vectors_step import Vectors

SIDES = ("left", "right")
VERDICTS = {True: "paraphrase", False: "no paraphrase", None: "undecided"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A sentence that the search has found near to one of the pair's."""

    text: str
    similarity: float
    is_other: bool
    """It is the other sentence of the pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedExplanation:
    """A mined pair and everything that led to it."""

    pair: dict[str, Any]
    sentences: dict[str, dict[str, Any]]
    nearest: dict[str, list[Near]]
    """What was found near to each side, the nearest first."""
    label: list[dict[str, Any]]
    clusters: dict[str, dict[str, Any] | None]
    embedder: str

    def as_json(self) -> str:
        """One JSON object."""
        return json.dumps(asdict(self), ensure_ascii=False, default=str, indent=2)

    def as_text(self) -> str:
        """Lines for a person to read."""
        pair, lines = self.pair, [f"pair {self.pair['pair_id']}"]
        lines.append(f"  proposed by {pair['proposed_by']}, {_standing(pair)}")
        mutual = "each is among the nearest of the other" if pair["is_mutual"] else "only one is near to the other"
        lines.append(f"  similarity {pair['similarity']:.3f}  margin {pair['margin']:.3f}, {mutual}")
        lines.append(f"  lexical {pair['lexical']:.3f}  PINC {pair['pinc']:.3f}  Jaccard {pair['jaccard']:.3f}")
        for side in SIDES:
            sentence = self.sentences[side]
            met = "" if sentence["copies"] == 1 else f", met {sentence['copies']:,} times"
            lines.append(f"{side}: {pair[side]}")
            called = f", there {sentence['native_id']}" if sentence.get("native_id") else ""
            lines.append(f"  from {sentence['document_id']} at {sentence['start']:,}{called}{met}")
            for near in self.nearest[side]:
                lines.append(f"  {'>' if near.is_other else '|'} {near.similarity:.3f}  {near.text}")
        for label in self.label:
            score = "" if label["score"] is None else f", score {label['score']:.3f}"
            lines.append(
                f"label ({label['definition']}): {VERDICTS[label['is_paraphrase']]}{score}, by {label['labelled_by']}"
            )
        cluster = self.clusters["left"]
        if cluster is not None and cluster == self.clusters["right"]:
            lines.append(f"cluster {cluster['cluster_id']} of {counted(cluster['size'], 'sentence', 'sentences')}")
        return "\n".join(lines)


def _standing(pair: Mapping[str, Any]) -> str:
    rank = f"rank {pair['rank']:,}" if pair["rank"] else "not ranked"
    return f"{rank}; left out: {pair['dropped_for']}" if pair["dropped_for"] else rank


def is_mined(run: Path) -> bool:
    """Whether a run's pairs were mined."""
    return made_by_file(run, "neighbours").is_file()


def explain_mined(run: Path, pair: dict[str, Any]) -> MinedExplanation:
    """Everything the run knows about how a mined pair came to be."""
    numbers = Numbers.of(run / "vectors")
    sides = {side: int(number) for side, number in zip(SIDES, _numbers(numbers, pair), strict=True)}
    others = {"left": sides["right"], "right": sides["left"]}
    neighbours = RunNeighbours(run, Vectors(run / "vectors", numbers.starts))
    sentences = {side: find_rows(run, "sentences", pair[f"{side}_id"])[0] for side in SIDES}
    return MinedExplanation(
        pair=pair,
        sentences=sentences,
        nearest={side: _nearest(run, numbers, neighbours, sides[side], others[side]) for side in SIDES},
        label=find_rows(run, "labels", pair["pair_id"]) if made_by_file(run, "labels").is_file() else [],
        clusters={side: _cluster(run, pair[f"{side}_id"]) for side in SIDES},
        embedder=str(read_made_by(run, "vectors")["options"]["embedder"]),
    )


def _numbers(numbers: Numbers, pair: Mapping[str, Any]) -> list[int]:
    found: list[int] = numbers.find(keys_of([pair["left_id"], pair["right_id"]])).tolist()
    return found


def _nearest(run: Path, numbers: Numbers, neighbours: RunNeighbours, number: int, other: int) -> list[Near]:
    found = neighbours.of(np.array([number]))
    is_there = found.is_there[0]
    near, alike = found.neighbours[0][is_there], found.similarities(numbers.norms)[0][is_there]
    return [
        Near(text=find_rows(run, "sentences", one)[0]["text"], similarity=cosine, is_other=place == other)
        for one, cosine, place in zip(numbers.ids(near), alike.tolist(), near.tolist(), strict=True)
    ]


def _cluster(run: Path, sentence_id: str) -> dict[str, Any] | None:
    found = find_rows(run, "clusters", sentence_id) if made_by_file(run, "clusters").is_file() else []
    return {name: found[0][name] for name in ("cluster_id", "size")} if found else None
