"""Tokens become the text that they were cut from."""

from __future__ import annotations

import pytest

from paraloom.documents.files.clock import seconds
from paraloom.documents.files.tokens import joined

JOINED = [
    ("Well , well .", "Well, well."),
    ("- How 'd you score that ?", "- How'd you score that?"),
    ("I don 't know , they 're gone !", "I don't know, they're gone!"),
    ("It is n't 5 : 30 ; is it ?", "It isn't 5: 30; is it?"),
    ("He said ( quietly ) : no .", "He said (quietly): no."),
    ('" Stop ! " she cried .', '"Stop!" she cried.'),
    ("„ Halt ! “ rief sie .", "„Halt!“ rief sie."),
    ("” Seis ! ” hän huusi .", "”Seis!” hän huusi."),
    ("« Non » , dit-il .", "«Non», dit-il."),
    ("¿ Qué ? ¡ No !", "¿Qué? ¡No!"),
    ("L' homme d' à côté n' est pas là .", "L'homme d'à côté n'est pas là."),
    ("... and then ...", "...and then..."),
    ("It costs $ 5 .", "It costs $5."),
    ("Maksaa 5 € .", "Maksaa 5 €."),
    ("vaa ' an", "vaa'an"),
    ("He said ' no ' twice .", "He said 'no' twice."),
    ("EU:n sääntö", "EU:n sääntö"),
    ("我 不 知道 。", "我不知道。"),
    ("これ は 本 です 。", "これは本です。"),
    ("나 는 몰라 .", "나 는 몰라."),
    ("I like 北京 .", "I like 北京."),
    ("", ""),
    (".", "."),
]


@pytest.mark.parametrize(("tokens", "text"), JOINED)
def test_blanks_are_where_blanks_belong(tokens: str, text: str) -> None:
    assert joined(tokens.split()) == text


def test_a_quotation_that_is_open_is_closed_by_the_next_mark() -> None:
    assert joined(["never", '"', ",", "he", "said"], is_quoting=True) == 'never", he said'


SECONDS = [
    ("00:00:01,000", 1.0),
    ("00:00:01.000", 1.0),
    ("01:02:03,456", 3723.456),
    ("1:2:3,5", 3723.5),
    ("00:01.250", 1.25),
    ("02:01,250", 121.25),
    ("00:02:01", 121.0),
    ("00.02.01", 121.0),
    ("00:00:01:500", 1.5),
    ("00:00:01;500", 1.5),
    ("00 : 00 : 01 , 500", 1.5),
    ("12.5", 12.5),
    ("1:30", 90.0),
    ("00:00:75,000", 75.0),
    ("-00:00:01,000", -1.0),
    ("00:00:-1,000", -1.0),
    ("-00:00:00,000", 0.0),
    ("00:00:01,000000", 1.0),
    ("٠٠:٠٠:٠١,٥٠٠", 1.5),
]


@pytest.mark.parametrize(("time", "expected"), SECONDS)
def test_times_are_read_however_they_are_written(time: str, expected: float) -> None:
    assert seconds(time) == expected
