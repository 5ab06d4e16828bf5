"""`paraloom mine`: sentences → the pairs of them that say the same."""

from __future__ import annotations

from cyclopts import App

from paraloom.cli.mine.lookup import lookup
from paraloom.cli.mine.plan import plan
from paraloom.cli.mine.regions import regions
from paraloom.cli.mine.sample import sample
from paraloom.cli.mine.select import select
from paraloom.cli.mine.sentences import mine_sentences

mine = App(name="mine", help="Find the paraphrases among many sentences.")
mine.default(mine_sentences)
mine.command(lookup)
mine.command(plan)
mine.command(sample)
mine.command(regions)
mine.command(select)

__all__ = ["mine"]
