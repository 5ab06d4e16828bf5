"""Pairs in, pairs a second and F1 of every contender out: all in one process, by turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from cross_encoder_peer import Peer
from identify_bars import CASCADE, CHEAP, PEER, SHIPPED, SpeedRow
from numpy.typing import NDArray
from pairs_to_identify import Pairs, made_up_pairs

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import at_threshold, best_f1
from paraloom.models.identifiers import load, shipped_systems
from paraloom.workflows.bench.shipped import has_seen, seen_splits

BATCH_SIZES = (32, 128)

Score = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]


def made_ready(definition: str, peer: Path | None) -> tuple[dict[str, Score], dict[str, int], list[str]]:
    """Every contender loaded, how many parameters each has, and a line for each that is not there."""
    contenders: dict[str, Score] = {}
    parameters: dict[str, int] = {}
    missing = []
    for name in (CHEAP, CASCADE, SHIPPED):
        if name not in shipped_systems():
            missing.append(f"{name}: not run: it is not shipped with this version")
            continue
        identifier = load(name)
        if definition not in identifier.definitions:
            missing.append(f"{name}: not run: it was not trained for the definition {definition}")
            continue
        contenders[name] = lambda left, right, one=identifier: one.score(left, right, definition)
        parameters[name] = identifier.parameters
    try:
        encoder = Peer(peer, definition)
    except (ImportError, InputError) as error:
        missing.append(f"{PEER}: not run: {error}")
        return contenders, parameters, missing
    for size in BATCH_SIZES:
        contenders[f"{PEER}, batch {size}"] = lambda left, right, size=size: encoder.score(left, right, size)
        parameters[f"{PEER}, batch {size}"] = encoder.parameters
    return contenders, parameters, missing


def take_turns(
    contenders: dict[str, Score], pairs: Pairs, repeats: int, count: int
) -> tuple[dict[str, list[float]], dict[str, list[NDArray[np.float64]]]]:
    """Pairs a second and scores of every contender at every repeat."""
    warm = made_up_pairs(64)
    for score in contenders.values():
        score(warm.left, warm.right)
    speeds: dict[str, list[float]] = {name: [] for name in contenders}
    scores: dict[str, list[NDArray[np.float64]]] = {name: [] for name in contenders}
    for repeat in range(repeats):
        part = pairs.part(repeat * count, (repeat + 1) * count)
        names = list(contenders) if repeat % 2 == 0 else list(reversed(contenders))
        for name in names:
            started = time.perf_counter()
            found = contenders[name](part.left, part.right)
            speeds[name].append(len(part) / (time.perf_counter() - started))
            scores[name].append(found)
    return speeds, scores


def speed_rows(
    speeds: Mapping[str, list[float]],
    scores: Mapping[str, list[NDArray[np.float64]]],
    parameters: Mapping[str, int],
    pairs: Pairs,
    no_f1: Mapping[str, str],
) -> list[SpeedRow]:
    """Medians, against the peer at its best batch size; `no_f1` says for whom F1 would mean nothing, and why."""
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    best_peer = max((median for name, median in medians.items() if name.startswith(PEER)), default=None)
    rows = []
    for name, values in speeds.items():
        why = "no labels are known" if pairs.labels is None else no_f1.get(name, "")
        f1, max_f1 = (None, None) if why else figures(np.concatenate(scores[name]), pairs)
        rows.append(
            SpeedRow(
                contender=name,
                pairs_per_second=medians[name],
                repeats=values,
                parameters=parameters[name],
                times_as_fast=None if best_peer is None else medians[name] / best_peer,
                f1=f1,
                max_f1=max_f1,
                no_f1=why,
            )
        )
    return rows


def reasons_against_f1(contenders: Sequence[str], pairs: Pairs, *, is_peer_trained: bool) -> dict[str, str]:
    """Contenders whose F1 on these pairs would mean nothing."""
    shipped = shipped_systems()
    reasons = {name: "it has learned from these pairs" for name in contenders if name in shipped and knows(name, pairs)}
    if not is_peer_trained:
        reasons |= {name: "its head is untrained" for name in contenders if name.startswith(PEER)}
    return reasons


def knows(name: str, pairs: Pairs) -> bool:
    """Whether a shipped identifier has learned from these very pairs, by its card."""
    trained_on = None if pairs.source is None else seen_splits(load(name))
    return trained_on is not None and pairs.source is not None and has_seen(trained_on, *pairs.source)


def figures(scores: NDArray[np.float64], pairs: Pairs) -> tuple[float, float]:
    """F1 above .5, and at the best threshold."""
    assert pairs.labels is not None
    truth = np.array(pairs.labels[: len(scores)], np.bool_)
    return at_threshold(scores, truth).f1, best_f1(scores, truth).f1
