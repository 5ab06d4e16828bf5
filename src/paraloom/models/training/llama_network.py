"""A GGUF file in, the same Llama in torch out, with thin matrices that learn while all else stays as it is.

What is learned is what is shipped: two thin matrices for each of a layer's seven (Hu et al., 2022, LoRA). The weights
beneath are those of the quantised file, so the adapter also learns to mend what rounding has done to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.models.language_models.adapter import Update
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.llama_on_torch import turned, turns_of
from paraloom.models.language_models.llama_weights import NORMS, PARTS, LlamaShape
from paraloom.models.training.library import torch_library

if TYPE_CHECKING:
    import torch


def llama_network(file: GgufFile, *, rank: int, layers: int, dtype: str = "bfloat16") -> torch.nn.Module:
    """The network, whose last `layers` layers learn an update of a rank.

    `states(ids)` gives the states after the last layer, `logits(states)` what comes next, `update()` what was learned.
    """
    library = torch_library()
    shape = LlamaShape.of(file)
    kind = getattr(library, dtype)

    def fixed(name: str) -> torch.Tensor:
        tensor: torch.Tensor = library.from_numpy(np.array(file.tensor(name + ".weight"))).to(kind)
        return tensor

    output = "output" if "output.weight" in file else "token_embd"
    network: torch.nn.Module = _llama(library, shape, fixed, rank, max(0, shape.layers - layers), output)
    return network


def _llama(
    library: Any, shape: LlamaShape, fixed: Callable[[str], torch.Tensor], rank: int, first: int, output: str
) -> torch.nn.Module:
    """`first` is the first layer that learns, `output` the matrix that foretells pieces."""
    nn, functional = library.nn, library.nn.functional
    changed = _changed_product(library)

    class Linear(nn.Module):  # type: ignore[misc, name-defined]
        """A matrix that stays, and the two thin ones whose product is added to it."""

        def __init__(self, name: str, rank: int) -> None:
            super().__init__()
            self.register_buffer("weight", fixed(name), persistent=False)
            rows, columns = self.weight.shape
            self.rank = rank
            if rank:
                self.left = nn.Parameter(library.zeros(rows, rank))
                self.right = nn.Parameter(library.randn(rank, columns) / columns**0.5)

        def forward(self, states: Any) -> Any:
            if not self.rank:
                return functional.linear(states, self.weight)
            return changed(states, self.weight, self.left, self.right)

    class Layer(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, number: int) -> None:
            super().__init__()
            for part in PARTS:
                setattr(self, part, Linear(f"blk.{number}.{part}", rank if number >= first else 0))
            for norm in NORMS:
                self.register_buffer(norm, fixed(f"blk.{number}.{norm}"), persistent=False)

        def normed(self, states: Any, gains: Any) -> Any:
            return functional.rms_norm(states, (shape.width,), gains, shape.tolerance)

        def forward(self, states: Any, turns: tuple[Any, Any]) -> Any:
            states = states + self.attn_output(self.seen(self.normed(states, self.attn_norm), turns))
            read = self.normed(states, self.ffn_norm)
            return states + self.ffn_down(functional.silu(self.ffn_gate(read)) * self.ffn_up(read))

        def seen(self, read: Any, turns: tuple[Any, Any]) -> Any:
            texts, length, _ = read.shape
            asked = self.attn_q(read).view(texts, length, shape.heads, shape.head_width)
            keys = self.attn_k(read).view(texts, length, shape.shared_heads, shape.head_width)
            values = self.attn_v(read).view(texts, length, shape.shared_heads, shape.head_width)
            both = turned(library, library.cat([asked, keys], 2).transpose(1, 2), turns)
            found = functional.scaled_dot_product_attention(
                both[:, : shape.heads],
                both[:, shape.heads :],
                values.transpose(1, 2),
                is_causal=True,
                enable_gqa=True,
            )
            return found.transpose(1, 2).reshape(texts, length, shape.width)

    class Network(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("embedding", fixed("token_embd"), persistent=False)
            foretelling = self.embedding if output == "token_embd" else fixed(output)
            self.register_buffer("foretelling", foretelling, persistent=False)
            self.register_buffer("output_norm", fixed("output_norm"), persistent=False)
            self.layers = nn.ModuleList(Layer(number) for number in range(shape.layers))

        def states(self, ids: Any) -> Any:
            found = self.embedding[ids]
            turns = turns_of(library, shape, ids.shape[1], found)
            for layer in self.layers:
                found = layer(found, turns)
            return functional.rms_norm(found, (shape.width,), self.output_norm, shape.tolerance)

        def logits(self, states: Any) -> Any:
            return functional.linear(states, self.foretelling).float()

        def update(self) -> Update:
            return {
                f"blk.{number}.{part}": (_array(linear.left), _array(linear.right))
                for number, layer in enumerate(self.layers)
                for part in PARTS
                if (linear := getattr(layer, part)).rank
            }

    return Network()


def _array(tensor: Any) -> Any:
    return tensor.detach().float().cpu().numpy()


def _changed_product(library: Any) -> Callable[[Any, Any, Any, Any], Any]:
    """A product with a matrix and its update as one large product: three would take a half longer on a CPU."""

    class Changed(library.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(kept: Any, states: Any, weight: Any, left: Any, right: Any) -> Any:
            whole = library.addmm(weight, left.to(weight.dtype), right.to(weight.dtype))
            kept.save_for_backward(states, whole, left, right)
            return library.nn.functional.linear(states, whole)

        @staticmethod
        def backward(kept: Any, slopes: Any) -> Any:
            # On a GPU states may have come in 32 bits and slopes come back in 16: products need one kind.
            states, whole, left, right = (one.to(slopes.dtype) for one in kept.saved_tensors)
            flat, sloped = states.reshape(-1, states.shape[-1]), slopes.reshape(-1, slopes.shape[-1])
            of_left = sloped.t() @ (flat @ right.t())
            of_right = (sloped @ left).t() @ flat
            before = slopes @ whole if kept.needs_input_grad[0] else None
            return before, None, of_left, of_right

    return Changed.apply  # type: ignore[no-any-return]
