"""Figures that the papers state, to stand beside our own. Only what is written there: nothing is read off a drawing."""

from __future__ import annotations

from dataclasses import dataclass

URL_2017 = "Lan et al. 2017"
MULTIPIT_2022 = "Dou et al. 2022"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSource:
    """One line of Table 5 of Lan et al. (2017)."""

    source: str
    share_without_url: float
    urls_per_post: float
    article_urls_per_post: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFilter:
    """One line of Table 6 of Lan et al. (2017)."""

    mean_size: float
    deviation: float
    pinc: float
    jaccard: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperShare:
    """A share that a paper states for one corpus."""

    corpus: str
    what: str
    share: float
    stated_in: str


SOURCES: tuple[PaperSource, ...] = tuple(
    PaperSource(source=source, share_without_url=without, urls_per_post=urls, article_urls_per_post=articles)
    for source, without, urls, articles in (
        ("Twitter stream", 0.558, 0.52, None),
        ("@nytimes", 0.012, 1.31, 0.988),
        ("@cnnbrk", 0.0, 1.17, 1.0),
        ("@BBCBreaking", 0.010, 1.32, 0.99),
        ("@CNN", 0.0, 1.85, 1.0),
        ("@ABC", 0.017, 1.26, 0.983),
        ("@NBCNews", 0.011, 1.63, 0.989),
    )
)
"""Table 5: the stream and six of the 22 news accounts."""

BEFORE_FILTER = PaperFilter(mean_size=205.51, deviation=219.66, pinc=0.6153, jaccard=0.3635)
AFTER_FILTER = PaperFilter(mean_size=74.75, deviation=94.39, pinc=0.7603, jaccard=0.2515)
"""Table 6: groups before and after manual retweets are left out."""

LARGEST_TOPICS: tuple[PaperShare, ...] = (
    PaperShare(corpus="PIT-2015", what="sports", share=0.58, stated_in=f"{MULTIPIT_2022}, §2.4"),
    PaperShare(corpus="Twitter-URL", what="politics", share=0.63, stated_in=f"{MULTIPIT_2022}, §2.4"),
)
"""The largest topic of two earlier corpora: the only topic shares that the text gives in numbers."""

PARAPHRASE_SHARES: tuple[PaperShare, ...] = (
    PaperShare(corpus="PIT-2015", what="paraphrases", share=0.3060, stated_in=f"{MULTIPIT_2022}, Table 1"),
    PaperShare(corpus="Twitter-URL", what="paraphrases", share=0.2277, stated_in=f"{MULTIPIT_2022}, Table 1"),
    PaperShare(corpus="MultiPIT crowd", what="paraphrases", share=0.5373, stated_in=f"{MULTIPIT_2022}, Table 1"),
)
"""How many of the judged pairs were paraphrases (§2.3 of the same paper has the first two the other way round)."""
