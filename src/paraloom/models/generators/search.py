"""A model that says how likely each next token is in, whole token sequences out: by beams, diverse beams or chance.

Nothing here knows what the model is or what runs it: a search asks for logits and waits until it is given them, so
many searches can be answered at once. Logits are NumPy arrays, of all tokens or of the likeliest, and chance comes from
the generator of random numbers that is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from paraloom.models.generators.decoding_options import BEAM, Decoding
from paraloom.models.generators.scores import Logits, Scores

Tokens = tuple[int, ...]
Result = TypeVar("Result")
Wish = tuple[Sequence[int], Sequence[int]] | None
"""What a search asks for: what `NextTokens.after` is given, or None for `NextTokens.first`."""
Asking = Generator[Wish, Logits, Result]
"""A search that is going on: it yields wishes, is sent the logits, and returns what it has found."""
Found = tuple[list["Sequenced"], int]
"""Sequences, and how many tokens were written on the way."""

FOLDED = 64
"""So many scores are looked at as one, their largest, before the best are sorted."""
NUCLEUS_BOUNDS = (1e-3, 1e-5, 0.0)
"""Shares of the likeliest token's probability below which tokens are looked at only where others fall short."""
ROUNDS = 3
"""How often as many samples as are wanted are drawn, until enough of them differ."""


class NextTokens(Protocol):
    """One source that a model has read, and what has been written of its candidates so far."""

    def first(self) -> Logits:
        """The logits of the first token, in a single row. Called again, it begins anew."""

    def after(self, parents: Sequence[int], tokens: Sequence[int]) -> Logits:
        """The logits that follow each of these: the beginning in row `parent` of the last answer, and a token."""


def _nothing(tokens: Tokens) -> Iterable[int]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a sequence may be."""

    stops: frozenset[int]
    """Tokens that end a sequence."""
    most: int
    """Tokens it has at most, with the one that ends it."""
    fewest: int = 0
    """Tokens it has at least."""
    never: tuple[int, ...] = ()
    """Tokens that are in no sequence: padding, for one."""
    blocked: Callable[[Tokens], Iterable[int]] = _nothing
    """Tokens that must not follow a beginning."""


@dataclass(frozen=True, slots=True)
class Sequenced:
    """A sequence, whole or begun."""

    tokens: Tokens
    log_probability: float
    """By the model alone, whatever was forbidden or preferred."""
    has_ended: bool = False

    def score(self, length_penalty: float) -> float:
        """The log-probability for its length.

        >>> Sequenced((5, 7), -3.0).score(1.0)
        -1.5
        """
        return self.log_probability / float(max(len(self.tokens), 1) ** length_penalty)


def search(
    model: NextTokens, rules: Rules, decoding: Decoding, n: int, rng: np.random.Generator
) -> tuple[list[Sequenced], int]:
    """Sequences, best first, at least `n` where so many differ; and how many tokens were written on the way.

    Sequences that did not end within the limit are left out, unless none did.
    """
    return answered(searching(rules, decoding, n, rng), lambda wish: logits_for(model, wish))


def searching(rules: Rules, decoding: Decoding, n: int, rng: np.random.Generator) -> Asking[Found]:
    """The same, by whoever answers."""
    decoding = decoding.or_usual(BEAM)
    found, written = yield from METHODS[decoding.method](rules, decoding, n, rng)
    kept = [one for one in found if one.has_ended] or found
    by_score = sorted(set(kept), key=lambda one: (-one.score(decoding.length_penalty), one.tokens))
    return by_score, written


Asked = TypeVar("Asked")
Given = TypeVar("Given")


def answered(asking: Generator[Asked, Given, Result], answer: Callable[[Asked], Given]) -> Result:
    """Let a search go on to its end, answering all it asks."""
    try:
        wish = next(asking)
        while True:
            wish = asking.send(answer(wish))
    except StopIteration as done:
        result: Result = done.value
        return result


def logits_for(model: NextTokens, wish: Wish) -> Logits:
    """What a model answers to a wish."""
    return model.first() if wish is None else model.after(*wish)


def _beam(rules: Rules, decoding: Decoding, n: int, rng: np.random.Generator) -> Asking[Found]:
    return grouped_beams(rules, max(decoding.beams, n), 1, 0.0, decoding.length_penalty)


def _diverse(rules: Rules, decoding: Decoding, n: int, rng: np.random.Generator) -> Asking[Found]:
    beams = max(decoding.beams, n)
    groups = min(decoding.groups, beams)
    return grouped_beams(rules, beams, groups, decoding.diversity, decoding.length_penalty)


@dataclass(slots=True)
class _Group:
    """Beams that compete with each other and with no others."""

    size: int
    length_penalty: float
    alive: list[Sequenced] = field(default_factory=lambda: [Sequenced((), 0.0)])
    rows: list[int] = field(default_factory=lambda: [0])
    """Where the logits of each that is alive stand."""
    ended: list[Sequenced] = field(default_factory=list)

    def step(self, scores: Scores, length: int, losses: Mapping[int, float], rules: Rules) -> list[tuple[int, int]]:
        """Lengthen the beams by a token each; the rows and tokens of those that go on. `losses` are by token."""
        columns = scores.values.shape[1]
        totals = scores.chosen(self.rows)
        np.add(totals.values, np.array([[beam.log_probability] for beam in self.alive]), out=totals.values)
        for token, loss in losses.items():
            totals.lessen(token, loss)
        forbid(totals, self.alive, rules, length)
        flat = totals.values.ravel()
        best = _largest(flat, self.size * min(1 + max(len(rules.stops), 1), 4))
        alive: list[Sequenced] = []
        gone_on = []
        for rank, place in enumerate(best.tolist()):
            beam, column = divmod(place, columns)
            if flat[place] == -np.inf or len(alive) == self.size:
                break
            before, token = self.alive[beam], totals.token(beam, column)
            total = before.log_probability + float(scores.values[self.rows[beam], column])
            longer = Sequenced((*before.tokens, token), total, has_ended=token in rules.stops)
            if not longer.has_ended:
                alive.append(longer)
                gone_on.append((self.rows[beam], token))
            elif rank < self.size:
                self.ended.append(longer)
        self.alive = alive
        if self._is_done():
            self.alive, gone_on = [], []
        return gone_on

    def _is_done(self) -> bool:
        """Whether none that is alive is better, as long as it is now, than the worst that would be kept."""
        if len(self.ended) < self.size or not self.alive:
            return False
        kept = sorted((one.score(self.length_penalty) for one in self.ended), reverse=True)[: self.size]
        # With losses the first of those alive is not always the likeliest.
        return max(one.score(self.length_penalty) for one in self.alive) <= kept[-1]


def grouped_beams(rules: Rules, beams: int, groups: int, diversity: float, length_penalty: float) -> Asking[Found]:
    """Beam search; with several groups diverse beam search (Vijayakumar et al., 2018).

    A group's choice at a step loses `diversity` for every earlier group's beam that took the same token at this step.
    """
    searches = [_Group(-(-beams // groups), length_penalty) for _ in range(groups)]
    logits = yield None
    written = 0
    for length in range(1, rules.most + 1):
        scores = Scores.of(logits)
        going_on: list[tuple[int, int]] = []
        taken: Counter[int] = Counter()
        for group in searches:
            if not group.alive:
                continue
            losses = {token: diversity * times for token, times in taken.items()}
            chosen = group.step(scores, length, losses, rules)
            group.rows = list(range(len(going_on), len(going_on) + len(chosen)))
            going_on += chosen
            taken.update(token for _, token in chosen)
        written += len(going_on)
        if not going_on or length == rules.most:
            break
        logits = yield [row for row, _ in going_on], [token for _, token in going_on]
    return [one for group in searches for one in (*group.ended, *group.alive)], written


def _sample(rules: Rules, decoding: Decoding, n: int, rng: np.random.Generator) -> Asking[Found]:
    """Draw until `n` differ, or a few rounds have passed."""
    found: list[Sequenced] = []
    written = 0
    for _ in range(ROUNDS):
        drawn = yield from _drawn(rules, decoding, n, rng)
        written += sum(len(one.tokens) for one in drawn)
        found += drawn
        if len({one.tokens for one in found if one.has_ended}) >= n:
            break
    return found, written


def _drawn(rules: Rules, decoding: Decoding, n: int, rng: np.random.Generator) -> Asking[list[Sequenced]]:
    """Every token by chance, `n` times."""
    alive = [Sequenced((), 0.0)] * n
    rows = [0] * n
    over: list[Sequenced] = []
    logits = yield None
    for length in range(1, rules.most + 1):
        scores = Scores.of(logits)
        allowed = scores.chosen(rows)
        forbid(allowed, alive, rules, length)
        following, parents = [], []
        for beginning, row, left in zip(alive, rows, allowed.values, strict=True):
            column = draw(left, decoding, rng)
            if column is None:
                continue  # nothing is allowed to follow
            token = scores.token(row, column)
            total = beginning.log_probability + float(scores.values[row, column])
            longer = Sequenced((*beginning.tokens, token), total, has_ended=token in rules.stops)
            if longer.has_ended or length == rules.most:
                over.append(longer)
            else:
                following.append(longer)
                parents.append(row)
        if not following:
            break
        logits = yield parents, [one.tokens[-1] for one in following]
        alive, rows = following, list(range(len(following)))
    return over


def draw(scores: NDArray[np.float64], decoding: Decoding, rng: np.random.Generator) -> int | None:
    """The place of one token by chance among those that top-k and top-p leave; None where none is allowed.

    >>> draw(np.log([0.5, 0.3, 0.2]), Decoding(method="sample", top_p=0.4), np.random.default_rng(1))
    0
    """
    largest = scores.max()
    if largest == -np.inf:
        return None
    tokens = _largest(scores, decoding.top_k) if 0 < decoding.top_k < len(scores) else None
    with np.errstate(over="ignore"):  # by a very low temperature; what is so far below the largest is nothing
        shares = np.exp(((scores if tokens is None else scores[tokens]) - largest) / decoding.temperature)
    if decoding.top_p < 1:
        kept = _nucleus(shares, decoding.top_p * shares.sum())
        tokens, shares = kept if tokens is None else tokens[kept], shares[kept]
    sums = np.cumsum(shares)
    place = min(int(np.searchsorted(sums, rng.random() * sums[-1], side="right")), len(sums) - 1)
    return place if tokens is None else int(tokens[place])


def _nucleus(shares: NDArray[np.float64], wanted: float) -> NDArray[np.intp]:
    """The places of the largest that add up to what is wanted, largest first; the largest of all is 1.

    A nucleus is a few hundred of fifty thousand: those below a bound are not sorted unless the others fall short.
    """
    for bound in NUCLEUS_BOUNDS:
        places = np.flatnonzero(shares > bound)
        if shares[places].sum() >= wanted:
            break
    order = places[np.argsort(-shares[places], kind="stable")]
    before = np.cumsum(shares[order]) - shares[order]
    return order[before < wanted]


def _mixed(rules: Rules, decoding: Decoding, n: int, rng: np.random.Generator) -> Asking[Found]:
    """Half by beams, which are likely, half by chance, which differ."""
    by_chance = n // 2
    found, written = yield from _beam(rules, decoding, n - by_chance, rng)
    ended = [one for one in found if one.has_ended]
    found = sorted(ended, key=lambda one: -one.score(decoding.length_penalty))[: n - by_chance] or found
    if by_chance:
        drawn = yield from _drawn(rules, decoding, by_chance, rng)
        found, written = [*found, *drawn], written + sum(len(one.tokens) for one in drawn)
    return found, written


METHODS: Mapping[str, Callable[[Rules, Decoding, int, np.random.Generator], Asking[Found]]] = {
    "beam": _beam,
    "sample": _sample,
    "mixed": _mixed,
    "diverse": _diverse,
}


def forbid(scores: Scores, beginnings: Sequence[Sequenced], rules: Rules, length: int) -> None:
    """Write minus infinity over the scores of tokens that must not follow: a row for each beginning."""
    scores.forbid(rules.never)
    if length < rules.fewest:
        scores.forbid(rules.stops)
    for row, beginning in enumerate(beginnings):
        if blocked := list(rules.blocked(beginning.tokens)):
            scores.forbid(blocked, row)


def _largest(values: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """The places of the largest, largest first, of equal ones the first."""
    even = len(values) - len(values) % FOLDED
    folded = np.concatenate([values[:even].reshape(FOLDED, -1).max(axis=0, initial=-np.inf), values[even:]])
    if count < len(folded):
        least = np.partition(folded, len(folded) - count)[len(folded) - count]  # so many values are as large at least
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.argsort(-values[places], kind="stable")][:count]
