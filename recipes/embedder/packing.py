"""Students in, what is shipped out: both in 8 bits, each with a card."""

from __future__ import annotations

import json
import subprocess
from hashlib import blake2b
from pathlib import Path

import numpy as np

from paraloom.models.embedders.int8_encoder import pack_encoder
from paraloom.models.embedders.shared_parts import where_from
from paraloom.models.embedders.static import save_static

BASE = "all-mpnet-base-v2 and all-MiniLM-L6-v2 (Apache-2.0)"
WORDS = "the word vectors, trained further, of gte-small (MIT)"
"""Where the shipped network of pairs has them from."""


def pack(work: Path, out: Path) -> None:
    """Write `fast` and `good`; the tokeniser and `good`'s word vectors are those of the shipped network of pairs."""
    recipe = b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))
    sources = json.loads((work / "sources.json").read_text())
    words = where_from("words")
    common = {
        "licence": "Apache-2.0",
        "language": "en",
        "recipe": "recipes/embedder",
        "recipe_hash": blake2b(recipe, digest_size=8).hexdigest(),
        "recipe_commit": _commit(),
    }
    table = np.load(work / "students" / "fast.npy").astype(np.float32)
    sizes = [64, 128, 256]
    own = {"base": BASE, "trained_on": sources, "chosen_on": []}
    save_static(out / "fast", table, None, card={"name": "fast", "sizes": sizes, **own, **common})
    tensors: dict[str, np.ndarray] = {}
    for file in sorted((work / "students").glob("good-*.npz")):
        with np.load(file) as stored:
            tensors |= {name: stored[name] for name in stored.files}
    inherited = {
        "base": f"{BASE}; {WORDS}",
        "trained_on": sorted({*sources, *words["trained_on"]}),
        "chosen_on": words["chosen_on"],
    }
    pack_encoder(
        tensors,
        work / "good-base" / "config.json",
        out / "good",
        shared_words=True,
        card={"name": "good", "sizes": [*sizes, 384], **inherited, **common},
    )
    for folder in ("fast", "good"):
        size = sum(file.stat().st_size for file in (out / folder).iterdir())
        print(f"{folder}: {size / 1e6:.1f} MB in {out / folder}")


def _commit() -> str:
    """The commit that holds this very recipe; a card cannot be told what is not committed."""
    told = ("git", "-C", str(Path(__file__).parent))
    changed = subprocess.run([*told, "status", "--porcelain", "."], capture_output=True, text=True, check=True).stdout
    if changed:
        raise SystemExit("Commit the recipe first: the cards name its commit.")
    return subprocess.run([*told, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
