"""Twitter API v2 posts: alone, under `data` with their `includes` (the filtered stream), or out of a page of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paraloom.documents.shapes.post import UNKNOWN, Post, Record, as_id, as_record, as_records, as_text

_TELLING = ("author_id", "edit_history_tweet_ids", "referenced_tweets", "conversation_id", "public_metrics")


def recognises(record: Record) -> bool:
    """A text beside a field that only v2 has, or such an object under `data`."""
    post = record["data"] if isinstance(record.get("data"), dict) else record
    return "text" in post and "id" in post and any(name in post for name in _TELLING)


def read(record: Record, context: Record) -> Post:
    """The post; its author is the account's name where `includes` has it, else its number."""
    post = record
    includes = as_record(context.get("includes"))
    if isinstance(record.get("data"), dict):
        post, includes = record["data"], as_record(record.get("includes"))
    note = as_record(post.get("note_tweet"))  # the whole of a text that is too long for `text`
    entities = as_record(note.get("entities")) or as_record(post.get("entities"))
    links, media, page = _links(entities)
    author_id = as_id(post.get("author_id"))
    names = [each.get("username") for each in as_records(includes.get("users")) if as_id(each.get("id")) == author_id]
    return Post(
        text=note.get("text") or post.get("text"),
        platform="twitter",
        native_id=as_id(post.get("id")),
        created_at=post.get("created_at"),
        author=next((name for name in names if as_text(name)), None) or author_id,
        language=post.get("lang"),
        links=links,
        media=media,
        repost_of=_repeated(post),
        page_title=as_text(page.get("title")),
        page_description=as_text(page.get("description")),
    )


def _repeated(post: Mapping[str, Any]) -> str | None:
    for each in as_records(post.get("referenced_tweets")):
        if each.get("type") == "retweeted":
            return as_id(each.get("id")) or UNKNOWN
    return None


def _links(entities: Mapping[str, Any]) -> tuple[list[str] | None, list[str], Mapping[str, Any]]:
    """Links, media links, and the first link that comes with its page's title."""
    if not isinstance(entities.get("urls"), list):
        return None, [], {}
    links: list[str] = []
    media: list[str] = []
    page: Mapping[str, Any] = {}
    for each in as_records(entities["urls"]):
        link = as_text(each.get("unwound_url")) or as_text(each.get("expanded_url")) or as_text(each.get("url"))
        if link is None:
            continue
        (media if as_text(each.get("media_key")) else links).append(link)
        if not page and as_text(each.get("title")):
            page = each
    return links, media, page
