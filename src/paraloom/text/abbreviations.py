"""Abbreviations with a full stop, by what the stop can mean; English, French, Spanish, German, Finnish, Swedish.

In: nothing. Out: sets of lower-cased words without their last stop. The splitter does not know a text's language,
so an abbreviation of one language that is an everyday word of another is left out.
"""

from __future__ import annotations


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


TITLES = _words(
    """
    mr mrs ms mx dr drs prof sen sens rep reps gov govs gen col lt sgt cpl capt cmdr adm maj pvt rev fr hon pres supt
    atty msgr br ste amb asst assoc insp ofc dep
    mme mmes mlle mlles mgr
    sra sras srta sto sta dra dras gral cnel pdte
    hr dipl ing
    """
)
"""Written with a capital, these come before a name: a sentence never ends after them."""

POINTING_FORWARD = _words(
    """
    vs cf eg viz
    bzw sog vgl evtl ggf hrsg zzgl
    esim ks vrt ns mm nk toim
    t.ex bl.a s.k jfr resp
    dña ud uds vd vds
    """
)
"""More of the sentence follows these, whatever their case."""

MAYBE_LAST = _words(
    """
    etc inc ltd co corp llc plc bros jr esq dept univ approx tel ext ave blvd hwy
    usw inkl exkl mio mrd std
    janv févr juil déc
    ee.uu aa.vv pág págs aprox avda tlf
    jne yms ym klo
    osv dvs d.v.s m.m m.fl
    """
)
"""A sentence may end after these: it does when the next word usually begins one ("The", "We", "El")."""

MAYBE_LAST_WITH_CAPITAL = _words(
    """
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat
    ala ariz ark calif colo conn fla ill ind kan ky mass md mich minn miss mo mont neb nev okla ore pa tenn tex vt va
    wash wis wyo st sr mt ft
    """
)
"""The same, but in lower case these are everyday words ("ill", "sat", "mar")."""

BEFORE_A_NUMBER = _words("no nos nr nro núm num art fig figs pp vol vols ch chap kap sec par pt str ver op cap")
"""Abbreviations when a number follows ("No. 5"), words when not ("No. Never.")."""

SENTENCE_STARTERS = _words(
    """
    the a an this that these those there here it he she we they i you his her our their my your its
    but and so if when while as in on at for from with after before since because although however also
    what who why how where which is are was were do does did can could will would should let please thank thanks
    no not now today tomorrow yesterday all some many more most every each one
    el la los las un una este esta eso pero y si en por para con no es se su hoy
    le les une ce cette ces mais et si dans pour avec il elle nous vous ils elles on je c'est
    der die das ein eine und aber es er sie wir ich in im am auf mit für nach bei
    se hän me he tämä mutta ja on ei kun
    det den en ett och men han hon vi de jag på för när
    """
)
"""Words that, with a capital, usually begin a sentence rather than a name."""

GERMAN_MONTHS = _words("januar jänner februar märz april mai juni juli august september oktober november dezember")
"""German writes "3. Oktober", so a number before one of these is a date, not an end."""

WITH_THEIR_STOP = (
    "Mr|Mrs|Ms|Mx|Dr|Prof|Sens?|Reps?|Govs?|Gen|Col|Lt|Sgt|Capt|Cmdr|Adm|Maj|Rev|Hon|Jr|Sr|St|Ste|Mt|Ft|vs|etc|Inc|Ltd"
    "|Corp|Bros|Dept|Univ|Ave|Blvd|approx|Sra|Sras|Srta|Dra|Mme|Mlle|Bzw|bzw|usw|evtl|ggf|vgl|esim|jne|yms|osv|dvs|No(?=\\.\\s?\\d)"
)
"""Alternatives for a pattern: the abbreviations the tokeniser keeps together with their stop."""
