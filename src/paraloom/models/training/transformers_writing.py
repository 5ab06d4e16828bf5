"""A folder of transformers in, a network that learns to write out: an encoder with a decoder, or a causal model.

What it reads and writes is token for token what `TransformersGenerator` asks it later. All of it learns, or two thin
matrices beside each of its layers' own (Hu et al., 2022, LoRA), which are added to these when it is saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.models.encoders.batches import readable
from paraloom.models.encoders.transformers_encoder import quietly, transformer_libraries
from paraloom.models.generators.generator_card import GeneratorCard
from paraloom.models.generators.language_models import load_language_model
from paraloom.models.generators.token_rules import TokenRules, defused
from paraloom.models.training.library import torch_library
from paraloom.models.training.writing_task import Asked

if TYPE_CHECKING:
    import torch

T5 = GeneratorCard(prompt="paraphrase: ")
"""How T5 is asked, which was trained on tasks that are named so."""
CAUSAL = GeneratorCard(separator="\n=>")
"""How a causal model is asked that learns to paraphrase."""


def usual_card(config: Any) -> GeneratorCard:
    """How a network of this kind is asked once it is trained, where nothing else is said."""
    if not config.is_encoder_decoder:
        return CAUSAL
    return T5 if config.model_type in ("t5", "mt5", "umt5") else GeneratorCard()


class TransformersTask:
    """A `WritingTask`; `card` says what stands around a source."""

    net: torch.nn.Module

    def __init__(self, folder: Path, card: GeneratorCard, *, rank: int = 0, layers: int = 0) -> None:
        """A fresh network from a folder. With a `rank`, thin matrices learn alone, in the last `layers` (0: in all)."""
        self.torch = torch_library()
        self.tokeniser, network = load_language_model(folder, device="cpu")
        self.net, self.card = network, card
        self.config = network.config
        self.is_encoder_decoder = bool(self.config.is_encoder_decoder)
        self.rules = TokenRules.read(self.tokeniser, self.net, card)
        self._end = self._token_that_ends()
        self._low_rank = _LowRank(self.net, rank, layers) if rank else None

    @property
    def limit(self) -> int:
        """Tokens that it reads at most."""
        return self.rules.limit

    def prepare(self, pairs: Sequence[tuple[str, str]]) -> list[Asked]:
        return [Asked(tuple(self._read(source)), tuple(self._written(target))) for source, target in pairs]

    def losses(self, asked: Sequence[Asked], device: str) -> tuple[torch.Tensor, torch.Tensor]:
        found = self._encoder_decoder(asked, device) if self.is_encoder_decoder else self._causal(asked, device)
        torch = self.torch
        lengths = torch.tensor([len(one.written) for one in asked])
        targets = torch.tensor([token for one in asked for token in one.written], device=device)
        owners = torch.repeat_interleave(torch.arange(len(asked)), lengths).to(device)
        return torch.nn.functional.cross_entropy(found.float(), targets, reduction="none"), owners

    def save(self, folder: Path) -> None:
        """As transformers reads it; thin matrices are added to those that they change, and are there no more."""
        if self._low_rank is not None:
            self._low_rank.add_up()
            self._low_rank = None
        _, transformers = transformer_libraries()
        net: Any = self.net
        with quietly(transformers):
            net.save_pretrained(folder)
            self.tokeniser.save_pretrained(folder)

    def _read(self, source: str) -> list[int]:
        (text,) = readable([source])
        ids: list[int] = self.tokeniser(self.card.asked(defused(text, self.rules.marks)), verbose=False)["input_ids"]
        return ids

    def _written(self, target: str) -> list[int]:
        (text,) = readable([target])
        text = defused(text, self.rules.marks)
        if self.is_encoder_decoder:
            ids: list[int] = self.tokeniser(text_target=text, verbose=False)["input_ids"]
        else:  # the model goes on behind the separator, as a writer does behind a word
            blank = "" if self.card.asked("").endswith((" ", "\n")) else " "
            ids = self.tokeniser(f"{blank}{text}", add_special_tokens=False, verbose=False)["input_ids"]
        return ids if ids and ids[-1] == self._end else [*ids, self._end]

    def _token_that_ends(self) -> int:
        for said in (self.tokeniser.eos_token_id, self.config.get_text_config().eos_token_id):
            if isinstance(said, int):
                return said
        return min(self.rules.stops)

    def _encoder_decoder(self, asked: Sequence[Asked], device: str) -> torch.Tensor:
        filler = self.config.pad_token_id or 0
        read, is_read = self._filled([one.read for one in asked], filler, device)
        # The decoder is given what it begins with, then what it was to write.
        begun = [(*self.rules.beginning[:1], *one.written[:-1]) for one in asked]
        written, is_written = self._filled(begun, filler, device)
        logits = self.net(input_ids=read, attention_mask=is_read.long(), decoder_input_ids=written).logits
        found: torch.Tensor = logits[is_written]
        return found

    def _causal(self, asked: Sequence[Asked], device: str) -> torch.Tensor:
        ids, _ = self._filled([(*one.read, *one.written) for one in asked], self._end, device)
        before = self.torch.zeros(ids.shape, dtype=self.torch.bool)
        for row, one in enumerate(asked):
            before[row, len(one.read) - 1 : len(one) - 1] = True
        found: torch.Tensor = self.net(input_ids=ids).logits[before.to(device)]
        return found

    def _filled(self, rows: Sequence[Sequence[int]], filler: int, device: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Rows of one length, filled up behind their end, and where there is something."""
        torch = self.torch
        width = max(len(row) for row in rows)
        ids = torch.full((len(rows), width), filler)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = torch.tensor(row)
        lengths = torch.tensor([len(row) for row in rows])
        return ids.to(device), (torch.arange(width) < lengths[:, None]).to(device)


class _LowRank:
    """Thin matrices in the last layers of a network, of which nothing else learns."""

    def __init__(self, net: Any, rank: int, layers: int) -> None:
        parametrize, thin = torch_library().nn.utils.parametrize, _thin(torch_library())
        self._modules = list(_matrices(net, layers))
        if not self._modules:
            raise InputError("The base has no layers whose matrices a low rank could change. Give --method full.")
        net.requires_grad_(False)
        for module in self._modules:
            parametrize.register_parametrization(module, "weight", thin(*module.weight.shape, rank))
        # What is kept while training is what is learned: the base is on disk already.
        self._hooks = [
            net.register_state_dict_post_hook(_only_what_is_learned),
            net.register_load_state_dict_post_hook(lambda module, missed: missed.missing_keys.clear()),
        ]

    def add_up(self) -> None:
        """Add each product to the matrix it changes; the network is one as any other again."""
        for hook in self._hooks:
            hook.remove()
        parametrize = torch_library().nn.utils.parametrize
        for module in self._modules:
            parametrize.remove_parametrizations(module, "weight", leave_parametrized=True)


def _only_what_is_learned(module: Any, state: dict[str, Any], prefix: str, metadata: Any) -> None:
    learned = {prefix + name for name, parameter in module.named_parameters() if parameter.requires_grad}
    for name in list(state):
        if name not in learned:
            del state[name]


def _matrices(net: Any, layers: int) -> Iterator[Any]:
    """The modules with a matrix in the last so many layers of every stack of them; of all where it is 0."""
    nn = torch_library().nn
    stacks = {name: one for name, one in net.named_modules() if isinstance(one, nn.ModuleList)}
    outer = [name for name in stacks if not any(name.startswith(f"{other}.") for other in stacks if other != name)]
    for name in outer:
        stack = list(stacks[name])
        for layer in stack[-layers:] if layers else stack:
            for module in layer.modules():
                # GPT-2 has a class of its own for the same, with rows and columns exchanged.
                if isinstance(module, nn.Linear) or type(module).__name__ == "Conv1D":
                    yield module


def _thin(torch: Any) -> Any:
    class Thin(torch.nn.Module):  # type: ignore[misc]
        """What is added to a matrix: nothing at first."""

        def __init__(self, rows: int, columns: int, rank: int) -> None:
            super().__init__()
            self.left = torch.nn.Parameter(torch.zeros(rows, rank))
            self.right = torch.nn.Parameter(torch.randn(rank, columns) / columns**0.5)

        def forward(self, weight: Any) -> Any:
            return torch.addmm(weight, self.left, self.right)

    return Thin
