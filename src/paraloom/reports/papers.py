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


PARROTING_2019 = "Mao and Lee 2019"
"""Hong-Ren Mao and Hung-Yi Lee: Polly Want a Cracker: Analyzing Performance of Parroting on Paraphrase Generation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedScore:
    """One metric of Tables 1 to 3 of Mao and Lee (2019): the best generator then, and the parrot."""

    metric: str
    parrot: float
    best: float | None
    """The best published system's score; None where the table has none."""
    best_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSamples:
    """One column of Table 4 of Mao and Lee (2019): the full parrot on test sets drawn at random."""

    metric: str
    mean: float
    deviation: float
    largest: float
    smallest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedParrot:
    """What Mao and Lee (2019) state for one dataset."""

    name: str
    stated_in: str
    scores: tuple[PublishedScore, ...]
    samples: tuple[PublishedSamples, ...]
    samples_told: str
    """How the test sets of Table 4 were drawn; its head and the text disagree about the sizes."""
    single_reference_share: float | None
    data_told: str
    """What its sources and references are."""


def _published(rows: tuple[tuple[str, float, float | None, str | None], ...]) -> tuple[PublishedScore, ...]:
    return tuple(
        PublishedScore(metric=metric, parrot=parrot, best=best, best_by=best_by)
        for metric, parrot, best, best_by in rows
    )


def _sampled(rows: tuple[tuple[str, float, float, float, float], ...]) -> tuple[PublishedSamples, ...]:
    return tuple(
        PublishedSamples(metric=metric, mean=mean, deviation=deviation, largest=largest, smallest=smallest)
        for metric, mean, deviation, largest, smallest in rows
    )


PARROTS: dict[str, PublishedParrot] = {
    "quora": PublishedParrot(
        name="Quora",
        stated_in=f"{PARROTING_2019}, Table 1",
        scores=_published(
            (
                ("bleu", 41.59, 43.54, "Li et al. 2018"),
                ("meteor", 38.60, 33.6, "Gupta et al. 2018"),
                ("ter", 45.22, 39.5, "Gupta et al. 2018"),
            )
        ),
        samples=_sampled(
            (
                ("bleu", 41.57, 0.50, 43.12, 39.98),
                ("meteor", 38.59, 0.20, 39.29, 37.85),
                ("ter", 45.21, 0.50, 46.95, 43.53),
            )
        ),
        samples_told="1,200 test sets of 4,000 (text; the table's head says 5,000)",
        single_reference_share=0.64,
        data_told=(
            "149,650 questions, each side of 149,263 pairs; tokenised, lower-cased, each with its final question mark"
        ),
    ),
    "twitter": PublishedParrot(
        name="Twitter",
        stated_in=f"{PARROTING_2019}, Table 2",
        scores=_published(
            (
                ("bleu", 65.26, 45.74, "Li et al. 2018"),
                ("meteor", 41.73, 20.18, "Li et al. 2018"),
                ("ter", 41.87, None, None),
            )
        ),
        samples=_sampled(
            (
                ("bleu", 74.97, 0.36, 76.01, 74.01),
                ("meteor", 46.22, 0.14, 46.56, 45.89),
                ("ter", 33.43, 0.35, 34.31, 32.41),
            )
        ),
        samples_told="250 test sets of 5,000 (text; the table's head says 4,000)",
        single_reference_share=None,
        data_told="the sentences of 114,025 pairs of tweets that share a link",
    ),
    "mscoco": PublishedParrot(
        name="MSCOCO",
        stated_in=f"{PARROTING_2019}, Table 3",
        scores=_published(
            (
                ("bleu", 19.0, 44.0, "Wang et al. 2019"),
                ("meteor", 23.9, 34.7, "Wang et al. 2019"),
                ("ter", 70.4, 37.1, "Wang et al. 2019"),
            )
        ),
        samples=(),
        samples_told="",
        single_reference_share=None,
        data_told="331,163 and 162,016 captions, whose references are the other captions of their image",
    ),
}
"""Full parroting beside the best generators of 2019; single-reference share: `over 64%`, section 3."""
