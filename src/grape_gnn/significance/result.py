"""What `significance` returns: scores of templates, of nodes and roles, and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import flag
from grape_gnn.errors import MatchError
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph
from grape_gnn.notebook import html_table
from grape_gnn.significance.counts import role_names
from grape_gnn.significance.figure import strip_chart
from grape_gnn.significance.rewiring import Mixing
from grape_gnn.significance.statistics import Scores
from grape_gnn.template import Template

__all__ = ["Significance"]

_COLUMNS = ("observed", "mean", "std", "z", "p", "q")


@dataclass(frozen=True, eq=False, repr=False)
class Significance:
    """How the counts of a graph compare with those of rewired graphs.

    Attributes
    ----------
    graph, templates, null, alternative
        What was compared.
    copies
        The number of copies in every rewired graph: a row for each, a column for each template.
    scores
        `Scores` of the templates.
    roles
        `Scores` of every node (row) and every role of every template (column, `role_names`); None
        unless asked for.
    mixing
        Means over the rewired graphs: how far they got away from the graph.

    Examples
    --------
    >>> import networkx as nx
    >>> from grape_gnn.significance import significance
    >>> found = significance(nx.karate_club_graph(), "triangle", samples=20, nodes=True)
    >>> found
    Significance(1 template, 20 rewired graphs, null='degrees')
    >>> found.roles.z.shape, found.role_names
    ((34, 2), ['triangle, role 0', 'triangle, role 1'])
    """

    graph: Graph
    templates: tuple[Template, ...]
    null: str
    alternative: str
    copies: NDArray[np.int64]
    scores: Scores
    roles: Scores | None
    mixing: Mixing

    @property
    def names(self) -> list[str]:
        """The templates by name, or else by their text."""
        return [template.name or template.text for template in self.templates]

    @property
    def role_names(self) -> list[str]:
        """What the columns of `roles` are."""
        return role_names(self.templates)

    @property
    def observed(self) -> NDArray[np.int64]:
        """Copies of every template in the graph."""
        return self.scores.observed

    @property
    def z(self) -> NDArray[np.float64]:
        """The z-score of every template; nan if all rewired graphs have the same count."""
        return self.scores.z

    @property
    def p(self) -> NDArray[np.float64]:
        """The p-value of every template."""
        return self.scores.p

    @property
    def q(self) -> NDArray[np.float64]:
        """The p-values corrected for the number of templates."""
        return self.scores.q

    def rows(self) -> list[dict[str, Any]]:
        """Return one record for each template, of Python's own numbers."""
        columns = {name: getattr(self.scores, name).tolist() for name in _COLUMNS}
        return [
            {"template": name, **{column: values[k] for column, values in columns.items()}}
            for k, name in enumerate(self.names)
        ]

    def to_pandas(self, nodes: bool = False) -> Any:
        """Return a data frame of pandas (extra ``arrow``): a row for each template.

        Parameters
        ----------
        nodes
            A row for each node and role instead.
        """
        with named_extra():
            import pandas as pd

        if not flag("nodes", nodes):
            return pd.DataFrame(self.rows()).set_index("template")
        if self.roles is None:
            raise MatchError("there are no scores of nodes: ask significance for nodes=True")
        names = [self.graph.name_of(v) for v in range(self.graph.num_nodes)]
        index = pd.MultiIndex.from_product([names, self.role_names], names=("node", "role"))
        columns = {name: getattr(self.roles, name).ravel() for name in _COLUMNS}
        return pd.DataFrame(columns, index=index)

    def svg(self) -> str:
        """Draw every template's count among those of the rewired graphs, as a picture in SVG."""
        return strip_chart(self.names, self.copies, self.scores)

    @property
    def note(self) -> str:
        """How the rewiring went, in a sentence."""
        mixing = self.mixing
        return (
            f"{len(self.copies)} rewired graphs (null: {self.null}); {mixing.accepted:.0%} of the "
            f"steps accepted, {mixing.kept_half:.0%} of the edges kept after half of them, "
            f"{mixing.kept:.0%} at the end"
        )

    def __repr__(self) -> str:
        number = len(self.templates)
        return (
            f"Significance({number} template{'' if number == 1 else 's'}, {len(self.copies)} "
            f"rewired graphs, null={self.null!r})"
        )

    def _repr_html_(self) -> str:
        rows = [[row["template"], *(f"{row[c]:,.4g}" for c in _COLUMNS)] for row in self.rows()]
        return html_table("Significance", ("template", *_COLUMNS), rows, self.note)
