"""Pairs and a model in, what the HMM expects of their words, and its best path through each, out: compiled loops.

Before any target word stands for a source word, the path is at place 0; at place i + 1 the last one stood for source
word i. A target word that stands for none leaves the place as it is (Och and Ney, 2003).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled
from paraloom.models.aligners.statistical.directed_pairs import DirectedPairs

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]


@compiled
def fill_transitions(sources: int, jumps: Floats, starts: Floats, uniform: float, transitions: Floats) -> None:
    """The chance to go from each place to each: from before the text (row 0) and from each word, to each word.

    `jumps` are weights of distances, -largest … largest, the outer ones for all beyond; `starts` of first places.
    """
    largest = len(jumps) // 2
    for row in range(sources + 1):
        total = 0.0
        for place in range(sources):
            if row == 0:
                weight = starts[min(place, len(starts) - 1)]
            else:
                weight = jumps[min(max(place - row + 1, -largest), largest) + largest]
            transitions[row, place] = weight
            total += weight
        for place in range(sources):
            transitions[row, place] = uniform / sources + (1.0 - uniform) * transitions[row, place] / total


@compiled
def forward(
    sources: int,
    targets: int,
    emissions: Floats,
    nulls: Floats,
    transitions: Floats,
    null_probability: float,
    real: Floats,
    mass: Floats,
) -> float:
    """The log-likelihood of the target words; the rest is written into the last two tables.

    `real` is how likely each target word stands for each source word, given the words up to it; `mass` how likely each
    place is the last one that was stood for, before each target word (row 0) and after the last; place 0 is none yet.
    Emissions and nulls are divided by the likelihood of their step, for `backward`.
    """
    told = 0.0
    mass[0, : sources + 1] = 0.0
    mass[0, 0] = 1.0
    for target in range(targets):
        reached = real[target]
        reached[:sources] = 0.0
        for place in range(sources + 1):
            weight = mass[target, place]
            if weight > 0.0:
                for source in range(sources):
                    reached[source] += weight * transitions[place, source]
        none = null_probability * nulls[target]
        total = 0.0
        for source in range(sources):
            emissions[target, source] *= 1.0 - null_probability
            reached[source] *= emissions[target, source]
            total += reached[source]
        for place in range(sources + 1):
            total += none * mass[target, place]
        nulls[target] = none / total
        mass[target + 1, 0] = nulls[target] * mass[target, 0]
        for source in range(sources):
            emissions[target, source] /= total
            reached[source] /= total
            mass[target + 1, source + 1] = reached[source] + nulls[target] * mass[target, source + 1]
        told += np.log(total)
    return told


@compiled
def backward(
    sources: int,
    targets: int,
    emissions: Floats,
    nulls: Floats,
    transitions: Floats,
    real: Floats,
    mass: Floats,
    moves: Floats,
) -> None:
    """Make of `real` how likely each target word stands for each source word, given all words.

    `moves` becomes how often each place is expected to be left for each. The other tables are those of `forward`;
    emissions are used up.
    """
    ahead = np.ones(sources + 1)
    before = np.empty(sources + 1)
    turned = transitions[: sources + 1, :sources].T.copy()  # so that the processor adds to several places at once
    moves[: sources + 1, :sources] = 0.0
    for target in range(targets - 1, -1, -1):
        for place in range(sources + 1):
            before[place] = nulls[target] * ahead[place]
        for source in range(sources):
            real[target, source] *= ahead[source + 1]
            weight = emissions[target, source] * ahead[source + 1]
            emissions[target, source] = weight
            for place in range(sources + 1):
                before[place] += weight * turned[source, place]
        for place in range(sources + 1):
            weight = mass[target, place]
            if weight > 0.0:
                for source in range(sources):
                    moves[place, source] += weight * emissions[target, source]
        for place in range(sources + 1):
            ahead[place] = before[place]
    for place in range(sources + 1):
        for source in range(sources):
            moves[place, source] *= transitions[place, source]


@compiled
def _fill_emissions(
    pairs: DirectedPairs, pair: int, sources: int, targets: int, emissions: Floats, nulls: Floats
) -> None:
    """The chance of each target word by each source word, one row a target word, and by none."""
    base = pairs.cell_starts[pair]
    for target in range(targets):
        nulls[target] = pairs.null_chances[pairs.target_words[pairs.target_starts[pair] + target]]
        for source in range(sources):
            at = base + (target * sources + source if pairs.is_turned else source * targets + target)
            emissions[target, source] = pairs.chances[pairs.places[at]]


@compiled
def _longest(starts: Integers, first: int, last: int) -> int:
    longest = 1
    for pair in range(first, last):
        longest = max(longest, starts[pair + 1] - starts[pair])
    return longest


@compiled
def null_probability_of(pairs: DirectedPairs, sources: int, targets: int) -> float:
    """How likely each target word is to stand for none: no more than `sources` of them are expected to find theirs."""
    return 1.0 - (1.0 - pairs.null_probability) * min(1.0, sources / max(targets, 1))


@compiled
def expect_hmm(
    pairs: DirectedPairs,
    jumps: Floats,
    starts: Floats,
    uniform: float,
    parts: int,
    jump_counts: Integers,
    start_counts: Integers,
    leaving_counts: Integers,
    expected: Integers,
    expected_from: int,
    told: Floats,
    first: int,
    last: int,
) -> None:
    """For each pair of tokens how likely one stands for the other, and the log-likelihood of each pair of texts.

    Also how often each jump is made, each first place taken, and each place left, by the length of the source (rows).
    All counts are in parts of one, as in `model_one_loops`.
    """
    most_sources = _longest(pairs.source_starts, first, last)
    most_targets = _longest(pairs.target_starts, first, last)
    emissions, real = np.empty((most_targets, most_sources)), np.empty((most_targets, most_sources))
    nulls, mass = np.empty(most_targets), np.empty((most_targets + 1, most_sources + 1))
    transitions, moves = np.empty((most_sources + 1, most_sources)), np.empty((most_sources + 1, most_sources))
    largest = len(jumps) // 2
    for pair in range(first, last):
        sources = pairs.source_starts[pair + 1] - pairs.source_starts[pair]
        targets = pairs.target_starts[pair + 1] - pairs.target_starts[pair]
        told[pair] = 0.0
        if sources == 0:
            continue
        fill_transitions(sources, jumps, starts, uniform, transitions)
        _fill_emissions(pairs, pair, sources, targets, emissions, nulls)
        none = null_probability_of(pairs, sources, targets)
        told[pair] = forward(sources, targets, emissions, nulls, transitions, none, real, mass)
        backward(sources, targets, emissions, nulls, transitions, real, mass, moves)
        base = pairs.cell_starts[pair] - expected_from
        for target in range(targets):
            for source in range(sources):
                at = base + (target * sources + source if pairs.is_turned else source * targets + target)
                expected[at] = np.int64(real[target, source] * parts + 0.5)
        for place in range(sources + 1):
            for source in range(sources):
                # Without the share that went to any place: distances learn nothing from that.
                by_distance = moves[place, source] * (1.0 - uniform / sources / transitions[place, source])
                count = np.int64(max(by_distance, 0.0) * parts + 0.5)
                leaving_counts[sources, place] += count
                if place == 0:
                    start_counts[min(source, len(starts) - 1)] += count
                else:
                    jump_counts[min(max(source - place + 1, -largest), largest) + largest] += count


@compiled
def fill_posteriors(
    pairs: DirectedPairs, jumps: Floats, starts: Floats, uniform: float, posteriors: Floats, first: int, last: int
) -> None:
    """For each pair of tokens the probability that one stands for the other, laid out left × right."""
    most_sources = _longest(pairs.source_starts, first, last)
    most_targets = _longest(pairs.target_starts, first, last)
    emissions, real = np.empty((most_targets, most_sources)), np.empty((most_targets, most_sources))
    nulls, mass = np.empty(most_targets), np.empty((most_targets + 1, most_sources + 1))
    transitions, moves = np.empty((most_sources + 1, most_sources)), np.empty((most_sources + 1, most_sources))
    for pair in range(first, last):
        sources = pairs.source_starts[pair + 1] - pairs.source_starts[pair]
        targets = pairs.target_starts[pair + 1] - pairs.target_starts[pair]
        if sources == 0:
            continue
        fill_transitions(sources, jumps, starts, uniform, transitions)
        _fill_emissions(pairs, pair, sources, targets, emissions, nulls)
        none = null_probability_of(pairs, sources, targets)
        forward(sources, targets, emissions, nulls, transitions, none, real, mass)
        backward(sources, targets, emissions, nulls, transitions, real, mass, moves)
        for target in range(targets):
            for source in range(sources):
                at = target * sources + source if pairs.is_turned else source * targets + target
                posteriors[pairs.cell_starts[pair] + at] = min(real[target, source], 1.0)


@compiled
def best_path(
    sources: int,
    targets: int,
    emissions: Floats,
    nulls: Floats,
    transitions: Floats,
    null_probability: float,
    came_from: NDArray[np.int32],
    path: Codes,
) -> None:
    """The likeliest source word of each target word, -1 for none, all together (Viterbi); of equal ones the first."""
    reached, before = np.zeros(sources + 1), np.zeros(sources + 1)
    before[0] = 1.0
    for target in range(targets):
        none = null_probability * nulls[target]
        highest = 0.0
        for place in range(sources + 1):
            best, origin = 0.0, 0
            if place > 0:
                for earlier in range(sources + 1):
                    likely = before[earlier] * transitions[earlier, place - 1]
                    if likely > best:
                        best, origin = likely, earlier
                best *= (1.0 - null_probability) * emissions[target, place - 1]
            if place == 0 or none * before[place] > best:
                best, origin = none * before[place], -1
            reached[place] = best
            came_from[target, place] = origin
            highest = max(highest, best)
        for place in range(sources + 1):
            before[place] = reached[place] / highest
    place = int(np.argmax(before))
    for target in range(targets - 1, -1, -1):
        origin = came_from[target, place]
        path[target] = -1 if origin < 0 else place - 1
        place = place if origin < 0 else origin


@compiled
def fill_best_paths(
    pairs: DirectedPairs, jumps: Floats, starts: Floats, uniform: float, links: NDArray[np.bool_], first: int, last: int
) -> None:
    """For each pair of tokens whether the best path has one stand for the other, laid out left × right."""
    most_sources = _longest(pairs.source_starts, first, last)
    most_targets = _longest(pairs.target_starts, first, last)
    emissions, nulls = np.empty((most_targets, most_sources)), np.empty(most_targets)
    transitions = np.empty((most_sources + 1, most_sources))
    came_from, path = np.empty((most_targets, most_sources + 1), np.int32), np.empty(most_targets, np.int32)
    for pair in range(first, last):
        sources = pairs.source_starts[pair + 1] - pairs.source_starts[pair]
        targets = pairs.target_starts[pair + 1] - pairs.target_starts[pair]
        if sources == 0:
            continue
        fill_transitions(sources, jumps, starts, uniform, transitions)
        _fill_emissions(pairs, pair, sources, targets, emissions, nulls)
        none = null_probability_of(pairs, sources, targets)
        best_path(sources, targets, emissions, nulls, transitions, none, came_from, path)
        for target in range(targets):
            if path[target] >= 0:
                at = target * sources + path[target] if pairs.is_turned else path[target] * targets + target
                links[pairs.cell_starts[pair] + at] = True
