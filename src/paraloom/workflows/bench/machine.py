"""The machine in, what a measured speed depends on out: processor, cores, GPU."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from paraloom.metrics.parts import cores

CPU = "cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where a system was fitted and scored."""

    processor: str
    cores: int


@cache
def this_machine() -> Machine:
    """The one that this runs on."""
    return Machine(processor=_processor(), cores=cores())


def _processor() -> str:
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text(encoding="utf-8", errors="replace").splitlines() if listed.is_file() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


class DeviceWatch:
    """Says afterwards whether a GPU was used: torch knows the most of its memory that was taken since."""

    def __init__(self) -> None:
        self.before = 0
        if gpu := _gpu():
            gpu.reset_peak_memory_stats()
            self.before = gpu.memory_allocated()

    def device(self) -> str:
        """`cpu`, or the name of the GPU that held more than before."""
        gpu = _gpu()
        return str(gpu.get_device_name()) if gpu and gpu.max_memory_allocated() > self.before else CPU


def _gpu() -> Any:
    """Torch's view of the GPU; None where torch was not imported by anyone, or sees none."""
    torch: Any = sys.modules.get("torch")
    return torch.cuda if torch is not None and torch.cuda.is_available() else None
