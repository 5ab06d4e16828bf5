"""The shapes records come in, one module each: what it recognises, and how it reads that into a `Post`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from paraloom.documents.shapes import bluesky, congress, mastodon, own, twitter_v1, twitter_v2
from paraloom.documents.shapes.post import Post, Record


class Shape(NamedTuple):
    """A way of writing posts down."""

    recognises: Callable[[Record], bool]
    read: Callable[[Record, Record], Post]
    """From a record and what the file says about it elsewhere."""


SHAPES: dict[str, Shape] = {
    "twitter-v1": Shape(twitter_v1.recognises, twitter_v1.read),
    "congress": Shape(congress.recognises, congress.read),
    "twitter-v2": Shape(twitter_v2.recognises, twitter_v2.read),
    "mastodon": Shape(mastodon.recognises, mastodon.read),
    "bluesky": Shape(bluesky.recognises, bluesky.read),
    "own": Shape(own.recognises, own.read),
}
"""In the order they are tried: the more telling first, our own columns last."""
