"""Tweets of Congress (github.com/alexlitel/congresstweets): id, screen_name, time, text, link, source.

Full links stand in the text. `link` is the permalink of the post, or of the post that was retweeted. A quoted post
is appended to the text as ` QT @account its text`: it is cut off, it is someone else's.
"""

from __future__ import annotations

import re

from paraloom.documents.shapes.post import Post, Record, as_id, as_text

_PERMALINK = re.compile(r"https?://(?:www\.)?(?:twitter|x)\.com/(\w+)/status(?:es)?/(\d+)", re.IGNORECASE)
_QUOTED = re.compile(r"\sQT @\w{1,30}\b")


def recognises(record: Record) -> bool:
    """Account, time and permalink under these names."""
    return "screen_name" in record and "time" in record and "link" in record and "text" in record


def read(record: Record, context: Record) -> Post:
    """The post without what it quotes; its `source` is the program it was sent with and is not kept."""
    text = record["text"]
    native_id = as_id(record.get("id"))
    if type(text) is str and " QT @" in text:
        text = _QUOTED.split(text, maxsplit=1)[0]
    permalink = _PERMALINK.match(as_text(record["link"]) or "")
    return Post(
        text=text,
        platform="twitter",
        native_id=native_id,
        created_at=record["time"],
        author=as_id(record["screen_name"]),
        repost_of=permalink[2] if permalink and permalink[2] != native_id else None,
    )
