"""Rows of words in, a table out: plain text with its columns aligned, as a command prints it, or Markdown."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]], words: Collection[int] = (0,)) -> str:
    """Columns of numbers are aligned to the right, those of words (by their place) to the left.

    >>> print(plain_table(["metric", "value"], [["f1", "0.81"], ["max-f1", "0.8"]]))
    metric  value
    f1       0.81
    max-f1    0.8
    """
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place in words else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The same as Markdown: words to the left in the first column, all others to the right.

    >>> print(markdown_table(["metric", "value"], [["p|q", "0.81"]]))
    | metric | value |
    | --- | ---: |
    | p\\|q | 0.81 |
    """
    written = [[cell.replace("|", r"\|") for cell in line] for line in (header, *rows)]  # a name may hold a bar
    lines = [written[0], ["---", *["---:"] * (len(header) - 1)], *written[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
