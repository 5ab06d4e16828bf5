"""Mastodon statuses: HTML content, the card of the linked page, boosts.

A status is known by its `uri`, the same on every instance; its author by account@host. The content warning is the
title. Links of mentions and hashtags are not links of the post.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from paraloom.documents.shapes.post import UNKNOWN, Post, Record, as_id, as_record, as_records, as_text

_TELLING = ("account", "spoiler_text", "visibility", "reblog", "media_attachments")
_BREAK = re.compile(r"<br\s*/?>|</(?:div|li|blockquote|h[1-6]|tr)\s*>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"</p\s*>", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--.*?--)>", re.DOTALL)
_ANCHOR = re.compile(r"<a\b([^<>]*)>", re.IGNORECASE)
_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TAGGED = re.compile(r"""\b(?:class|rel)\s*=\s*["'][^"']*\b(?:mention|hashtag|tag)\b""", re.IGNORECASE)


def recognises(record: Record) -> bool:
    """Content beside fields that Mastodon has."""
    return "content" in record and any(name in record for name in _TELLING)


def read(record: Record, context: Record) -> Post:
    """The status as plain text; of a boost, the text of what is boosted."""
    boosted = as_record(record.get("reblog"))
    status = boosted or record
    content = status.get("content")
    text = text_of(content) if type(content) is str else content
    links = links_of(content) if type(content) is str else []
    card = as_record(status.get("card"))
    if card_link := as_text(card.get("url")):
        links.append(card_link)
    attachments = as_records(status.get("media_attachments"))
    return Post(
        text=text,
        platform="mastodon",
        native_id=_name_of(record),
        created_at=record.get("created_at"),
        author=_author(as_record(record.get("account"))),
        other_names=(_author(as_record(boosted.get("account"))),),
        language=status.get("language"),
        links=links or None,
        media=[link for each in attachments if (link := as_text(each.get("url")))],
        title=as_text(status.get("spoiler_text")),
        repost_of=(_name_of(boosted) or UNKNOWN) if boosted else None,
        page_title=as_text(card.get("title")),
        page_description=as_text(card.get("description")),
    )


def text_of(content: str) -> str:
    """The text a browser would show.

    >>> text_of('<p>Storm: <a href="https://e.com"><span class="invisible">https://</span>e.com</a></p><p>Stay in!</p>')
    'Storm: https://e.com\\n\\nStay in!'
    """
    text = _UNSEEN.sub("", content)
    text = _PARAGRAPH.sub("\n\n", _BREAK.sub("\n", text))
    return unescape(_TAG.sub("", text)).strip()


def links_of(content: str) -> list[str]:
    """Links of the content that lead to pages, not to people or tags."""
    links = []
    for anchor in _ANCHOR.finditer(content):
        attributes = anchor[1]
        href = _HREF.search(attributes)
        if href and not _TAGGED.search(attributes):
            links.append(unescape(href[1] or href[2] or href[3] or ""))
    return links


def _name_of(status: Mapping[str, Any]) -> str | None:
    return as_text(status.get("uri")) or as_text(status.get("url")) or as_id(status.get("id"))


def _author(account: Mapping[str, Any]) -> str | None:
    name = as_text(account.get("acct")) or as_text(account.get("username"))
    if name is None or "@" in name:
        return name
    try:
        host = urlsplit(as_text(account.get("url")) or "").hostname
    except ValueError:
        host = None
    return as_text(f"{name}@{host}") if host else name
