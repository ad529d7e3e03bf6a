"""Squeeze-and-excitation over templates: eq. 3 and 4 of the paper.

gamma[l] = mean over nodes and features of h_l
alpha    = ReLU(W2 ReLU(W1 gamma)),  W1, W2 of shape L x L
h(v)     = sum over l of alpha[l] h_l(v)
"""

from __future__ import annotations

import torch
from torch import nn

from grape_gnn.nn.group_sum import group_sum

__all__ = ["EXCITATIONS", "Fusion"]

EXCITATIONS = ("relu", "softmax", "scaled-softmax")


class Fusion(nn.Module):
    """Weigh the templates by their global averages and add them up.

    Parameters
    ----------
    templates
        Number of templates, L.
    excitation
        What ends the computation of ``alpha``: ``"relu"`` (the paper), ``"softmax"`` (the
        released code), or ``"scaled-softmax"``: the softmax times L, so that every template
        starts with weight one whatever their number. The last two have biases: a softmax of
        zeros is no dead end, a ReLU of zeros is.

    Examples
    --------
    >>> fusion = Fusion(3, "softmax")
    >>> fusion(torch.ones(4, 3, 2)).shape
    torch.Size([4, 2])
    >>> round(fusion.alpha(torch.ones(4, 3, 2)).sum().item(), 6)
    1.0
    """

    def __init__(self, templates: int, excitation: str = "relu") -> None:
        super().__init__()
        self.excitation = excitation
        bias = excitation != "relu"
        self.squeeze = nn.Linear(templates, templates, bias=bias)
        self.excite = nn.Linear(templates, templates, bias=bias)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the two matrices anew."""
        for layer in (self.squeeze, self.excite):
            layer.reset_parameters()
            if self.excitation == "relu":
                # With random signs all of alpha may start, and then stay, at zero.
                nn.init.uniform_(layer.weight, 0.0, 2.0 / layer.in_features)

    def alpha(self, h: torch.Tensor) -> torch.Tensor:
        """Return the weight of every template, from h of shape (nodes, templates, features)."""
        # Summed over the nodes first, which is far quicker than over both dimensions at once.
        gamma = h.flatten(1).sum(dim=0).view(h.shape[1:]).sum(dim=1) / (h.shape[0] * h.shape[2])
        scores = self.excite(torch.relu(self.squeeze(gamma)))
        if self.excitation == "relu":
            return torch.relu(scores)
        weights = torch.softmax(scores, dim=0)
        return weights if self.excitation == "softmax" else weights * h.shape[1]

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Fuse (nodes, templates, features) into (nodes, features)."""
        return group_sum(h, self.alpha(h))
