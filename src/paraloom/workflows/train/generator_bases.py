"""A base's name in, what is trained of it out: a GGUF file with an adapter, or a network of transformers."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.generators.generator_card import GeneratorCard, write_card
from paraloom.models.generators.language_models import hashes_of_folder, place_of_model
from paraloom.models.generators.loading_options import DEFAULT_GENERATOR
from paraloom.models.generators.shipped import ADAPTER
from paraloom.models.generators.trained_folder import NETWORK, TrainedFolder, gguf_files, read_trained, write_trained
from paraloom.models.language_models.adapter import read_adapter, write_adapter
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
from paraloom.models.language_models.llama_weights import LlamaShape, check_update
from paraloom.models.shelf import SHIPPED_GENERATORS, read_card
from paraloom.models.training.llama_start import check_learnable, start_from
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.writing_task import WritingTask
from paraloom.models.training.writing_training import PLAN
from paraloom.workflows.train.generator_options import TrainGeneratorOptions

PLANS = {"full": PLAN, "low-rank": replace(PLAN, epochs=2, batch_size=32, learning_rates=(1e-3,), weight_decay=0.0)}
"""How each method trains where nothing is said; thin matrices take steps ten times as long."""


class Writer(Protocol):
    """What is trained."""

    @property
    def signature(self) -> str:
        """What it is before any training."""

    @property
    def most_tokens(self) -> int:
        """The longest example that it can read; 0 where nothing limits it."""

    def make_task(self) -> WritingTask:
        """A fresh network."""

    def save(self, task: Any, folder: Path, *, name: str, about: str) -> None:
        """Write what `load_generator` needs into a folder."""


def open_base(options: TrainGeneratorOptions) -> Writer:
    """The base by its name, folder or file; what cannot be trained is refused before any work begins."""
    given = Path(options.base)
    if given.suffix == ".gguf":
        if not given.is_file():
            raise InputError(f"There is no file {given}. Check --base.")
        return _gguf(given, str(given.resolve()), options)
    folder = place_of_model(options.base, hub=options.hub)
    files = gguf_files(folder)
    if files and not (folder / "config.json").is_file():
        if len(files) > 1:
            raise InputError(f"{folder} holds {len(files)} GGUF files. Name one of them: --base {files[0]}")
        return _gguf(files[0], str(files[0].resolve()) if given.is_dir() else options.base, options)
    if options.start:
        raise InputError(
            f"--start is for adapters of GGUF files, and {folder} holds a network of transformers. Give --base the "
            "file that the adapter has learned over, or name the network alone."
        )
    return TransformersWriter.of(folder, options)


def _gguf(file: Path, base: str, options: TrainGeneratorOptions) -> LlamaWriter:
    if options.method != "low-rank":
        raise InputError(f"{file} is quantised, so only thin matrices beside its own can learn: --method low-rank.")
    if options.prompt is not None or options.separator is not None:
        raise InputError("--prompt and --separator are for models of transformers. Leave them out.")
    start = _start(options, file) if options.start else None
    return LlamaWriter(file=file, base=base, rank=options.rank, layers=options.layers, start=start)


def _start(options: TrainGeneratorOptions, base: Path) -> Path:
    """The adapter to go on from; one that was learned over another base means nothing here, and one that has changed
    more than is to learn would be lost."""
    learned = LearnedFolder.of(options.start)
    if not learned.has_adapter:
        raise InputError(f"There is no adapter {learned.adapter} to go on from. Check --start.")
    if learned.base_hash and learned.base_hash != hash_of_file(base):
        raise InputError(
            f"{options.start} has learned over {learned.base}, and {base} has other weights. Give that one: --base."
        )
    file = GgufFile(base)
    shape = LlamaShape.of(file)
    update = read_adapter(learned.adapter)
    check_update(file, update, shape)
    learning = options.layers or shape.layers
    check_learnable(update, rank=options.rank, layers=range(shape.layers - learning, shape.layers))
    return learned.adapter


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedFolder:
    """Where a training starts from what another has learned."""

    folder: Path
    trained: TrainedFolder | None
    """What the folder says of itself, where it says something."""
    adapter: Path
    """Where its adapter is, if it has one."""
    base: str
    """What the adapter was learned over."""
    base_hash: str
    """Of that file; empty where nothing says it, and the base is taken on trust."""

    @property
    def has_adapter(self) -> bool:
        """Whether an adapter was learned, and not a network."""
        return self.adapter.is_file() and not (self.trained is not None and self.trained.network)

    @classmethod
    def of(cls, named: str) -> LearnedFolder:
        """The shipped adapter by its name, or a folder."""
        folder = SHIPPED_GENERATORS / named if named == DEFAULT_GENERATOR else Path(named)
        trained = read_trained(folder) if folder.is_dir() else None
        file = trained.adapter if trained is not None and trained.adapter else ADAPTER
        told = read_card(folder)  # of the shipped one; a trained folder says it of itself
        base, base_hash = (str(told.get(name, "")) for name in ("base", "base_hash"))
        if trained is not None:
            base, base_hash = trained.base, trained.base_hash
        return cls(folder=folder, trained=trained, adapter=folder / file, base=base, base_hash=base_hash)


@dataclass(frozen=True, slots=True, kw_only=True)
class LlamaWriter:
    """A Llama of a GGUF file, which stays as it is, and the adapter that learns."""

    file: Path
    base: str
    """As the trained folder is to name it."""
    rank: int
    layers: int
    start: Path | None = None
    """The adapter that it goes on from."""

    @property
    def signature(self) -> str:
        started = f"|start:{hash_of_file(self.start)}" if self.start else ""
        return f"gguf:{hash_of_file(self.file)}|rank:{self.rank}|layers:{self.layers or 'all'}{started}"

    @property
    def most_tokens(self) -> int:
        return 0

    def make_task(self) -> WritingTask:
        from paraloom.models.training.llama_network import llama_network
        from paraloom.models.training.writing_task import LlamaTask

        file = GgufFile(self.file)
        layers = self.layers or LlamaShape.of(file).layers
        network = llama_network(file, rank=self.rank, layers=layers)
        if self.start is not None:
            start_from(network, read_adapter(self.start))
        return LlamaTask(network, GgufTokeniser(file))

    def save(self, task: Any, folder: Path, *, name: str, about: str) -> None:
        write_adapter(task.net.update(), folder / ADAPTER)
        trained = TrainedFolder(
            name=name, about=about, base=self.base, base_hash=hash_of_file(self.file), adapter=ADAPTER
        )
        write_trained(folder, trained)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformersWriter:
    """A network that transformers reads."""

    folder: Path
    base: str
    card: GeneratorCard
    rank: int
    """0 where all of it learns."""
    layers: int
    most_tokens: int

    @classmethod
    def of(cls, folder: Path, options: TrainGeneratorOptions) -> TransformersWriter:
        """Load it once, to see that it can be."""
        from paraloom.models.generators.language_models import load_language_model
        from paraloom.models.generators.token_rules import TokenRules
        from paraloom.models.training.transformers_writing import usual_card

        tokeniser, network = load_language_model(folder, device="cpu")
        card = usual_card(network.config).with_given(prompt=options.prompt, separator=options.separator, end=None)
        return cls(
            folder=folder,
            base=str(folder.resolve()) if Path(options.base).is_dir() else options.base,
            card=card,
            rank=options.rank if options.method == "low-rank" else 0,
            layers=options.layers,
            most_tokens=TokenRules.read(tokeniser, network, card).limit,
        )

    @property
    def signature(self) -> str:
        method = f"rank:{self.rank}|layers:{self.layers or 'all'}" if self.rank else "full"
        return f"{hashes_of_folder(self.folder)}|asked:{self.card.asked('…')!r}|{method}"

    def make_task(self) -> WritingTask:
        from paraloom.models.training.transformers_writing import TransformersTask

        return TransformersTask(self.folder, self.card, rank=self.rank, layers=self.layers)

    def save(self, task: Any, folder: Path, *, name: str, about: str) -> None:
        shutil.rmtree(folder / NETWORK, ignore_errors=True)  # of a training that was killed while it wrote
        task.save(folder / NETWORK)
        write_card(folder / NETWORK, replace(self.card, name=name, about=about))
        write_trained(folder, TrainedFolder(name=name, about=about, base=self.base, network=NETWORK))


def plan_for(writer: Writer, plan: TrainingPlan) -> TrainingPlan:
    """The plan, with no longer examples than the network can read."""
    most = writer.most_tokens
    return replace(plan, max_tokens=min(plan.max_tokens, most)) if most else plan
