"""The command line's own help in, docs/cli.md out. Run it when an option has changed; --check only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from paraloom.cli import app

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"

OPENING = """\
<!-- Written by scripts/write_cli_page.py: change the commands, not this page. -->

# The command line

Every option can also stand in a file `paraloom.toml`, in this folder or one above it, under the command's name; a flag
comes before the file, the file before the default:

```toml
[build]
by = ["url", "trend"]
min-posts = 3
languages = ["en"]
```

A command prints its result on standard output and everything else on standard error. The exit code is 0 where all went
well, 1 where something is wrong with files or folders, 2 where an option is, 3 where
all is done but for input that is broken, 130 where it was stopped with Ctrl+C: a
build that was stopped goes on when the same command is given again. `PARALOOM_TRACEBACK=1` shows where an error
came from.
"""


def cli_page() -> str:
    """The page as it must be now."""
    described = app.generate_docs(output_format="markdown", heading_level=1)
    commands = described[described.index("\n## paraloom ") + 1 :]  # what stands above are the title and a list of links
    lines = [line.strip() if line.startswith("  ") else line for line in commands.splitlines()]
    return OPENING + "\n" + "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PAGE.write_text(cli_page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != cli_page():
        sys.exit(f"{PAGE} is not what the commands say. Run: python scripts/write_cli_page.py")
