"""A folder in, Table 3 of Dou et al. (2022) out, with our experiment's figures where it was run into the folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.reports.bench_identification_rows import NEAR, NoiseRow, NoiseTable
from paraloom.reports.pages import number
from paraloom.text.counted import counted
from paraloom.workflows.bench.known import READERS
from paraloom.workflows.bench.published import AT_HALF, DOU_3
from paraloom.workflows.bench.reasons import NOT_KNOWN
from paraloom.workflows.experiments.noise import LABELS

FILES = ("noise.json", "noise/noise.json")
"""Where `paraloom experiment noise --out` may have left its results."""

NOT_RUN = "Not run: paraloom experiment noise --data … --out {folder}"

WAYS = ("loose", "strict", "both", "filter", "flip")
"""The experiment's ways of learning, in the order of the published rows."""

ALSO = ("confident", "told")
"""Ways that the paper has not."""

LOOSE, STRICT, BASE = "multipit-crowd", "multipit-expert", "deberta-v3-large"
"""What the paper learned from, what its figures are on, and the model that it trained."""


def noise_table(folder: Path) -> NoiseTable:
    """The published rows, and ours by the first system of the experiment; then what the paper has not."""
    written = next(filter(None, (_read(folder / file) for file in FILES)), None)
    ran = None if written is None else _Ran.of(written)
    if ran is None:
        return NoiseTable(rows=tuple(_rows(None)), told=NOT_RUN.format(folder=folder / "noise"))
    if ran.strict != STRICT:
        told = f"Not run: what lies in the folder is measured on {_titles([ran.strict])}"
        return NoiseTable(rows=tuple(_rows(None)), told=told)
    rows = tuple(_rows(ran))
    is_far = any(abs(row.gap or 0.0) > NEAR for row in rows)
    why = ("; ".join(ran.differences()) or NOT_KNOWN) if is_far else ""
    return NoiseTable(rows=rows, told=ran.told(), why=why, signature=ran.signature)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ran:
    """Our experiment by its first system: what was written of it, and its signature's parts."""

    system: str
    signature: str
    base: str
    loose: Sequence[str]
    strict: str
    limit: int
    seeds: int
    plan: str
    """What was asked for in the place of the system's own."""
    measured_on: str
    figures: Mapping[str, tuple[float, ...]]
    """By the way of learning, as the experiment calls it: `AT_HALF`."""
    about: Mapping[str, str]
    """By the same: how many pairs were learned from."""

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> _Ran | None:
        """The first system's table that has the paper's columns."""
        for table in written["tables"]:
            if table["rows"] and set(AT_HALF) <= set(table["rows"][0]["metrics"]):
                return cls._of_table(written, table)
        return None

    @classmethod
    def _of_table(cls, written: Mapping[str, Any], table: Mapping[str, Any]) -> _Ran:
        place = f"{table['system']}/{table['title']}/{table['rows'][0]['label']}/f1"
        signature = written["signature"][place].partition("|")[2]
        told = dict(part.partition(":")[::2] for part in signature.split("|"))
        title = _titles([told["strict"]])
        return cls(
            system=table["system"],
            signature=signature,
            base=told.get("base", ""),
            loose=told["loose"].split("+"),
            strict=told["strict"],
            limit=int(told.get("limit", 0)),
            seeds=len(told["seeds"].split("+")),
            plan="" if told.get("plan", "own") == "own" else told["plan"].replace("+", ", "),
            measured_on=next((note for note in written["notes"] if note.startswith(f"{title}: ")), ""),
            figures={
                row["label"]: tuple(float(row["metrics"][metric]["mean"]) for metric in AT_HALF)
                for row in table["rows"]
            },
            about={row["label"]: row["about"] for row in table["rows"]},
        )

    def learned_from(self, way: str) -> str:
        """The corpora of one way of learning, and how many of their pairs."""
        names = {"loose": [*self.loose], "strict": [self.strict]}.get(way, [*self.loose, self.strict])
        return ": ".join(part for part in (_titles(names), self.about[LABELS[way]]) if part)

    def told(self) -> str:
        """What our figures are of."""
        parts = [f"Ours: {self._model}", counted(self.seeds, "seed", "seeds")]
        if self.plan:
            parts.append(f"trained with {self.plan}")
        if self.limit:
            parts.append(f"at most {number(self.limit)} pairs of each set")
        return f"{', '.join(parts)}. {self.measured_on}".strip()

    @property
    def _model(self) -> str:
        return f"{self.system} on {self.base}" if self.base else self.system

    def differences(self) -> Iterator[str]:
        """All that is known to differ from what the paper did."""
        if tuple(self.loose) != (LOOSE,):
            yield f"the loose labels are those of {_titles(self.loose)}, not of {_titles([LOOSE])}"
        if not self.base.lower().endswith(BASE):
            yield f"{self._model} in the place of DeBERTa-v3-large, which has 400M parameters"
        if self.limit:
            yield f"at most {number(self.limit)} pairs of each set were taken"
        if self.plan:
            yield f"another plan of training ({self.plan})"
        if "measured on its test set" not in self.measured_on:
            yield "not measured on the test set"


def _rows(ran: _Ran | None) -> Iterator[NoiseRow]:
    for way, (method, data, published) in zip(WAYS, DOU_3, strict=True):
        yield NoiseRow(method=method, data=data, published=published, **_ours(ran, way))
    for way in ALSO if ran is not None else ():
        yield NoiseRow(method=LABELS[way], data="", published=(), **_ours(ran, way))


def _ours(ran: _Ran | None, way: str) -> dict[str, Any]:
    if ran is None or LABELS[way] not in ran.figures:
        return {}
    return {"learned_from": ran.learned_from(way), "ours": ran.figures[LABELS[way]]}


def _titles(names: Sequence[str]) -> str:
    return " + ".join(READERS[name].title if name in READERS else name for name in names)


def _read(file: Path) -> dict[str, Any] | None:
    try:
        written = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return written if isinstance(written, dict) and written.get("experiment") == "noise" else None
