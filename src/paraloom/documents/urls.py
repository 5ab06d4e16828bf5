"""Links in, their canonical form out: one page, one string. Also which links are media or posts, not articles.

Decisions. The scheme is always https, since hosts answer on both. A link to a photo, a clip, an Instagram post or
another post (the quoted one, the post itself) is media: posts that share it do not write about the same page.
YouTube and other videos with a page of their own are articles: people do write about them. Fragments are dropped,
except `#!` ones, which name pages. What cannot be a page on the web (other schemes, hosts without a dot) is None.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import unquote

from paraloom.documents.authors import account_name
from paraloom.documents.shapes.post import LONGEST_FIELD
from paraloom.documents.url_tables import (
    MEDIA_ENDINGS,
    MEDIA_HOSTS,
    SHORTENERS,
    TRACKING,
    TRACKING_OF_HOST,
    TRACKING_PREFIXES,
    UNWRAPPED,
)

_CACHED = 1 << 16
_HOPS = 5
_URL = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://)?([^/?#\\]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?\Z", re.DOTALL)
_HOST = re.compile(r"(?=.{3,253}\Z)(?!-)(?:[a-z0-9_\-]{1,63}\.)+(?:[a-z][a-z0-9\-]{1,62}|[0-9]{1,3})\Z")
_FRONT = re.compile(
    r"(?:www[0-9]?|ww[0-9]|m|mobile|amp|touch|mbasic)\.(?=[^.]+\.[^.]+)"
    r"(?!(?:com|co|org|net|gov|edu|ac)\.[a-z]{2}\Z)"  # in front of these it is the site's name
)
_MOBILE_WIKI = re.compile(r"\.m\.(?=(?:wikipedia|wiktionary|wikimedia|wikinews|wikiquote|wikidata)\.org\Z)")
_NOT_PLAIN = re.compile(r"%[0-9A-Fa-f]{2}|%|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_AMP_END = re.compile(r"(?:/amp|\.amp|/amp\.html|/(?:index|default)\.(?:html?|php|aspx?|jsp)|/)\Z", re.IGNORECASE)
_AMP_START = re.compile(r"/amp(?=/[^/])", re.IGNORECASE)
_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;]*", re.IGNORECASE)
_AMP_CACHE = re.compile(r"/(?:[cvi]|amp)/(?:s/)?([^/]+\.[^/]+.*)\Z", re.DOTALL)
_VIDEO = re.compile(r"/(?:shorts|embed|live|v|e)/([A-Za-z0-9_\-]{6,})(?:/|\Z)")
_SHORT_VIDEO = re.compile(r"/([A-Za-z0-9_\-]{6,})(?:/|\Z)")
_SAME_HOST = {
    "x.com": "twitter.com",
    "youtube-nocookie.com": "youtube.com",
    "old.reddit.com": "reddit.com",
    "np.reddit.com": "reddit.com",
    "web.facebook.com": "facebook.com",
}
_PHOTO_OR_VIDEO = re.compile(r"/(?:photo|video)/\d+\Z")
_STATUS = re.compile(r"/(?:[^/]+|i/web)/status(?:es)?/\d+")
_BLUESKY_POST = re.compile(r"/profile/[^/]+/post/")
_MASTODON_POST = re.compile(r"/(?:@[^/]+|users/[^/]+/statuses)/\d{12,}\Z")
_INSTAGRAM = re.compile(r"/(?:[^/]+/)?(?:p|reel|reels|tv|stories)/[^/]")
_MASTODON_MEDIA = "/media_attachments/"
_ACCOUNT = re.compile(
    r"(https://(?:twitter\.com/|bsky\.app/profile/|instagram\.com/(?:stories/|(?=[^/]+/(?:p|reel|reels|tv)/))"
    r"|[^/]+/(?:@|users/)))[^/?#]+"
)
_DID = re.compile(r"(?<![a-z])did(?::|%3A)[a-z]+(?::|%3A)[^/?#&]+")
_PAGE_OF_ACCOUNT = re.compile(r"https://(?:(?:twitter\.com/|bsky\.app/profile/)|([^/]+)/(?:@|users/))([^/?#]+)(/?)")


@lru_cache(maxsize=_CACHED)
def canonical(url: str) -> str | None:
    """The one form of a link that leads to the same page, or None where it is no link to a page.

    >>> canonical("HTTP://www.Example.com:80/a/../b/index.html?utm_source=x&b=2&a=1#top")
    'https://example.com/b?a=1&b=2'
    >>> canonical("https://youtu.be/dqAt7KXflJg?t=3")
    'https://youtube.com/watch?v=dqAt7KXflJg'
    """
    return _canonical(url, _HOPS)


def _canonical(url: str, hops: int) -> str | None:
    url = url.strip()
    if len(url) > LONGEST_FIELD or not hops:  # wrapped in wrappers without end
        return None
    found = _URL.match(url)
    if found is None:
        return None
    scheme, authority, path, query, fragment = found.groups()
    if scheme and "//" not in url[: len(scheme) + 3]:
        # `example.com:80/a` is a host with a port, `mailto:a@b.c` is no page.
        if not re.match(r"[0-9]+(?:[/?#]|\Z)", url[len(scheme) + 1 :]) or "." not in scheme:
            return None
        return _canonical("https://" + url, hops - 1)
    if scheme and scheme.lower() not in ("http", "https"):
        return None
    host = canonical_host(authority)
    if host is None:
        return None
    parameters = _parameters(host, query) if query else []
    path = path.replace("\\", "/")
    within = _unwrapped(host, path, parameters)
    if within is not None:
        return _canonical(within, hops - 1)
    path = _canonical_path(path)
    if host in ("youtube.com", "youtu.be"):
        path, parameters = _youtube(host, path, parameters)
        host = "youtube.com" if path == "/watch" else host
    made = f"https://{host}{path or '/'}"
    if parameters:
        made += "?" + "&".join(sorted(set(parameters)))
    if fragment and fragment.startswith("!") and len(fragment) > 1:
        made += "#" + _NOT_PLAIN.sub(_encoded, fragment)
    return made if len(made) <= LONGEST_FIELD else None


@lru_cache(maxsize=1 << 14)
def canonical_host(authority: str) -> str | None:
    """A host in lower-case ASCII without user, default port and `www.`, `m.` or `amp.` in front; None if it is none."""
    host = authority.rpartition("@")[2]
    host, colon, port = host.partition(":")
    if colon and port and not (port.isascii() and port.isdigit() and len(port) <= 5):
        return None
    if "%" in host:
        host = unquote(host)
    host = host.strip(".").lower()
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii").lower().strip(".")
        except UnicodeError:
            return None
    if not _HOST.match(host):
        return None
    while True:
        shorter = _FRONT.sub("", host, count=1) if _FRONT.match(host) else host
        shorter = _SAME_HOST.get(_MOBILE_WIKI.sub(".", shorter), _MOBILE_WIKI.sub(".", shorter))
        if shorter == host:
            break
        host = shorter
    return f"{host}:{int(port)}" if port and int(port) not in (80, 443) else host


def _encoded(match: re.Match[str]) -> str:
    """One character or escape as RFC 3986 wants it: unreserved ones plain, others in upper-case hex."""
    part = match[0]
    if len(part) == 3:
        character = chr(int(part[1:], 16))
        return character if character in _UNRESERVED else part.upper()
    return "".join(f"%{byte:02X}" for byte in part.encode("utf-8", "replace"))


def _canonical_path(path: str) -> str:
    """Escapes and dot segments resolved, without session, `/amp`, `index.html` and slashes at the end."""
    path = _NOT_PLAIN.sub(_encoded, path).replace("?", "%3F")
    if "/." in path:
        path = _without_dots(path)
    if ";" in path:
        path = _SESSION.sub("", path)
    if path.startswith(("/amp/", "/AMP/")):
        path = _AMP_START.sub("", path, count=1)
    while path and (end := _AMP_END.search(path)):
        path = path[: end.start()]
    return path


def _without_dots(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    return "/".join(kept)


def _parameters(host: str, query: str) -> list[str]:
    """Parameters that say which page is meant, each in canonical escapes."""
    of_host = TRACKING_OF_HOST.get(host) or TRACKING_OF_HOST.get(host.partition(".")[2], frozenset())
    kept = []
    for part in query.replace("&amp;", "&").split("&"):
        part = _NOT_PLAIN.sub(_encoded, part).replace("%20", "+")
        name = part.partition("=")[0].lower()
        if name and name not in TRACKING and name not in of_host and not name.startswith(TRACKING_PREFIXES):
            kept.append(part)
    return kept


def _unwrapped(host: str, path: str, parameters: list[str]) -> str | None:
    """The link that a redirecting page or an AMP cache carries in its own."""
    if host.endswith(".cdn.ampproject.org") or (host == "google.com" and path.startswith("/amp/")):
        found = _AMP_CACHE.match(path)
        return f"https://{found[1]}{'?' if parameters else ''}{'&'.join(parameters)}" if found else None
    wrapper = UNWRAPPED.get(host)
    if wrapper and path.strip("/") == wrapper[0]:
        for part in parameters:
            name, _, value = part.partition("=")
            if name in wrapper[1] and value.lower().startswith(("http%3a", "https%3a", "http:", "https:")):
                return unquote(value)
    return None


def _youtube(host: str, path: str, parameters: list[str]) -> tuple[str, list[str]]:
    """A video has many addresses and one id; lists and times are left out."""
    video = (_SHORT_VIDEO if host == "youtu.be" else _VIDEO).match(path)
    if video:
        return "/watch", ["v=" + video[1]]
    if path == "/watch":
        video_ids = [part for part in parameters if part.startswith("v=")]
        return path, sorted(video_ids)[:1] or parameters
    return path, [part for part in parameters if not part.startswith(("feature=", "si=", "app=", "ab_channel=", "pp="))]


@lru_cache(maxsize=_CACHED)
def is_media(url: str) -> bool:
    """Whether a canonical link leads to a photo, a clip or a post, and not to an article.

    >>> is_media("https://pbs.twimg.com/media/EjSjkmRXcAIdH79.jpg"), is_media("https://example.com/storm")
    (True, False)
    """
    host, _, rest = url.removeprefix("https://").partition("/")
    path = "/" + rest.partition("?")[0].partition("#")[0]
    if host in MEDIA_HOSTS or path.lower().endswith(MEDIA_ENDINGS):
        return True
    if host == "twitter.com":
        return bool(_STATUS.match(path) or _PHOTO_OR_VIDEO.search(path))
    if host == "bsky.app":
        return bool(_BLUESKY_POST.match(path))
    if host == "instagram.com":
        return bool(_INSTAGRAM.match(path))
    return _MASTODON_MEDIA in path or bool(_MASTODON_POST.match(path))


def host_of(link: str) -> str | None:
    """The host of the page that a link leads to.

    >>> host_of("http://www.example.com/storm")
    'example.com'
    """
    url = canonical(link)
    return url.split("/", 3)[2] if url is not None else None


@lru_cache(maxsize=_CACHED)
def without_account(url: str) -> str:
    """A canonical link to a post or to its media with `i` for whoever wrote it.

    >>> without_account("https://twitter.com/ada/status/5/photo/1")
    'https://twitter.com/i/status/5/photo/1'
    """
    return _DID.sub("i", _ACCOUNT.sub(r"\1i", url))


@lru_cache(maxsize=_CACHED)
def accounts_of(url: str) -> tuple[str, ...]:
    """The names under which the author may be known whose profile, or whose page on their own server, a link leads to.

    >>> accounts_of("https://social.example/@Ada"), accounts_of("https://blog.example/@ada/storm")
    (('ada@social.example', 'ada'), ('ada@blog.example',))
    """
    found = _PAGE_OF_ACCOUNT.match(url)
    if found is None:
        return ()
    host, account = found[1], account_name(unquote(found[2]))
    if host is None or "@" in account:
        return (account,)
    return (f"{account}@{host}",) if found[3] else (f"{account}@{host}", account)


def resolve(url: str, shorteners: Mapping[str, str] | None) -> str | None:
    """The canonical link at the end of the known redirections; `shorteners` maps canonical links to where they lead."""
    made = canonical(url)
    if not shorteners or made is None:
        return made
    for _ in range(_HOPS):
        target = shorteners.get(made)
        further = canonical(target) if target else None
        if further is None or further == made:
            break
        made = further
    return made


_REST = re.compile(r"[^\s<>\"“”«»\u3000-\u303f\uff00-\uffef]+")
_WITHOUT_SCHEME = re.compile(r"(?<![\w@./\-])www\.[^\s<>\"“”«»\u3000-\u303f\uff00-\uffef]+", re.IGNORECASE)
_BARE_LINK = re.compile(r"(?<![\w@./\-])([A-Za-z0-9\-]{1,20}\.[A-Za-z.]{2,20})/[A-Za-z0-9_\-./]+")
_BARE_HOSTS = SHORTENERS | {"pic.twitter.com", "pic.x.com", "youtu.be"}
_BEHIND = ".,;:!?'’‘*_~|`"
_PAIRS = {")": "(", "]": "[", "}": "{"}


def find_urls(text: str) -> list[str]:
    """Links that stand in a text, in order; one that was cut short by an ellipsis is not a link any more.

    >>> find_urls("See (https://example.com/a_(b)), bit.ly/2xYz and https://t.co/ab… now")
    ['https://example.com/a_(b)', 'bit.ly/2xYz']
    """
    if "/" not in text and "www." not in text:
        return []
    found = _with_scheme(text)
    if text.count("/") > sum([link.count("/") for _, link in found]) or text.count("www.") > text.count("://www."):
        spans = [(start, start + len(link)) for start, link in found]
        others = [match for match in _BARE_LINK.finditer(text) if match[1].lower() in _BARE_HOSTS]
        for match in (*others, *_WITHOUT_SCHEME.finditer(text)):
            inside = any(start <= match.start() < end for start, end in spans)
            if not inside and not text.startswith("…", match.end()):
                found.append((match.start(), match[0]))
        found.sort()
    return [link for _, untrimmed in found if (link := _trimmed(untrimmed))]


def _with_scheme(text: str) -> list[tuple[int, str]]:
    """Places and links that begin with http:// or https://; found by their `://`, which is much the fastest."""
    found = []
    position = text.find("://")
    while position >= 0:
        front = text[max(0, position - 5) : position].lower()
        rest = _REST.match(text, position + 3)
        if rest and front.endswith(("http", "https")):
            start = position - (5 if front == "https" else 4)
            found.append((start, text[start : rest.end()]))
            position = rest.end()
        position = text.find("://", position + 1)
    return found


def _trimmed(link: str) -> str:
    """Without the punctuation of the sentence around it; empty if an ellipsis cut it."""
    if "…" in link or link.endswith("..."):
        return ""
    while link:
        last = link[-1]
        if last in _BEHIND or (last in _PAIRS and link.count(last) > link.count(_PAIRS[last])):
            link = link[:-1]
        else:
            break
    return link
