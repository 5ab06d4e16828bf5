"""`paraloom mine`: sentences → the pairs of them that say the same."""

from __future__ import annotations

from cyclopts import App

from paraloom.cli.mine.lookup import lookup
from paraloom.cli.mine.plan import plan
from paraloom.cli.mine.regions import regions
from paraloom.cli.mine.sample import sample
from paraloom.cli.mine.select import select
from paraloom.cli.mine.sentences import mine_sentences

mine = App(
    name="mine",
    help="Find the paraphrases among many sentences: thousands, or hundreds of millions.\n\n"
    "Text (a sentence a line), TSV, CSV, JSONL, Parquet, files of pairs and run folders of build, align and mine go "
    "in; a mined run grows as it was mined, and nothing is embedded again. A run that was stopped goes on where it "
    "was; one made with other options is never overwritten. The exit status is 3 where a file was broken (what could "
    "be read was mined) or nothing was a sentence.\n\n"
    "Example: `paraloom mine sentences.txt --out run` or `paraloom mine shards/*.txt.gz --out pairs.tsv --no-identify`",
)
mine.default(mine_sentences)
mine.command(lookup)
mine.command(plan)
mine.command(sample)
mine.command(regions)
mine.command(select)

__all__ = ["mine"]
