"""The papers' tables of identification as they were printed: every figure that ours are set beside.

Lan et al. (2017), "A Continuously Growing Dataset of Sentential Paraphrases", Tables 8 to 10; Dou et al. (2022),
"Improving Large-scale Paraphrase Acquisition and Generation", Tables 2 and 3; Nighojkar and Licato (2021), "Improving
Paraphrase Detection with the Adversarial Paraphrasing Task", Tables 5 and 6; Kanerva et al. (2023), "Towards diverse
and contextually anchored paraphrase modeling", Tables 4 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Measured = Literal["own", "train", "test", "all"]
"""Which pairs a printed row was measured on: the corpus's own test split after training on its train split (`own`), or,
for a system that learned from other corpora, its train split, its test split or all of it."""

MAX_F1 = ("max-f1", "max-f1-precision", "max-f1-recall")
AT_HALF = ("precision", "recall", "f1", "accuracy")
MATTHEWS = ("mcc", "f1")
PER_LABEL = ("precision", "recall", "f1")

LAN = "Lan et al. (2017)"
DOU = "Dou et al. (2022)"
NIGHOJKAR = "Nighojkar and Licato (2021)"
KANERVA = "Kanerva et al. (2023)"

TEST_BASE_RATES: Mapping[str, float] = {"msrp": 0.665, "pit2015": 0.209, "twitter-url": 0.195}
"""Share of paraphrases in the test splits: the precision of the row "Random" of Tables 8 to 10 of Lan et al. (2017)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRow:
    """One system's printed figures on one set of pairs."""

    title: str
    system: str
    """Our name of the system, a key of `SYSTEMS`."""
    corpus: str
    """Our name of the corpus that it was measured on."""
    figures: tuple[float, ...]
    """In the order of the table's `metrics`, from 0 to 1."""
    base: str = ""
    """The pre-trained model it starts from, by its name on the hub."""
    fit_on: tuple[str, ...] = ()
    """Corpora it learned from, where these are not the train split of the one it was measured on."""
    measured: Measured = "own"
    parameters: str = ""
    learning_rate: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """One table of a paper, or one half of it."""

    name: str
    """What it is called in links and JSON."""
    heading: str
    """The corpus, or what is asked of it."""
    paper: str
    number: int
    caption: str
    metrics: tuple[str, ...]
    rows: tuple[PublishedRow, ...]

    @property
    def is_in_per_cent(self) -> bool:
        """Whether the paper prints per cents."""
        return self.paper in (DOU, KANERVA)


def _lan(
    name: str, number: int, corpus: str, heading: str, caption: str, *figures: tuple[float, float, float]
) -> PublishedTable:
    """Tables 8 to 10 have the same rows."""
    rows = tuple(
        PublishedRow(title=title, system=system, corpus=corpus, figures=three)
        for (title, system), three in zip(_LAN_SYSTEMS, figures, strict=True)
    )
    return PublishedTable(
        name=name, heading=heading, paper=LAN, number=number, caption=caption, metrics=MAX_F1, rows=rows
    )


_LAN_SYSTEMS = (
    ("Random", "random"),
    ("Edit Distance", "edit-distance"),
    ("GloVe", "glove"),
    ("LR", "ngram-regression"),
    ("WMF (vec)", "wmf-vec"),
    ("LEX-WMF (vec)", "lex-wmf-vec"),
    ("OrMF (vec)", "ormf-vec"),
    ("LEX-OrMF (vec)", "lex-ormf-vec"),
    ("WMF (sim)", "wmf-sim"),
    ("LEX-WMF (sim)", "lex-wmf-sim"),
    ("OrMF (sim)", "ormf-sim"),
    ("LEX-OrMF (sim)", "lex-ormf-sim"),
    ("MultiP", "multip"),
    ("DeepPairwiseWord", "deep-pairwise-word"),
)

LAN_8 = _lan(
    "lan-8",
    8,
    "msrp",
    "MSRP",
    "Paraphrase models in the MSR Paraphrase Corpus (MSRP)",
    (0.799, 0.665, 1.0),
    (0.799, 0.666, 1.0),
    (0.812, 0.707, 0.952),
    (0.829, 0.741, 0.941),
    (0.817, 0.713, 0.956),
    (0.836, 0.751, 0.943),
    (0.820, 0.733, 0.930),
    (0.833, 0.741, 0.950),
    (0.812, 0.728, 0.918),
    (0.831, 0.732, 0.962),
    (0.815, 0.699, 0.976),
    (0.832, 0.735, 0.958),
    (0.800, 0.667, 0.998),
    (0.834, 0.763, 0.919),
)
LAN_9 = _lan(
    "lan-9",
    9,
    "pit2015",
    "PIT-2015",
    "Paraphrase models in the Twitter Paraphrase Corpus (PIT-2015)",
    (0.346, 0.209, 1.0),
    (0.363, 0.236, 0.789),
    (0.484, 0.396, 0.617),
    (0.645, 0.669, 0.623),
    (0.594, 0.681, 0.526),
    (0.635, 0.655, 0.617),
    (0.594, 0.681, 0.526),
    (0.638, 0.579, 0.709),
    (0.553, 0.570, 0.537),
    (0.651, 0.657, 0.646),
    (0.563, 0.591, 0.537),
    (0.644, 0.632, 0.657),
    (0.721, 0.705, 0.737),
    (0.667, 0.725, 0.617),
)
LAN_10 = _lan(
    "lan-10",
    10,
    "twitter-url",
    "Twitter-URL",
    "Paraphrase models in the Twitter URL Corpus",
    (0.327, 0.195, 1.000),
    (0.526, 0.650, 0.442),
    (0.583, 0.607, 0.560),
    (0.683, 0.669, 0.698),
    (0.660, 0.640, 0.680),
    (0.693, 0.687, 0.698),
    (0.662, 0.625, 0.703),
    (0.691, 0.709, 0.674),
    (0.659, 0.595, 0.738),
    (0.688, 0.632, 0.754),
    (0.660, 0.690, 0.632),
    (0.688, 0.630, 0.758),
    (0.536, 0.386, 0.875),
    (0.749, 0.803, 0.702),
)


def _dou(
    name: str, corpus: str, heading: str, caption: str, *printed: tuple[str, float, float, float, float]
) -> PublishedTable:
    """Table 2 has one half for each corpus, with the same rows: learning rate, then four figures in per cent."""
    rows = tuple(
        PublishedRow(
            title=title,
            system=system,
            base=base,
            corpus=corpus,
            parameters=parameters,
            learning_rate=learning_rate,
            figures=tuple(round(figure / 100, 4) for figure in figures),
        )
        for (title, system, base, parameters), (learning_rate, *figures) in zip(_DOU_SYSTEMS, printed, strict=True)
    )
    return PublishedTable(name=name, heading=heading, paper=DOU, number=2, caption=caption, metrics=AT_HALF, rows=rows)


_DOU_SYSTEMS = (
    ("ESIM", "esim", "", "17M"),
    ("Infersent", "infersent", "", "47M"),
    ("T5-base", "text-to-text", "google-t5/t5-base", "220M"),
    ("T5-large", "text-to-text", "google-t5/t5-large", "770M"),
    ("BERT-base", "cross-encoder", "google-bert/bert-base-uncased", "109M"),
    ("BERT-large", "cross-encoder", "google-bert/bert-large-uncased", "335M"),
    ("RoBERTa-large", "cross-encoder", "FacebookAI/roberta-large", "355M"),
    ("BERTweet-large", "cross-encoder", "vinai/bertweet-large", "355M"),
    ("ALBERT-v2-xxlarge", "cross-encoder", "albert/albert-xxlarge-v2", "235M"),
    ("DeBERTa-v3-large", "cross-encoder", "microsoft/deberta-v3-large", "400M"),
)

DOU_2_CROWD = _dou(
    "dou-2-crowd",
    "multipit-crowd",
    "MultiPIT crowd",
    "Results on the test set of MultiPIT_Crowd",
    ("4e-4", 89.55, 70.15, 78.67, 82.15),
    ("1e-3", 87.03, 87.57, 87.29, 86.47),
    ("1e-4", 89.21, 93.76, 91.43, 90.67),
    ("1e-5", 90.36, 93.58, 91.94, 91.29),
    ("3e-5", 88.59, 91.24, 89.90, 89.12),
    ("2e-5", 88.73, 93.17, 90.90, 90.10),
    ("2e-5", 90.81, 92.70, 91.74, 91.14),
    ("2e-5", 89.72, 93.95, 91.79, 91.08),
    ("1e-5", 90.36, 92.96, 91.64, 91.00),
    ("5e-6", 90.46, 93.59, 92.00, 91.36),
)
DOU_2_EXPERT = _dou(
    "dou-2-expert",
    "multipit-expert",
    "MultiPIT expert",
    "Results on the test set of MultiPIT_Expert",
    ("4e-4", 47.07, 91.73, 62.22, 49.19),
    ("1e-3", 45.87, 98.43, 62.58, 46.32),
    ("1e-4", 71.96, 83.86, 77.45, 77.74),
    ("1e-4", 79.78, 85.43, 82.51, 83.48),
    ("2e-5", 71.66, 86.61, 78.43, 78.28),
    ("2e-5", 72.22, 87.01, 78.93, 78.82),
    ("2e-5", 77.01, 83.07, 79.92, 80.97),
    ("2e-5", 82.47, 81.50, 81.98, 83.66),
    ("2e-5", 82.68, 82.68, 82.68, 84.20),
    ("5e-6", 82.56, 83.86, 83.20, 84.56),
)

ROBERTA_BASE = "FacebookAI/roberta-base"

_ON: tuple[tuple[str, Measured, tuple[float, float], tuple[float, float]], ...] = (
    ("msrp", "train", (0.349, 0.833), (0.0, 0.806)),
    ("msrp", "test", (0.358, 0.829), (0.0, 0.799)),
    ("ap-h", "all", (0.222, 0.746), (0.0, 0.784)),
    ("ap-h", "test", (0.218, 0.743), (0.0, 0.777)),
)
"""Table 5: corpus, which pairs of it, RoBERTa-base, random."""

NIGHOJKAR_5 = PublishedTable(
    name="nighojkar-5",
    heading="From Twitter-URL to others",
    paper=NIGHOJKAR,
    number=5,
    caption="RoBERTa-base trained on TwitterPPDB (which is Twitter-URL) alone, against random prediction",
    metrics=MATTHEWS,
    rows=tuple(
        PublishedRow(
            title=title,
            system=system,
            base=base,
            corpus=corpus,
            fit_on=("twitter-url",),
            measured=measured,
            figures=figures,
        )
        for corpus, measured, roberta, random in _ON
        for title, system, base, figures in (
            ("RoBERTa-base", "cross-encoder", ROBERTA_BASE, roberta),
            ("Random", "random", "", random),
        )
    ),
)

_ADDED: tuple[tuple[tuple[str, ...], Measured, tuple[float, float]], ...] = (
    (("ap-h",), "own", (0.440, 0.809)),
    (("ap-t5-msrp",), "all", (0.410, 0.725)),
    (("ap-t5-msrp",), "test", (0.369, 0.705)),
    (("ap-h", "ap-t5-msrp"), "own", (0.516, 0.828)),
    (("ap-t5-twitter",), "all", (0.433, 0.772)),
    (("ap-t5-twitter",), "test", (0.422, 0.765)),
    (("ap-h", "ap-t5-twitter"), "own", (0.488, 0.812)),
    (("ap-t5",), "all", (0.461, 0.731)),
    (("ap-t5",), "test", (0.437, 0.716)),
    (("ap-h", "ap-t5"), "own", (0.525, 0.816)),
)
"""Table 6: what was added to Twitter-URL, which pairs of AP_H, figures. AP_T5 has two parts, from MSRP and from
Twitter-URL."""

NIGHOJKAR_6 = PublishedTable(
    name="nighojkar-6",
    heading="Adversarial training",
    paper=NIGHOJKAR,
    number=6,
    caption="RoBERTa-base trained on TwitterPPDB (which is Twitter-URL) and adversarial paraphrases",
    metrics=MATTHEWS,
    rows=tuple(
        PublishedRow(
            title="RoBERTa-base",
            system="cross-encoder",
            base=ROBERTA_BASE,
            corpus="ap-h",
            fit_on=("twitter-url", *added),
            measured=measured,
            figures=figures,
        )
        for added, measured, figures in _ADDED
    ),
)

TABLES: tuple[PublishedTable, ...] = (LAN_8, LAN_9, LAN_10, DOU_2_EXPERT, DOU_2_CROWD, NIGHOJKAR_5, NIGHOJKAR_6)
"""The tables whose rows are systems and whose figures are of two classes."""


DOU_3: tuple[tuple[str, str, tuple[float, float, float, float]], ...] = (
    ("Fine-tuning", "crowd", (0.6181, 0.8858, 0.7282, 0.6984)),
    ("Fine-tuning", "expert", (0.8256, 0.8386, 0.8320, 0.8456)),
    ("Fine-tuning", "crowd + expert", (0.6299, 0.8780, 0.7336, 0.7092)),
    ("+ Filtering", "crowd + expert", (0.7724, 0.8819, 0.8235, 0.8276)),
    ("+ Flipping", "crowd + expert", (0.8340, 0.8504, 0.8421, 0.8546)),
)
"""Table 3 of Dou et al. (2022), DeBERTa-v3-large on the test set of MultiPIT_Expert: method, data, and `AT_HALF`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedLabels:
    """How well each label of the Turku scheme was predicted, on one test set."""

    number: int
    test_set: str
    labels: Mapping[str, tuple[float, float, float]]
    """By label: `PER_LABEL`."""
    support: Mapping[str, int]
    weighted: tuple[float, float, float]
    """The same over complete labels, weighted by their support."""
    accuracy: float
    """Of complete labels: base label and all flags."""


KANERVA_TABLES: tuple[PublishedLabels, ...] = (
    PublishedLabels(
        number=4,
        test_set="Turku Paraphrase Corpus",
        labels={
            "2": (0.468, 0.224, 0.303),
            "3": (0.603, 0.509, 0.553),
            "4<": (0.558, 0.579, 0.568),
            "4>": (0.570, 0.619, 0.594),
            "4": (0.705, 0.743, 0.724),
            "i": (0.500, 0.474, 0.486),
            "s": (0.491, 0.370, 0.422),
        },
        support={"2": 161, "3": 2434, "4<": 2003, "4>": 2287, "4": 3586, "i": 454, "s": 438},
        weighted=(0.577, 0.581, 0.576),
        accuracy=0.581,
    ),
    PublishedLabels(
        number=4,
        test_set="Opus-parsebank",
        labels={
            "2": (0.990, 0.231, 0.375),
            "3": (0.117, 0.483, 0.188),
            "4<": (0.369, 0.647, 0.470),
            "4>": (0.378, 0.707, 0.493),
            "4": (0.471, 0.913, 0.621),
            "i": (0.520, 0.713, 0.602),
            "s": (0.282, 0.480, 0.356),
        },
        support={"2": 6712, "3": 1146, "4<": 425, "4>": 560, "4": 793, "i": 164, "s": 50},
        weighted=(0.778, 0.355, 0.379),
        accuracy=0.355,
    ),
    PublishedLabels(
        number=5,
        test_set="Turku Paraphrase Corpus",
        labels={
            "2": (0.402, 0.329, 0.362),
            "3": (0.593, 0.526, 0.558),
            "4<": (0.560, 0.581, 0.570),
            "4>": (0.583, 0.598, 0.591),
            "4": (0.705, 0.739, 0.722),
            "i": (0.518, 0.489, 0.503),
            "s": (0.494, 0.377, 0.428),
        },
        support={"2": 161, "3": 2434, "4<": 2003, "4>": 2287, "4": 3586, "i": 454, "s": 438},
        weighted=(0.579, 0.583, 0.580),
        accuracy=0.583,
    ),
    PublishedLabels(
        number=5,
        test_set="Opus-parsebank",
        labels={
            "2": (0.950, 0.750, 0.838),
            "3": (0.252, 0.363, 0.298),
            "4<": (0.447, 0.624, 0.521),
            "4>": (0.460, 0.680, 0.549),
            "4": (0.563, 0.897, 0.692),
            "i": (0.560, 0.713, 0.627),
            "s": (0.320, 0.480, 0.384),
        },
        support={"2": 6712, "3": 1146, "4<": 425, "4>": 560, "4": 793, "i": 164, "s": 50},
        weighted=(0.781, 0.699, 0.726),
        accuracy=0.699,
    ),
)
"""Tables 4 (trained on the corpus alone) and 5 (with as many gathered negatives). Of Opus-parsebank, 2 is `neg`."""
