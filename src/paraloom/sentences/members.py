"""A group's documents in, their sentences out, each kept or with the reason it is left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import Any

from paraloom.engine.rows import Members
from paraloom.sentences.options import SentenceOptions
from paraloom.sentences.retweets import copied_from, page_keys
from paraloom.tables import Sentence, sentence_id_of
from paraloom.text.language import detect
from paraloom.text.normalise import clean, keys
from paraloom.text.spam import spam_reason
from paraloom.text.split import split
from paraloom.text.tokenise import token_bounds, tokenise

SPLITTER = "post-splitter"


def sentences_of_group(group_id: str, documents: Members, *, options: SentenceOptions) -> list[Sentence]:
    """All sentences of a group's documents, oldest first; those left out say why."""
    order = sorted(range(len(documents)), key=_age(documents["created_at"], documents["document_id"]))
    ids, texts, origins = documents["document_id"], documents["text"], documents["is_origin"]
    claimed = documents["language"]
    languages = [_language(language, text, options) for language, text in zip(claimed, texts, strict=True)]
    common = _common_language(languages, options)
    pages = list(zip(documents["page_title"], documents["page_description"], strict=True))
    one_page = documents["kind"][0] == "url"  # all link to the same page; the posts of a trend each have their own
    made = {place: split_document(ids[place], texts[place]) for place in order}
    origin = next((place for place in order if origins[place]), order[0])
    copied = copied_from(
        texts[origin],
        (sentence.text for sentence in made[origin] if _length_reason(sentence.text, options) is None),
        {page for both in pages for page in both if page} if one_page else (),
        options.title_likeness,
    )
    order.sort(key=lambda place: place != origin)  # the origin comes first, so that later copies are the duplicates
    seen: set[str] = set()
    result = []
    for place in order:
        language_reason = _language_reason(languages[place], common, options)
        if not one_page:
            copied = replace(copied, pages=page_keys(page for page in pages[place] if page))
        for sentence in made[place]:
            reason = language_reason or _own_reason(sentence.text, options)
            if reason is None:
                key = keys(sentence.text)
                if place != origin and not options.keep_retweets:
                    reason = copied.reason(key)
            if reason is None:
                reason = "duplicate" if key.bare in seen else None
                seen.add(key.bare)
            result.append(sentence if reason is None else replace(sentence, dropped_for=reason))
    return result


def split_document(document_id: str, text: str) -> list[Sentence]:
    """The sentences of one text, cleaned, none left out yet; spans with nothing but symbols and links are none."""
    made = []
    for start, end in split(text):
        cleaned = clean(text[start:end])
        if cleaned:
            made.append(
                Sentence(
                    sentence_id=sentence_id_of(document_id, start, end),
                    document_id=document_id,
                    text=cleaned,
                    start=start,
                    end=end,
                    made_by=SPLITTER,
                    dropped_for=None,
                )
            )
    return made


def merge_sentences(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A sentence met in two groups stays out of both if it is a copy in either."""
    reasons = [row["dropped_for"] for row in rows if row["dropped_for"] is not None]
    return {**rows[0], "dropped_for": min(reasons, default=None)}


def _age(times: list[datetime | None], ids: list[str]) -> Any:
    far = float("inf")
    stamps = [far if time is None else time.timestamp() for time in times]
    return lambda place: (stamps[place], ids[place])


def _language(claimed: str | None, text: str, options: SentenceOptions) -> str | None:
    if options.detect_language == "always" or (options.detect_language == "missing" and claimed is None):
        return detect(text)
    return claimed


def _common_language(languages: list[str | None], options: SentenceOptions) -> str | None:
    known = Counter(
        language for language in languages if language and (not options.languages or language in options.languages)
    )
    return min(known, key=lambda language: (-known[language], language)) if known else None


def _language_reason(language: str | None, common: str | None, options: SentenceOptions) -> str | None:
    if language is None:  # too little text to tell: it stays
        return None
    if options.languages and language not in options.languages:
        return f"language: {language}"
    return None if language == common else "language: not its group's"


def _own_reason(text: str, options: SentenceOptions) -> str | None:
    reason = _length_reason(text, options)
    if reason is None and not options.keep_spam:
        spam = spam_reason(text)
        reason = f"spam: {spam}" if spam else None
    return reason


def _length_reason(text: str, options: SentenceOptions) -> str | None:
    at_least, at_most = token_bounds(text)
    if at_least >= options.min_tokens and at_most <= options.max_tokens:
        return None
    count = len(tokenise(text))
    return "too_short" if count < options.min_tokens else "too_long" if count > options.max_tokens else None
