"""Which generator is asked, and who ranks its candidates. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_GENERATOR = "paraloom"
OWN_SCORE = "own-score"
"""The ranker that leaves candidates as the generator orders them."""
USUAL = "usual"
"""What suits the generator."""
JUDGED, UNJUDGED = "judged", "unjudged"
"""With and without an identifier's word on whether source and candidate imply each other."""
_JUDGED = "own=1,back=1,consensus=5,apart=6,implication=3"
FORMULAS = {
    USUAL: (_JUDGED, OWN_SCORE),
    JUDGED: (_JUDGED, "own=1,implication=3"),
    UNJUDGED: ("own=1,back=0.5,consensus=6,apart=5", OWN_SCORE),
}
"""Orders that have a name: of generators that know how likely a text is, and of others."""
JUDGED_BY = "paraloom"
"""The identifier that rankers ask, unless another is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorOptions:
    """The generator and what it is told."""

    generator: str = DEFAULT_GENERATOR
    """Who writes the paraphrases: a name (paraloom, lexical, back-translation, server, parrot), the folder of a trained
    generator, or a model of the hub that is on this machine."""
    settings: tuple[str, ...] = ()
    """What that generator alone is told, as in `pivots=fr,de` or `url=http://127.0.0.1:8080/v1 model=name`."""
    rank_by: str = USUAL
    """What puts candidates in order: `own-score` is the generator itself; else parts and weights, as in
    `own=1,closeness=2,strict=1,novelty=1` (also apart, back, fluency, loose, implication, consensus). `judged`
    asks an identifier, too, whether source and candidate imply each other:
    `own=1,back=1,consensus=5,apart=6,implication=3` (`own=1,implication=3` where a generator does not know how likely a
    text is). `unjudged` asks no identifier: `own=1,back=0.5,consensus=6,apart=5` (`own-score`). `usual` is `judged` for
    `paraloom` and adapters like it, else `own-score`."""
    rank_judge: str = JUDGED_BY
    """Identifier that is asked for the parts strict, loose and implication: a name, or the folder of a trained one."""
    similarity_by: str = "words"
    """How alike two texts are, for --min-similarity and --max-similarity: by `words` in common, or by an embedder."""
    device: str = "cpu"
    """Where networks run: `cpu` or `cuda`."""
    hub: bool = False
    """Ask the model hub for a generator that is not on this machine; else nothing is downloaded."""
