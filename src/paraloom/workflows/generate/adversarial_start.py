"""What a training of a player starts from in, what is trained of it out, and what draws from it while it learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.generator_card import read_card
from paraloom.models.generators.loading_options import DEFAULT_GENERATOR
from paraloom.models.generators.shipped import BASE
from paraloom.models.language_models.adapter import read_adapter
from paraloom.models.training.llama_start import rank_of
from paraloom.models.training.writing_task import WritingTask
from paraloom.workflows.generate.adversarial_options import PlayerTrainingOptions
from paraloom.workflows.train.generator_bases import LearnedFolder, LlamaWriter, TransformersWriter, Writer, open_base
from paraloom.workflows.train.generator_options import TrainGeneratorOptions

if TYPE_CHECKING:
    import numpy as np

    from paraloom.models.training.rewarded_writing import Says

RANK = 16
"""Where there is no adapter to go on from."""


def started(options: PlayerTrainingOptions) -> Writer:
    """The start that was asked for; what cannot be trained is refused before any work begins."""
    base, adapter = _base_and_adapter(options)
    rank = options.rank
    if rank is None:
        rank = (rank_of(read_adapter(adapter)) if adapter is not None else 0) or RANK
    writer = open_base(
        TrainGeneratorOptions(
            base=base,
            start=options.start if adapter is not None else "",
            method="low-rank" if rank else "full",
            rank=rank or RANK,
            layers=options.layers,
        )
    )
    if isinstance(writer, TransformersWriter):
        return replace(writer, card=read_card(writer.folder) or writer.card)
    return writer


def _base_and_adapter(options: PlayerTrainingOptions) -> tuple[str, Path | None]:
    learned = LearnedFolder.of(options.start)
    trained = learned.trained
    if learned.has_adapter:
        return str(options.base or (trained.base if trained is not None else BASE)), learned.adapter
    if options.start == DEFAULT_GENERATOR:
        raise InputError(f"There is no adapter {learned.adapter}. Install Paraloom again, or choose another --start.")
    if options.base is not None:
        raise InputError(
            f"--base {options.base} is for an adapter, and {options.start} has none. "
            f"Give --start {options.start} alone."
        )
    return (options.start if trained is None else str(learned.folder / trained.network)), None


def sampler(writer: Writer, decoding: Decoding) -> Says:
    """Draws what a network of this kind says while it learns."""
    if isinstance(writer, LlamaWriter):
        return _llama_sampler(writer, decoding)
    assert isinstance(writer, TransformersWriter)
    return TransformersSampler(writer, decoding)


def _llama_sampler(writer: LlamaWriter, decoding: Decoding) -> Says:
    from paraloom.models.language_models.gguf import GgufFile
    from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
    from paraloom.models.language_models.llama_weights import LlamaShape
    from paraloom.models.training.llama_samples import LlamaSampler

    file = GgufFile(writer.file)
    return LlamaSampler(LlamaShape.of(file), GgufTokeniser(file), decoding)


class TransformersSampler:
    """Draws one paraphrase a source from the network of a task, one source after the other."""

    def __init__(self, writer: TransformersWriter, decoding: Decoding) -> None:
        from paraloom.models.generators.transformers_lm import TransformersGenerator
        from paraloom.models.generators.transformers_options import TransformersOptions

        card = writer.card
        asked = TransformersOptions(prompt=card.prompt, separator=card.separator, end=card.end)
        self.generator: Any = TransformersGenerator(writer.folder, asked, decoding)

    def __call__(self, task: WritingTask, sources: Sequence[str], rng: np.random.Generator) -> list[str]:
        """The text for each source; empty where the network has nothing to say."""
        self.generator.network = task.net  # what is learning, in the place of what was loaded
        return [some[0].text if some else "" for some in self.generator.generate(sources, 1, rng)]
