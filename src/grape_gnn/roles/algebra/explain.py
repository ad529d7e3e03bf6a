"""`explain_plan`: what the role algebra does for a template on a graph, in words.

Like a database's EXPLAIN: for every role the expression, what is computed once, what a product
with features costs, how many instances enumeration would have visited, and which engine
``engine="auto"`` picks.
"""

from __future__ import annotations

from collections.abc import Iterable

from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.roles.algebra.compile import compile_role
from grape_gnn.roles.algebra.cost import Cost, CostModel, choose_engine
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.expression import Combination
from grape_gnn.roles.algebra.induced import reaches_induced
from grape_gnn.roles.algebra.notation import Notation
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.roles.algebra.share import gather, is_tree
from grape_gnn.roles.engine import MatchSettings, make_settings
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["explain_plan"]

_EXACT_TOTAL_SECONDS = 10.0
_BYTES_PER_ENTRY = 12


def explain_plan(
    graph: GraphLike,
    templates: str | Template | Iterable[str | Template],
    *,
    weighting: str = "count",
    induced: bool = False,
) -> str:
    """Say how the roles of templates are computed on a graph, without computing them.

    Parameters
    ----------
    graph
        The graph the costs are estimated for.
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    weighting, induced
        As for `match`.

    Returns
    -------
    str
        A readable text.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> print(explain_plan(g, "3-path"))
    3-path  0-1 1-2
      enumeration would visit 10 instances
      engine: algebra
      role 1 (node 1): A·D − A
        one value per edge; a product with features is one pass over the 4 edges
      role 2 (node 2): A·A − D
        2 passes over the 4 edges per product; no matrix is formed
    where A = the adjacency matrix; D = diag(d), the degrees
    """
    graph = as_graph(graph)
    settings = make_settings(weighting=weighting, induced=induced, threads=1)
    model = CostModel(graph, induced=settings.induced)
    evaluator, notation = Evaluator(graph), Notation()
    lines: list[str] = []
    for template in find_templates(templates):
        title = f"{template.name}  {template.text}" if template.name else template.text
        lines += [title, f"  enumeration would visit {_instances(model, evaluator, template)}"]
        lines.append(f"  engine: {_choice(model, template, settings)}")
        if settings.induced and not reaches_induced(template):
            continue  # there is nothing but the search
        for role in range(1, template.num_roles):
            combination = compile_role(template, role, induced=settings.induced)
            nodes = ", ".join(map(str, template.roles[role]))
            kind = "node" if len(template.roles[role]) == 1 else "nodes"
            lines.append(f"  role {role} ({kind} {nodes}): {notation.operator(combination)}")
            lean = is_tree(template) and not settings.induced
            words = _in_words(model, combination, lean)
            lines += [f"    {text}" for text in words]
    legend = "; ".join(f"{name} = {meaning}" for name, meaning in sorted(notation.legend.items()))
    return "\n".join([*lines, f"where {legend}"] if legend else lines)


def _choice(model: CostModel, template: Template, settings: MatchSettings) -> str:
    """Name the engine; where it was a matter of cost, say what the two cost."""
    engine = choose_engine(model, template, settings)
    words = [model.search(template)] if engine == "enumerate" else []
    if settings.induced and not reaches_induced(template):
        return f"{engine} ({'; '.join(words)})"
    algebra = model.algebra(template)
    enumeration = model.enumeration(template, spare=algebra)
    if max(algebra, enumeration) >= 1e-3:
        words.append(
            f"with one product about {_duration(algebra)} by the algebra, "
            f"{_duration(enumeration)} by enumeration"
        )
    return f"{engine} ({'; '.join(words)})" if words else engine


def _instances(model: CostModel, evaluator: Evaluator, template: Template) -> str:
    """Return the exact number where the algebra has it cheaply, else an estimate."""
    if model.induced and not reaches_induced(template):
        return f"at most about {model.instances(template):.2g} instances"
    cheapest = min(range(1, template.num_roles), key=lambda j: _cost(model, template, j).seconds)
    if _cost(model, template, cheapest).seconds > _EXACT_TOTAL_SECONDS:
        return f"about {model.instances(template):.2g} instances"
    totals = AlgebraicRole(evaluator, template, cheapest, induced=model.induced).totals()
    return f"{sum(totals.tolist()):,} instances"


def _cost(model: CostModel, template: Template, role: int) -> Cost:
    terms = compile_role(template, role, induced=model.induced).terms
    return model.prepare(matrix for _, matrix in terms)


def _in_words(model: CostModel, combination: Combination, lean: bool) -> list[str]:
    cost = model.prepare(matrix for _, matrix in combination.terms)
    edges = f"the {model.graph.num_edges:,} edges"
    words = []
    if cost.seconds >= 1e-3:
        words.append(f"computed once: about {_duration(cost.seconds)}")
    if cost.entries and lean:
        words.append(
            "pairs of nodes that are not adjacent are computed row by row at every product, "
            "never stored"
        )
    elif cost.entries:
        size = cost.entries * _BYTES_PER_ENTRY / 1e6
        words.append(
            f"needs pairs of nodes that are not adjacent: up to {cost.entries:.2g} entries, "
            f"{size:,.0f} MB"
        )
    elif gather(combination).on_edges:
        words.append(f"one value per edge; a product with features is one pass over {edges}")
    else:
        passes = sum(len(product.factors) for product in gather(combination).products)
        words.append(f"{passes} passes over {edges} per product; no matrix is formed")
    return words


def _duration(seconds: float) -> str:
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
