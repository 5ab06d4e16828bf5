"""Templates and values in, pages out: one Jinja environment that always escapes and never shows what is undefined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from paraloom.web.assets import Assets
from paraloom.web.filters import FILTERS
from paraloom.web.markdown import to_html

__all__ = ["Pages"]

TEMPLATES = Path(__file__).parent / "templates"


class Pages:
    """Renders templates from the folders given, then from `paraloom.web`'s own.

    Every template has the filters of `filters.py`, `markdown`, the global `asset("paraloom.css")`, and the values in
    `shared`. Macros are in `parts.html`; pages extend `layout.html`.
    """

    def __init__(
        self, folders: Iterable[Path] = (), assets: Assets | None = None, shared: Mapping[str, Any] | None = None
    ) -> None:
        self.assets = assets or Assets()
        self.environment = Environment(
            loader=FileSystemLoader([*folders, TEMPLATES]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,  # a look at the disk for every page, otherwise
            cache_size=-1,
        )
        self.environment.filters.update(FILTERS, markdown=to_html)
        self.environment.globals.update(shared or {}, asset=self.assets.url)

    def render(self, name: str, /, **values: Any) -> str:
        """The whole page."""
        return self.environment.get_template(name).render(values)

    def render_block(self, name: str, block: str, /, **values: Any) -> str:
        """One block of a page, for a request of htmx that replaces only that part."""
        template = self.environment.get_template(name)
        return "".join(template.blocks[block](template.new_context(values)))

    def response(
        self, name: str, /, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
    ) -> HTMLResponse:
        """The whole page as an answer; the template sees `status`, too."""
        return HTMLResponse(self.render(name, status=status, **values), status_code=status, headers=headers)
