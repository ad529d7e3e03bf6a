"""Warm starts: a child begins with what its parent has learnt.

Template by template: one that the parent has as well starts from all of the parent's weights for
it; a mutated one from the maps (not the role weights) of the parent's template that took its place.
Everything that belongs to no template is copied. The constants that bring role counts to one scale
are taken from the graph again.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import torch

from grape_gnn.search.evaluate import Weights
from grape_gnn.search.gene import Gene

if TYPE_CHECKING:
    from grape_gnn.nn import GRAPE

__all__ = ["initialiser", "template_pairs", "weights_of"]

_CONSTANTS = ("gain", "gain_ego", "waiting")
_BY_ROLE = ("beta",)


def weights_of(gene: Gene, network: GRAPE) -> Weights:
    """Return the trained weights of a network as arrays, to be sent or stored."""
    state = network.state_dict()
    return Weights(gene, {name: tensor.cpu().numpy().copy() for name, tensor in state.items()})


def template_pairs(child: Gene, parent: Gene) -> list[tuple[int, int, bool]]:
    """Pair the templates: (place in the child, place in the parent, whether they are the same).

    Examples
    --------
    >>> child = Gene.from_texts(["0-1", "0-1 0-2 1-2"])
    >>> template_pairs(child, Gene.from_texts(["0-1 1-2", "0-1 0-2 1-2"]))
    [(1, 1, True), (0, 0, False)]
    """
    free = list(range(len(parent)))
    pairs, rest = [], []
    for place, template in enumerate(child.templates):
        same = next((k for k in free if parent.templates[k] == template), None)
        if same is None:
            rest.append(place)
        else:
            free.remove(same)
            pairs.append((place, same, True))
    return [*pairs, *((place, old, False) for place, old in zip(rest, free, strict=False))]


def initialiser(child: Gene, parent: Weights) -> Callable[[GRAPE], None]:
    """Return a function that gives a child's new network its parent's weights."""
    pairs = template_pairs(child, parent.gene)

    def initialise(network: GRAPE) -> None:
        with torch.no_grad():
            for name, tensor in network.state_dict().items():
                if name in parent.arrays:
                    old = torch.from_numpy(parent.arrays[name]).to(tensor)
                    _copy(name, tensor, old, child, parent.gene, pairs)

    return initialise


def _copy(
    name: str,
    new: torch.Tensor,
    old: torch.Tensor,
    child: Gene,
    parent: Gene,
    pairs: list[tuple[int, int, bool]],
) -> None:
    kind = name.rsplit(".", 1)[-1]
    if kind in _CONSTANTS:
        return
    if kind in _BY_ROLE:
        places, old_places = _role_places(child), _role_places(parent)
        for here, there, same in pairs:
            if same:
                new[:, places[here]] = old[:, old_places[there]]
    elif ".fusion." in name and new.ndim > 0:
        rows, old_rows = [here for here, _, _ in pairs], [there for _, there, _ in pairs]
        if new.ndim == 1:
            new[rows] = old[old_rows]
        else:  # from templates to templates
            new[np.ix_(rows, rows)] = old[np.ix_(old_rows, old_rows)]
    elif ".aggregator." in name and new.ndim > 0:
        # One block per template, or all blocks one after the other in one long vector.
        blocks, old_blocks = new.view(len(child), -1), old.view(len(parent), -1)
        if blocks.shape[1] == old_blocks.shape[1]:
            for here, there, _ in pairs:
                blocks[here] = old_blocks[there]
    elif new.shape == old.shape:
        new.copy_(old)


def _role_places(gene: Gene) -> list[slice]:
    """Return where the roles of each template stand among all roles but the egos'."""
    ends = [0]
    for template in gene.templates:
        ends.append(ends[-1] + template.num_roles - 1)
    return [slice(a, b) for a, b in pairwise(ends)]
