"""Sources in, paraphrases out, by any language model that transformers can load: T5, BART, Marian, GPT-2, Llama.

A model is a folder, a name on the shelf, or a name on the model hub whose files are in its cache; the hub itself is
asked only where that is said. How the model is asked stands in the folder's `generator.json`, or is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.models.encoders.batches import readable
from paraloom.models.encoders.transformers_encoder import transformer_libraries
from paraloom.models.generators import Candidate, Usage, streams
from paraloom.models.generators.copy_block import Vocabulary
from paraloom.models.generators.decoding_options import BEAM, Decoding
from paraloom.models.generators.generator_card import CAUSAL, ENCODER_DECODER, read_card
from paraloom.models.generators.language_models import hashes_of_folder, load_language_model, place_of_model
from paraloom.models.generators.long_sources import parts
from paraloom.models.generators.search import NextTokens
from paraloom.models.generators.token_rules import TokenRules, defused
from paraloom.models.generators.transformers_options import TransformersOptions as TransformersOptions
from paraloom.models.generators.written import LanguageModel, Writer
from paraloom.models.known import short_name

if TYPE_CHECKING:
    import numpy as np


class TransformersGenerator:
    """A `Generator`: an encoder with a decoder, or a causal model, in torch. Needs the extra `train`."""

    def __init__(
        self,
        name_or_folder: str | Path,
        options: TransformersOptions = TransformersOptions(),
        decoding: Decoding = Decoding(),
        *,
        name: str = "",
    ) -> None:
        """Load it; `name` is what tables call it."""
        self.torch, _ = transformer_libraries()
        self.folder = place_of_model(str(name_or_folder), hub=options.hub)
        self.options, self.decoding = options, decoding.or_usual(BEAM)
        self.tokeniser, self.network = load_language_model(self.folder, device=options.device, dtype=options.dtype)
        self.is_encoder_decoder = bool(self.network.config.is_encoder_decoder)
        usual = ENCODER_DECODER if self.is_encoder_decoder else CAUSAL
        self.card = (read_card(self.folder) or usual).with_given(
            prompt=options.prompt, separator=options.separator, end=options.end
        )
        self._name = name or self.card.name or short_name(str(name_or_folder))
        self._rules = TokenRules.read(self.tokeniser, self.network, self.card)
        self._around = len(self._asked(""))
        if not self._fits("a"):
            raise InputError(
                f"What stands around a source takes {self._around} of the {self._rules.limit} tokens that {self.name} "
                "reads, which leaves no room for the source. Choose a shorter --prompt or --separator."
            )
        self._writer = Writer(self._language_model(), self.decoding)
        self._hashes = hashes_of_folder(self.folder)

    @property
    def name(self) -> str:
        return self._name

    @property
    def draws(self) -> bool:
        """Whether chance decides what it says: asked again, it may say something else."""
        return self.decoding.draws

    @property
    def signature(self) -> str:
        asked = blake2b(repr((self.card.asked("\0"), self.card.end)).encode(), digest_size=4).hexdigest()
        parted = f"max_tokens:{self.options.max_tokens}|by_sentence:{int(self.options.by_sentence)}"
        settings = f"{self.decoding.signature}|asked:{asked}|{parted}|dtype:{self.options.dtype}"
        return f"{self.name}|{settings}|{self._hashes}"

    @property
    def usage(self) -> Usage:
        """Parts of sources that were asked about, tokens read, and tokens written over all beams."""
        return self._writer.usage

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        return [self._candidates(source, n, own) for source, own in zip(sources, streams(sources, rng), strict=True)]

    def _candidates(self, source: str, n: int, rng: np.random.Generator) -> list[Candidate]:
        (text,) = readable([source])
        return self._writer.candidates(text, parts(text, self._fits, by_sentence=self.options.by_sentence), n, rng)

    def _language_model(self) -> LanguageModel:
        tokens = self.tokeniser.convert_ids_to_tokens(list(range(len(self.tokeniser))))
        return LanguageModel(
            asked=self._asked,
            around=self._around,
            room=self._room,
            next_tokens=self._next_tokens,
            text=self._text,
            stops=self._rules.stops,
            never=self._rules.never,
            vocabulary=Vocabulary(tokens, lambda number: str(self.tokeniser.decode([number]))),
        )

    def _next_tokens(self, asked: Sequence[int]) -> NextTokens:
        from paraloom.models.generators.torch_tokens import CausalTokens, EncoderDecoderTokens

        if self.is_encoder_decoder:
            return EncoderDecoderTokens(self.torch, self.network, asked, self._rules.beginning)
        return CausalTokens(self.torch, self.network, asked)

    def _asked(self, source: str) -> list[int]:
        text = self.card.asked(defused(source, self._rules.marks))  # a part: a mark may stand at its very beginning
        ids: list[int] = self.tokeniser(text, verbose=False)["input_ids"]
        return ids

    def _fits(self, source: str) -> bool:
        """Whether the model reads so much, and has room for an answer that is as long."""
        asked = len(self._asked(source))
        length = asked - self._around
        return length <= self.options.max_tokens and asked <= self._rules.limit and length < self._room(asked)

    def _room(self, asked: int) -> int:
        """Tokens that can be written."""
        taken = len(self._rules.beginning) if self.is_encoder_decoder else asked
        return max(self._rules.limit - taken, 1)

    def _text(self, tokens: Sequence[int]) -> str:
        text = str(self.tokeniser.decode(list(tokens), skip_special_tokens=True))
        return text.partition(self.card.end)[0] if self.card.end else text
