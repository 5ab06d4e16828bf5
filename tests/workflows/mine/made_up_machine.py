"""A machine that there is not, and what was measured on it: plans by it are the same everywhere."""

from __future__ import annotations

from dataclasses import replace

from paraloom.workflows.mine.plan_costs import Calibration, ModelCost, RoundCost, TableBytes
from paraloom.workflows.mine.plan_look import Look

LOOKED = Look(sentences=4000, probes=8, unevenness=1.3, nearby=2.0, nearby_in_quarter=1.0)
MEASURED = Calibration(
    machine="a made-up machine",
    cores=4,
    embedder="fast",
    dims=256,
    sentences=4000,
    sample="made up",
    bytes_a_sentence=100.0,
    bytes_counted=100.0,
    text_bytes=90.0,
    look=LOOKED,
    looks={"64": replace(LOOKED, nearby=4.0), "256": LOOKED},
    mutual_share=0.4,
    kept_share=0.5,
    true_share=0.25,
    rounds={
        "sentences/read": RoundCost(each=2e-5, fixed=0.1),
        "vectors/coder": RoundCost(each=3e-5),
        "vectors/embedded": RoundCost(each=5e-6),
        "index/centroids": RoundCost(each=1e-5),
        "index/laid": RoundCost(each=1e-6),
        "index/compared": RoundCost(each=1e-6),
        "neighbours/searched": RoundCost(each=1e-6),
        "candidates/paired": RoundCost(each=2e-7),
        "pairs/proposed": RoundCost(each=1e-4),
        "clusters/joined": RoundCost(each=1e-7),
        "clusters/linked": RoundCost(each=1e-8),
        "report/written": RoundCost(each=1e-7, fixed=0.2),
    },
    speeds={"64": 70.0, "128": 80.0, "256": 90.0},
    in_lists={"128": 0.7, "512": 0.9},
    together=0.9,
    embedders={
        "fast": ModelCost(each=2e-6, memory=200_000_000),
        "good": ModelCost(each=4e-3, memory=500_000_000, is_network=True),
    },
    embedder_dims={"fast": 256, "good": 384},
    identifier="cascade",
    judging=ModelCost(each=1e-3, memory=400_000_000),
    memory_main=1_000_000_000,
    memory_helper=300_000_000,
    start_seconds=1.0,
    write_speed=1e9,
    read_speed=2e9,
    disk_speed=5e8,
    page_speed=1e8,
    tables={
        "sentences": TableBytes(kept=60.0, aside=80.0),
        "candidates": TableBytes(kept=22.0, aside=0.0),
        "pairs": TableBytes(kept=180.0, aside=770.0),
        "clusters": TableBytes(kept=8.0, aside=0.0),
        "file": TableBytes(kept=200.0, aside=180.0),
    },
)
