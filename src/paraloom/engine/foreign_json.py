"""Bytes of a JSON file that is not one object a line in, its elements out with their offsets, in bounded memory.

The file is a list, a list wrapped in an object (`{"data": [...], "includes": {...}}`), or objects one behind another.
An element that is broken becomes one element marked as such, and reading goes on at the next one: the next object
that is whole, is not some object's value, and has keys like the elements before.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import orjson

from paraloom.engine.foreign_records import KEPT_OF_BROKEN

LONGEST = 16 << 20
"""An element of more bytes than this is given up as too long."""

WRAPPERS = ("data", "statuses", "posts", "feed", "tweets", "toots", "items", "results", "records", "documents")
"""Under these keys a file's one object may hold the list of its records."""

SAMPLES = 5
"""So many of the last elements are remembered, to know the next one by after a broken one."""

_FILL = 1 << 20
_STRING = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_PLAIN = rb"[-+0-9.eE\s,:]*(?:(?:true|false|null|NaN|Infinity)[-+0-9.eE\s,:]*)*"
_TOKEN = re.compile(rb"(" + _PLAIN + rb")(" + _STRING + rb"|[{}\[\]])", re.DOTALL)
_GAP = re.compile(_PLAIN)
_SCALAR = rb"(?:" + _STRING + rb"|[-+0-9.eE]+|true|false|null|NaN|-?Infinity)"
# One match for a whole flat object, which most posts in lists are; nested ones go token by token.
_FLAT = re.compile(
    rb"\{\s*" + _STRING + rb"\s*:\s*" + _SCALAR + rb"(?:\s*,\s*" + _STRING + rb"\s*:\s*" + _SCALAR + rb")*\s*\}",
    re.DOTALL,
)
_SEPARATORS = re.compile(rb"[\s,\x1e]*")
_LONE_SCALAR = re.compile(_SCALAR + rb"(?=\s*(?:[,\]]|\Z))", re.DOTALL)
_OBJECT_START = re.compile(rb'\{\s*"')
_WRAPPED_LIST = re.compile(rb'"(?:' + "|".join(WRAPPERS).encode() + rb')"\s*:\s*\[\s*(?![-\s\"\]0-9tfnN])')
_MEMBER = re.compile(rb"\s*,?\s*" + _STRING + rb"\s*:\s*", re.DOTALL)

_ANY_SCALAR = re.compile(_SCALAR, re.DOTALL)
_OBJECT_END = re.compile(rb"\s*\}")
_WORDS = (b"true", b"false", b"null", b"NaN", b"Infinity")

_OPENERS = re.compile(rb'(?:(\[\s*|\{\s*"[^"\\]*"\s*:\s*)){50,}')
_DEEPEST = 1000  # parsers give up soon after
_PATIENCE = 16 << 20  # bytes read in vain for the next element before larger steps are taken

_OPEN, _BROKEN = -1, -2


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a JSON file: its bytes, where they begin, and what is wrong with them, if anything."""

    offset: int
    raw: bytes
    trouble: str | None = None
    context: bytes | None = None
    """What the wrapping object says about this element: its author, the posts it refers to."""


def end_of_value(buffer: bytes, start: int) -> int:
    """Where the object or list beginning at `start` ends; negative if the buffer ends first, or it is none."""
    return _scan(buffer, start)[0]


def _scan(buffer: bytes, start: int) -> tuple[int, int]:
    """The value's end, `_OPEN` if the buffer ends first or `_BROKEN` if it is none; and how far was read to know."""
    flat = _FLAT.match(buffer, start)
    if flat:
        return flat.end(), flat.end()
    closers: list[int] = []
    position, after_opener = start, True
    while True:
        token = _TOKEN.match(buffer, position)
        if token is None:
            return (_OPEN if _may_go_on(buffer, position) else _BROKEN), position
        gap, first = token.group(1), buffer[token.start(2)]
        position = token.end()
        if first in b"}]":
            if not closers or closers.pop() != first:
                return _BROKEN, position
            if not closers:
                return position, position
            after_opener = False
            continue
        if closers and not _follows(gap, first, in_object=closers[-1] == 0x7D, after_opener=after_opener):
            return _BROKEN, position
        if first == 0x22:
            after_opener = False
        elif len(closers) > _DEEPEST:
            return _BROKEN, position
        else:
            closers.append(0x7D if first == 0x7B else 0x5D)
            after_opener = True


def _follows(gap: bytes, first: int, *, in_object: bool, after_opener: bool) -> bool:
    """Whether a value may stand behind this gap: a broken quote shows here at once, not at the end of the file."""
    if in_object:
        return b":" in gap or (first == 0x22 and (after_opener or b"," in gap))
    return b":" not in gap and (after_opener or b"," in gap)


def _may_go_on(buffer: bytes, position: int) -> bool:
    """Whether the buffer merely ends inside a gap, a string or a word such as `true`."""
    gap = _GAP.match(buffer, position)
    rest = buffer[gap.end() if gap else position :]
    return rest[:1] == b'"' or not rest or any(word.startswith(rest) for word in _WORDS)


def wrapped_list(buffer: bytes, start: int) -> int | None:
    """Where the first element of the wrapped list lies, if the object at `start` is such a wrapper."""
    end = end_of_value(buffer, start)
    for found in _WRAPPED_LIST.finditer(buffer, start, end if end >= 0 else len(buffer)):
        if end_of_value(buffer[start : found.start()] + b'"":0}', 0) == found.start() - start + 5:
            return found.end()  # at depth one: what stands before it is whole
    return None


class _Window:
    """The part of the file that is held in memory."""

    def __init__(self, blocks: Iterator[bytes], start: int) -> None:
        self._blocks = blocks
        self.buffer = b""
        self.position = 0
        self.base = start
        self.at_end = False
        self.read_in_vain = 0

    @property
    def offset(self) -> int:
        return self.base + self.position

    def fill(self, wanted: int = _FILL) -> bool:
        """At least `wanted` bytes behind the position, if the file has them. Whether anything was added."""
        before = held = len(self.buffer) - self.position
        if self.at_end or held >= wanted:
            return False
        parts = [self.buffer[self.position :]]
        self.base += self.position
        self.position = 0
        while held < wanted:
            block = next(self._blocks, None)
            if block is None:
                self.at_end = True
                break
            parts.append(block)
            held += len(block)
        self.buffer = b"".join(parts)
        return held > before

    def skip(self, pattern: re.Pattern[bytes]) -> None:
        """Past what the pattern matches here, however long."""
        while True:
            found = pattern.match(self.buffer, self.position)
            if found:
                self.position = found.end()
            if self.position < len(self.buffer) or not self.fill():
                return


def elements(blocks: Iterator[bytes], start: int) -> Iterator[Element]:
    """The elements of a JSON file whose bytes come in blocks; `start` is the offset of the first byte."""
    window = _Window(blocks, start)
    samples: deque[bytes] = deque(maxlen=SAMPLES)
    context_of: Callable[[bytes], bytes | None] | None = None
    in_list = in_wrapper = False
    while True:
        window.skip(_SEPARATORS)
        if window.position >= len(window.buffer):
            return
        first = window.buffer[window.position]
        if first == 0x5B:  # [
            in_list = True
            window.position += 1
        elif first == 0x5D:  # ]
            window.position += 1
            in_list = False
            if in_wrapper:
                in_wrapper, context_of = False, None
                _skip_members(window)
        elif first == 0x7B and not in_list and (list_at := _enter_wrapper(window)):
            context_of = _included(window)
            window.position += list_at
            in_list = in_wrapper = True
        else:
            element = _element(window, first, samples)
            if element.trouble is None and first == 0x7B:
                samples.append(element.raw)
            if context_of is not None:
                element = Element(element.offset, element.raw, element.trouble, context_of(element.raw))
            yield element


def _element(window: _Window, first: int, samples: Collection[bytes]) -> Element:
    """The element at the window's position, which is left behind it; what is broken reaches to the next whole one."""
    offset = window.offset
    if first == 0x7B:
        end = _end_in_window(window)
        if end >= 0:
            raw = window.buffer[window.position : end]
            window.position = end
            return Element(offset, raw)
        if end == _OPEN and not window.at_end:
            return _broken(window, samples, "too long")
        return _broken(window, samples, "broken element")
    scalar = _LONE_SCALAR.match(window.buffer, window.position)
    if (scalar is None or scalar.end() == len(window.buffer)) and window.fill():
        scalar = _LONE_SCALAR.match(window.buffer, window.position)
    if scalar is None:
        return _broken(window, samples, "broken element")
    window.position = scalar.end()
    return Element(offset, scalar.group())


def _end_in_window(window: _Window, longest: int = LONGEST) -> int:
    """Where the value at the position ends, reading on as far as needed."""
    while True:
        end, reached = _scan(window.buffer, window.position)
        window.read_in_vain += reached - window.position if end < 0 else 0
        held = len(window.buffer) - window.position
        if end != _OPEN or held >= longest:
            return end
        if not window.fill(min(longest, max(2 * held, _FILL))):
            return end


def _broken(window: _Window, samples: Collection[bytes], trouble: str) -> Element:
    """One marked element for everything up to the next whole object that looks like one of those before, else ahead.

    One sample would not do: an element can be damaged and whole, with the keys of its parts as its own.
    """
    offset, window.read_in_vain = window.offset, 0
    known = {keys for sample in samples if (keys := _keys(sample))} or {_keys_ahead(window)}
    kept = window.buffer[window.position : window.position + KEPT_OF_BROKEN]
    window.position += 1
    while True:
        candidate = _next_candidate(window.buffer, window.position)
        if candidate is None:
            window.position = max(window.position, len(window.buffer) - 64)  # `{ "` may lie across two blocks
            if window.fill():
                continue
            window.position = len(window.buffer)
            return Element(offset, kept, trouble)
        window.position = candidate
        end = _end_in_window(window, _FILL)
        if end < 0:
            # Thousands of openings must not take the square of their number.
            step = 1 if window.read_in_vain < _PATIENCE else 1 << 12
            window.position = min(len(window.buffer), window.position + step)
        elif _like(window.buffer[window.position : end], known):
            return Element(offset, kept[: window.offset - offset], trouble)
        else:
            window.position = end


def _next_candidate(buffer: bytes, position: int) -> int | None:
    """Where the next object begins that may be an element: no object's value, and not one of a long row of openings."""
    while found := _OBJECT_START.search(buffer, position):
        position = found.start()
        openers = _OPENERS.match(buffer, position)
        if openers:
            position = max(openers.start(1), position + 1)
        elif buffer[max(0, position - 64) : position].rstrip().endswith(b":"):
            position += 1
        else:
            return position
    return None


def _like(raw: bytes, known: Collection[frozenset[str]]) -> bool:
    """Whether these are an object's bytes with at least half of the keys of one that is known."""
    keys = _keys(raw)
    return bool(keys) and any(2 * len(keys & others) >= len(others) for others in known)


def _keys_ahead(window: _Window) -> frozenset[str]:
    """The most keys that one of the next objects has: without a sample, an element is what is not part of another."""
    window.fill()
    best: frozenset[str] = frozenset()
    position = window.position + 1
    for _ in range(100):
        candidate = _next_candidate(window.buffer, position)
        if candidate is None:
            break
        end = end_of_value(window.buffer, candidate)
        if end >= 0:
            best = max(best, _keys(window.buffer[candidate:end]), key=len)
        position = end if end >= 0 else candidate + 1
    return best


def _keys(raw: bytes | None) -> frozenset[str]:
    try:
        value = orjson.loads(raw or b"")
    except orjson.JSONDecodeError:
        return frozenset()
    return frozenset(value) if isinstance(value, dict) else frozenset()


def _enter_wrapper(window: _Window) -> int | None:
    """Distance to the wrapped list's first element, if the object here is a wrapper."""
    window.fill()
    found = wrapped_list(window.buffer, window.position)
    return None if found is None else found - window.position


def _included(window: _Window) -> Callable[[bytes], bytes | None] | None:
    """For Twitter's v2 pages: a function from an element to the users and posts of `includes` that it refers to."""
    end = _end_in_window(window)
    if end < 0:
        return None
    try:
        includes = orjson.loads(window.buffer[window.position : end]).get("includes")
    except orjson.JSONDecodeError:
        return None
    if not isinstance(includes, dict):
        return None
    users, tweets = _by_id(includes.get("users")), _by_id(includes.get("tweets"))

    def context_of(raw: bytes) -> bytes | None:
        try:
            element = orjson.loads(raw)
        except orjson.JSONDecodeError:
            return None
        if not isinstance(element, dict):
            return None
        referred = element.get("referenced_tweets")
        ids = [each.get("id") for each in referred if isinstance(each, dict)] if isinstance(referred, list) else []
        author = element.get("author_id")
        included = {
            "users": [users[author]] if isinstance(author, str) and author in users else [],
            "tweets": [tweets[each] for each in ids if isinstance(each, str) and each in tweets],
        }
        return orjson.dumps({"includes": included})

    return context_of


def _by_id(entries: object) -> dict[str, object]:
    if not isinstance(entries, list):
        return {}
    return {each["id"]: each for each in entries if isinstance(each, dict) and isinstance(each.get("id"), str)}


def _skip_members(window: _Window) -> None:
    """Past the members that follow the wrapped list, and past the wrapper's end."""
    while True:
        window.fill()
        member = _MEMBER.match(window.buffer, window.position)
        if member is None:
            break
        window.position = member.end()
        if window.buffer[window.position : window.position + 1] in (b"{", b"["):
            end = _end_in_window(window)
            if end < 0:
                return
            window.position = end
        else:
            scalar = _ANY_SCALAR.match(window.buffer, window.position)
            if scalar is None:
                return
            window.position = scalar.end()
    closing = _OBJECT_END.match(window.buffer, window.position)
    if closing:
        window.position = closing.end()
