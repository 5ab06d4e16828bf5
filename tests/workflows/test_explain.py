"""A pair can be traced back to the posts it comes from, by its id or the first digits of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.engine import store
from paraloom.errors import InputError, NotMade
from paraloom.workflows.explain import explain_pair


@pytest.fixture(scope="module")
def ids(sample_run: Path) -> list[str]:
    found: list[str] = store.read_table(sample_run, "pairs", ("pair_id",)).column("pair_id").to_pylist()
    return found


def test_the_text_names_all_that_led_to_a_pair(sample_run: Path, ids: list[str]) -> None:
    explanation = explain_pair(sample_run, ids[0])
    text = explanation.as_text()
    pair = explanation.pair
    for said in (
        ids[0],
        pair["left"],
        pair["right"],
        pair["group_id"],
        "posts.jsonl.gz",
        "PINC",
        "label (loose)",
        "split",
    ):
        assert said in text
    for side in ("left", "right"):
        assert explanation.sentences[side]["sentence_id"] == pair[f"{side}_id"]
        assert explanation.documents[side]["document_id"] in text


def test_the_json_holds_the_rows_of_every_table(sample_run: Path, ids: list[str]) -> None:
    said = json.loads(explain_pair(sample_run, ids[-1]).as_json())
    assert said["pair"]["pair_id"] == said["corpus"]["pair_id"] == said["label"][0]["pair_id"] == ids[-1]
    assert {row["group_id"] for row in said["group"]} == {said["pair"]["group_id"]}
    members = {row["document_id"] for row in said["group"]}
    for side in ("left", "right"):
        document = said["documents"][side]
        assert document["document_id"] == said["sentences"][side]["document_id"]
        assert document["document_id"] in members
        assert all(other["document_id"] == document["document_id"] for other in said["others"][side])
        assert said["pair"][f"{side}_id"] not in {other["sentence_id"] for other in said["others"][side]}


def test_the_first_digits_are_enough_if_no_other_pair_has_them(sample_run: Path, ids: list[str]) -> None:
    digits = next(count for count in range(1, 33) if sum(each.startswith(ids[0][:count]) for each in ids) == 1)
    for given in (ids[0][:digits], ids[0][:digits].upper()):
        assert explain_pair(sample_run, given).pair["pair_id"] == ids[0]


def test_digits_that_several_pairs_have_are_not_enough(sample_run: Path, ids: list[str]) -> None:
    with pytest.raises(InputError, match=rf"\d+ pairs of .* begin with '{ids[0][0]}'. Give more digits"):
        explain_pair(sample_run, ids[0][0])


def test_an_unknown_pair_is_an_error_that_says_where_to_look(sample_run: Path) -> None:
    with pytest.raises(InputError, match=r"has no pair 'xyz'\. The ids are in the column pair_id"):
        explain_pair(sample_run, "xyz")


def test_a_folder_that_is_no_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotMade, match="Give --run the --out of `paraloom build` or `paraloom align`"):
        explain_pair(tmp_path, "abc")
