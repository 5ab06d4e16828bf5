"""An encoder's name or folder in, out comes what turns tokens into vectors by it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paraloom.errors import InputError
from paraloom.models.aligners.embedding_readers import BothTexts, EachText, EachToken, Network, Reader
from paraloom.models.embedders.cards import hash_of_weights
from paraloom.models.embedders.catalogue import CARD
from paraloom.models.embedders.shared_parts import PAIRS, deciding_files, pairs_folder, tokeniser_file
from paraloom.models.encoders.bert_graph import BertGraph, BertShape, bert_graph, read_tensors, states_graph
from paraloom.models.encoders.onnx_bert import CONFIGURATION, TOKENISER, WEIGHTS, can_run, check_layer
from paraloom.models.known import short_name


def load_reader(encoder: str, layer: int | None = None) -> Reader:
    """The reader of that name or in that folder, up to a layer (0 is the embeddings).

    `layer` None is two thirds of a network's layers, where tokens are told apart best as a rule.

    >>> load_reader("fast", 3)
    Traceback (most recent call last):
    paraloom.errors.InputError: fast is no network, so it has no layer 3. Leave the layer out.
    """
    from paraloom.models.embedders import can_embed, embedder_folder, load_embedder, read_card

    if encoder == PAIRS:
        return _packed(PAIRS, pairs_folder(), {}, layer)
    folder = embedder_folder(encoder)
    if folder is not None and (folder / CARD).is_file() and (card := read_card(folder))["system"] == "encoder":
        return _packed(short_name(encoder), folder, card, layer)
    if folder is not None and not (folder / CARD).is_file() and can_run(folder):
        return _unrounded(short_name(encoder), folder, layer)
    embedder = load_embedder(encoder)
    if embedder.is_network or not can_embed(embedder):
        raise InputError(
            f"{encoder} gives no vectors of single tokens here. Name pairs, good, fast, or a folder with a BERT model."
        )
    if layer is not None:
        raise InputError(f"{encoder} is no network, so it has no layer {layer}. Leave the layer out.")
    return EachToken(embedder)


def _packed(name: str, folder: Path, card: Mapping[str, Any], layer: int | None) -> Reader:
    """A model whose layers multiply in 8 bits: the shipped network of pairs, `good`, or one that was packed so."""
    from paraloom.models.embedders.int8_encoder import packed_tensors
    from paraloom.models.encoders.int8_graph import Int8Graph

    shape, chosen = _shape_and_layer(folder, name, layer)
    tensors = packed_tensors(folder, card)
    graph = Int8Graph(tensors, shape) if chosen else BertGraph(tensors, shape)  # nothing is multiplied at layer 0
    tokeniser = tokeniser_file(folder, card)
    weights = hash_of_weights([*deciding_files(folder, card, (CONFIGURATION, WEIGHTS)), tokeniser])
    of_both = name == PAIRS
    network = Network(states_graph(graph, chosen, pairs=of_both), tokeniser, shape.positions)
    told = f"encoder:{name}|layer:{chosen}|max-tokens:{shape.positions}|arithmetic:int8|weights:{weights}"
    return BothTexts(network, told) if of_both else EachText(network, told)


def _unrounded(name: str, folder: Path, layer: int | None) -> Reader:
    """A BERT model in 32 bits."""
    shape, chosen = _shape_and_layer(folder, name, layer)
    weights = hash_of_weights([folder / file for file in (CONFIGURATION, WEIGHTS, TOKENISER)])
    graph = bert_graph(read_tensors(folder / WEIGHTS), shape, chosen)
    told = f"encoder:{name}|layer:{chosen}|max-tokens:{shape.positions}|weights:{weights}"
    return EachText(Network(graph, folder / TOKENISER, shape.positions), told)


def _shape_and_layer(folder: Path, name: str, layer: int | None) -> tuple[BertShape, int]:
    shape = BertShape.read(folder)
    if shape is None:
        raise InputError(f"{folder} describes no plain BERT model. Name another folder.")
    chosen = shape.layers * 2 // 3 if layer is None else layer
    check_layer(chosen, shape.layers, name)
    return shape, chosen
