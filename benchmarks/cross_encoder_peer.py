"""A folder or none in, sentence-transformers' CrossEncoder out: on MiniLM-L6, or with a network that was trained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.parts import cores
from paraloom.models.encoders.transformers_encoder import quietly
from paraloom.models.identifiers import CARD, load
from paraloom.models.identifiers.cross_encoder import CrossEncoder as TrainedCrossEncoder
from paraloom.models.shelf import model_folder

BASE = "all-MiniLM-L6-v2"


class Peer:
    """Both texts through a transformer, as sentence-transformers does it: tokens, batches and order are its own.

    Without a folder it is MiniLM-L6 with an untrained head: as quick as a trained one, and its F1 means nothing. With
    one that `paraloom train identifier --system cross-encoder` wrote, that network is put in the place of its own.
    """

    def __init__(self, folder: Path | None, definition: str = "loose") -> None:
        import torch
        import transformers
        from sentence_transformers import CrossEncoder

        torch.set_num_threads(cores())
        trained = None if folder is None else _trained(folder, definition)
        base = str(folder or model_folder(BASE))
        longest = {} if trained is None else {"max_length": trained.fitted.task.template.max_tokens}
        with quietly(transformers):  # which would tell that the head is untrained
            self.model: Any = CrossEncoder(
                base, num_labels=1, device="cpu", activation_fn=torch.nn.Identity(), **longest
            )
        self.threshold = None
        if trained is not None:
            head = trained.fitted.task.definitions.index(definition)
            self.model[0].model = classifier(trained.fitted.task.net.to("cpu"), head)
            self.threshold = trained.fitted.thresholds[definition]
        self.parameters = sum(parameter.numel() for parameter in self.model.parameters())

    def score(self, left: Sequence[str], right: Sequence[str], batch_size: int) -> NDArray[np.float64]:
        """One number a pair; from 0 to 1, with .5 where it was placed in training, where it is trained."""
        pairs = list(zip(left, right, strict=True))
        found = self.model.predict(pairs, batch_size=batch_size, show_progress_bar=False)
        logits = np.asarray(found, np.float64).reshape(-1)
        return logits if self.threshold is None else self.threshold.apply(logits)


def _trained(folder: Path, definition: str) -> Any:
    if not (folder / CARD).is_file():
        raise InputError(f"{folder} holds no trained cross-encoder. Train one: paraloom train identifier --help")
    trained = load(folder)
    if not isinstance(trained, TrainedCrossEncoder) or definition not in trained.definitions:
        raise InputError(f"{folder} is no cross-encoder for the definition {definition}. Train one, or name another.")
    return trained


def classifier(reader: Any, head: int) -> Any:
    """A trained reader of pairs in the form of transformers' classifiers, with one of its heads."""
    import torch

    class Classifier(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.reader, self.config = reader.eval(), reader.encoder.config

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any = None, **_: Any) -> dict[str, Any]:
            given = {"input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": token_type_ids}
            answers = self.reader({name: value for name, value in given.items() if value is not None})
            return {"logits": answers[:, head : head + 1]}

    return Classifier()
