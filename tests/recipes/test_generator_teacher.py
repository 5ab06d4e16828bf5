"""The teacher's network: what transformers' says, and texts of different lengths written side by side as each alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from paraloom.models.int8 import write_int8  # noqa: E402
from recipes.generator.teacher_network import Teacher, write  # noqa: E402

END, PIECES = 3, 64
ASKED = [[1, 7, 9, 12, 30, 2], [1, 40, 2], [1, 5, 6, 2], [1, 22, 21, 20, 19, 18, 17, 2]]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A small network of transformers with drawn weights, and ours that has read them."""
    folder = tmp_path_factory.mktemp("teacher")
    config = transformers.Qwen2Config(
        vocab_size=PIECES,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        tie_word_embeddings=True,
    )
    torch.manual_seed(1)
    theirs = transformers.Qwen2ForCausalLM(config).eval()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.copy_(torch.randn(parameter.shape) * 0.15)
    named = {name.removeprefix("model."): tensor.detach().numpy() for name, tensor in theirs.named_parameters()}
    write_int8(named, folder / "base.safetensors")
    (folder / "config.json").write_text(json.dumps(config.to_dict()))
    ours = Teacher.read(folder / "base.safetensors", folder / "config.json", PIECES).eval()
    with torch.no_grad():  # theirs as they were stored, in 8 bits
        stored = dict(ours.named_parameters())
        for name, parameter in theirs.named_parameters():
            short = name.removeprefix("model.").replace("self_attn.", "").replace("mlp.", "")
            assert torch.allclose(stored[short], parameter, atol=0.02), short
            parameter.copy_(stored[short])
    return theirs, ours


def test_it_foretells_what_transformers_foretell(both):
    theirs, ours = both
    ids = torch.tensor([[1, 7, 9, 12, 30, 2, 44, 3], [1, 40, 2, 8, 8, 9, 10, 11]])
    with torch.no_grad():
        assert torch.allclose(ours.logits(ours.states(ids)), theirs(ids).logits, atol=1e-4)


def test_likeliest_pieces_are_those_of_transformers_whatever_stands_beside(both):
    theirs, ours = both
    found = write(
        ours, ASKED, (1.0,), end=END, top_k=1, top_p=1.0, longest=2.0, chance=torch.Generator().manual_seed(1)
    )
    for asked, pieces in zip(ASKED, found.pieces, strict=True):
        most = int(max(map(len, ASKED)) * 2.0) + 8
        with torch.no_grad():
            whole = theirs.generate(
                torch.tensor([asked]), max_new_tokens=most, do_sample=False, eos_token_id=END, pad_token_id=END
            )[0].tolist()
        expected = whole[len(asked) :]
        # What does not end within its room has nothing to say.
        assert pieces == (expected[: expected.index(END)] if END in expected else [])


def test_its_own_score_is_the_mean_log_probability_of_what_it_wrote(both):
    _, ours = both
    found = write(
        ours, ASKED, (1.0,) * 8, end=END, top_k=PIECES, top_p=1.0, longest=9.0, chance=torch.Generator().manual_seed(2)
    )
    ended = 0
    for number, (pieces, own) in enumerate(zip(found.pieces, found.own, strict=True)):
        if not pieces:
            continue
        ended += 1
        asked = ASKED[number // 8]
        with torch.no_grad():
            logits = ours.logits(ours.states(torch.tensor([asked + pieces + [END]])))[0].log_softmax(-1)
        steps = range(len(asked) - 1, len(asked) + len(pieces))
        likely = [float(logits[step, piece]) for step, piece in zip(steps, [*pieces, END], strict=True)]
        assert own == pytest.approx(np.mean(likely), abs=1e-4)
    assert ended
