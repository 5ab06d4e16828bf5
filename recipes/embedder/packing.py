"""Students in, what is shipped out: both in 8 bits, each with a card."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path

import numpy as np

from paraloom.models.embedders.int8_encoder import pack_encoder
from paraloom.models.embedders.static import save_static

FROM = "all-mpnet-base-v2 and all-MiniLM-L6-v2 (Apache-2.0)"


def pack(work: Path, out: Path) -> None:
    """Write `fast` and `good`; the tokeniser and `good`'s word vectors are those of the shipped network of pairs."""
    recipe = b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))
    common = {
        "licence": "Apache-2.0",
        "language": "en",
        "base": FROM,
        "trained_on": json.loads((work / "sources.json").read_text()),
        "chosen_on": [],
        "recipe": "recipes/embedder",
        "recipe_hash": blake2b(recipe, digest_size=8).hexdigest(),
    }
    table = np.load(work / "students" / "fast.npy").astype(np.float32)
    sizes = [64, 128, 256]
    save_static(out / "fast", table, None, card={"name": "fast", "sizes": sizes, **common})
    tensors: dict[str, np.ndarray] = {}
    for file in sorted((work / "students").glob("good-*.npz")):
        with np.load(file) as stored:
            tensors |= {name: stored[name] for name in stored.files}
    pack_encoder(
        tensors,
        work / "good-base" / "config.json",
        out / "good",
        shared_words=True,
        card={"name": "good", "sizes": [*sizes, 384], **common},
    )
    for folder in ("fast", "good"):
        size = sum(file.stat().st_size for file in (out / folder).iterdir())
        print(f"{folder}: {size / 1e6:.1f} MB in {out / folder}")
