"""A folder in, the Turku Paraphrase Corpus out (Kanerva et al., 2023): graded pairs in Finnish and Swedish.

JSON: a list of objects with `txt1`, `txt2`, `label`, and mostly `goeswith` (the document) and `rewrites`. A label is a
number from 1 (unrelated) to 4 (paraphrase in every context), behind a 4 with the flags `<` or `>` (one side says more),
`i` (a minor difference) and `s` (style), or `x` (skipped). 3 and 4 are paraphrases, 1 and 2 are not, `x` is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from paraloom.corpus.known.files import (
    LINE_SHOWN,
    UNDECIDED,
    BadRow,
    Expected,
    PairRow,
    beginning,
    lines_of,
    pairs_of,
    wrong_file,
)
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader, Part
from paraloom.corpus.rewrites import REWRITES, rewrites_of
from paraloom.metrics.identification.graded import is_label, is_paraphrase, written

EXPECTED = Expected(
    form="JSON, a list of objects with txt1, txt2 and label",
    first=lambda text: text.lstrip().startswith("[") and '"txt1"' in text,
)


def read_turku(reader: KnownReader, folder: Path, *, rewrites: bool = False) -> KnownCorpus:
    """The splits that are in a folder; with `rewrites`, each rewritten form follows its pair, with the label 4."""
    files = reader.found(folder, EXPECTED)
    return reader.corpus(folder, {split: _read(file, rewrites) for split, file in files.items()})


def _read(file: Path, rewrites: bool) -> Part:
    items = _items(file)

    def parse(cells: list[str]) -> PairRow:
        return _parse(items[int(cells[0])], rewrites)

    return pairs_of(file, ((place + 1, [str(place)]) for place in range(len(items))), parse, EXPECTED)


def _items(file: Path) -> list[Any]:
    try:
        items = json.loads("\n".join(_text_lines(file)))
    except ValueError as error:
        raise wrong_file(file, EXPECTED, beginning(file, LINE_SHOWN)) from error
    if not isinstance(items, list):
        raise wrong_file(file, EXPECTED, beginning(file, LINE_SHOWN))
    return items


def _text_lines(file: Path) -> Iterator[str]:
    for _, line in lines_of(file):
        if isinstance(line, BadRow):
            raise ValueError(str(line))
        yield line


def _parse(item: Any, rewrites: bool) -> PairRow:
    if not isinstance(item, dict) or not all(isinstance(item.get(key), str) for key in ("txt1", "txt2", "label")):
        raise BadRow("no object with the texts txt1, txt2 and label")
    if not is_label(item["label"]):
        raise BadRow("the label is not of the scheme")
    label = written(item["label"])
    document = item.get("goeswith")
    # A rewrite may have no text in common with its pair, which binds the two where no document does.
    shared = str(document) if document else f"{item['txt1']}\n{item['txt2']}"
    said = is_paraphrase(label)
    target = UNDECIDED if said is None else float(said)
    return PairRow(
        item["txt1"],
        item["txt2"],
        target,
        grade=label,
        shared=shared,
        further=tuple(
            PairRow(one.left, one.right, 1.0, grade=one.label, shared=shared)
            for one in rewrites_of(item.get(REWRITES) if rewrites else None)
        ),
    )


_FINNISH = {
    "train": ("train.json", "v1_train.json"),
    "dev": ("dev.json", "v1_dev.json"),
    "test": ("test.json", "v1_test.json"),
}
_PLACES = ("turku", "data-fi", "Turku-paraphrase-corpus/data-fi", "turku/data-fi", "turku/data")

TURKU = KnownReader(name="turku", title="Turku", definition="graded", places=_PLACES, files=_FINNISH, read=read_turku)

TURKU_WITH_REWRITES = KnownReader(
    name="turku-with-rewrites",
    title="Turku with rewrites",
    definition="graded",
    places=_PLACES,
    files=_FINNISH,
    read=partial(read_turku, rewrites=True),
)

OPUS_PARSEBANK = KnownReader(
    name="turku-opus-parsebank",
    title="Turku opus-parsebank",
    definition="graded",
    places=_PLACES,
    files={
        "dev": ("opus-pb-dev.json", "opus-parsebank-dev.json"),
        "test": ("opus-pb-test.json", "opus-parsebank-test.json"),
    },
    read=read_turku,
)

SWEDISH = KnownReader(
    name="turku-swedish",
    title="Turku Swedish",
    definition="graded",
    places=("turku", "Turku-paraphrase-corpus"),
    files={"test": ("sv_pairs.json", "data-sv/test.json")},
    read=read_turku,
)
