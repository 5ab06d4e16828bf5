"""Word vectors of many texts in, the state of each word in its sentence out, by a bidirectional LSTM."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class WordsInContext(nn.Module):
    """An LSTM that reads forwards and one that reads backwards (Graves and Schmidhuber, 2005).

    The state of a word is what both have read up to it, side by side: first the forward half, then the backward one.
    Recurrent matrices begin orthogonal (Saxe et al., 2014), so that early words are not forgotten from the start.
    """

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        for name, weight in self.lstm.named_parameters():
            if name.startswith("weight_hh"):
                for gate in weight.data.chunk(4):
                    nn.init.orthogonal_(gate)
            elif name.startswith("weight_ih"):
                nn.init.xavier_uniform_(weight)
            else:
                nn.init.zeros_(weight)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Texts × words × twice the hidden width; zeros behind a text's end. Lengths are on the CPU."""
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=vectors.shape[1])
        return states


def begin_evenly(network: nn.Module) -> None:
    """Linear layers that neither raise nor lower the spread of what they are given (Glorot and Bengio, 2010)."""
    for layer in network.modules():
        if isinstance(layer, nn.Linear):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)


def highest_state(states: Tensor, mask: Tensor) -> Tensor:
    """The highest number of each column over a text's words."""
    return states.masked_fill(~mask[..., None], -1e4).amax(dim=1)
