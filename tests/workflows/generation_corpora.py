"""Small corpora of our own in their published forms, one for every set that generators are measured on."""

from __future__ import annotations

import gzip
from pathlib import Path


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def write_generation_corpora(folder: Path) -> Path:
    """Every set of the tables, a few rows each."""
    stars = [
        (f"the storm of town {town} hit the coast", f"gale {n} came to town {town}")
        for town in range(8)
        for n in range(6)
    ]
    train = "".join(f"{left},{right}\n" for left, right in stars)
    write(folder / "multipit/auto/train.csv", "sentence1,sentence2\n" + train)
    write(
        folder / "multipit/auto/val.csv",
        'sentence1,sentence2\n"It rains , again .","Rain , once more"\n"It rains , again .",More rain\n'
        "gale 2 came to town 5,wind in town 5\n",
    )
    write(folder / "multipit/expert/train.csv", "sentence1,sentence2,label\nGale 1 came to town 6,some thing,0\n")
    write(folder / "qqp/generation/val.tsv", "how do i swim ?\thow does one swim ?\nwhat is rain\twhat 's rain\n")
    captions = [f"{image}.jpg#{n}\tA dog number {n} runs on beach {image} .\n" for image in range(5) for n in range(5)]
    write(folder / "flickr8k/Flickr8k.token.txt", "Caption,Image\n" + "".join(captions))
    write(folder / "parasci_acl/val/val.src", "we use bleu .\nwe train it .\n")
    write(folder / "parasci_acl/val/val.tgt", "bleu is used .\nit is trained by us .\n")
    (folder / "qcpg").mkdir()
    with gzip.open(folder / "qcpg/mscoco.validation.csv.gz", "wt", encoding="utf-8") as file:
        file.write("source,target\nA cat sleeps.,The cat is asleep.\nThe cat is asleep.,A cat sleeps.\n")
    return folder
