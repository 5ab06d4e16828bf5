"""A GGUF file as transformers' Llama: its tensors read by the format's own library, in the order transformers has."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import torch
import transformers

NAMES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}


def transformers_llama(path: Path, update=None) -> transformers.LlamaForCausalLM:
    """With an adapter's thin matrices added where they are given."""
    read = gguf.GGUFReader(path)
    tensors = {
        one.name.removesuffix(".weight"): np.array(gguf.dequantize(one.data, one.tensor_type)) for one in read.tensors
    }
    for name, (left, right) in (update or {}).items():
        tensors[name] = tensors[name] + left @ right
    said = {name.removeprefix("llama."): field.contents() for name, field in read.fields.items()}
    heads, shared, layers = said["attention.head_count"], said["attention.head_count_kv"], said["block_count"]
    with torch.random.fork_rng(devices=[]):
        network = transformers.LlamaForCausalLM(
            transformers.LlamaConfig(
                vocab_size=len(tensors["token_embd"]),
                hidden_size=said["embedding_length"],
                intermediate_size=said["feed_forward_length"],
                num_hidden_layers=layers,
                num_attention_heads=heads,
                num_key_value_heads=shared,
                rms_norm_eps=said["attention.layer_norm_rms_epsilon"],
                rope_parameters={"rope_type": "default", "rope_theta": said["rope.freq_base"]},
                tie_word_embeddings="output" not in tensors,
            )
        )
    weights = {
        "model.embed_tokens.weight": tensors["token_embd"],
        "model.norm.weight": tensors["output_norm"],
        "lm_head.weight": tensors.get("output", tensors["token_embd"]),
    }
    for layer in range(layers):
        for ours, theirs in NAMES.items():
            one = tensors[f"blk.{layer}.{ours}"]
            turned = {"attn_q": heads, "attn_k": shared}.get(ours)
            if turned:  # GGUF has neighbours turn together, transformers the two halves of a head
                one = one.reshape(turned, -1, 2, one.shape[1]).swapaxes(1, 2).reshape(one.shape)
            weights[f"model.layers.{layer}.{theirs}.weight"] = one
    network.load_state_dict({name: torch.from_numpy(np.array(one)) for name, one in weights.items()})
    return network.eval()


def foretold(network: transformers.LlamaForCausalLM, ids) -> np.ndarray:
    """Of every piece, what comes next: logarithms of probabilities."""
    with torch.no_grad():
        logits = network(torch.tensor([list(ids)])).logits[0]
        return torch.log_softmax(logits, -1).numpy()
