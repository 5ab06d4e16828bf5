"""What `paraloom annotate simulate` can be told. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateOptions:
    """Who works, how fast, for how long."""

    crowd: int = 20
    """So many people work at once."""
    mix: str = "careful=70,spammer=15,adversary=15"
    """Who they are: expert, careful, hasty, spammer (by chance), repeater (always the same), adversary, in parts; an
    accuracy of one's own stands behind the name, as in careful:0.85=70."""
    seconds: float = 60.0
    """End after so many seconds, if nobody is done before."""
    think: float = 1.0
    """Seconds that an answer takes, on average."""
    truth: Path | None = None
    """Right answers: JSON lines with `item_id` and `answer`, or a table with `item_id` (or `pair_id`) and `label`.
    Test questions are known without it; for all other items an answer is made up and taken for right."""
    seed: int = 1
    """Decides who errs where."""
