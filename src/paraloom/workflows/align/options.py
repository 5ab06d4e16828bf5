"""Everything an alignment can be told, stage by stage. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass, field

from paraloom.documents.options import DocumentReadOptions, SourceOptions
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.part_options import PartOptions
from paraloom.pairs.extract_options import ExtractOptions
from paraloom.workflows.run_options import RunOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignOptions(RunOptions):
    """How documents are read, put side by side, and searched for what both of them say."""

    read: DocumentReadOptions = field(default_factory=DocumentReadOptions)
    sources: SourceOptions = field(default_factory=SourceOptions)
    alignment: AlignmentOptions = field(default_factory=AlignmentOptions)
    parts: PartOptions = field(default_factory=PartOptions)
    extract: ExtractOptions = field(default_factory=ExtractOptions)
