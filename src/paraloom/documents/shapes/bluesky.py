"""Bluesky posts: Jetstream frames, posts and feed entries of the app view, or bare records.

Links in a Bluesky text are shown cut short; facets say by UTF-8 byte offsets where, and the whole link. The whole
link is put in its place. Authors are known by their handle, as people list accounts, and where a record has none, as
those of Jetstream, by their DID. Likes, follows and other events are kept as `not a post`; a deletion has the id of the
post it deletes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paraloom.documents.shapes.post import DELETED, UNKNOWN, Post, Record, as_record, as_records, as_text

_POST, _REPOST = "app.bsky.feed.post", "app.bsky.feed.repost"
_NO_HANDLE = "handle.invalid"  # what the app view shows of accounts whose handle leads nowhere


def recognises(record: Record) -> bool:
    """A Jetstream frame, an app-view post or feed entry, or a bare record that names its type."""
    if "did" in record and ("kind" in record or "commit" in record):
        return True
    if "record" in record and "uri" in record:
        return isinstance(record["record"], dict)
    if "post" in record and isinstance(record["post"], dict):
        return "record" in record["post"]
    if "createdAt" in record and "text" in record:
        return "langs" in record or "facets" in record or record.get("$type") == _POST
    return record.get("$type") == _REPOST


def read(record: Record, context: Record) -> Post:
    """The post of a frame, an app-view post, a feed entry or a bare record."""
    if "did" in record and ("kind" in record or "commit" in record):
        return _frame(record)
    if isinstance(record.get("post"), dict) and "record" in record["post"]:
        return _feed_entry(record)
    if isinstance(record.get("record"), dict):
        return _viewed(record)
    return _record(record, record.get("$type"), None, None)


def _frame(frame: Record) -> Post:
    commit = as_record(frame.get("commit"))
    did, collection, rkey = as_text(frame.get("did")), as_text(commit.get("collection")), as_text(commit.get("rkey"))
    uri = as_text(f"at://{did}/{collection}/{rkey}") if did and collection and rkey else None
    if collection in (_POST, _REPOST) and commit.get("operation") == "delete":
        return Post(text="", platform="bluesky", native_id=uri, author=did, dropped_for=DELETED)
    if collection not in (_POST, _REPOST):
        # Other events have no id of their own that a post could have, and none is needed.
        return Post(text="", platform="bluesky", native_id=uri, author=did, dropped_for="not a post")
    return _record(as_record(commit.get("record")), collection, uri, did)


def _feed_entry(entry: Record) -> Post:
    post = _viewed(entry["post"])
    reason = as_record(entry.get("reason"))
    by = as_record(reason.get("by"))
    if by:
        post.repost_of = post.native_id or UNKNOWN
        did, handle = _names(by)
        post.other_names = (did, post.author, *post.other_names)
        post.author = handle or did
        post.native_id = as_text(reason.get("uri")) or as_text(f"{post.repost_of}#{did or handle}")
        post.created_at = reason.get("indexedAt") or post.created_at
    return post


def _viewed(view: Mapping[str, Any]) -> Post:
    did, handle = _names(as_record(view.get("author")))
    post = _record(as_record(view.get("record")), _POST, as_text(view.get("uri")), handle or did)
    post.other_names = (did,)
    embed = as_record(view.get("embed"))
    for image in as_records((as_record(embed.get("media")) or embed).get("images")):
        if link := as_text(image.get("fullsize")):
            post.media.append(link)
    if post.page_title is None and (external := _external(embed)):
        _add_external(post, external)
    return post


def _names(account: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """An account's DID and its handle."""
    handle = as_text(account.get("handle"))
    return as_text(account.get("did")), handle if handle != _NO_HANDLE else None


def _record(record: Mapping[str, Any], collection: object, uri: str | None, author: str | None) -> Post:
    if collection == _REPOST:
        subject = as_text(as_record(record.get("subject")).get("uri"))
        created_at = record.get("createdAt")
        repost = Post(text="", platform="bluesky", native_id=uri, created_at=created_at, author=author)
        repost.repost_of = subject or UNKNOWN
        return repost
    languages = record.get("langs")
    text, links = _with_whole_links(record.get("text"), record.get("facets"))
    post = Post(
        text=text,
        platform="bluesky",
        native_id=uri,
        created_at=record.get("createdAt"),
        author=author,
        language=languages[0] if isinstance(languages, list) and languages else None,
        links=links or None,
    )
    if external := _external(as_record(record.get("embed"))):
        _add_external(post, external)
    return post


def _external(embed: Mapping[str, Any]) -> Mapping[str, Any]:
    """The card below a post, also where it stands beside a quoted post."""
    return as_record(embed.get("external")) or as_record(as_record(embed.get("media")).get("external"))


def _add_external(post: Post, external: Mapping[str, Any]) -> None:
    link = as_text(external.get("uri"))
    if link:
        post.links = [*(post.links or []), link]
    post.page_title = as_text(external.get("title"))
    post.page_description = as_text(external.get("description"))


def _with_whole_links(text: object, facets: object) -> tuple[object, list[str]]:
    """The text with whole links in place of shortened ones, and these links; facets that lie wrong are passed over."""
    if type(text) is not str or not isinstance(facets, list):
        return text, []
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return text, []
    places = []
    for facet in as_records(facets):
        index = as_record(facet.get("index"))
        start, end = index.get("byteStart"), index.get("byteEnd")
        links = [as_text(feature.get("uri")) for feature in as_records(facet.get("features"))]
        link = next((each for each in links if each), None)
        if link and type(start) is int and type(end) is int and 0 <= start < end <= len(encoded):
            places.append((start, end, link))
    parts, position, found = [], 0, []
    for start, end, link in sorted(places):
        if start < position or not _is_boundary(encoded, start) or not _is_boundary(encoded, end):
            continue
        parts += [encoded[position:start].decode(), link]
        position = end
        found.append(link)
    return "".join([*parts, encoded[position:].decode()]), found


def _is_boundary(encoded: bytes, position: int) -> bool:
    """Whether a character begins here: an offset into the middle of one is wrong."""
    return position == len(encoded) or encoded[position] & 0xC0 != 0x80
