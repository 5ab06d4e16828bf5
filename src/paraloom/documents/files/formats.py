"""Which records of foreign files are whole files. Imports nothing heavy: every record is asked."""

from __future__ import annotations

FILE_FORMATS = frozenset(("srt", "vtt", "xml", "html", "plain"))
"""As `engine.foreign` calls them."""

CAPTIONED = frozenset(("srt", "vtt", "xml"))
"""Those whose documents may have captions."""
