"""A drawn SVG file in, the same drawing ready to stand inside a page out."""

from __future__ import annotations

import re
from xml.etree import ElementTree

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(['\"]?#([^'\")]+)['\"]?\)")


def inlined(drawn: str, chart_id: str, description: str, *, with_names: bool = False) -> str:
    """Drop what would clash or speak twice: ids become the chart's own, parts lose their descriptions.

    The drawing as a whole is one image with one description, and fills the width it is given. With names, the
    descriptions of its marks become titles: they show where a pointer rests, and are not read out.
    """
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(drawn)
    # Renumbered, since the drawer goes on counting from one drawing of a process to the next.
    given = (element.get("id") for element in root.iter())
    ids = {old: f"{chart_id}-{place}" for place, old in enumerate(dict.fromkeys(old for old in given if old))}
    for element in list(root.iter()):
        if with_names and element.get("role") == "graphics-symbol" and element.get("aria-label"):
            ElementTree.SubElement(element, f"{{{_SVG}}}title").text = element.get("aria-label")
        for name, value in list(element.attrib.items()):
            if name.startswith("aria-") or name in ("role", "class", "pointer-events"):
                del element.attrib[name]
            elif name == "id":
                element.set(name, ids[value])
            elif name in ("href", _LINK) and value.startswith("#"):
                element.set(name, f"#{ids.get(value[1:], chart_id)}")
            elif "url(" in value:
                element.set(name, _REFERENCE.sub(lambda found: f"url(#{ids.get(found[1], chart_id)})", value))
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", description)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)
