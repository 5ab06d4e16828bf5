"""The report of agreement: words that fit the figures, a page without outside files, JSON with the same numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from paraloom.metrics.agreement.coefficient import Coefficient
from paraloom.metrics.agreement.figures import measure_agreement
from paraloom.metrics.agreement.items import most_disputed
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.reports.agreement import AgreementEvaluation, in_words, render_agreement, verdicts, write_agreement_report


def evaluation(rows, *, level="nominal", **options) -> AgreementEvaluation:
    ratings = Ratings.of(*zip(*rows, strict=True), level=level)
    figures = measure_agreement(ratings, resamples=50, **options)
    return AgreementEvaluation(
        files=("answers.tsv",), figures=figures, disputed=most_disputed(ratings), resamples=50, seed=1
    )


def rows(people: int = 4, items: int = 60, answers: str = "no yes", noise: float = 0.2) -> list[tuple[str, str, str]]:
    random = np.random.default_rng(2)
    names = answers.split()
    found = []
    for item in range(items):
        truth = random.integers(len(names))
        for person in range(people):
            said = random.integers(len(names)) if random.random() < noise else truth
            found.append((f"item {item}", f"person {person}", names[said]))
    return found


WORDS = [
    ("krippendorff-alpha", 0.85, "reliable"),
    ("krippendorff-alpha", 0.7, "enough for tentative conclusions"),
    ("krippendorff-alpha", 0.6, "too low to rely on"),
    ("fleiss-kappa", 0.81, "almost perfect"),
    ("fleiss-kappa", 0.61, "substantial"),
    ("cohen-kappa-mean", 0.41, "moderate"),
    ("gwet-ac1", 0.21, "fair"),
    ("expert-kappa", 0.01, "slight"),
    ("expert-kappa", -0.2, "no better than chance"),
    ("raw-agreement", 0.9, ""),
    ("expert-f1", 0.9, ""),
]


@pytest.mark.parametrize(("name", "value", "word"), WORDS)
def test_a_value_has_the_word_that_it_is_commonly_given(name: str, value: float, word: str) -> None:
    assert in_words(Coefficient(name=name, value=value)) == word


def test_a_page_stands_alone_and_shows_every_part(tmp_path: Path) -> None:
    found = evaluation(rows(), expert="person 3", positive="yes")
    page = write_agreement_report(found, tmp_path / "report").read_text(encoding="utf-8")
    for part in ("coefficients", "expert", "answers", "annotators", "pairs", "disputed", "signatures"):
        assert f'<section id="{part}">' in page
        assert f'href="#{part}"' in page
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg"') == 3
    assert not re.search(r'(src|href)="(?!#|data:,)', page)
    assert "<script" not in page
    for one in found.coefficients:
        assert one.name in page


def test_the_json_file_has_the_pages_numbers(tmp_path: Path) -> None:
    found = evaluation(rows(), expert="person 3", positive="yes")
    write_agreement_report(found, tmp_path)
    told = json.loads((tmp_path / "agreement.json").read_text(encoding="utf-8"))
    assert told == json.loads(json.dumps(found.as_json()))
    assert told["metrics"]["krippendorff-alpha"] == found.coefficients[0].value
    assert set(told["signature"]) == {one.name for one in found.coefficients}
    assert told["intervals"]["krippendorff-alpha"]["resamples"] == 50
    assert told["signature"]["krippendorff-alpha"].startswith(
        "krippendorff-alpha|level:nominal|answers:2|interval:boot"
    )
    assert told["annotators"][0]["name"] == found.figures.people[0].name
    assert told["expert"]["positive"] == "yes"


def test_what_people_wrote_is_never_taken_for_html() -> None:
    evil = "<script>alert(1)</script>"
    page = render_agreement(
        evaluation([(evil, evil, evil), (evil, "bob", "no"), ("b", evil, evil), ("b", "bob", evil)])
    )
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_many_annotators_and_many_answers_still_make_a_page() -> None:
    found = evaluation(rows(people=40, items=30, answers=" ".join(map(str, range(20)))), level="interval")
    page = render_agreement(found)
    assert found.figures.confusion is None
    assert "too many different answers" in page
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg"') == 2


def test_where_nothing_can_be_told_the_page_says_so() -> None:
    found = evaluation([("a", "ann", "yes"), ("b", "bob", "no")])
    page = render_agreement(found)
    assert "No agreement can be told: no item has answers of two people" in page
    assert "nan" not in re.sub(r"[a-z]*nan[a-z]+|[a-z]+nan[a-z]*", "", page.lower())
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["metrics"]["krippendorff-alpha"] is None
    assert found.as_json()["why_none"]["krippendorff-alpha"] == "no item has answers of two people"
    assert "krippendorff-alpha: none, since no item has answers of two people." in found.as_text()


def said(found: AgreementEvaluation) -> str:
    return "\n".join(verdicts(found.figures))


def test_one_frequent_answer_is_named_as_the_reason_for_low_kappa() -> None:
    lopsided = [
        (f"{item}", name, "yes" if item == number else "no") for item in range(60) for number, name in enumerate("ab")
    ]
    assert "98.3% of the answers are no, so alpha and kappa" in said(evaluation(lopsided))
    assert "of the answers are" not in said(evaluation(rows()))


def test_gaps_are_named_as_the_reason_for_another_kappa() -> None:
    agreeing = [(f"calm {item}", name, "no" if item % 2 else "yes") for item in range(20) for name in "ab"]
    random = np.random.default_rng(1)
    torn = [(f"torn {item}", name, ("no", "yes")[random.integers(2)]) for item in range(20) for name in "abcdefgh"]
    told = said(evaluation(agreeing + torn))
    assert "generalised form" in told
    assert "on items with many answers people agree less than on the others" in told
    assert "generalised form" not in said(evaluation(rows()))


def test_annotators_below_the_cut_are_named() -> None:
    random = np.random.default_rng(1)
    guesses = [(f"item {item}", "gus", ("no", "yes")[random.integers(2)]) for item in range(60)]
    told = said(evaluation(rows(noise=0.05) + guesses))
    assert re.search(r"1 of 5 annotators is below kappa 0\.4 .*: gus \(-?0\.\d\d on \d+\)\.", told)
    assert "Without annotators below the cut alpha is 0.8" in told
    assert "No annotator is below kappa 0.4" in said(evaluation(rows(noise=0.05)))


def test_text_has_a_line_for_every_figure_and_the_lowest_annotators() -> None:
    found = evaluation(rows(people=20))
    text = found.as_text()
    assert text.startswith("1,200 answers by 20 annotators on 60 items, 20 an item; 60 items have two answers or more.")
    for one in found.figures.coefficients:
        assert re.search(rf"^{one.name} +{one.value:.3f} ", text, re.MULTILINE)
    shown = [person.name for person in found.figures.people if re.search(rf"^{person.name} ", text, re.MULTILINE)]
    assert shown == [person.name for person in found.figures.people[:15]]
