"""Twitter API v1.1 objects, also from the stream (extended_tweet, delete notices)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paraloom.documents.shapes.post import DELETED, UNKNOWN, Post, Record, as_id, as_record, as_records, as_text


def recognises(record: Record) -> bool:
    """A text with a user object and what only Twitter has, or a delete notice."""
    if "user" in record and isinstance(record["user"], dict):
        has_text = "text" in record or "full_text" in record or "extended_tweet" in record
        return has_text and ("id_str" in record or "entities" in record or "screen_name" in record["user"])
    return "delete" in record and "status" in as_record(record["delete"])


def read(record: Record, context: Record) -> Post:
    """The post with its longest text and its expanded links; of a retweet those of the post it repeats."""
    if "delete" in record and "user" not in record:
        return deleted(as_record(as_record(record["delete"]).get("status")))
    user = as_record(record.get("user"))
    repeated = as_record(record.get("retweeted_status"))
    links, media = links_of(repeated or record)
    extended = as_record(record.get("extended_tweet"))
    text = extended.get("full_text") or record.get("full_text")
    return Post(
        text=record.get("text") if text is None else text,
        platform="twitter",
        native_id=as_id(record.get("id_str")) or as_id(record.get("id")),
        created_at=record.get("created_at"),
        author=as_text(user.get("screen_name")) or as_id(user.get("id_str")) or as_id(user.get("id")),
        other_names=(as_text(as_record(repeated.get("user")).get("screen_name")),),
        language=record.get("lang"),
        links=links,
        media=media,
        repost_of=_id_or_account(repeated),
    )


def deleted(status: Mapping[str, Any]) -> Post:
    """A post that its author took back: it has the id of the post, so that both meet."""
    native_id = as_id(status.get("id_str")) or as_id(status.get("id"))
    return Post(text="", platform="twitter", native_id=native_id, dropped_for=DELETED)


def _id_or_account(status: Mapping[str, Any]) -> str | None:
    if not status:
        return None
    account = as_text(as_record(status.get("user")).get("screen_name"))
    return as_id(status.get("id_str")) or as_id(status.get("id")) or (f"@{account}" if account else UNKNOWN)


def links_of(status: Mapping[str, Any]) -> tuple[list[str] | None, list[str]]:
    """Expanded links and media links; None for the former where the object has no list of them."""
    source = as_record(status.get("extended_tweet")) or status
    entities = as_record(source.get("entities"))
    media_entities = as_record(source.get("extended_entities"))
    media = [
        link
        for each in (*as_records(entities.get("media")), *as_records(media_entities.get("media")))
        if (link := as_text(each.get("expanded_url")) or as_text(each.get("media_url_https")))
    ]
    if not isinstance(entities.get("urls"), list):
        return None, media
    links = []
    for each in as_records(entities["urls"]):
        unwound = as_text(as_record(each.get("unwound")).get("url"))
        link = unwound or as_text(each.get("expanded_url")) or as_text(each.get("url"))
        if link:
            links.append(link)
    return links, media
