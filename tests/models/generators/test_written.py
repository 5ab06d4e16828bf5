"""What a writer makes of a search, whatever the model: candidates of all parts together keep to the rules too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paraloom.models.generators.copy_block import Vocabulary
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.written import LanguageModel, Writer

END = 0
WORDS = ["<end>", "they", "quit", "the", "town", "it", "rained", "a", "lot", "there", "was", "rain"]
SAID = {
    "we left the town.": (["they", "quit", "the", "town"], ["they", "quit", "town"]),
    "it rained all day": (["it", "rained", "a", "lot"], ["there", "was", "rain"]),
}
"""What the model says to each part, the likeliest first."""


class Speaker:
    """A model that says certain things to a text, and nothing else."""

    def __init__(self, answers: Sequence[Sequence[str]]) -> None:
        self.answers = [[*(WORDS.index(word) for word in answer), END] for answer in answers]

    def first(self) -> np.ndarray:
        self.written: list[tuple[int, ...]] = [()]
        return self._logits()

    def after(self, parents: Sequence[int], tokens: Sequence[int]) -> np.ndarray:
        self.written = [(*self.written[parent], token) for parent, token in zip(parents, tokens, strict=True)]
        return self._logits()

    def _logits(self) -> np.ndarray:
        found = np.full((len(self.written), len(WORDS)), -60.0, np.float32)
        for row, written in enumerate(self.written):
            for rank, answer in enumerate(self.answers):
                if tuple(answer[: len(written)]) == written and len(answer) > len(written):
                    found[row, answer[len(written)]] = -rank
        return found


def writer(decoding: Decoding) -> Writer:
    parts = list(SAID)
    model = LanguageModel(
        asked=lambda part: [parts.index(part)] * 8,
        around=0,
        room=lambda read: 100,
        next_tokens=lambda asked: Speaker(SAID[parts[asked[0]]]),
        text=lambda tokens: " ".join(WORDS[token] for token in tokens if token != END),
        stops=frozenset({END}),
        never=(),
        vocabulary=Vocabulary([f"▁{word}" for word in WORDS], WORDS.__getitem__),
    )
    return Writer(model, decoding)


def test_no_run_of_the_source_is_copied_where_two_parts_meet() -> None:
    source = " ".join(SAID)
    free, bound = (
        [one.text for one in writer(Decoding(beams=2, copy_block=block)).candidates(source, list(SAID), 2, None)]
        for block in (0, 4)
    )
    assert "they quit the town it rained a lot" in free
    assert bound == ["they quit town there was rain"]
