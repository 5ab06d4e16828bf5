"""Pairs that an identifier accepts in, pairs for experts to judge out (Dou et al., 2022, section 2.5).

Sentences of a group that are linked by accepted pairs are a cluster; two seed sentences of the largest one are paired
with up to thirty others of it. The experts see sentences that few or no accepted pair joins directly, and so judge the
hard cases that tell a strict paraphrase from a loose one.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from paraloom.graphs import clusters
from paraloom.judgments.expert_options import ExpertOptions
from paraloom.judgments.items import NewItem
from paraloom.tables import pair_id_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPair:
    """A pair of a group, as an identifier judges it."""

    group_id: str
    left_id: str
    right_id: str
    left: str
    right: str
    score: float


def expert_items(
    pairs: Iterable[ScoredPair], options: ExpertOptions = ExpertOptions(), *, threshold: float = 0.5
) -> Iterator[NewItem]:
    """Items for a campaign of the kind `pair`, group by group; the order of the pairs does not matter.

    A pair is accepted if it scores above the threshold.
    The seeds are the two most central sentences of the largest cluster: those in the most accepted pairs, then those
    whose accepted pairs score highest, then the smaller id. They are paired with each other and with the same others.

    >>> def accepted(one, other):
    ...     return ScoredPair(group_id="g", left_id=one, right_id=other, left=one, right=other, score=0.9)
    >>> found = expert_items([accepted("a", "b"), accepted("b", "c"), accepted("b", "d")])
    >>> [(item.content["left"], item.content["right"]) for item in found]
    [('b', 'a'), ('b', 'c'), ('a', 'c'), ('b', 'd'), ('a', 'd')]
    """
    by_group: dict[str, list[ScoredPair]] = defaultdict(list)
    for pair in pairs:
        if pair.score > threshold and pair.left_id != pair.right_id:
            by_group[pair.group_id].append(pair)
    for group_id in sorted(by_group):
        yield from _of_group(group_id, by_group[group_id], options)


def _of_group(group_id: str, accepted: Sequence[ScoredPair], options: ExpertOptions) -> Iterator[NewItem]:
    texts = {pair.left_id: pair.left for pair in accepted} | {pair.right_id: pair.right for pair in accepted}
    scores = _best_scores(accepted)
    central = _by_centrality(scores)
    cluster = _largest_cluster(scores)
    first, second = [one for one in central if one in cluster][:2]
    others = sorted(cluster - {first, second})
    drawn = others
    if len(others) > options.most - 1:
        drawn = sorted(random.Random(f"{options.draw_seed}:{group_id}").sample(others, options.most - 1))
    yield _item(group_id, first, second, texts, scores, len(cluster))
    for other in drawn:
        for seed in (first, second):
            yield _item(group_id, seed, other, texts, scores, len(cluster))


def _best_scores(accepted: Sequence[ScoredPair]) -> dict[tuple[str, str], float]:
    """Each accepted pair once, whichever way round it was given."""
    scores: dict[tuple[str, str], float] = {}
    for pair in accepted:
        ends = (min(pair.left_id, pair.right_id), max(pair.left_id, pair.right_id))
        scores[ends] = max(scores.get(ends, 0.0), pair.score)
    return scores


def _by_centrality(scores: Mapping[tuple[str, str], float]) -> list[str]:
    degree: Counter[str] = Counter(end for ends in scores for end in ends)
    strength: dict[str, float] = defaultdict(float)
    for ends in sorted(scores):
        for end in ends:
            strength[end] += scores[ends]
    return sorted(degree, key=lambda one: (-degree[one], -round(strength[one], 6), one))


def _largest_cluster(scores: Mapping[tuple[str, str], float]) -> set[str]:
    """The cluster of most sentences; of equals the one with more accepted pairs, then the smaller name."""
    name_of = clusters(sorted(scores))
    size = Counter(name_of.values())
    links = Counter(name_of[left] for left, _ in scores)
    largest = min(size, key=lambda name: (-size[name], -links[name], name))
    return {one for one, name in name_of.items() if name == largest}


def _item(
    group_id: str,
    left_id: str,
    right_id: str,
    texts: Mapping[str, str],
    scores: Mapping[tuple[str, str], float],
    size: int,
) -> NewItem:
    ends = (min(left_id, right_id), max(left_id, right_id))
    return NewItem(
        content={"left": texts[left_id], "right": texts[right_id]},
        item_id=pair_id_of(left_id, right_id),
        group_id=group_id,
        proposed_by="expert filling",
        origin={"left_id": left_id, "right_id": right_id, "score": scores.get(ends), "cluster_size": size},
    )
