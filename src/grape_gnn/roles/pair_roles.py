"""`PairRoles`: how often one node plays every role for another, as a transformer of pairs.

Roles that their template does not join to the ego ("far" ones) have the same count before and after
an edge between the two is deleted, so they are features of a link that do not know it is there;
``docs/guide/links.md`` proves it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import one_of
from grape_gnn.errors import ModelError
from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.graph.pairs import NodePairs, node_pairs
from grape_gnn.roles.match import match
from grape_gnn.roles.operator import RoleOperator
from grape_gnn.roles.together import counts_together
from grape_gnn.template import Template
from grape_gnn.template.titles import title_of
from grape_gnn.transformer import Transformer

__all__ = ["PairRoles"]


class PairRoles(Transformer):
    """Make features of pairs of nodes: how often the second plays each role for the first.

    It takes pairs as scikit-learn's transformers take rows, so it can be a step of a pipeline.

    Parameters
    ----------
    graph
        The graph that the pairs are of.
    templates
        Templates, their names, or a set such as ``"all-4"``.
    roles
        ``"far"``: only roles that the template does not join to the ego, whose counts never use an
        edge between the two nodes; ``"all"``: all but the ego's own.
    threads
        Number of threads; None: as many as there are processors. The result is the same.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> roles = PairRoles(g, "3-path,4-path")
    >>> roles.fit_transform([("ann", "dan"), ("ann", "bob")]).tolist()
    [[1, 0, 1], [1, 0, 0]]
    >>> roles.get_feature_names_out().tolist()
    ['3-path (2)', '4-path (2)', '4-path (3)']
    """

    def __init__(
        self,
        graph: GraphLike,
        templates: str | Template | Iterable[str | Template] = "all-4",
        roles: str = "far",
        threads: int | None = None,
    ) -> None:
        self.graph = graph
        self.templates = templates
        self.roles = roles
        self.threads = threads

    def fit(self, pairs: NodePairs = None, y: Any = None) -> PairRoles:
        """Find the roles; of the pairs nothing is learnt.

        Parameters
        ----------
        pairs, y
            Not looked at; they are there for pipelines.
        """
        one_of("roles", self.roles, ("far", "all"), error=ModelError)
        vars(self).pop("operators_", None)
        if not self.operators_:
            raise ModelError(
                f"templates={self.templates!r} have no role that is not joined to the ego: give "
                f"larger ones, or roles='all'"
            )
        return self

    def fit_transform(self, pairs: NodePairs, y: Any = None) -> Any:
        """Find the roles, and return the counts."""
        return self.fit(pairs).transform(pairs)

    def transform(self, pairs: NodePairs) -> Any:
        """Return the counts, a row for every pair, as `set_output` says.

        Parameters
        ----------
        pairs
            Pairs of names, or an array with two columns; where nodes have no names, their numbers.
        """
        graph = self.operators_[0].graph
        egos, members = node_pairs(graph, pairs)
        counts = np.stack(counts_together(self.operators_, egos, members), axis=1)
        name = graph.name_of
        rows = [(name(a), name(b)) for a, b in zip(egos.tolist(), members.tolist(), strict=True)]
        return self.output(counts, rows)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the templates' names, each with the number of the role."""
        names = [f"{title_of(role.template)} ({role.role})" for role in self.operators_]
        return np.array(names, dtype=object)

    @cached_property
    def operators_(self) -> list[RoleOperator]:
        """The roles that are counted, one for every column."""
        found = match(as_graph(self.graph), self.templates, threads=self.threads)
        roles = [role for one in found for role in one[1:]]
        return [role for role in roles if self.roles == "all" or role.is_far]

    def __getstate__(self) -> dict[str, Any]:
        # Roles belong to the process that found them; another finds them again.
        return {name: value for name, value in vars(self).items() if name != "operators_"}
