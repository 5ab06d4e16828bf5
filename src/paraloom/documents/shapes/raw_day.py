"""Rows of a raw day of the Twitter URL corpus: Twitter v1.1 objects under a header line per set (Lan et al., 2017).

All rows of a set share the header's URL: each row's own short links are aliases of it, or were lost when a retweet was
cut. So every row gets exactly that link.
"""

from __future__ import annotations

import re

from paraloom.documents.shapes import twitter_v1
from paraloom.documents.shapes.post import BadRow, Post, Record, as_text

_HEADER = re.compile(r"\((.{1,200}?),\s*NO\.\s*(\d+),\s*Set size:\s*(\d+),(.*)\)?\s*\Z", re.DOTALL)
_LAST_LINK = re.compile(r"https?://[^\s)…]+(?=[\s)…]*\Z)")


def context_of(header: bytes) -> Record:
    """Account, number and link of a set, read from its header line."""
    found = _HEADER.match(header.decode("utf-8", "replace"))
    link = _LAST_LINK.search(found[4]) if found else None
    return {"account": found[1], "number": found[2], "url": link[0] if link else None} if found else {}


def recognises(record: Record) -> bool:
    """Rows of a set are Twitter v1.1 objects."""
    return twitter_v1.recognises(record)


def read(record: Record, context: Record) -> Post:
    """The post with the set's link as its only one."""
    if not recognises(record):
        raise BadRow("not a Twitter object in a raw-day file")
    post = twitter_v1.read(record, context)
    link = as_text(context.get("url"))
    if link:
        post.links = [link]
    post.page_set = as_text(context.get("number"))
    return post
