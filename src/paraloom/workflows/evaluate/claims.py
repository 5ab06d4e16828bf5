"""Two systems' measured metrics in, out come claims that one is better, corrected for how many are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from paraloom.metrics.holm import holm
from paraloom.metrics.measured import Measured
from paraloom.metrics.significance import Method, compare
from paraloom.reports.generation_summary import Claim
from paraloom.workflows.evaluate.metrics import METRICS
from paraloom.workflows.evaluate.subsets import can_be_summed

LEVEL = 0.05


def make_claims(
    pairs: Sequence[tuple[str, str, Measured, Measured]], *, method: Method, resamples: int, seed: int
) -> list[Claim]:
    """Test every pair (our name, the other's, our metric, theirs) that can be tested; Holm's correction over all.

    So many tests need so many resamples that the smallest p-value they can show is still small when multiplied.
    """
    tested = [
        (ours, other, mine, theirs)
        for ours, other, mine, theirs in pairs
        if mine.better != "neither" and can_be_summed(mine) and can_be_summed(theirs) and len(mine.items) > 1
    ]
    enough = max(resamples, ceil(2 * len(tested) / LEVEL))
    claims = []
    for ours, other, mine, theirs in tested:
        found = compare(mine, theirs, method=method, resamples=enough, seed=seed)
        gain = found.difference if mine.better == "higher" else -found.difference
        claims.append(
            Claim(
                metric=mine.name,
                about=METRICS[mine.name].about,
                against=METRICS[mine.name].against,
                ours_name=ours,
                other_name=other,
                ours=found.ours,
                other=found.other,
                low=found.low,
                high=found.high,
                gain=gain,
                p_value=found.p_value,
                adjusted_p_value=found.p_value,
                is_significant=False,
                resamples=enough,
            )
        )
    adjusted = holm([claim.p_value for claim in claims])
    return [
        replace(claim, adjusted_p_value=p_value, is_significant=p_value < LEVEL)
        for claim, p_value in zip(claims, adjusted, strict=True)
    ]
