"""Markdown that people wrote in, HTML that is safe to show out: no raw HTML, no images, no links but plain ones."""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from functools import cache, lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

__all__ = ["to_html"]

LINK_SCHEMES = frozenset({"http", "https", "mailto"})
LINK_REL = "nofollow noopener noreferrer"
_SCHEME = re.compile(r"([^/?#]*?):")
_IGNORED_BY_BROWSERS = re.compile(r"[\x00-\x20\x7f-\x9f]")


@lru_cache(maxsize=512)
def to_html(text: str) -> Markup:
    """The text as HTML: CommonMark and tables. What is not allowed is shown as it was typed.

    >>> to_html("*Same* meaning, see [the guide](/guide).")
    Markup('<p><em>Same</em> meaning, see <a href="/guide" rel="nofollow noopener noreferrer">the guide</a>.</p>\\n')
    >>> to_html("<b>[x](javascript:alert)")
    Markup('<p>&lt;b&gt;[x](javascript:alert)</p>\\n')
    """
    return Markup(_reader().render(text))


class _PlainLinks(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        scheme = _SCHEME.match(_IGNORED_BY_BROWSERS.sub("", url))
        return scheme is None or scheme.group(1).lower() in LINK_SCHEMES


@cache
def _reader() -> MarkdownIt:
    reader = _PlainLinks("commonmark", {"html": False}).enable("table").disable(["image", "html_block", "html_inline"])
    reader.add_render_rule("link_open", _link_with_rel)
    reader.add_render_rule("th_open", _cell_without_style)
    reader.add_render_rule("td_open", _cell_without_style)
    return reader


def _link_with_rel(
    renderer: RendererProtocol, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    tokens[at].attrSet("rel", LINK_REL)
    return _drawn(renderer, tokens, at, options, env)


def _cell_without_style(
    renderer: RendererProtocol, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    alignment = tokens[at].attrs.pop("style", None)  # the pages' policy forbids style attributes
    if alignment is not None:
        tokens[at].attrSet("class", str(alignment).replace("text-align:", "align-"))
    return _drawn(renderer, tokens, at, options, env)


def _drawn(renderer: Any, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
    return str(renderer.renderToken(tokens, at, options, env))
