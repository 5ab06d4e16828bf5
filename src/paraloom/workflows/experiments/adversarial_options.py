"""What the effect of adversarial attempts is measured with. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError

MEASURED = "ap-h"
"""The corpus by people that every training is measured on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversarialExperimentOptions:
    """What is learned from beside the attempts."""

    corpora: tuple[str, ...] = ("twitter-url",)
    """Corpora that every training learns from."""
    beside: tuple[str, ...] = ("ap-h",)
    """Corpora that are added as well, each without the attempts and with them; `none` adds none."""

    def __post_init__(self) -> None:
        if not self.corpora or MEASURED in self.corpora:
            raise InputError(f"--corpora {' '.join(self.corpora)}: give at least one, and not {MEASURED}.")
        for flag, names in (("--corpora", self.corpora), ("--beside", self.beside)):
            if len(set(names)) < len(names):
                raise InputError(f"{flag} {' '.join(names)}: give each once.")
        if shared := set(self.corpora) & set(self.beside):
            raise InputError(f"{min(shared)} is given with --corpora and with --beside. Give it once.")

    @property
    def added(self) -> tuple[str, ...]:
        """Those that are added."""
        return tuple(name for name in self.beside if name != "none")
