"""English words in, the same words out with numbers in figures; the work is done in `paraloom.text.spelled_numbers`."""

from paraloom.text.spelled_numbers import SPELLED, Written, in_figures

__all__ = ["SPELLED", "Written", "in_figures"]
