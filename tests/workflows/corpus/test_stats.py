"""Files and runs are corpora side by side, each counted for itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.corpus.statistics_options import StatisticsOptions
from paraloom.errors import InputError, NotMade
from paraloom.models.shelf import find_model
from paraloom.workflows.corpus.stats import check_statistics_folder, corpus_statistics

GRADED = [
    ("Hän osti ison auton.", "Hän osti suuren auton.", "4"),
    ("Myrsky iski rannikolle.", "Rannikolle iski myrsky.", "4"),
    ("Satoi koko yön ja aamun.", "Kaupunki tulvi. Kukaan ei loukkaantunut.", "2"),
    ("Laiva saapui satamaan myöhään illalla.", "Laiva saapui satamaan myöhään.", "4<i"),
]


@pytest.fixture
def turku(tmp_path: Path) -> Path:
    file = tmp_path / "turku.json"
    rows = [{"txt1": left, "txt2": right, "label": label, "rewrites": []} for left, right, label in GRADED]
    file.write_text(json.dumps(rows), encoding="utf-8")
    return file


@pytest.fixture
def english(tmp_path: Path) -> Path:
    file = tmp_path / "english.tsv"
    rows = ["A large storm hit the coast\tA big storm hit the coast\t1", "It rained all night\tThe town flooded\t0"]
    file.write_text("left\tright\tlabel\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_corpora_are_counted_each_for_itself(turku: Path, english: Path) -> None:
    told: list[tuple[str, int, int]] = []
    both = corpus_statistics([turku, english], step=lambda *news: told.append(news))
    assert told == [("turku", 4, 4), ("english", 2, 2)]
    assert [(one.name, one.language, one.labels.scheme) for one in both.corpora] == [
        ("turku", "fi", "graded"),
        ("english", "en", "yes-no"),
    ]
    assert corpus_statistics([turku]).corpora[0] == both.corpora[0]
    assert both.corpora[0].measured == 3


def test_a_file_of_synonyms_is_looked_up_in_any_language(turku: Path, tmp_path: Path) -> None:
    words = tmp_path / "synonyms.txt"
    words.write_text("iso, suuri\nyli kaiken, ennen kaikkea\n", encoding="utf-8")
    (without,) = corpus_statistics([turku]).corpora
    evaluation = corpus_statistics([turku], StatisticsOptions(synonyms=words, language="fi-FI"))
    (found,) = evaluation.corpora
    shares = {part.name: part.count for part in found.patterns.patterns}
    assert (shares["synonyms"], shares["word_reordering"], found.language) == (1, 1, "fi")
    assert without.patterns.not_looked_for["synonyms"] == "no file of synonyms was given (--synonyms)"
    assert "synonyms" not in {part.name for part in without.patterns.patterns}
    assert evaluation.notes == ("2 synonyms of several words are left out: single words are looked up.",)


def test_english_is_looked_up_in_wordnet(english: Path) -> None:
    if find_model("wordnet") is None:
        pytest.skip("needs: paraloom models fetch wordnet")
    (found,) = corpus_statistics([english]).corpora
    assert {part.name: part.count for part in found.patterns.patterns}["synonyms"] == 1
    assert "synonyms:wordnet-3.0" in found.signature["patterns"]


def test_without_wordnet_english_synonyms_are_not_looked_for(
    english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("PARALOOM_MODELS", raising=False)
    (found,) = corpus_statistics([english]).corpora
    assert found.patterns.not_looked_for["synonyms"].startswith("WordNet is not on this machine")


def test_files_of_one_name_go_by_their_paths(turku: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "turku.json"
    other.parent.mkdir()
    other.write_bytes(turku.read_bytes())
    assert [one.name for one in corpus_statistics([turku, other]).corpora] == [str(turku), str(other)]
    with pytest.raises(InputError, match="is given twice"):
        corpus_statistics([turku, turku])


def test_what_cannot_be_counted_is_refused(turku: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotMade, match="holds no pairs of a run"):
        corpus_statistics([tmp_path / "empty"])
    with pytest.raises(InputError, match="--columns is about files"):
        corpus_statistics([tmp_path / "empty"], StatisticsOptions(columns=("label=3",)))
    with pytest.raises(InputError, match="There is no file"):
        corpus_statistics([tmp_path / "absent.tsv"])
    with pytest.raises(InputError, match="--language Finnish is no code"):
        corpus_statistics([turku], StatisticsOptions(language="Finnish"))
    with pytest.raises(InputError, match="There is no corpus to count"):
        corpus_statistics([])


def test_the_report_of_a_run_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "pairs.made_by.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"which has a report\.html of its own"):
        check_statistics_folder(tmp_path)
    check_statistics_folder(tmp_path / "report")


@pytest.mark.parametrize("yes", [True, 1, "true"])
def test_a_pair_that_is_there_both_ways_counts_once(turku: Path, tmp_path: Path, yes: object) -> None:
    rows = [
        row
        for left, right, label in GRADED
        for row in (
            {"left": left, "right": right, "label": label, "is_turned": False},
            {"left": right, "right": left, "label": label, "is_turned": yes},
        )
    ]
    (tmp_path / "both.json").write_text(json.dumps(rows), encoding="utf-8")
    (once,), (both,) = (corpus_statistics([file]).corpora for file in (turku, tmp_path / "both.json"))
    assert (both.pairs, both.measured, both.labels) == (once.pairs, once.measured, once.labels)
    assert "both.json: 4 rows repeat a pair with its sides swapped (is_turned), left out." in both.notes
