"""Participles of verbs whose object may become a subject without more ado."""

from __future__ import annotations

_LISTED = """
abandoned accepted acquired adopted approved arrested attacked banned beaten blocked bombed built bought canceled
cancelled captured cleaned closed collected condemned completed confirmed constructed cooked created criticized
criticised damaged defeated deleted delivered designed destroyed detained developed directed discovered drawn edited
elected evacuated examined fined fired fixed founded funded grabbed hired hosted injured inspected interviewed
introduced invaded invented investigated killed kidnapped launched led mocked murdered opened ordered organized
organised overturned painted passed photographed planted postponed praised prepared produced promoted protected
published purchased questioned recorded rejected released repaired replaced rescued reviewed robbed scrapped seized
sent shot signed sold sponsored spotted stolen stopped struck sued suspended taught thrown translated unveiled upheld
vaccinated wounded written
"""
TRANSITIVE = frozenset(_LISTED.split())
