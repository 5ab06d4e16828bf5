"""A server's address in, a generator out: language models that others run, or that run here, asked over HTTP.

`options` says how to ask, `prompts` what; `client` asks, with patience; `limits` holds pace and budget; `ledger` keeps
what was paid for; `replies` and `answers` read what came back; `local` starts a server on this machine.
"""

from paraloom.models.generators.server.generator import ServerGenerator

__all__ = ["ServerGenerator"]
