"""The check that an answer for a graph is the same alone and beside others."""

from __future__ import annotations

import torch

from grape_gnn import GrapeGraphClassifier, GrapeGraphRegressor
from grape_gnn.graphs import GraphSet


def assert_company_does_not_matter(
    model: GrapeGraphClassifier | GrapeGraphRegressor, graphs: GraphSet
) -> None:
    """Ask for all graphs in batches, and for three of them alone, in double precision."""
    model.network.double()
    batches = model._batches(graphs)
    batches.x = batches.x.double()

    def scores(numbers: list[int]) -> torch.Tensor:
        with torch.no_grad():
            parts = [model.network(*b.inputs) for b in batches.asked(torch.tensor(numbers))]
        return torch.cat(parts)

    together = scores(list(range(len(graphs))))
    assert together.isfinite().all()
    for number in (0, 7, len(graphs) - 1):
        torch.testing.assert_close(scores([number]), together[[number]], rtol=1e-6, atol=1e-6)
