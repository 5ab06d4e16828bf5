"""How the shipped embedders were made: `good` and `fast`, students of one teacher.

    python -m recipes.embedder prepare --data DATA --work WORK --bases MODELS     (a minute)
    python -m recipes.embedder teach --work WORK                                  (minutes on a large GPU)
    python -m recipes.embedder learn --work WORK                                  (minutes there)
    python -m recipes.embedder pack --work WORK                                   (seconds)

`prepare` needs all-mpnet-base-v2 and all-MiniLM-L6-v2 (`paraloom models fetch`); MODELS is the folder they lie in. The
teacher is all-mpnet-base-v2 (Song et al., 2020), trained on pairs that say the same, with near pairs a cross-encoder
holds for no paraphrases against them. `good` is all-MiniLM-L6-v2, `fast` a table of word pieces: both learn from the
pairs, from the cross-encoder's word and from how alike the teacher finds texts.
"""

from __future__ import annotations

import argparse
from pathlib import Path

WEIGHTS = Path(__file__).resolve().parents[2] / "src" / "paraloom" / "models" / "weights"
STEPS = ("prepare", "teach", "learn", "pack")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--work", type=Path, required=True, help="folder for everything between the steps")
    parser.add_argument("--data", type=Path, help="folder of the published corpora (prepare)")
    parser.add_argument("--bases", type=Path, help="folder of the models it begins with (prepare)")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "embedders", help="where packed embedders go (pack)")
    parser.add_argument("--few", type=int, default=0, help="so many pairs of each source, to try the recipe out")
    given = parser.parse_args()
    if given.step == "prepare":
        from .bases import make_good_base, make_teacher_base
        from .measuring import write_measured
        from .texts import prepare

        prepare(given.data, given.work)
        write_measured(given.data, given.work)
        make_teacher_base(given.bases, given.work)
        make_good_base(given.bases / "all-MiniLM-L6-v2", WEIGHTS / "pairs", given.work / "good-base")
    elif given.step == "pack":
        from .packing import pack

        pack(given.work, given.out)
    else:
        from . import teaching

        step = teaching.teach if given.step == "teach" else teaching.learn_from
        step(given.work, device=given.device, few=given.few)


main()
