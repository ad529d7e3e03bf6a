"""Squeeze-and-excitation over templates: eq. 3 and 4 of the paper.

gamma[l] = mean over nodes and features of h_l
alpha    = ReLU(W2 ReLU(W1 gamma)),  W1, W2 of shape L x L
h(v)     = sum over l of alpha[l] h_l(v)

The mean is over the nodes of one graph. Where several graphs are stacked into one, each has a
gamma and an alpha of its own, so that what is in the batch with a graph does not matter to it. A
mini-batch has but a part of the nodes: there gamma is the one of all nodes that was measured last,
once in an epoch, and held fixed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from grape_gnn.errors import ModelError

__all__ = ["EXCITATIONS", "Fusion", "check_batch"]

EXCITATIONS = ("relu", "softmax")


class Fusion(nn.Module):
    """Weigh the templates by their global averages and add them up.

    Parameters
    ----------
    templates
        Number of templates, L.
    excitation
        What ends the computation of ``alpha``: ``"relu"`` (the paper) or ``"softmax"`` (the
        released code), which has biases: a softmax of zeros is no dead end, a ReLU of zeros is.

    Examples
    --------
    >>> fusion = Fusion(3, "softmax")
    >>> fusion(torch.ones(4, 3, 2)).shape
    torch.Size([4, 2])
    >>> round(fusion.alpha(torch.ones(4, 3, 2)).sum().item(), 6)
    1.0
    >>> fusion.alpha(torch.ones(4, 3, 2), torch.tensor([0, 0, 0, 1])).shape  # two graphs
    torch.Size([2, 3])
    """

    measured: torch.Tensor
    """Gamma of all nodes in the last pass that measured it; NaN: in none yet."""

    def __init__(self, templates: int, excitation: str = "relu") -> None:
        super().__init__()
        self.excitation = excitation
        self.register_buffer("measured", torch.full((templates,), float("nan")))
        self._renewing = False
        bias = excitation != "relu"
        self.squeeze = nn.Linear(templates, templates, bias=bias)
        self.excite = nn.Linear(templates, templates, bias=bias)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the two matrices anew."""
        self.measured.fill_(float("nan"))
        for layer in (self.squeeze, self.excite):
            layer.reset_parameters()
            if self.excitation == "relu":
                # With random signs all of alpha may start, and then stay, at zero.
                nn.init.uniform_(layer.weight, 0.0, 2.0 / layer.in_features)

    @contextmanager
    def renewed(self) -> Iterator[None]:
        """Let passes over all nodes keep their gamma."""
        self._renewing = True
        try:
            yield
        finally:
            self._renewing = False

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *args: Any) -> None:
        # Files from before there were mini-batches have no gamma.
        state_dict.setdefault(f"{prefix}measured", self.measured.clone())
        super()._load_from_state_dict(state_dict, prefix, *args)

    def alpha(
        self, h: torch.Tensor, batch: torch.Tensor | None = None, part: bool = False
    ) -> torch.Tensor:
        """Return the weights of the templates, from h of shape (nodes, templates, features).

        Parameters
        ----------
        h
            One embedding per node and template.
        batch
            The graph of every node, as PyG's ``data.batch``; None: all nodes are of one graph.
        part
            Whether these are not all nodes but a mini-batch.

        Returns
        -------
        torch.Tensor
            Shape (templates,), or (graphs, templates) with a batch.
        """
        if part and batch is None and not self.measured.isnan().any():
            gamma = self.measured.clone()
        else:
            gamma = _averages(h, batch)
        if self._renewing and batch is None and not part:
            self.measured.copy_(gamma.detach())
        scores = self.excite(torch.relu(self.squeeze(gamma)))
        if self.excitation == "relu":
            return torch.relu(scores)
        return torch.softmax(scores, dim=-1)

    def forward(
        self, h: torch.Tensor, batch: torch.Tensor | None = None, part: bool = False
    ) -> torch.Tensor:
        """Fuse (nodes, templates, features) into (nodes, features)."""
        alpha = self.alpha(h, batch, part)
        weights = alpha if batch is None else alpha[batch]
        return (h * weights[..., None]).sum(dim=1)


def check_batch(batch: torch.Tensor, nodes: int) -> None:
    """Refuse what does not say of every node which graph it is of."""
    if batch.shape != (nodes,) or batch.dtype != torch.int64:
        raise ModelError(
            f"batch has shape {tuple(batch.shape)} and type {batch.dtype}: give the number of the "
            f"graph of each of the {nodes} nodes, as int64"
        )


def _averages(h: torch.Tensor, batch: torch.Tensor | None) -> torch.Tensor:
    """Gamma of eq. 3, one per template, or per graph and template."""
    nodes, templates, features = h.shape
    if batch is None:
        # Summed over the nodes first, which is far quicker than over both dimensions at once.
        return h.flatten(1).sum(dim=0).view(templates, features).sum(dim=1) / (nodes * features)
    check_batch(batch, nodes)
    count = torch.bincount(batch).clamp(min=1)
    sums = h.new_zeros(count.shape[0], templates).index_add(0, batch, h.sum(dim=2))
    return sums / (count * features)[:, None]
