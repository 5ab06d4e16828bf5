"""What a training of a player starts from in, its network at the start out, and what draws from it while it learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.generator_card import read_card
from paraloom.models.generators.loading_options import DEFAULT_GENERATOR
from paraloom.models.generators.shipped import ADAPTER, BASE
from paraloom.models.generators.trained_folder import read_trained
from paraloom.models.language_models.adapter import read_adapter
from paraloom.models.shelf import SHIPPED_GENERATORS
from paraloom.models.training.writing_task import WritingTask
from paraloom.workflows.generate.adversarial_options import PlayerTrainingOptions
from paraloom.workflows.train.generator_bases import LlamaWriter, TransformersWriter, Writer, open_base
from paraloom.workflows.train.generator_options import TrainGeneratorOptions

if TYPE_CHECKING:
    import numpy as np

    from paraloom.models.training.rewarded_writing import Says

RANK = 16
"""Where there is no adapter to go on from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A network that was opened, which goes on from an adapter where there is one."""

    writer: Writer

    @property
    def signature(self) -> str:
        """What it is before this training."""
        return self.writer.signature

    def make_task(self) -> WritingTask:
        """A fresh network, with what the adapter has learned."""
        return self.writer.make_task()

    def sampler(self, decoding: Decoding) -> Says:
        """Draws what a network of this kind says while it learns."""
        if isinstance(self.writer, LlamaWriter):
            return _llama_sampler(self.writer, decoding)
        assert isinstance(self.writer, TransformersWriter)
        return TransformersSampler(self.writer, decoding)


def started(options: PlayerTrainingOptions) -> Start:
    """The start that was asked for; what cannot be trained is refused before any work begins."""
    base, adapter = _base_and_adapter(options)
    if adapter is None:
        rank = RANK if options.rank is None else options.rank
    else:
        from paraloom.models.training.llama_start import rank_of

        rank = rank_of(read_adapter(adapter)) if options.rank is None else options.rank
    writer = open_base(
        TrainGeneratorOptions(
            base=base, method="low-rank" if rank else "full", rank=rank or RANK, layers=options.layers
        )
    )
    if isinstance(writer, TransformersWriter):
        if adapter is not None:
            raise InputError(f"{adapter} changes a GGUF file, and --base {base} is none. Give that file with --base.")
        writer = replace(writer, card=read_card(writer.folder) or writer.card)
    elif isinstance(writer, LlamaWriter):
        writer = replace(writer, start=adapter)
    return Start(writer=writer)


def _base_and_adapter(options: PlayerTrainingOptions) -> tuple[str, Path | None]:
    given = None if options.base is None else str(options.base)
    folder = SHIPPED_GENERATORS / DEFAULT_GENERATOR if options.start == DEFAULT_GENERATOR else Path(options.start)
    trained = read_trained(folder) if folder.is_dir() else None
    if trained is not None and trained.network:
        return str(folder / trained.network), None
    adapter = folder / (trained.adapter if trained is not None else ADAPTER)
    if adapter.is_file():
        return given or (trained.base if trained is not None else BASE), adapter
    if options.start == DEFAULT_GENERATOR:
        raise InputError(f"There is no adapter {adapter}. Install Paraloom again, or choose another --start.")
    if given is not None:
        raise InputError(f"--base {given} is for an adapter, and {options.start} has none. Give --start {given} alone.")
    return options.start, None


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
