"""An embedder's name in, what is known of it out: every way to embed that Paraloom has, in one table.

Importing this module imports none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraloom.errors import InputError

CARD = "embedder.json"
"""The file of an embedder's folder that names its system, under `system`."""

SHIPPED = Path(__file__).resolve().parent.parent / "weights" / "embedders"
"""Where the embedders lie that come with the package."""

SYSTEMS = {
    "characters": "characters:CharacterEmbedder",
    "ormf": "ormf:OrmfEmbedder",
    "static": "static:StaticEmbedder",
    "encoder": "int8_encoder:Int8Encoder",
    "averaged": "averaged:AveragedEmbedder",
    "transformer": "transformer:TransformerEmbedder",
    "reduced": "reduced:ReducedEmbedder",
}
"""A system's name, and its module and class. `Class.load(folder, asked)` makes the embedder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a user asked for when an embedder was loaded."""

    name: str
    """A name or a folder."""
    dims: int = 0
    """Numbers of a vector; 0 as the embedder has them."""
    device: str = "cpu"
    max_tokens: int = 0
    """Of a longer text only so many tokens are read; 0 as many as the embedder was made for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEmbedder:
    """One embedder that can be had by name."""

    name: str
    system: str
    """A key of `SYSTEMS`."""
    about: str
    dims: int
    megabytes: float
    """On disk; 0 where it learns from the collection."""
    languages: str
    licence: str
    needs: str = ""
    """What must be done first; empty where nothing is."""
    is_shipped: bool = False
    """Whether its weights come with the package."""
    learns: bool = False
    """Whether it learns from the collection that is to be embedded."""


EMBEDDERS = {
    embedder.name: embedder
    for embedder in (
        KnownEmbedder(
            name="fast",
            system="static",
            about="the mean of trained word-piece vectors; any prefix of 64 numbers or more will do",
            dims=256,
            megabytes=4.4,
            languages="English",
            licence="Apache-2.0",
            is_shipped=True,
        ),
        KnownEmbedder(
            name="good",
            system="encoder",
            about="a small transformer in 8 bits, fine-tuned for paraphrases; any prefix of 64 numbers or more will do",
            dims=384,
            megabytes=10.9,
            languages="English",
            licence="Apache-2.0",
            is_shipped=True,
        ),
        KnownEmbedder(
            name="characters",
            system="characters",
            about="TF-IDF of character bi- and trigrams, hashed (Kanerva et al., 2023, section 8.1)",
            dims=1024,
            megabytes=0,
            languages="any with letters",
            licence="Apache-2.0",
            learns=True,
        ),
        KnownEmbedder(
            name="ormf",
            system="ormf",
            about="orthogonal matrix factorisation of words and sentences (Guo, Liu and Diab, 2014)",
            dims=100,
            megabytes=0,
            languages="any with words between blanks; English lemmas",
            licence="Apache-2.0",
            learns=True,
        ),
        KnownEmbedder(
            name="potion-base-8M",
            system="static",
            about="the mean of word-piece vectors distilled from bge-base (model2vec)",
            dims=256,
            megabytes=31,
            languages="English",
            licence="MIT",
            needs="paraloom models fetch potion-base-8M",
        ),
        KnownEmbedder(
            name="sim",
            system="averaged",
            about="the mean of sub-word vectors trained on paraphrases (Wieting et al., 2019)",
            dims=300,
            megabytes=82,
            languages="English",
            licence="MIT",
            needs="paraloom models fetch sim",
        ),
        KnownEmbedder(
            name="all-MiniLM-L6-v2",
            system="transformer",
            about="a transformer of 6 layers",
            dims=384,
            megabytes=92,
            languages="English",
            licence="Apache-2.0",
            needs="paraloom models fetch all-MiniLM-L6-v2",
        ),
        KnownEmbedder(
            name="gte-small",
            system="transformer",
            about="a transformer of 12 layers",
            dims=384,
            megabytes=134,
            languages="English",
            licence="MIT",
            needs="paraloom models fetch gte-small",
        ),
        KnownEmbedder(
            name="all-mpnet-base-v2",
            system="transformer",
            about="a transformer of 12 layers, twice as wide; runs in torch",
            dims=768,
            megabytes=439,
            languages="English",
            licence="Apache-2.0",
            needs="paraloom models fetch all-mpnet-base-v2, pip install 'paraloom[train]'",
        ),
        KnownEmbedder(
            name="multilingual-e5-small",
            system="transformer",
            about="a transformer of 12 layers; texts are read after `query: `",
            dims=384,
            megabytes=487,
            languages="100",
            licence="MIT",
            needs="paraloom models fetch multilingual-e5-small",
        ),
    )
}
"""By name. Beside them any folder of sentence-transformers, model2vec or transformers, and any name of the hub's."""


def shipped_folder(name: str) -> Path:
    """The folder of an embedder that comes with the package."""
    folder = SHIPPED / name
    if not (folder / CARD).is_file():
        raise InputError(f"The embedder {name} is not in {folder}. Install Paraloom again, or choose another embedder.")
    return folder
