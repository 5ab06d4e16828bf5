"""Word alignments made by people in, `src/paraloom/models/weights/aligner/` out, with the figures it reaches.

    python -m recipes.aligner --data DIR          (or PARALOOM_DATA=DIR; some minutes on two cores, needs torch)

DIR holds, as they are published in the JSON form of aligners:

    alignment/gold.train.sure.json       Edinburgh++, train (Thadani et al., 2012): 714 pairs
    alignment/RTE2_dev_M.align.json      MSR RTE2, dev, the three annotators' majority (Brockett, 2007): 800 pairs

First the figures. Half of each set, by a hash of a pair's id, is learned from; the threshold is chosen in four folds of
that half alone; the other half is looked at once. Then the aligner that is shipped:
the same settings, learned from both halves of both sets. The official test parts are not looked at.

The second pass must not see what the first says of pairs it has learned from, for then it would trust it too much: of
each fold it sees what networks say that learned from the other folds. What is written are weights, names, counts and
figures: no text of any corpus.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import cyclopts
import numpy as np
import torch
from numpy.typing import NDArray

from paraloom.models.aligners import Links, TokenPair, read_links
from paraloom.models.aligners.learned import CARD, FOLDER, WEIGHTS, LearnedAligner, PairReader, is_turned, open_reader
from paraloom.models.aligners.learned_features import Features, Floats, names_of, second_features
from paraloom.models.aligners.learned_network import Network, Pass, probabilities, write_passes
from paraloom.models.aligners.lexical import LexicalAligner, links_of
from paraloom.models.identifiers import SHIPPED

SETS = {"edinburgh": "gold.train.sure.json", "msr": "RTE2_dev_M.align.json"}
LAYERS = (3, 4, 5, 6)
"""Of the model of pairs: lower ones know less of the other text, higher ones forget which word it was."""
WIDTHS = (48, 24)
MEMBERS = 3
"""Networks of each pass."""
FOLDS = 4
EPOCHS, BATCH, RATE, DECAY, DROPOUT = 10, 1024, 3e-3, 1e-3, 0.1
CHOSEN, KEPT = 0.1, 0.25
"""Two tokens that no vector would link with this probability are so many that only this share of them is learned from,
each counting for all that were left out."""
THRESHOLDS = np.arange(0.3, 0.61, 0.025).round(3).tolist()

Figures = dict[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One pair, read with its longer text first, and the links people drew."""

    corpus: str
    number: str
    pair: TokenPair
    links: Links

    @property
    def target(self) -> Floats:
        found = np.zeros((len(self.pair[0]), len(self.pair[1])))
        for link in self.links:
            found[link] = 1
        return found

    def part(self, of: int, salt: str) -> int:
        """Which of so many parts it is in, whatever else there is."""
        return blake2b(f"{salt}{self.number}".encode(), digest_size=4).digest()[0] % of


def read_examples(folder: Path) -> list[Example]:
    """Both sets."""
    return [example for name, file in SETS.items() for example in _examples(name, folder / file)]


def _examples(corpus: str, file: Path) -> Iterator[Example]:
    for row in json.loads(file.read_text(encoding="utf-8")):
        pair, links = (row["source"].split(), row["target"].split()), read_links(row["sureAlign"])
        if is_turned(pair):
            pair, links = pair[::-1], tuple(sorted((other, one) for one, other in links))
        yield Example(corpus, str(row["id"]), pair, links)


def rows_of(
    features: Sequence[Features], examples: Sequence[Example], seed: int
) -> tuple[Features, Features, Features]:
    """Pairs of tokens to learn from: their features, whether they are linked, and how many they stand for."""
    random = np.random.default_rng(seed)
    agreed = [place for place, name in enumerate(names_of(LAYERS)) if name.endswith("_agreed")]
    inputs = np.concatenate([one.reshape(-1, one.shape[-1]) for one in features])
    targets = np.concatenate([example.target.ravel() for example in examples])
    is_clear = (targets == 0) & (inputs[:, agreed].max(axis=1) < CHOSEN)
    kept = ~is_clear | (random.random(len(targets)) < KEPT)
    weights = np.where(is_clear, 1 / KEPT, 1.0)
    return inputs[kept], targets[kept].astype(np.float32), weights[kept].astype(np.float32)


def learn_pass(features: Sequence[Features], examples: Sequence[Example], members: int, seed: int) -> Pass:
    """Networks that learned from all these pairs, each from other random numbers."""
    inputs, targets, weights = rows_of(features, examples, seed)
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0) + 1e-2
    scaled = [torch.from_numpy(one) for one in ((inputs - mean) / scale, targets, weights)]
    networks = tuple(_learn_network(*scaled, seed=seed + number) for number in range(members))
    return Pass(mean=mean, scale=scale, networks=networks)


def _learn_network(inputs: torch.Tensor, targets: torch.Tensor, weights: torch.Tensor, *, seed: int) -> Network:
    torch.manual_seed(seed)
    sizes = (inputs.shape[1], *WIDTHS)
    hidden = [
        part
        for size, wider in pairwise(sizes)
        for part in (torch.nn.Linear(size, wider), torch.nn.ReLU(), torch.nn.Dropout(DROPOUT))
    ]
    network = torch.nn.Sequential(*hidden, torch.nn.Linear(sizes[-1], 1))
    steps = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    total = EPOCHS * -(-len(inputs) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(steps, RATE, total_steps=total, pct_start=0.1)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(inputs)).split(BATCH):
            steps.zero_grad()
            said = network(inputs[batch])[:, 0]
            loss = torch.nn.functional.binary_cross_entropy_with_logits(said, targets[batch], weights[batch])
            loss.backward()
            steps.step()
            schedule.step()
    layers = [part for part in network if isinstance(part, torch.nn.Linear)]
    return Network(layers=tuple((_as_stored(one.weight), _as_stored(one.bias)) for one in layers))


def _as_stored(parameter: torch.Tensor) -> Features:
    return parameter.detach().numpy().astype(np.float16).astype(np.float32)


def learn(features: Sequence[Features], examples: Sequence[Example], seed: int) -> list[Pass]:
    """Both passes."""
    folds = np.array([example.part(FOLDS, "first") for example in examples])
    said: list[Floats] = [np.zeros(0)] * len(examples)
    for fold in range(FOLDS):
        others = np.flatnonzero(folds != fold)
        one = learn_pass([features[place] for place in others], [examples[place] for place in others], 1, seed)
        for place in np.flatnonzero(folds == fold):
            said[place] = one(features[place])
    first = learn_pass(features, examples, MEMBERS, seed)
    beside = [second_features(one, other) for one, other in zip(features, said, strict=True)]
    return [first, learn_pass(beside, examples, MEMBERS, seed)]


def figures_of(examples: Sequence[Example], found: Sequence[Links]) -> dict[str, Figures]:
    """For each set: means over pairs (macro), over links (micro), and the share of pairs with exactly their links."""
    figures = {}
    for corpus in SETS:
        rows = [
            (set(example.links), set(links))
            for example, links in zip(examples, found, strict=True)
            if example.corpus == corpus
        ]
        both, theirs, ours = (
            np.array(counts, float)
            for counts in zip(*((len(one & other), len(one), len(other)) for one, other in rows), strict=True)
        )
        precision = np.divide(both, ours, out=(theirs == 0).astype(float), where=ours > 0)
        recall = np.divide(both, theirs, out=(ours == 0).astype(float), where=theirs > 0)
        macro = _figures("macro", precision.mean(), recall.mean())
        micro = _figures("micro", both.sum() / max(1, ours.sum()), both.sum() / max(1, theirs.sum()))
        exact = np.mean([one == other for one, other in rows])
        figures[corpus] = {"pairs": len(rows), **macro, **micro, "exact_match": round(float(exact), 4)}
    return figures


def _figures(name: str, precision: float, recall: float) -> Figures:
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    told = {"precision": precision, "recall": recall, "f1": f1}
    return {f"{name}_{key}": round(float(value), 4) for key, value in told.items()}


def choose_threshold(features: Sequence[Features], examples: Sequence[Example], seed: int) -> float:
    """The probability from which links are best in folds of these examples, by the mean F1 of both sets."""
    folds = np.array([example.part(FOLDS, "threshold") for example in examples])
    said: list[Floats] = [np.zeros(0)] * len(examples)
    for fold in range(FOLDS):
        others = np.flatnonzero(folds != fold)
        passes = learn([features[place] for place in others], [examples[place] for place in others], seed)
        for place in np.flatnonzero(folds == fold):
            said[place] = probabilities(passes, features[place])
    at = {threshold: figures_of(examples, [links_of(one >= threshold) for one in said]) for threshold in THRESHOLDS}
    for threshold, figures in at.items():
        show(f"in folds, from {threshold}", figures)
    return max(THRESHOLDS, key=lambda one: sum(f["macro_f1"] + f["micro_f1"] for f in at[one].values()))


def show(name: str, figures: dict[str, Figures]) -> None:
    for corpus, told in figures.items():
        print(f"{name}: {corpus}: " + "  ".join(f"{key} {value}" for key, value in told.items()), flush=True)


def chosen(items: Sequence[object], places: NDArray[np.int64]) -> list:  # type: ignore[type-arg]
    return [items[place] for place in places.tolist()]


def main(
    *,
    data: Annotated[Path, cyclopts.Parameter(env_var="PARALOOM_DATA")],
    out: Path = SHIPPED / FOLDER,
    seed: int = 1,
) -> None:
    """Learn from one half, measure on the other, then learn from both and write the weights."""
    torch.set_num_threads(1)  # sums in one order
    examples = read_examples(data / "alignment")
    read: PairReader = open_reader(LAYERS)
    features = read([example.pair for example in examples])
    halves = np.array([example.part(2, "") for example in examples])
    ours, theirs = np.flatnonzero(halves == 0), np.flatnonzero(halves == 1)
    learned, held_out = chosen(examples, ours), chosen(examples, theirs)
    threshold = choose_threshold(chosen(features, ours), learned, seed)
    passes = learn(chosen(features, ours), learned, seed)
    found = [links_of(probabilities(passes, features[place]) >= threshold) for place in theirs.tolist()]
    figures = {"learned": figures_of(held_out, found)}
    figures["lexical"] = figures_of(held_out, LexicalAligner.load().align([example.pair for example in held_out]))
    for name, told in figures.items():
        show(f"{name}, held-out halves", told)
    write_passes(learn(features, examples, seed), out / WEIGHTS)
    write_card(out, examples, threshold, figures, seed)
    print(json.dumps({"written": str(out), "signature": LearnedAligner.load(out).signature}))


def write_card(
    out: Path, examples: Sequence[Example], threshold: float, figures: dict[str, dict[str, Figures]], seed: int
) -> None:
    """What the aligner is and how it was made."""
    recipe = Path(__file__)
    card = {
        "name": FOLDER,
        "kind": "aligner",
        "about": "says of any two tokens of two texts how probably they stand for each other",
        "licence": "Apache-2.0",
        "language": "en",
        "architecture": f"two passes of {MEMBERS} networks of {WIDTHS} over features; states of the model of pairs",
        "layers": list(LAYERS),
        "threshold": threshold,
        "trained_on": {
            name: sum(example.corpus == corpus for example in examples)
            for corpus, name in (("edinburgh", "edinburgh++ train, sure links"), ("msr", "msr rte2 dev, majority"))
        },
        "chosen_on": "four folds of one half of each, by a hash of the id",
        "held_out": "the other half, for figures alone; the weights here have learned from both halves since",
        "figures": figures,
        "recipe": f"recipes/{recipe.stem}",
        "recipe_hash": blake2b(recipe.read_bytes(), digest_size=4).hexdigest(),
        "seed": seed,
    }
    (out / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    cyclopts.run(main)
