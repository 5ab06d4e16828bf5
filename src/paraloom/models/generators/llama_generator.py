"""Sources in, paraphrases out, by a Llama and a small adapter: on onnxruntime without torch, or on a GPU.

What the model reads is the piece that begins a text, the source, and the piece that ends a text; it goes on from there
and ends with that piece again. Each source is read alone, with its own beams or samples; on a GPU many sources go on
side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.encoders.batches import readable
from paraloom.models.generators import Candidate, Usage, streams
from paraloom.models.generators.copy_block import Vocabulary
from paraloom.models.generators.decoding_options import MIXED, Decoding
from paraloom.models.generators.long_sources import parts
from paraloom.models.generators.scores import Likeliest, Logits
from paraloom.models.generators.search import answered, logits_for
from paraloom.models.generators.together import together
from paraloom.models.generators.written import LanguageModel, Question, Writer
from paraloom.models.language_models.adapter import read_adapter
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
from paraloom.models.language_models.llama import CORES, Llama, Reading
from paraloom.models.language_models.llama_on_torch import LIKELIEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_TOKENS = 160
"""A source of more pieces is paraphrased in parts of whole sentences: sentences are what it was trained on."""

AROUND = 2
"""Pieces around a source in what the model reads: the one that begins a text, and the one that ends it."""

AT_ONCE = 64
"""Sources that are written for side by side on a GPU, at most."""
PLACES = 1 << 16
"""Places of their candidates, filled up to the longest, at most: SmolLM2-135M remembers 46 kB at each, and while it
goes on a step holds twice that."""


class LlamaGenerator:
    """A `Generator`: a GGUF file, and the adapter that taught it to paraphrase."""

    def __init__(
        self,
        model: Path,
        adapter: Path | None,
        decoding: Decoding = Decoding(),
        *,
        name: str = "paraloom",
        device: str = CORES,
    ) -> None:
        file = GgufFile(model)
        self.tokeniser = GgufTokeniser(file)
        self.network = Llama(file, read_adapter(adapter) if adapter else None, device=device)
        if self.tokeniser.pieces > self.network.shape.pieces:
            raise InputError(
                f"{model} has {self.tokeniser.pieces} pieces and foretells {self.network.shape.pieces}. "
                "Download it again."
            )
        self.decoding = decoding.or_usual(MIXED)
        self._name = name
        self._writer = Writer(self._language_model(file.texts("tokenizer.ggml.tokens")), self.decoding)
        hashes = [hash_of_file(one)[:8] for one in (model, adapter) if one]
        self._weights = "|".join(f"{kind}:{one}" for kind, one in zip(("base", "adapter"), hashes, strict=False))
        if device != CORES:
            self._weights += f"|products:float32|likeliest:{LIKELIEST}"  # by other rounding other candidates

    @property
    def name(self) -> str:
        return self._name

    @property
    def draws(self) -> bool:
        """Whether chance decides what it says: asked again, it may say something else."""
        return self.decoding.draws

    @property
    def signature(self) -> str:
        return f"{self.name}|{self.decoding.signature}|max_tokens:{MAX_TOKENS}|{self._weights}"

    @property
    def usage(self) -> Usage:
        """Parts of sources that were asked about, pieces read, and pieces written over all beams."""
        return self._writer.usage

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        texts = readable(sources)
        in_parts = [parts(text, self._fits) for text in texts]
        writing = [
            self._writer.writing(text, of_text, n, own)
            for text, of_text, own in zip(texts, in_parts, streams(sources, rng), strict=True)
        ]
        if not self.network.answers_together:
            return [answered(one, lambda question: logits_for(*question)) for one in writing]
        blocks = self._blocks(in_parts, self.decoding.at_once(n))
        return [one for block in blocks for one in together(writing[block], self._answers)]

    def _blocks(self, texts: Sequence[Sequence[str]], rows: int) -> Iterator[slice]:
        """Texts in their parts, so many at once as can be remembered with so many rows for each."""
        start = longest = 0
        for place, of_text in enumerate(texts):
            own = max((self._places(part) for part in of_text), default=0)
            longest = max(longest, own)
            count = place + 1 - start
            if count > 1 and (count > AT_ONCE or count * rows * longest > PLACES):
                yield slice(start, place)
                start, longest = place, own
        yield slice(start, len(texts))

    def _places(self, part: str) -> int:
        """How many pieces it and the longest candidate have."""
        read = len(self.asked(part))
        _, most = self.decoding.token_limits(read - AROUND)
        return min(read + most, self.network.longest)

    def _answers(self, questions: Sequence[Question]) -> list[Logits]:
        """For many sources at once, in two steps: for those that begin, and for those that go on."""
        asked = [(model, wish) for model, wish in questions if isinstance(model, LlamaTokens)]
        new = [model for model, wish in asked if wish is None and model.begun is None]
        for model, (found, reading) in zip(new, self.network.reads([one.asked for one in new]), strict=True):
            model.begun = Likeliest(*found), reading
        going_on = [(model, *model.following(*wish)) for model, wish in asked if wish is not None]
        stepped = self.network.steps([one for _, one, _ in going_on], [pieces for _, _, pieces in going_on])
        answers: dict[LlamaTokens, Logits] = {}
        for (model, _, _), (found, reading) in zip(going_on, stepped, strict=True):
            answers[model], model.reading = Likeliest(*found), reading
        return [model.first() if wish is None else answers[model] for model, wish in asked]

    def asked(self, source: str) -> list[int]:
        """What the model reads of a source."""
        return [self.tokeniser.begin, *self.tokeniser.encode(source), self.tokeniser.end]

    def answered(self, text: str) -> list[int]:
        """What the model would have written."""
        return [*self.tokeniser.encode(text), self.tokeniser.end]

    def likelihoods(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """The mean log-probability of a piece of each second text, where the first is the source.

        Of texts that are too long for the model their beginnings count.
        """
        return self._means([(self.asked(left), self.answered(right)) for left, right in pairs])

    def log_probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The mean log-probability of a piece of each text by itself."""
        return self._means([([self.tokeniser.begin], self.answered(text)) for text in texts])

    def _means(self, texts: Sequence[tuple[list[int], list[int]]]) -> NDArray[np.float64]:
        half = self.network.longest // 2
        found = self.network.log_probabilities([(first[:half], second[:half]) for first, second in texts])
        return np.array([one.mean() for one in found], np.float64)

    def _fits(self, source: str) -> bool:
        """Whether it is no longer than what the model was trained on, and leaves room for an answer as long."""
        length = len(self.tokeniser.encode(source))
        return length <= min(MAX_TOKENS, self.network.longest // 2 - AROUND)

    def _language_model(self, pieces: Sequence[str]) -> LanguageModel:
        beyond = range(self.tokeniser.pieces, self.network.shape.pieces)
        return LanguageModel(
            asked=self.asked,
            around=AROUND,
            room=lambda read: self.network.longest - read,
            next_tokens=lambda asked: LlamaTokens(self.network, asked),
            text=self.tokeniser.decode,
            stops=frozenset({self.tokeniser.end}),
            never=(*sorted(self.tokeniser.control - {self.tokeniser.end}), *beyond),
            vocabulary=Vocabulary(pieces, lambda one: self.tokeniser.decode([one])),
        )


class LlamaTokens:
    """One source, which the model reads when it is first asked, and its candidates so far."""

    def __init__(self, network: Llama, asked: Sequence[int]) -> None:
        self._network, self.asked = network, asked
        self.begun: tuple[Logits, Reading] | None = None
        self.reading: Reading

    def first(self) -> Logits:
        if self.begun is None:
            self.begun = self._network.read(self.asked)
        logits, self.reading = self.begun
        return logits

    def after(self, parents: Sequence[int], tokens: Sequence[int]) -> Logits:
        logits, self.reading = self._network.step(*self.following(parents, tokens))
        return logits

    def following(self, parents: Sequence[int], tokens: Sequence[int]) -> tuple[Reading, NDArray[np.int64]]:
        """What is to be read on, and the piece that each of it goes on with."""
        return self.reading.chosen(np.array(parents, np.int64)), np.array(tokens, np.int64)
