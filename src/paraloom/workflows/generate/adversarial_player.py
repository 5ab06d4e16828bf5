"""Options in, the generator out that plays the adversarial game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.models.generators.loading import load_generator
from paraloom.models.generators.loading_options import GeneratorOptions
from paraloom.models.generators.shipped import ADAPTER, BASE, base_file
from paraloom.workflows.generate.adversarial_options import PlayerOptions

if TYPE_CHECKING:
    from paraloom.models.generators import Generator


def load_player(options: PlayerOptions) -> Generator:
    """The generator that was asked for: a base as it is, an adapter over a base that is named, or any other."""
    adapter = Path(options.generator) / ADAPTER
    is_over_named_base = options.base is not None and adapter.is_file()
    if options.generator == BASE or is_over_named_base:
        from paraloom.models.generators.llama_generator import LlamaGenerator

        base = options.base or base_file()
        if is_over_named_base:
            return LlamaGenerator(base, adapter, name=adapter.parent.name, device=options.device)
        return LlamaGenerator(base, None, name=BASE, device=options.device)
    return load_generator(
        GeneratorOptions(generator=options.generator, settings=options.settings, device=options.device, hub=options.hub)
    )
