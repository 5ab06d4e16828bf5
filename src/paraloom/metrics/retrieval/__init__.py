"""How well an embedder finds a known answer among many candidates: places, and figures of them."""
