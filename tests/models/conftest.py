"""What tests of identifiers share: tiny transformers with random weights, and invented pairs."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from paraloom.models.identifiers import Examples

sys.path.append(str(Path(__file__).parent))

TEXTS_OF_ANY_KIND = [
    "the storm hit the coast",
    "",
    "   \n",
    "雨 🌧 ß",
    "storm \ud83d",
    "[SEP] </s> [CLS] <s>",
    "word " * 10_000,
    "x",
]

SUBJECTS = ["the storm", "a river", "the market", "our team", "the minister", "a whale"]
VERBS = {"hit": "struck", "left": "quit", "saw": "noticed", "won": "took"}
OBJECTS = ["the coast", "the town", "the vote", "a prize", "the harbour"]


@pytest.fixture(scope="session")
def pairs_of_any_kind() -> tuple[list[str], list[str]]:
    """Every text with every other: empty, blank, damaged, endless, in other scripts, identical."""
    pairs = [(one, other) for one in TEXTS_OF_ANY_KIND for other in TEXTS_OF_ANY_KIND]
    return [one for one, _ in pairs], [other for _, other in pairs]


@pytest.fixture(scope="session")
def invented_pairs() -> Callable[..., Examples]:
    """Pairs that mean the same in other words, or do not, as many as asked for."""

    def invented(pairs: int, seed: int = 1, definition: str = "loose") -> Examples:
        draw = random.Random(seed)
        left, right, targets = [], [], []
        for _ in range(pairs):
            subject, verb, thing = draw.choice(SUBJECTS), draw.choice(list(VERBS)), draw.choice(OBJECTS)
            same = draw.random() < 0.5
            left.append(f"{subject} {verb} {thing}")
            right.append(f"{subject if same else draw.choice(SUBJECTS)} {VERBS[verb]} {thing if same else 'nothing'}")
            targets.append(float(same))
        return Examples(left=left, right=right, targets=targets, definition=definition)

    return invented


@pytest.fixture(scope="session")
def tiny_transformer(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A kind of transformer in, the folder of a tiny one with random weights out, as transformers saves it."""
    home = tmp_path_factory.mktemp("tiny")

    @cache
    def made(kind: str) -> Path:
        import torch

        folder = home / kind
        torch.manual_seed(3)
        tokeniser = _tokeniser(kind)
        tokeniser.save_pretrained(folder)
        _network(kind, len(tokeniser)).save_pretrained(folder)
        return folder

    return made


MARKS = {
    "bert": ("[CLS]", "[SEP]", "[SEP]"),
    "albert": ("[CLS]", "[SEP]", "[SEP]"),
    "deberta-v2": ("[CLS]", "[SEP]", "[SEP]"),
    "roberta": ("<s>", "</s> </s>", "</s>"),
    "mpnet": ("<s>", "</s> </s>", "</s>"),
    "t5": ("", "</s>", "</s>"),
}
"""What stands before, between and behind the two texts."""


def _tokeniser(kind: str):
    """Cut at spaces, known words and letters, trained on what `invented_pairs` says."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    begin, between, end = MARKS[kind]
    marks = list(dict.fromkeys(["<pad>", "<unk>", *f"{begin} {end}".split()]))
    pieces = Tokenizer(models.BPE(unk_token="<unk>"))
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    said = [*SUBJECTS, *VERBS, *VERBS.values(), *OBJECTS, "nothing", "yes no", "paraphrase loose strict left right :"]
    pieces.train_from_iterator(said, trainers.BpeTrainer(vocab_size=150, special_tokens=marks, show_progress=False))
    numbers = [(mark, pieces.token_to_id(mark)) for mark in marks]
    pieces.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}".strip(), pair=f"{begin} $A {between} $B:1 {end}:1".strip(), special_tokens=numbers
    )
    names = {"unk_token": "<unk>", "pad_token": "<pad>", "eos_token": end, "sep_token": end, "cls_token": begin or end}
    more = {} if "[CLS]" in marks else {"model_input_names": ["input_ids", "attention_mask"]}
    return PreTrainedTokenizerFast(tokenizer_object=pieces, model_max_length=64, **names, **more)


def _network(kind: str, words: int):
    import transformers as hub

    from paraloom.models.encoders.transformers_encoder import quietly

    shape = {
        "vocab_size": words,
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 66,
        "pad_token_id": 0,
        "initializer_range": 0.2,
    }
    makers = {
        "bert": lambda: hub.BertModel(hub.BertConfig(**shape)),
        "albert": lambda: hub.AlbertModel(hub.AlbertConfig(embedding_size=8, **shape)),
        "deberta-v2": lambda: hub.DebertaV2Model(
            hub.DebertaV2Config(relative_attention=True, pos_att_type="p2c|c2p", position_buckets=8, **shape)
        ),
        "roberta": lambda: hub.RobertaModel(hub.RobertaConfig(**shape)),
        "mpnet": lambda: hub.MPNetModel(hub.MPNetConfig(**shape)),
        "t5": lambda: hub.T5ForConditionalGeneration(
            hub.T5Config(
                vocab_size=words,
                d_model=16,
                d_kv=8,
                d_ff=32,
                num_layers=2,
                num_heads=2,
                pad_token_id=0,
                decoder_start_token_id=0,
            )
        ),
    }
    with quietly(hub):
        return makers[kind]()
