"""A mixed PyG model: a GCN layer, then a GRAPE layer, on generated planted roles.

    python examples/pyg_mixed.py

The labels are places in shapes attached to a ring; a GCN alone cannot tell them apart.
"""

from __future__ import annotations

import torch
from torch_geometric.nn import GCNConv

import grape_gnn as grape
from grape_gnn.pyg import AddEgoRoles, EgoRoles, GRAPEConv
from grape_gnn.training import TrainSettings, accuracy, random_split, train

TEMPLATES = "social"


class Mixed(torch.nn.Module):
    """Neighbours first, roles second."""

    def __init__(self, wide: int, classes: int, second: str) -> None:
        super().__init__()
        self.first = GCNConv(wide, 32)
        self.second = GRAPEConv(32, 32, TEMPLATES) if second == "GRAPE" else GCNConv(32, 32)
        self.head = torch.nn.Linear(32, classes)

    def forward(self, data: object, roles: EgoRoles) -> torch.Tensor:
        """Score every node."""
        h = self.first(data.x, data.edge_index).relu()
        where = roles if isinstance(self.second, GRAPEConv) else data.edge_index
        return self.head(self.second(h, where).relu())


def main() -> None:
    """Train both and print their accuracies on the test nodes."""
    graph = grape.datasets.load("planted-roles", num_shapes=90)
    data = AddEgoRoles(TEMPLATES)(graph.to_pyg())
    if data.x is None:
        data.x = torch.ones(graph.num_nodes, 1)
    roles = EgoRoles(data)
    split = random_split(graph.y, seed=0)
    parts = [torch.from_numpy(part) for part in (split.train, split.validation, split.test)]
    for second in ("GCN", "GRAPE"):
        torch.manual_seed(0)
        model = Mixed(data.x.shape[1], len(graph.label_names), second)
        settings = TrainSettings(epochs=100, min_epochs=60)
        train(model, [data, roles], data.y, parts[0], parts[1], settings)
        found = accuracy(model(data, roles)[parts[2]], data.y[parts[2]])
        print(f"GCN + {second:5}  test accuracy {found:.1%}")


if __name__ == "__main__":
    main()
