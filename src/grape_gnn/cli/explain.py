"""``grape explain``: what a trained model learnt, and what it sees around one node."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from grape_gnn.cli.explain_graphs import explain_graph_run
from grape_gnn.cli.options import AsJson
from grape_gnn.cli.output import (
    console,
    drawn,
    load_torch,
    plain_table,
    print_json,
    print_wide,
    working,
)
from grape_gnn.cli.predict import RunPath
from grape_gnn.cli.train_graphs import is_graph_run
from grape_gnn.errors import GrapeError

if TYPE_CHECKING:
    from rich.text import Text

    from grape_gnn.explain import Explanation, LabelShares, NodeExplanation
    from grape_gnn.template import Template

__all__ = ["explain"]

_HEADING = 40  # letters of a template's name and drawing
_FEATURES = 10
_LABELS = 5  # as many as in Table 2 of the paper


def explain(
    run: RunPath,
    node: Annotated[
        str | None,
        typer.Option("--node", "-n", help="Show this node's Ego-AE sets instead of the weights."),
    ] = None,
    graph: Annotated[
        str | None,
        typer.Option(
            "--graph", "-g", metavar="NAME",
            help="Of a training on many graphs: what the answer for this one rests on. Its name, "
            "or number without one, as in predictions.csv.",
        ),
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --graph: draw it, its strongest roles in colour, as SVG."
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="With --node: list at most this many members of a set.")
    ] = 10,
    repeats: Annotated[
        int, typer.Option(min=1, help="Permutations per template and role for the importance.")
    ] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the permutations.")] = 0,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Print what a trained model learnt: weights of templates and roles, and their worth.

    A share is what a template or role brings of what differs between nodes; the worth is the
    validation accuracy, in percentage points, that is lost when the roles, or the values of a
    feature, are dealt to the wrong nodes at random. With --node, print the labels within two hops
    and in every Ego-AE set. Of a training on many graphs: what roles are worth
    on the validation graphs, or with --graph for the answer of one of them.

    \b
    Examples:
      grape explain runs/amherst-1
      grape explain runs/amherst-1 --node 1422
      grape explain runs/amherst-1 --json > weights.json
      grape explain runs/molecules-1 --graph 3 --figure molecule.svg
    """
    if is_graph_run(run):
        if node is not None:
            raise GrapeError("--node: this training is about whole graphs; give --graph NAME")
        explain_graph_run(run, graph, figure, as_json)
        return
    if graph is not None or figure is not None:
        raise GrapeError("--graph and --figure are for trainings with --task graph")
    load_torch()
    from grape_gnn.explain import explain_node, explain_run

    if node is not None:
        with working(f"looking around {node}"):
            found = explain_node(run, node, members=limit)
        if as_json:
            print_json(found.to_json())
        else:
            _print_node(found)
        return
    with working("asking the model"):
        explanation = explain_run(run, repeats=repeats, seed=seed)
    if as_json:
        print_json(explanation.to_json())
        return
    _print_weights(explanation)
    _print_features(explanation)
    _print_classes(explanation)


def _print_weights(explanation: Explanation) -> None:
    screen = console()
    layers = [f"layer {number}" for number in range(1, len(explanation.layers) + 1)]
    heads = ("template and role", *layers, "worth")
    table = plain_table(*heads, right=heads[1:])
    found = explanation.importance
    for k, template in enumerate(explanation.templates):
        if not explanation.occurs[k].any():
            table.add_row(f"{template.name or template.text}: no instance in the graph")
            continue
        shares = [
            (f"{layer.alpha[k]:.3g}" if layer.alpha else "") + f"  {100 * layer.share[k]:3.0f}%"
            for layer in explanation.layers
        ]
        lost = _points(found.template_drop[k], found.template_std[k])
        table.add_row(_heading(template), *shares, lost, style="bold")
        for weight in (w for w in explanation.layers[0].roles if w.template == k):
            row = [
                f"{w.weight:.3g}  {100 * w.share:3.0f}%"
                for layer in explanation.layers
                for w in layer.roles
                if (w.template, w.role, w.form) == (k, weight.role, weight.form)
            ]
            lost = ""
            if weight.role and weight.form == _first_form(explanation):
                number = explanation.role_number(k, weight.role)
                lost = _points(found.role_drop[number], found.role_std[number])
            words = "role 0, the ego" if weight.role == 0 else f"role {weight.role}, {weight.form}"
            table.add_row(f"  {words}", *row, lost)
    if any(layer.own for layer in explanation.layers):
        kept = [f"{100 * layer.own:3.0f}%" for layer in explanation.layers]
        table.add_row("the node itself, its own map", *kept, "", style="bold")
    screen.print(
        "What the model learnt. By layer: the weight, then the share of what tells nodes\n"
        "apart. Compare shares: weights multiply values of different size. Worth: points\n"
        f"of the validation {explanation.measure}, {100 * found.accuracy:.1f}%, lost when roles "
        "are dealt at random.\n"
    )
    screen.print(table)


def _heading(template: Template) -> Text:
    from rich.text import Text

    screen = console()
    name = template.name or template.text
    picture = drawn(template, screen.options.ascii_only)
    # A drawing that would make the table wider than the screen is left out.
    return Text(f"{name}  ") + picture if len(name) + len(picture) < _HEADING else Text(name)


def _points(drop: float, std: float) -> str:
    return f"{round(100 * drop, 1) + 0.0:+.1f} ± {100 * std:.1f}"  # no -0.0


def _first_form(explanation: Explanation) -> str:
    return next(weight.form for weight in explanation.layers[0].roles if weight.role)


def _print_features(explanation: Explanation) -> None:
    found = explanation.features
    if not found.names:
        return
    screen = console()
    table = plain_table("feature", "worth", right=("worth",))
    for name, drop, std in zip(found.names[:_FEATURES], found.drop, found.std, strict=False):
        table.add_row(name, _points(drop, std))
    together = 100 * (found.together or 0.0)
    at_once = f"; all {found.columns:,} columns at once: {together:+.1f}"
    screen.print(
        "\nFeatures: points lost when the values of a column are dealt at random"
        f"{at_once if found.columns > 1 else ''}.\n"
    )
    screen.print(table)


def _print_classes(explanation: Explanation) -> None:
    found = explanation.importance
    if not found.support.any():
        return
    there = np.flatnonzero(explanation.occurs.any(axis=1))
    names = [explanation.templates[k].name or explanation.templates[k].text for k in there]
    rows = [
        [
            str(explanation.classes[code]),
            str(found.support[code]),
            *(
                f"{100 * drop:+.0f}".replace("+0", "0").replace("-0", "0")
                for drop in found.class_drop[there, code].tolist()
            ),
        ]
        for code in np.flatnonzero(found.support).tolist()
    ]
    console().print("\nWorth by label: points lost among the validation nodes of the label.\n")
    print_wide(("label", "nodes", *names), rows)


def _print_node(found: NodeExplanation) -> None:
    from rich.text import Text

    from grape_gnn.template.palette import role_colour

    screen = console()
    label = "no label" if found.label is None else f"label {found.label}"
    sure = "" if found.probability is None else f" ({100 * found.probability:.0f}%)"
    part = f", {found.part} node" if found.part else ""
    screen.print(f"{found.node}: {label}, predicted {found.predicted}{sure}{part}\n", style="bold")
    table = plain_table(
        "set", "nodes", "most frequent labels", "strongest members", right=("nodes",)
    )
    for words, hop in (("within 2 hops", found.two_hop), ("neighbours", found.one_hop)):
        table.add_row(words, f"{hop.nodes:,}", _shares(hop, found.label), "")
    for entry in found.sets:
        name = f"{entry.template.name or entry.template.text}, role {entry.role}"
        members = ", ".join(f"{m.name} ×{m.count:,}" for m in entry.members)
        more = f", and {entry.more:,} more" if entry.more else ""
        table.add_row(
            Text(name, style=role_colour(entry.role)),
            f"{entry.labels.nodes:,}",
            _shares(entry.labels, found.label),
            f"{members or 'nobody'}{more}",
        )
    screen.print(table)
    screen.print("×: in how many instances the member plays the role.")


def _shares(found: LabelShares, own: Any) -> Any:
    """Write the most frequent labels as in Table 2 of the paper, the node's own in bold."""
    from rich.text import Text

    words = Text()
    for k, (label, share) in enumerate(found.shares[:_LABELS]):
        words.append(", " if k else "")
        words.append(f"{label} ({100 * share:.1f}%)", style="bold" if label == own else "")
    return words
