"""Pairs of texts in, how likely each is a paraphrase out: cheap features decide the clear cases, an encoder the rest.

For bulk work. The first look (`pair_features`, a small network) takes about ten microseconds a pair; only pairs whose
cheap score lies in a band around .5, and short ones, are given to another identifier. How wide the band must be, and
how soon the shipped network may end on a pair, is found on held-out pairs from how much F1 may be lost: the more, the
faster. A score keeps its meaning whoever gave it: .5 is the decision point.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import best_f1
from paraloom.models.identifiers import CARD, SHIPPED, Examples, Identifier, load, shipped_systems
from paraloom.models.identifiers.cascade_bands import MIDDLE, Band, BandPoint, Way, band_curve, cheapest_band
from paraloom.models.identifiers.pair_features import Lexicon, PairFeatures, pair_features
from paraloom.models.identifiers.plain_cases import with_plain_scores
from paraloom.models.identifiers.quick_network import QuickNetwork, train_network
from paraloom.models.identifiers.refusals import check_definition, check_pairs, with_held_out
from paraloom.models.identifiers.thresholds import probabilities
from paraloom.models.identifiers.token_table import TokenTable, load_table

NAME = "cascade"
FOLDER = "cascade"
NUMBERS = "cascade.safetensors"
TABLE = "table.safetensors"
ENCODER = "encoder"
"""Folder of a saved cascade that holds the identifier behind it, unless that is a shipped one."""

LOSSES = (0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05)
"""Bands are found for these losses of F1; the first is what a cascade has unless asked otherwise."""
DOUBTS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
"""How soon an identifier that may be hurried ends on a pair: these are tried."""
FEWEST_WORDS = 5
"""A text with fewer words is always doubtful: one other word turns its meaning round ("He won", "He lost")."""
COPIES_IN = 20
"""For so many examples one is added whose answer is sure."""
LONGEST_JOINED = 12
"""Texts that make a long one."""

Floats = NDArray[np.float64]


@runtime_checkable
class MayHurry(Identifier, Protocol):
    """An identifier that reads no further where a pair is clear, and may be told when it is; the shipped network is."""

    doubt: float

    def with_doubt(self, doubt: float) -> Identifier: ...

    def hurried(
        self, left: Sequence[str], right: Sequence[str], definition: str, doubts: Sequence[float]
    ) -> list[tuple[Floats, NDArray[np.int64]]]: ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FirstLook:
    """What the cheap features say: words and their weights, vectors, and a network for each definition."""

    lexicon: Lexicon
    table: TokenTable
    networks: Mapping[str, QuickNetwork]
    """With .5 where F1 was best on held-out pairs."""
    bands: Mapping[str, Mapping[float, Band]]
    """By definition, and by how much F1 may be lost."""

    def known(self, left: Sequence[str], right: Sequence[str]) -> PairFeatures:
        return pair_features(left, right, self.lexicon, self.table)

    def score(self, left: Sequence[str], right: Sequence[str], definition: str) -> Floats:
        """The cheap score of each pair, rounded to 6 decimals; .5, which no band leaves out, for short ones."""
        scores = probabilities(self.networks[definition].logits(self.known(left, right)))
        return np.where(are_short(left, right), MIDDLE, scores)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cascade:
    """A cheap look at every pair, and another identifier for the doubtful ones."""

    inner: str = "paraloom"
    """The identifier behind it: the name of a shipped one, or the folder of a trained one."""
    loss: float = LOSSES[0]
    """How much F1 may be lost against the inner identifier alone: the more, the fewer pairs it is asked about."""
    low: float | None = None
    """Pairs whose cheap score is lower are none, without asking further; found from `loss` where it is not given."""
    high: float | None = None
    """Pairs whose cheap score is higher are paraphrases, without asking further."""
    vectors: str = "encoder"
    """Static word vectors: those of the shipped encoder's word pieces (`encoder`), `none`, a name such as `glove-50d`,
    or a safetensors file with `vectors` and `words`."""
    hidden: int = 32
    """Hidden units of the cheap look's network."""
    epochs: int = 15
    """How often training goes over the examples."""
    encoder: Identifier | None = field(default=None, repr=False)
    """The inner identifier itself, where it need not be loaded by its name."""
    look: FirstLook | None = field(default=None, repr=False)
    """What was fitted."""
    trained: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained, for people to read. No score depends on it."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return () if self.look is None else tuple(sorted(self.look.networks))

    @property
    def parameters(self) -> int:
        if self.look is None:
            return 0
        own = sum(network.parameters for network in self.look.networks.values())
        return own + len(self.look.lexicon) + self.look.table.vectors.size + self.behind().parameters

    @property
    def signature(self) -> str:
        if self.look is None:
            return f"{NAME}|untrained|paraloom:{paraloom_version()}"
        bands = ",".join(
            f"{definition}={band.low:g}-{band.high:g}" + ("" if band.doubt is None else f"@{band.doubt:g}")
            for definition, band in ((one, self.band(one)) for one in self.definitions)
        )
        return (
            f"{NAME}|bands:{bands}|vectors:{self.look.table.name}-{self.look.table.digest}|trained:"
            f"{self.trained.get('recipe', 'own')}|paraloom:{paraloom_version()}|weights:{self._digest()}"
            f"|inner:({self.behind().signature})"
        )

    def _digest(self) -> str:
        digest = blake2b(digest_size=4)
        for name, numbers in sorted(_arrays(self._fitted()).items()):
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(numbers).data)
        return digest.hexdigest()

    def behind(self, doubt: float | None = None) -> Identifier:
        """The identifier that doubtful pairs are given to, hurried by this doubt."""
        found = load(self.inner) if self.encoder is None else self.encoder
        return found.with_doubt(doubt) if doubt is not None and isinstance(found, MayHurry) else found

    def band(self, definition: str) -> Band:
        """Between which cheap scores pairs are doubtful, and how hurried these are read: as asked for, else as found.

        Where both ends are asked for, nobody said how much may be lost, and nothing is hurried.
        """
        if self.low is not None and self.high is not None:
            return Band(low=self.low, high=self.high)
        by_loss = self._fitted().bands[definition]
        allowed = [loss for loss in by_loss if loss <= self.loss]
        if not allowed:
            raise InputError(
                f"A cascade's loss is {self.loss:g}, but the least that bands were found for is {min(by_loss):g}. Give "
                f"at least that, or set low=0 and high=1 to ask {self.inner} about every pair."
            )
        found = by_loss[max(allowed)]
        return Band(
            low=found.low if self.low is None else self.low,
            high=found.high if self.high is None else self.high,
            doubt=found.doubt,
        )

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> Floats:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(NAME, definition, self.definitions)
        check_pairs(left, right)
        scores = self._fitted().score(left, right, definition)
        band, short = self.band(definition), are_short(left, right)
        doubtful = band.holds(scores)
        for asked, doubt in ((doubtful & ~short, band.doubt), (doubtful & short, None)):  # short ones are not hurried
            rows = np.flatnonzero(asked).tolist()
            if rows:
                given = [left[row] for row in rows], [right[row] for row in rows]
                scores[rows] = self.behind(doubt).score(*given, definition)
        return with_plain_scores(scores, left, right)

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Cascade:
        """The same settings with a cheap look learned from the examples, and bands found on the held-out ones.

        The inner identifier is taken as it is: it must have been trained for these definitions.
        """
        both = with_held_out(examples, held_out)
        behind = self.behind()
        for one, _ in both:
            check_definition(behind.name, one.definition, behind.definitions)
        table = load_table(self.vectors)
        lexicon = Lexicon.learn([text for one in examples for side in (one.left, one.right) for text in side])
        networks, bands = {}, {}
        for one, kept in both:
            networks[one.definition] = self._network(one, kept, lexicon, table, seed)
            look = FirstLook(lexicon=lexicon, table=table, networks=networks, bands={})
            cheap = look.score(kept.left, kept.right, one.definition)
            ways = ways_to_ask(behind, kept)
            truth = np.asarray(kept.targets) > 0.5
            bands[one.definition] = {
                loss: cheapest_band(cheap, ways, truth, loss) for loss in sorted({*LOSSES, self.loss})
            }
        fitted = FirstLook(lexicon=lexicon, table=table, networks=networks, bands=bands)
        return replace(self, encoder=behind, look=fitted, trained={})

    def _network(
        self, examples: Examples, held_out: Examples, lexicon: Lexicon, table: TokenTable, seed: int
    ) -> QuickNetwork:
        examples = with_sure_cases(examples, seed)
        targets = np.asarray(examples.targets, np.float64)
        known = pair_features(examples.left, examples.right, lexicon, table)
        network = train_network(known, targets, len(lexicon), hidden=self.hidden, epochs=self.epochs, seed=seed)
        logits = network.logits(pair_features(held_out.left, held_out.right, lexicon, table))
        return network.shifted(-best_f1(logits, np.asarray(held_out.targets) > 0.5).threshold)

    def curve(self, examples: Examples) -> tuple[BandPoint, ...]:
        """What every width of the band would cost and bring on these pairs.

        The cheap look's share of the time is measured now; what is read further costs what is read of it.
        """
        check_definition(NAME, examples.definition, self.definitions)
        begun = perf_counter()
        cheap = self._fitted().score(examples.left, examples.right, examples.definition)
        between = perf_counter()
        self.behind().score(examples.left, examples.right, examples.definition)
        relative = (between - begun) / max(perf_counter() - between, 1e-9)
        ways = ways_to_ask(self.behind(), examples)
        return band_curve(cheap, ways, np.asarray(examples.targets) > 0.5, relative_cost=relative)

    def save(self, folder: Path) -> None:
        """Write the cheap look into a folder, with the inner identifier's name, or itself where it is not shipped."""
        from safetensors.numpy import save_file

        look = self._fitted()
        folder.mkdir(parents=True, exist_ok=True)
        is_shipped = self.inner in shipped_systems() and self.behind().signature == load(self.inner).signature
        if not is_shipped:
            self.behind().save(folder / ENCODER)
        save_file(_arrays(look), folder / NUMBERS)
        look.table.write(folder / TABLE)
        card = {
            "name": NAME,
            "inner": self.inner if is_shipped else ENCODER,
            **{setting: getattr(self, setting) for setting in ("loss", "low", "high", "vectors", "hidden", "epochs")},
            "bands": {
                definition: {str(loss): [band.low, band.high, band.doubt] for loss, band in by_loss.items()}
                for definition, by_loss in sorted(look.bands.items())
            },
            "features": list(_features()),
            "trained": dict(self.trained),
        }
        (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path | None) -> Cascade:
        """What was saved into a folder; the shipped one where none is given."""
        from safetensors.numpy import load_file

        folder = folder or SHIPPED / FOLDER
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        if card["features"] != list(_features()):
            raise InputError(f"{folder} was fitted on other features than this version computes. Fit it anew.")
        if any(len(band) != 3 for by_loss in card["bands"].values() for band in by_loss.values()):
            raise InputError(f"{folder} was fitted when the network was not yet hurried. Fit it anew.")
        numbers = load_file(folder / NUMBERS)
        lexicon = Lexicon(
            hashes=numbers["lexicon.hashes"],
            weights=numbers["lexicon.weights"],
            rarest=float(numbers["lexicon.rarest"][0]),
        )
        networks = {
            definition: QuickNetwork(
                **{name: numbers[f"{definition}.{name}"] for name in QuickNetwork.__dataclass_fields__}
            )
            for definition in card["bands"]
        }
        look = FirstLook(
            lexicon=lexicon,
            table=TokenTable.read(folder / TABLE),
            networks=networks,
            bands={
                definition: {
                    float(loss): Band(low=low, high=high, doubt=doubt) for loss, (low, high, doubt) in by_loss.items()
                }
                for definition, by_loss in card["bands"].items()
            },
        )
        inner = str(folder / ENCODER) if card["inner"] == ENCODER else card["inner"]
        settings = {name: card[name] for name in ("loss", "low", "high", "vectors", "hidden", "epochs")}
        return cls(inner=inner, encoder=load(inner), look=look, trained=card["trained"], **settings)

    def _fitted(self) -> FirstLook:
        if self.look is None:
            raise InputError(f"{NAME} has learned nothing yet. Call fit first, or load one that has.")
        return self.look


def ways_to_ask(behind: Identifier, examples: Examples) -> list[Way]:
    """What an identifier says of pairs, unhurried first, then with every doubt that it may have.

    A pair costs as many layers as are read of it.
    """
    asked = (examples.left, examples.right, examples.definition)
    if not isinstance(behind, MayHurry):
        return [Way.unhurried(behind.score(*asked))]
    doubts = [doubt for doubt in DOUBTS if doubt > behind.doubt]
    (scores, layers), *hurried = behind.hurried(*asked, [behind.doubt, *doubts])
    short = are_short(examples.left, examples.right)
    ways = [Way(scores=scores, costs=layers)]
    for doubt, (sooner, fewer) in zip(doubts, hurried, strict=True):
        ways.append(Way(scores=np.where(short, scores, sooner), costs=np.where(short, layers, fewer), doubt=doubt))
    return ways


def are_short(left: Sequence[str], right: Sequence[str]) -> NDArray[np.bool_]:
    """Which pairs have a text of few words.

    >>> are_short(["He won", "He won the race at last"], ["He lost", "He came in first on Sunday"]).tolist()
    [True, False]
    """
    return np.array(
        [
            min(len(one.split(maxsplit=FEWEST_WORDS)), len(other.split(maxsplit=FEWEST_WORDS))) < FEWEST_WORDS
            for one, other in zip(left, right, strict=True)
        ],
        bool,
    )


def with_sure_cases(examples: Examples, seed: int) -> Examples:
    """The examples with some whose answer is sure: texts with themselves, long ones with themselves and with others.

    Corpora leave out copies, and what never occurred may be decided either way, with much confidence.

    >>> sure = with_sure_cases(Examples(left=["a", "b"] * 20, right=["c", "d"] * 20, targets=[0] * 40), seed=1)
    >>> len(sure), sum(sure.targets)
    (44, 3.0)
    """
    drawn = random.Random(seed)
    texts = [*examples.left, *examples.right]
    left, right, targets = list(examples.left), list(examples.right), list(examples.targets)
    for number in range(max(4, len(examples) // COPIES_IN)):
        text, other = (drawn.choice(texts) for _ in range(2))
        if number % 4 > 1:  # half of them as long as several texts
            text, other = (" ".join(drawn.choices(texts, k=drawn.randint(2, LONGEST_JOINED))) for _ in range(2))
        left.append(text)
        right.append(other if number % 4 == 3 else text)
        targets.append(0.0 if number % 4 == 3 else 1.0)
    return Examples(left=left, right=right, targets=targets, definition=examples.definition)


def _features() -> tuple[str, ...]:
    from paraloom.models.identifiers.pair_measures import FEATURES

    return FEATURES


def _arrays(look: FirstLook) -> dict[str, NDArray[Any]]:
    """All numbers of a cheap look but the table's, by name."""
    arrays: dict[str, NDArray[Any]] = {
        "lexicon.hashes": look.lexicon.hashes,
        "lexicon.weights": look.lexicon.weights,
        "lexicon.rarest": np.array([look.lexicon.rarest]),
    }
    for definition, network in look.networks.items():
        arrays |= {f"{definition}.{name}": numbers for name, numbers in network.arrays().items()}
    return arrays
