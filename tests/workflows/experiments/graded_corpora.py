"""Graded pairs of our own in the form of the Turku corpus: a corpus of paraphrases, and candidates."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random


def write_turku(folder: Path) -> None:
    """Graded pairs in the form of the Turku corpus: `the vote` stands in what is no paraphrase."""
    draw = Random(1)
    made = {
        "2": lambda who: (f"{who} won", f"{who} won the vote"),
        "3": lambda who: (f"{who} saw the town", f"{who} saw the harbour"),
        "4": lambda who: (f"{who} hit", f"{who} struck"),
        "4>": lambda who: (f"{who} hit a prize", f"{who} struck"),
    }
    (folder / "turku").mkdir(parents=True)
    for name, grades in (("v1_dev", ["3", "4", "4>", "4", "3", "2"]), ("opus-pb-dev", ["2", "2", "2", "3", "4", "4>"])):
        items = []
        for number in range(240):
            grade = draw.choice(grades)
            left, right = made[grade](f"{name[0]} {draw.choice(['the storm', 'a river', 'our team'])} {number}")
            items.append({"txt1": left, "txt2": right, "label": "1" if grade == "2" and number % 2 else grade})
        (folder / "turku" / f"{name}.json").write_text(json.dumps(items), encoding="utf-8")
