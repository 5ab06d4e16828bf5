"""Nothing in, the paths of the bundled example data out: posts, gold pairs, news accounts, topics.

Every post was written for this sample; people, firms, places and domains are invented. `docs/sample.md` says what is in
it, `recipes/sample.py` how it was made.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

__all__ = ["accounts", "gold", "posts", "topics"]


def _packaged(name: str) -> Path:
    return Path(str(resources.files(__name__).joinpath(name)))


def posts() -> Path:
    """Three months of posts about sixty articles and twenty trends, as gzipped JSON lines, broken rows included.

    >>> posts().name
    'posts.jsonl.gz'
    """
    return _packaged("posts.jsonl.gz")


def gold() -> Path:
    """400 pairs of sentences from those posts, labelled under the loose definition, as TSV with a header.

    >>> with gold().open(encoding="utf-8") as lines:
    ...     next(lines).split()
    ['left', 'right', 'label', 'language', 'kind', 'key']
    """
    return _packaged("gold.tsv")


def accounts() -> Path:
    """The news accounts, one a line: their post is its group's origin.

    >>> accounts().name
    'accounts.txt'
    """
    return _packaged("accounts.txt")


def topics() -> Path:
    """Parts of the articles' addresses, and the trends, with their topics: an example of a user's own mapping.

    >>> topics().name
    'topics.toml'
    """
    return _packaged("topics.toml")
