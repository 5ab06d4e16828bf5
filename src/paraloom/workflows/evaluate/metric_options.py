"""Which metrics to run and how. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricOptions:
    """Which metrics to run and how; every choice is in a metric's signature."""

    metrics: tuple[str, ...] = ()
    """Names of metrics; empty: all that can run here."""
    lowercase: bool = False
    """BLEU and chrF without regard to case; TER never regards it."""
    tokenize: str = "13a"
    """sacrebleu's tokenizer for BLEU: 13a, intl, zh, ja-mecab, char, none …"""
    encoder: str = "all-MiniLM-L6-v2"
    """Encoder behind BERTScore and the cosine: a name, or a folder that holds one."""
    layer: int | None = None
    """Layer of the encoder that BERTScore reads; by default the encoder's own recommended one."""
    alpha: float = 0.9
    """Weight of BLEU against self-BLEU in iBLEU."""
    beta: float = 4.0
    """Weight of BERTScore against new wording in BERT-iBLEU."""
    language: str = "en"
    """Two-letter code of the texts' language, for METEOR and small changes."""
