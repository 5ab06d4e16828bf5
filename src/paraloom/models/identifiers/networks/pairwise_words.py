"""Word vectors of both texts in, one number a head out: every word against every other, as a picture to look at.

He and Lin (2016): the states of both texts' words are compared in 13 ways, which gives a cube of 13 layers; a focus
layer keeps the pairs of words that match best as they are and dims the others; a deep convolutional network looks at
the cube as at an image.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from paraloom.models.identifiers.networks.words_in_context import WordsInContext

FEATURES = 13
FEATURE_NAMES = (
    *(f"{space}_{measure}" for space in ("both", "forward", "backward", "sum") for measure in ("cosine", "l2", "dot")),
    "is_word",
)
"""The layers of the cube, in their order."""
SUM_COSINE, SUM_L2 = FEATURE_NAMES.index("sum_cosine"), FEATURE_NAMES.index("sum_l2")

DIMMED = 0.1
"""What pairs of words out of focus are multiplied by."""

CHANNELS = (128, 164, 192, 192, 128)
"""Of the five convolutions."""
LAST_POOL = {32: 2, 48: 3}
"""The side of the image, and of the last pooling: it leaves one number a channel."""


class PairwiseWordsNetwork(nn.Module):
    """Pairwise word interaction with a focus layer and a 19-layer convolutional network (He and Lin, 2016)."""

    def __init__(self, width: int, hidden: int, side: int, heads: int) -> None:
        super().__init__()
        self.side = side
        self.words = WordsInContext(width, hidden)
        layers: list[nn.Module] = []
        for number, (before, after) in enumerate(zip((FEATURES, *CHANNELS), CHANNELS, strict=False)):
            pool = LAST_POOL[side] if number == len(CHANNELS) - 1 else 2
            layers += [nn.Conv2d(before, after, 3, padding=1), nn.ReLU(), nn.MaxPool2d(pool)]
        layers += [nn.Flatten(), nn.Linear(CHANNELS[-1], CHANNELS[-1]), nn.ReLU(), nn.Linear(CHANNELS[-1], heads)]
        self.convolutions = nn.Sequential(*layers)
        for layer in layers:
            if isinstance(layer, nn.Conv2d | nn.Linear):
                # As He et al. (2015) begin deep networks of ReLU: by torch's choice hardly a signal comes through.
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                if layer.bias is not None:
                    nn.init.zeros_(layer.bias)

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """One row a pair, one column a head: the mean of the cube's answer and of its mirror image's."""
        states = self.words(vectors, lengths)
        with torch.autocast(states.device.type, enabled=False):  # 16 bits cannot tell close matches apart
            left, right = states.float().chunk(2)
            is_word = _is_pair_of_words(mask)
            cube = focused(interaction_cube(left, right, is_word), is_word)
        empty = self.side - cube.shape[-1]
        image = nn.functional.pad(cube, (0, empty, 0, empty))
        mirrored = image.transpose(2, 3)
        if self.training:  # one of the two, drawn anew at every step, for half the time
            drawn = torch.rand(len(image), 1, 1, 1, device=image.device) < 0.5
            one: Tensor = self.convolutions(torch.where(drawn, image, mirrored))
            return one
        both: Tensor = self.convolutions(torch.cat([image, mirrored]))
        return both.view(2, len(image), -1).mean(dim=0)


def _is_pair_of_words(mask: Tensor) -> Tensor:
    """Pairs × left words × right words: whether a word stands on both sides."""
    left, right = mask.chunk(2)
    return left[:, :, None] & right[:, None, :]


def interaction_cube(left: Tensor, right: Tensor, is_word: Tensor) -> Tensor:
    """Pairs × 13 × left words × right words: how every state compares with every other; zeros where there is no word.

    Cosine, Euclidean distance and dot product of the concatenated states, of the forward, of the backward halves and of
    their sum; the thirteenth layer says where words are.
    """
    layers = []
    for ours, theirs in zip(_spaces(left), _spaces(right), strict=True):
        dot = ours @ theirs.transpose(1, 2)
        lengths = ours.norm(dim=-1)[:, :, None] * theirs.norm(dim=-1)[:, None, :]
        # The difference itself, not |a|² + |b|² - 2ab: near zero that is mostly rounding.
        apart = (ours[:, :, None] - theirs[:, None, :]).square().sum(dim=-1)
        layers += [dot / lengths.clamp(min=1e-8), (apart + 1e-12).sqrt(), dot]
    layers.append(torch.ones_like(layers[0]))
    return torch.stack(layers, dim=1) * is_word[:, None]


def _spaces(states: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    forwards, backwards = states.chunk(2, dim=-1)
    return states, forwards, backwards, forwards + backwards


def focused(cube: Tensor, is_word: Tensor) -> Tensor:
    """The cube with all pairs of words dimmed but those in focus; the layer that says where words are is left alone.

    In focus are the pairs that are chosen by the cosine, or by the distance, of the summed states.
    """
    likeness = torch.stack([cube[:, SUM_COSINE], -cube[:, SUM_L2]])
    chosen = best_matches(likeness.detach().flatten(0, 1), is_word.repeat(2, 1, 1)).view(likeness.shape).any(dim=0)
    weights = torch.where(chosen, 1.0, DIMMED)[:, None].expand_as(cube).clone()
    weights[:, -1] = 1.0
    return cube * weights


def best_matches(likeness: Tensor, allowed: Tensor) -> Tensor:
    """Which cells are chosen, best first, where each takes its row and its column from those that follow.

    Going through the sorted cells one by one is slow. A cell that is the best of its row and of its column is chosen
    whatever comes before it, so all such cells can be taken at once, and again among what they leave. Of equals the
    one that comes first in the order of reading is the better.
    """
    batch, rows, columns = likeness.shape
    ordered = likeness.masked_fill(~allowed, -torch.inf).flatten(1).argsort(dim=1, descending=True, stable=True)
    places = torch.arange(rows * columns, device=likeness.device).expand(batch, -1)
    rank = torch.empty_like(ordered).scatter_(1, ordered, places).view(batch, rows, columns)
    taken = rows * columns
    rank = rank.masked_fill(~allowed, taken)
    chosen = torch.zeros_like(allowed)
    for _ in range(min(rows, columns)):
        best = (rank == rank.amin(dim=2, keepdim=True)) & (rank == rank.amin(dim=1, keepdim=True)) & (rank < taken)
        chosen |= best
        rank = rank.masked_fill(best.any(dim=2, keepdim=True) | best.any(dim=1, keepdim=True), taken)
        if rank.device.type == "cpu" and bool((rank == taken).all()):  # asking a GPU would cost more than it spares
            break
    return chosen
