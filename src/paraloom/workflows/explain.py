"""A pair's id in, all that led to it out: documents, groups, filters, scores, label; its documents around it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.store import find_rows, made_by_file
from paraloom.errors import InputError, NotMade
from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.workflows.mine.explain import MinedExplanation

SIDES = ("left", "right")
LINES_AROUND = 3
VERDICTS = {True: "paraphrase", False: "no paraphrase", None: "undecided"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One pair and the rows of every table that led to it."""

    pair: dict[str, Any]
    group: list[dict[str, Any]]
    sentences: dict[str, dict[str, Any]]
    documents: dict[str, dict[str, Any]]
    others: dict[str, list[dict[str, Any]]]
    """The other sentences of the same documents, with the reasons they were left out."""
    captions: dict[str, list[dict[str, Any]]]
    """Of subtitles, the captions that the sentences stand in."""
    segments: list[dict[str, Any]]
    """In a run of aligned documents, the stretches that were suggested as this pair."""
    label: list[dict[str, Any]]
    corpus: dict[str, Any] | None
    around: int = LINES_AROUND
    """So many lines of a document are shown before and behind what is in the pair."""

    def as_json(self) -> str:
        """One JSON object."""
        parts = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "around"}
        return json.dumps(parts, ensure_ascii=False, default=str, indent=2)

    def as_text(self) -> str:
        """Lines for a person to read."""
        pair, lines = self.pair, []
        lines.append(f"pair {pair['pair_id']}")
        lines.append(f"  proposed by {pair['proposed_by']}, rank {pair['rank']}")
        lines.append(f"  PINC {pair['pinc']:.3f}  Jaccard {pair['jaccard']:.3f}  similarity {pair['similarity']:.3f}")
        for side in SIDES:
            sentence, document = self.sentences[side], self.documents[side]
            lines.append(f"{side}: {pair[side]}")
            lines.append(f"  characters {sentence['start']}–{sentence['end']} by {sentence['made_by']} of the document")
            lines.append(f"  {document['document_id']}{about(document)}")
            if self.captions[side]:
                lines.append(f"  on the screen {shown_times(self.captions[side])}")
            met = "" if document["copies"] == 1 else f", met {document['copies']} times"
            lines.append(f"  from {document['file']} at {document['offset']}{met}:")
            lines += [f"    {line}" for line in shown_around(document["text"], sentence, self.around)]
            for other in self.others[side] if not self.segments else ():
                lines.append(f"  beside it: {other['text']!r} – {other['dropped_for'] or 'kept'}")
        for segment in self.segments:
            lines.append(f"suggested as {segment['shape']} by {segment['suggested_by']}, score {segment['score']:.3f}")
            lines.append(
                f"  {segment['reason']}" + (f"; left out: {reason}" if (reason := segment["dropped_for"]) else "")
            )
        first = self.group[0]
        origin = next((row["document_id"] for row in self.group if row["is_origin"]), "none")
        lines.append(f"group {first['group_id']} by {first['kind']}: {first['key']}")
        began = f", began {first['created_at']}" if first["created_at"] else ""
        size = counted(first["size"], "document", "documents")
        lines.append(f"  topic {first['topic']}, {size}{began}, origin {origin}")
        for label in self.label:
            verdict = VERDICTS[label["is_paraphrase"]]
            graded = f", grade {label['grade']}" if label["grade"] else ""
            score = "" if label["score"] is None else f", score {label['score']:.3f}"
            lines.append(f"label ({label['definition']}): {verdict}{graded}{score}, by {label['labelled_by']}")
        if self.corpus is not None:
            kept = self.corpus["dropped_for"] or "in the corpus"
            cluster = f", cluster {self.corpus['cluster_id']}" if self.corpus["cluster_id"] else ""
            lines.append(f"corpus: {kept}, split {self.corpus['split']}{cluster}")
        return "\n".join(lines)


def about(document: Mapping[str, Any]) -> str:
    """What is known of where a document comes from, in brackets.

    >>> known = {"source": "herald", "created_at": None, "author": None, "work": None, "title": "Storm"}
    >>> about(known), about({**known, "source": "unknown", "title": None})
    (' (herald, “Storm”)', '')
    """
    said = [] if document["source"] == "unknown" else [document["source"]]
    said += [f"“{document['title']}”"] if document["title"] else []
    said += [str(document[name]) for name in ("work", "created_at") if document[name] is not None]
    said += [f"by {document['author']}"] if document["author"] else []
    return f" ({', '.join(said)})" if said else ""


def shown_times(captions: Sequence[Mapping[str, Any]]) -> str:
    """From when to when captions are shown.

    >>> shown_times([{"begins_at": 61.5, "ends_at": 63.0}, {"begins_at": 63.25, "ends_at": 3665.0}])
    '0:01:01.5–1:01:05.0'
    """
    ends = (min(caption["begins_at"] for caption in captions), max(caption["ends_at"] for caption in captions))
    tenths = [round(10 * seconds) for seconds in ends]
    return "–".join(f"{t // 36_000}:{t // 600 % 60:02}:{t // 10 % 60:02}.{t % 10}" for t in tenths)


def shown_around(text: str, place: Mapping[str, Any], around: int) -> list[str]:
    r"""The lines of a text that a stretch of it stands in, marked, and so many before and behind; … for what is left.

    >>> shown_around("One.\nTwo.\n\nThree.\nFour.", {"start": 5, "end": 9}, around=1)
    ['| One.', '> Two.', '| Three.', '…']
    """
    found: list[tuple[str, bool]] = []
    begin = 0
    for line in text.split("\n"):
        if line.strip():  # paragraphs have blank lines between them
            found.append((line, begin < place["end"] and begin + len(line) > place["start"]))
        begin += len(line) + 1
    inside = [number for number, (_, is_inside) in enumerate(found) if is_inside] or [0]
    first, last = max(0, inside[0] - around), min(len(found), inside[-1] + around + 1)
    shown = [f"{'>' if is_inside else '|'} {line}" for line, is_inside in found[first:last]]
    return [*(["…"] if first else []), *shown, *(["…"] if last < len(found) else [])]


def explain_pair(run: Path, pair_id: str, around: int = LINES_AROUND) -> Explanation | MinedExplanation:
    """Everything the run knows about how a pair came to be."""
    from paraloom.workflows.mine.explain import explain_mined, is_mined

    pair = _the_pair(run, pair_id)
    if is_mined(run):
        return explain_mined(run, pair)
    sentences = {side: find_rows(run, "sentences", pair[f"{side}_id"])[0] for side in SIDES}
    documents = {side: find_rows(run, "documents", sentences[side]["document_id"])[0] for side in SIDES}
    return Explanation(
        pair=pair,
        group=find_rows(run, "groups", pair["group_id"]),
        sentences=sentences,
        documents=documents,
        others={side: _beside(run, sentences[side]) for side in SIDES},
        captions={side: _captions(run, sentences[side]) for side in SIDES},
        segments=_segments(run, sentences, pair["group_id"]),
        around=around,
        label=_if_made(run, "labels", pair["pair_id"]),
        corpus=next(iter(_if_made(run, "corpus", pair["pair_id"])), None),
    )


def _the_pair(run: Path, pair_id: str) -> dict[str, Any]:
    if not made_by_file(run, "pairs").is_file():
        raise NotMade(
            f"{run} holds no pairs of a run. Give --run the --out of `paraloom build` or `paraloom align`, or of "
            "`paraloom mine`."
        )
    found = find_rows(run, "pairs", pair_id.lower())
    if not found:
        raise InputError(f"{run} has no pair {pair_id!r}. The ids are in the column pair_id of {run / 'pairs'}.")
    if len(found) > 1:
        raise InputError(
            f"{len(found)} pairs of {run} begin with {pair_id!r}. Give more digits, such as {found[0]['pair_id']}."
        )
    return found[0]


def _beside(run: Path, sentence: dict[str, Any]) -> list[dict[str, Any]]:
    import pyarrow.compute as pc

    from paraloom.engine.store import read_parts

    beside: list[dict[str, Any]] = []
    for part in read_parts(run, "sentences"):
        beside += part.filter(pc.equal(part.column("document_id"), sentence["document_id"])).to_pylist()
    return sorted(
        (row for row in beside if row["sentence_id"] != sentence["sentence_id"]), key=lambda row: row["start"]
    )


def _captions(run: Path, sentence: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = _if_made(run, "cues", sentence["document_id"])
    return [cue for cue in found if cue["start"] < sentence["end"] and cue["end"] > sentence["start"]]


def _segments(run: Path, sentences: Mapping[str, Mapping[str, Any]], group_id: str) -> list[dict[str, Any]]:
    import pyarrow.compute as pc

    from paraloom.engine.store import read_parts

    if not made_by_file(run, "segments").is_file():
        return []
    wanted = {(side, *(sentences[side][name] for name in ("document_id", "start", "end"))) for side in SIDES}
    return [
        row
        for part in read_parts(run, "segments")
        for row in part.filter(pc.equal(part.column("group_id"), group_id)).to_pylist()
        if {(side, *(row[f"{side}_{name}"] for name in ("document_id", "start", "end"))) for side in SIDES} == wanted
    ]


def _if_made(run: Path, table: str, key: str) -> list[dict[str, Any]]:
    return find_rows(run, table, key) if made_by_file(run, table).is_file() else []
