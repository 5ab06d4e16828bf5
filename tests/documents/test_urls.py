"""One page has one link, whatever posts make of it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.documents.urls import accounts_of, canonical, find_urls, is_media, resolve, without_account

CANONICAL = [
    # scheme
    ("http://example.com/a", "https://example.com/a"),
    ("https://example.com/a", "https://example.com/a"),
    ("HTTPS://example.com/a", "https://example.com/a"),
    ("//example.com/a", "https://example.com/a"),
    ("example.com/a", "https://example.com/a"),
    ("www.example.com", "https://example.com/"),
    ("  https://example.com/a \n", "https://example.com/a"),
    # host
    ("https://EXAMPLE.com/A", "https://example.com/A"),
    ("https://www.example.com/a", "https://example.com/a"),
    ("https://www2.example.com/a", "https://example.com/a"),
    ("https://m.example.com/a", "https://example.com/a"),
    ("https://mobile.example.com/a", "https://example.com/a"),
    ("https://amp.example.com/a", "https://example.com/a"),
    ("https://www.m.example.com/a", "https://example.com/a"),
    ("https://news.example.com/a", "https://news.example.com/a"),
    ("https://m.co/a", "https://m.co/a"),
    ("https://www.com/a", "https://www.com/a"),
    ("https://amp.dev/a", "https://amp.dev/a"),
    ("https://www.amp.com.au/x", "https://amp.com.au/x"),
    ("https://m.co.uk/x", "https://m.co.uk/x"),
    ("https://www.mobile.co.nz/x", "https://mobile.co.nz/x"),
    ("https://www.touch.org.uk/x", "https://touch.org.uk/x"),
    ("https://m.example.com.au/x", "https://example.com.au/x"),
    ("https://www.co.com/x", "https://co.com/x"),
    ("https://example.com./a", "https://example.com/a"),
    ("https://en.m.wikipedia.org/wiki/Storm", "https://en.wikipedia.org/wiki/Storm"),
    ("https://user:secret@example.com/a", "https://example.com/a"),
    ("https://example.com:443/a", "https://example.com/a"),
    ("http://example.com:80/a", "https://example.com/a"),
    ("example.com:80/a", "https://example.com/a"),
    ("https://example.com:8080/a", "https://example.com:8080/a"),
    ("https://münchen.example/a", "https://xn--mnchen-3ya.example/a"),
    ("https://MÜNCHEN.example/a", "https://xn--mnchen-3ya.example/a"),
    ("https://xn--mnchen-3ya.example/a", "https://xn--mnchen-3ya.example/a"),
    ("https://例え.example/a", "https://xn--r8jz45g.example/a"),
    ("https://192.0.2.1/a", "https://192.0.2.1/a"),
    # path
    ("https://example.com", "https://example.com/"),
    ("https://example.com/", "https://example.com/"),
    ("https://example.com/a/", "https://example.com/a"),
    ("https://example.com/a//", "https://example.com/a"),
    ("https://example.com/a//b", "https://example.com/a//b"),
    ("https://example.com/a/./b/../c", "https://example.com/a/c"),
    ("https://example.com/../../a", "https://example.com/a"),
    ("https://example.com/%2e%2e/a", "https://example.com/a"),
    ("https://example.com/index.html", "https://example.com/"),
    ("https://example.com/a/index.php", "https://example.com/a"),
    ("https://example.com/a/default.aspx", "https://example.com/a"),
    ("https://example.com/index.php/a", "https://example.com/index.php/a"),
    ("https://example.com/a/amp", "https://example.com/a"),
    ("https://example.com/a/amp/", "https://example.com/a"),
    ("https://example.com/a.amp", "https://example.com/a"),
    ("https://example.com/amp/a", "https://example.com/a"),
    ("https://example.com/amplifier", "https://example.com/amplifier"),
    ("https://example.com/a;jsessionid=12AB?b=1", "https://example.com/a?b=1"),
    ("https://example.com/a;b=1", "https://example.com/a;b=1"),
    ("https://example.com\\a", "https://example.com/a"),
    # escapes
    ("https://example.com/%7Eada", "https://example.com/~ada"),
    ("https://example.com/%41", "https://example.com/A"),
    ("https://example.com/a%2fb", "https://example.com/a%2Fb"),
    ("https://example.com/a b", "https://example.com/a%20b"),
    ("https://example.com/straße", "https://example.com/stra%C3%9Fe"),
    ("https://example.com/stra%c3%9fe", "https://example.com/stra%C3%9Fe"),
    ("https://example.com/100%", "https://example.com/100%25"),
    ("https://example.com/%zz", "https://example.com/%25zz"),
    # query
    ("https://example.com/a?b=2&a=1", "https://example.com/a?a=1&b=2"),
    ("https://example.com/a?a=1&a=1", "https://example.com/a?a=1"),
    ("https://example.com/a?a=2&a=1", "https://example.com/a?a=1&a=2"),
    ("https://example.com/a?", "https://example.com/a"),
    ("https://example.com/a?&&b=1&", "https://example.com/a?b=1"),
    ("https://example.com/a?b=1&amp;c=2", "https://example.com/a?b=1&c=2"),
    ("https://example.com/?p=12", "https://example.com/?p=12"),
    ("https://example.com/a?q=a%20b", "https://example.com/a?q=a+b"),
    ("https://example.com/a?q=%26x", "https://example.com/a?q=%26x"),
    ("https://example.com/a?utm_source=x&utm_medium=y&id=3", "https://example.com/a?id=3"),
    ("https://example.com/a?UTM_Source=x", "https://example.com/a"),
    ("https://example.com/a?fbclid=1&gclid=2&igshid=3&mc_cid=4", "https://example.com/a"),
    ("https://example.com/a?smid=tw-nytimes&smtyp=cur", "https://example.com/a"),
    ("https://example.com/a?CMP=share&ocid=st&cmpid=x&partner=rss&_r=0", "https://example.com/a"),
    ("https://example.com/a?ito=1490&sr_share=twitter&soc_src=x", "https://example.com/a"),
    ("https://example.com/a?amp=1", "https://example.com/a"),
    ("https://example.com/a?s=20", "https://example.com/a?s=20"),
    ("https://twitter.com/ada/status/12?s=20&t=abc", "https://twitter.com/ada/status/12"),
    ("https://x.com/ada/status/12", "https://twitter.com/ada/status/12"),
    ("https://mobile.twitter.com/ada/status/12", "https://twitter.com/ada/status/12"),
    ("https://www.nytimes.com/2020/a.html?action=click&module=x&pgtype=y", "https://nytimes.com/2020/a.html"),
    # fragments
    ("https://example.com/a#top", "https://example.com/a"),
    ("https://example.com/a#", "https://example.com/a"),
    ("https://example.com/#!/page/2", "https://example.com/#!/page/2"),
    # videos
    ("https://youtu.be/abcDEF12345", "https://youtube.com/watch?v=abcDEF12345"),
    ("https://youtu.be/abcDEF12345?t=31", "https://youtube.com/watch?v=abcDEF12345"),
    ("https://www.youtube.com/watch?feature=youtu.be&v=abcDEF12345", "https://youtube.com/watch?v=abcDEF12345"),
    ("https://m.youtube.com/watch?v=abcDEF12345&list=PL1&t=3s", "https://youtube.com/watch?v=abcDEF12345"),
    ("https://www.youtube.com/embed/abcDEF12345", "https://youtube.com/watch?v=abcDEF12345"),
    ("https://www.youtube.com/shorts/abcDEF12345", "https://youtube.com/watch?v=abcDEF12345"),
    ("https://www.youtube.com/@ada?si=x", "https://youtube.com/@ada"),
    # links within links
    ("https://www.google.com/url?q=https%3A%2F%2Fexample.com%2Fa%3Fb%3D1&sa=D", "https://example.com/a?b=1"),
    ("https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2Fa&h=AT0", "https://example.com/a"),
    ("https://www.google.com/amp/s/www.example.com/a/amp", "https://example.com/a"),
    ("https://www-example-com.cdn.ampproject.org/c/s/www.example.com/a", "https://example.com/a"),
    ("https://www.google.com/search?q=storm", "https://google.com/search?q=storm"),
    # short links keep their case
    ("http://bit.ly/2aBcD", "https://bit.ly/2aBcD"),
    ("https://t.co/tVfDyoC6Ir", "https://t.co/tVfDyoC6Ir"),
    # not pages
    ("", None),
    ("mailto:ada@example.com", None),
    ("ftp://example.com/a", None),
    ("javascript:alert(1)", None),
    ("at://did:plc:x/app.bsky.feed.post/1", None),
    ("http://localhost/a", None),
    ("https://", None),
    ("https://exa mple.com/a", None),
    ("https://[::1]/a", None),
    ("https://example.com:port/a", None),
    ("https://-example.com/a", None),
    ("https://" + "a" * 64 + ".com/", None),
    ("https://example.com/" + "a" * 5000, None),
    ("https://exämple\ud83d.com/a", None),
]


@pytest.mark.parametrize(("url", "expected"), CANONICAL)
def test_a_link_has_one_canonical_form(url: str, expected: str | None) -> None:
    assert canonical(url) == expected
    if expected is not None:
        assert canonical(expected) == expected


PIECES = st.text(alphabet="abAB019-._~%2fé/ ?&=;:@!$'()*+,#\\[]<>\"", max_size=12)
LINKS = st.builds(
    "{}{}{}/{}?{}#{}".format,
    st.sampled_from(["http://", "https://", "//", "", "HTTP://", "http:"]),
    st.sampled_from(["", "www.", "m.", "amp.", "WWW.m.", "user@", "www.www."]),
    st.sampled_from(
        [
            "example.com",
            "EXAMPLE.co.uk:80",
            "youtu.be",
            "youtube.com",
            "x.com",
            "google.com",
            "bücher.example",
            "nytimes.com",
        ]
    ),
    st.one_of(
        PIECES, st.sampled_from(["amp/amp/", "a/../amp", "watch", "url", "amp/s/example.com/a", "index.html/amp"])
    ),
    st.one_of(PIECES, st.sampled_from(["v=1&v=2", "q=https%3A%2F%2Fexample.com%2Fa", "url=http://x.com/a&q=2"])),
    PIECES,
)


@settings(max_examples=1500, deadline=None)
@given(st.one_of(LINKS, st.text(max_size=40)))
def test_canonical_links_stay_as_they_are(url: str) -> None:
    once = canonical(url)
    if once is not None:
        assert canonical(once) == once
        assert once.startswith("https://")
        assert once.isascii()


@given(st.lists(st.tuples(st.sampled_from("abcv"), st.text("xy1é+", max_size=3)), max_size=5), st.integers(0, 100))
def test_the_order_of_parameters_does_not_matter(parameters: list[tuple[str, str]], seed: int) -> None:
    shuffled = random.Random(seed).sample(parameters, len(parameters))
    first, second = (
        "https://example.com/a?" + "&".join(f"{name}={value}" for name, value in order)
        for order in (parameters, shuffled)
    )
    assert canonical(first) == canonical(second)


MEDIA = [
    ("https://pbs.twimg.com/media/abc", True),
    ("https://video.twimg.com/ext/1.mp4?tag=1", True),
    ("https://pic.twitter.com/abc", True),
    ("https://twitter.com/ada/status/12/photo/1", True),
    ("https://twitter.com/ada/status/12", True),
    ("https://twitter.com/i/web/status/12", True),
    ("https://twitter.com/ada", False),
    ("https://twitter.com/i/events/12", False),
    ("https://bsky.app/profile/ada.example/post/3k", True),
    ("https://bsky.app/profile/ada.example", False),
    ("https://mastodon.example/@ada/109876543210987654", True),
    ("https://mastodon.example/users/ada/statuses/109876543210987654", True),
    ("https://mastodon.example/@ada", False),
    ("https://instagram.com/p/abc", True),
    ("https://instagram.com/ada", False),
    ("https://example.com/storm.JPG", True),
    ("https://example.com/storm.png?w=100", True),
    ("https://example.com/storm", False),
    ("https://example.com/a?img=b.png", False),
    ("https://youtube.com/watch?v=abc", False),
    ("https://medium.com/@ada/storm-123456789012", False),
    ("https://media.giphy.com/media/x", True),
]


@pytest.mark.parametrize(("url", "expected"), MEDIA)
def test_photos_clips_and_posts_are_media_and_articles_are_not(url: str, expected: bool) -> None:
    assert is_media(url) is expected


WITHOUT_ACCOUNT = [
    ("https://twitter.com/ada/status/12/photo/1", "https://twitter.com/i/status/12/photo/1"),
    ("https://twitter.com/ada/statuses/12", "https://twitter.com/i/statuses/12"),
    ("https://twitter.com/i/web/status/12", "https://twitter.com/i/web/status/12"),
    ("https://twitter.com/ada", "https://twitter.com/i"),
    ("https://bsky.app/profile/ada.example/post/3k", "https://bsky.app/profile/i/post/3k"),
    ("https://bsky.app/profile/did:plc:ada/post/3k", "https://bsky.app/profile/i/post/3k"),
    ("https://cdn.bsky.app/img/plain/did:plc:ada/bafy@jpeg", "https://cdn.bsky.app/img/plain/i/bafy@jpeg"),
    ("https://video.bsky.app/watch/did%3Aplc%3Aada/bafy/x.m3u8", "https://video.bsky.app/watch/i/bafy/x.m3u8"),
    ("https://social.example/@ada/109876543210987654", "https://social.example/@i/109876543210987654"),
    ("https://social.example/@ada@else.example/109876543210987654", "https://social.example/@i/109876543210987654"),
    (
        "https://social.example/users/ada/statuses/1098765432109",
        "https://social.example/users/i/statuses/1098765432109",
    ),
    ("https://instagram.com/ada/p/abc", "https://instagram.com/i/p/abc"),
    ("https://instagram.com/p/abc", "https://instagram.com/p/abc"),
    ("https://instagram.com/stories/ada/12", "https://instagram.com/stories/i/12"),
    ("https://pbs.twimg.com/media/x.jpg", "https://pbs.twimg.com/media/x.jpg"),
]


@pytest.mark.parametrize(("url", "expected"), WITHOUT_ACCOUNT)
def test_links_to_posts_can_be_written_without_their_authors(url: str, expected: str) -> None:
    assert without_account(url) == without_account(expected) == expected
    assert is_media(url) == is_media(expected)


PAGES_OF_ACCOUNTS = [
    ("https://twitter.com/Ada", ("ada",)),
    ("https://twitter.com/Ada/media", ("ada",)),
    ("https://bsky.app/profile/ada.example", ("ada.example",)),
    ("https://bsky.app/profile/did:plc:ada", ("did:plc:ada",)),
    ("https://social.example/@ada", ("ada@social.example", "ada")),
    ("https://social.example/users/ada/statuses/1", ("ada@social.example",)),
    ("https://social.example/@ada@else.example", ("ada@else.example",)),
    ("https://example.com/ada", ()),
]


@pytest.mark.parametrize(("url", "accounts"), PAGES_OF_ACCOUNTS)
def test_a_link_to_a_profile_says_whose_it_is(url: str, accounts: tuple[str, ...]) -> None:
    assert accounts_of(url) == accounts


def test_short_links_are_followed_through_the_table_and_loops_end() -> None:
    table = {
        "https://t.co/a": "https://bit.ly/b",
        "https://bit.ly/b": "http://www.example.com/c?utm_source=x",
        "https://t.co/loop": "https://t.co/pool",
        "https://t.co/pool": "https://t.co/loop",
    }
    assert resolve("http://t.co/a", table) == "https://example.com/c"
    assert resolve("https://t.co/unknown", table) == "https://t.co/unknown"
    assert resolve("https://t.co/loop", table) in ("https://t.co/loop", "https://t.co/pool")
    assert resolve("http://t.co/a", None) == "https://t.co/a"


IN_TEXT = [
    ("no link here", []),
    ("either/or", []),
    ("see https://example.com/a.", ["https://example.com/a"]),
    ("see https://example.com/a, and http://example.com/b!", ["https://example.com/a", "http://example.com/b"]),
    ("(https://example.com/a)", ["https://example.com/a"]),
    ("https://example.com/a_(b)", ["https://example.com/a_(b)"]),
    ("“https://example.com/a”", ["https://example.com/a"]),
    ("HTTPS://EXAMPLE.COM/A", ["HTTPS://EXAMPLE.COM/A"]),
    ("www.example.com is down", ["www.example.com"]),
    ("go to bit.ly/2abc now", ["bit.ly/2abc"]),
    ("pic.twitter.com/abc", ["pic.twitter.com/abc"]),
    ("cut https://t.co/ab…", []),
    ("cut https://t.co…", []),
    ("cut https://example.com/a...", []),
    ("cut bit.ly/2a…", []),
    ("https://example.com/a?x=bit.ly/2abc", ["https://example.com/a?x=bit.ly/2abc"]),
    ("bit.ly/1 then https://example.com/a", ["bit.ly/1", "https://example.com/a"]),
    ("mail a@bit.ly/x", []),
    ("ftp://example.com/a", []),
    ("中文https://example.com/a。中文", ["https://example.com/a"]),
    ("line\nhttps://example.com/a\nline", ["https://example.com/a"]),
    ("://", []),
]


@pytest.mark.parametrize(("text", "expected"), IN_TEXT)
def test_links_are_found_in_texts(text: str, expected: list[str]) -> None:
    assert find_urls(text) == expected
