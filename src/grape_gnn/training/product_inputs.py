"""What a network on role products is given, and how it is read in batches from disk.

Files are read in windows: the training nodes are cut into runs of neighbouring numbers, the runs
are shuffled, and as many as fit into 256 MB are read at once, from the front of the files to their
back, shuffled again and dealt out in batches. So the disk reads long pieces, memory is constant,
and a graph whose products fit into one window is shuffled perfectly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.graph.feature_matrix import Features
from grape_gnn.nn import as_sparse
from grape_gnn.products import Products, RoleMeans, label_products
from grape_gnn.training.batches import WHOLE, Batch, Batches, Share, share_of
from grape_gnn.training.objective import label_columns

__all__ = ["ProductBatches", "ProductInputs"]

RUN = 256  # nodes that stay together until they are in memory
WINDOW_BYTES = 1 << 28
PASS_BYTES = 1 << 26  # of a batch where no size is given


class ProductInputs:
    """Features and role products of all nodes, in memory or mapped, and label inputs if wanted.

    With label inputs every product has further columns, one per class: how many of the members
    have it. A node never sees its own label (`grape_gnn.products.label_products`), so nothing is
    hidden in training, and every training node is learnt from in every epoch.

    Parameters
    ----------
    x
        Features, one row per node.
    products
        Their products.
    means
        Makes the roles, for products with labels.
    labels
        Products with labels of every hop.
    directions
        What the features were multiplied by before, if they are very many.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0], [1, 2], x=[[6.0], [2.0], [4.0]])
    >>> inputs = ProductInputs(g.x, grape.precompute(g, "edge"), lambda: None)
    >>> [tuple(part.shape) for part in inputs.rows(torch.tensor([2, 0]))]
    [(2, 1), (2, 2), (2, 1, 1), (2, 1, 1)]
    """

    def __init__(
        self,
        x: Features,
        products: Products,
        means: Callable[[], RoleMeans],
        labels: tuple[NDArray[np.float32], ...] | None = None,
        directions: NDArray[np.float32] | None = None,
    ) -> None:
        self.x, self.products, self.labels, self.directions = x, products, labels, directions
        self._make_means = means

    @cached_property
    def means(self) -> RoleMeans:
        """The roles."""
        return self._make_means()

    @property
    def shape(self) -> torch.Size:
        """Number of nodes and features."""
        return torch.Size(self.x.shape)

    @property
    def columns(self) -> int:
        """Columns of the products."""
        more = 0 if self.labels is None else int(self.labels[0].shape[2])
        return self.products.columns + more

    @property
    def row_bytes(self) -> int:
        """Bytes of a node."""
        roles, hops = self.products.num_roles, self.products.hops
        nodes, own = self.x.shape
        if not isinstance(self.x, np.ndarray):
            own = 6 * self.x.nnz // max(1, nodes)  # entries by row and by column
        return 4 * (int(own) + roles * hops * (self.columns + 1))

    def with_labels(self, labels: torch.Tensor, num_outputs: int) -> ProductInputs:
        """Add products with labels; missing for nodes whose label may not be seen."""
        columns = label_columns(labels.cpu(), num_outputs).numpy()
        given = label_products(self.means, columns, self.products.hops)
        return ProductInputs(self.x, self.products, lambda: self.means, given, self.directions)

    def rows(self, nodes: torch.Tensor) -> list[Any]:
        """Return the network's arguments for some nodes."""
        wanted = nodes.cpu().numpy()
        logs, hops = self.products.rows(wanted)
        if self.labels is not None:
            pairs = zip(hops, self.labels, strict=True)
            hops = [np.concatenate([hop, more[wanted]], axis=2) for hop, more in pairs]
        x = self.x[wanted]
        own = torch.from_numpy(x) if isinstance(x, np.ndarray) else as_sparse(x)
        return [own, *(torch.from_numpy(part) for part in (logs, *hops))]


class ProductBatches(Batches):
    """Batches of role products, read from memory or disk; see the top of the module.

    Parameters
    ----------
    inputs
        What is read.
    size
        Nodes of a batch; None: all at once, as long as they take no more than 64 MB.
    """

    def __init__(self, inputs: ProductInputs, size: int | None) -> None:
        self.inputs = inputs
        self.size = size or max(1024, PASS_BYTES // inputs.row_bytes)

    def drawn(self, nodes: torch.Tensor, share: Share = WHOLE) -> Iterator[Batch]:
        """Give the nodes in windows of shuffled runs; only the rows of the share are read."""
        runs = nodes.split(RUN)
        order = torch.cat([runs[k] for k in torch.randperm(len(runs))])
        window = max(1, WINDOW_BYTES // self.inputs.row_bytes // self.size) * self.size
        read: list[Any] = []
        for part in order.split(window):
            part = part.sort().values
            drawn = torch.randperm(len(part)).split(self.size)
            dealt = [share_of(whole, share) for whole in drawn]
            mine = torch.cat(dealt).sort().values
            row = torch.empty(len(part), dtype=torch.int64)
            row[mine] = torch.arange(len(mine))
            read.clear()  # before the next window needs room
            read += self.inputs.rows(part[mine])
            for chosen in dealt:
                yield _batch([each[row[chosen]] for each in read], part[chosen])

    def asked(self, nodes: torch.Tensor) -> Iterator[Batch]:
        """Give the nodes in the order they have."""
        for part in nodes.split(self.size):
            yield _batch(self.inputs.rows(part), part)


def _batch(parts: list[Any], nodes: torch.Tensor) -> Batch:
    return Batch([part.to(nodes.device) for part in parts], nodes)
