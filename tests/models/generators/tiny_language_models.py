"""Language models of a few thousand random weights, as transformers saves them, with tokenisers to match."""

from __future__ import annotations

import json
from pathlib import Path

SAID = [
    "a storm hit the coast on monday and thousands of people lost power",
    "the minister left the town after the vote",
    "our team won a prize at the harbour, and the river rose",
    "une tempête a frappé la côte lundi",
    "le ministre a quitté la ville après le vote",
]
ENDS_SOON = 2.0
"""How much likelier than other tokens the end is, so that random models come to one."""


def make_tiny(kind: str, folder: Path, seed: int = 1) -> Path:
    """A folder with a tiny model of a kind: t5, bart, marian, gpt2 or llama."""
    import torch
    import transformers as hub

    from paraloom.models.encoders.transformers_encoder import quietly

    folder.mkdir(parents=True)
    words = {"marian": _pieces, "gpt2": _bytes, "llama": _bytes}.get(kind, _blanks)(folder)
    with torch.random.fork_rng(devices=[]), quietly(hub):
        torch.manual_seed(seed)
        network = NETWORKS[kind](hub, words)
        if hasattr(network, "final_logits_bias"):
            network.final_logits_bias[0, network.config.eos_token_id] = ENDS_SOON
        network.save_pretrained(folder)
    return folder


def _blanks(folder: Path) -> int:
    """Cut at blanks into pieces, as T5's tokeniser."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    pieces = Tokenizer(models.BPE(unk_token="<unk>"))
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    pieces.decoder = decoders.Metaspace()
    marks = ["<pad>", "<s>", "</s>", "<unk>"]
    pieces.train_from_iterator(SAID, trainers.BpeTrainer(vocab_size=160, special_tokens=marks, show_progress=False))
    pieces.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    names = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=pieces, model_max_length=48, **names).save_pretrained(folder)
    return pieces.get_vocab_size()


def _bytes(folder: Path) -> int:
    """Pieces of bytes, as GPT-2's tokeniser."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    pieces.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    pieces.train_from_iterator(
        SAID,
        trainers.BpeTrainer(vocab_size=400, special_tokens=["<|end|>"], initial_alphabet=alphabet, show_progress=False),
    )
    tokeniser = PreTrainedTokenizerFast(tokenizer_object=pieces, model_max_length=128, eos_token="<|end|>")
    tokeniser.save_pretrained(folder)
    return pieces.get_vocab_size()


def _pieces(folder: Path) -> int:
    """Sentencepiece for both sides and a vocabulary beside it, as Marian has them."""
    import sentencepiece

    (folder / "said.txt").write_text("\n".join(SAID * 4), encoding="utf-8")
    for side in ("source", "target"):
        sentencepiece.SentencePieceTrainer.train(
            input=str(folder / "said.txt"),
            model_prefix=str(folder / side),
            vocab_size=90,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        (folder / f"{side}.model").rename(folder / f"{side}.spm")
        (folder / f"{side}.vocab").unlink()
    (folder / "said.txt").unlink()
    learned = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    pieces = ["</s>", "<unk>"] + [
        learned.id_to_piece(number) for number in range(learned.get_piece_size()) if not learned.is_control(number)
    ]
    vocabulary = {piece: number for number, piece in enumerate([*dict.fromkeys(pieces), "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text('{"source_lang": "en", "target_lang": "fr", "model_max_length": 48}')
    return len(vocabulary)


def _t5(hub, words: int):
    return hub.T5ForConditionalGeneration(
        hub.T5Config(
            vocab_size=words + 8,  # more rows than tokens, as the published ones have
            d_model=16,
            d_kv=8,
            d_ff=32,
            num_layers=2,
            num_heads=2,
            pad_token_id=0,
            eos_token_id=2,
            decoder_start_token_id=0,
            initializer_factor=4.0,
        )
    )


SHAPE = {
    "d_model": 16,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "max_position_embeddings": 48,
    "init_std": 0.15,
}


def _bart(hub, words: int):
    return hub.BartForConditionalGeneration(
        hub.BartConfig(
            vocab_size=words,
            pad_token_id=0,
            bos_token_id=1,
            eos_token_id=2,
            decoder_start_token_id=2,
            forced_bos_token_id=None,
            forced_eos_token_id=None,
            **SHAPE,
        )
    )


def _marian(hub, words: int):
    pad = words - 1
    return hub.MarianMTModel(
        hub.MarianConfig(
            vocab_size=words,
            decoder_vocab_size=words,
            pad_token_id=pad,
            eos_token_id=0,
            decoder_start_token_id=pad,
            forced_eos_token_id=None,
            **SHAPE,
        )
    )


def _gpt2(hub, words: int):
    shape = {"n_positions": 128, "n_embd": 16, "n_layer": 2, "n_head": 2, "initializer_range": 0.4}
    return hub.GPT2LMHeadModel(hub.GPT2Config(vocab_size=words, bos_token_id=0, eos_token_id=0, **shape))


def _llama(hub, words: int):
    shape = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "max_position_embeddings": 128,
        "initializer_range": 0.4,
    }
    return hub.LlamaForCausalLM(
        hub.LlamaConfig(vocab_size=words, bos_token_id=None, eos_token_id=0, tie_word_embeddings=True, **shape)
    )


NETWORKS = {"t5": _t5, "bart": _bart, "marian": _marian, "gpt2": _gpt2, "llama": _llama}
