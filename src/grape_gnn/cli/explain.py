"""``grape explain``: what a trained model learnt, and what it sees around one node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.options import AsJson
from grape_gnn.cli.output import console, drawn, plain_table, print_json, working
from grape_gnn.cli.predict import RunPath

if TYPE_CHECKING:
    from grape_gnn.explain import Explanation, LabelShares, NodeExplanation

__all__ = ["explain"]

_LABELS = 5  # as many as in Table 2 of the paper


def explain(
    run: RunPath,
    node: Annotated[
        str | None,
        typer.Option("--node", "-n", help="Show this node's Ego-AE sets instead of the weights."),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="With --node: list at most this many members of a set.")
    ] = 10,
    repeats: Annotated[
        int, typer.Option(min=1, help="Permutations per template and role for the importance.")
    ] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the permutations.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Print what a trained model learnt: weights of templates and roles, and their worth.

    A share is what a template or role brings of what differs between nodes; the worth is the
    validation accuracy, in percentage points, that is lost when the roles are dealt to the wrong
    nodes at random. With --node, print the labels within two hops and in every Ego-AE set.

    \b
    Examples:
      grape explain runs/amherst-1
      grape explain runs/amherst-1 --node 1422
      grape explain runs/amherst-1 --json > weights.json
    """
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
    _print_classes(explanation)


def _print_weights(explanation: Explanation) -> None:
    screen = console()
    layers = [f"layer {number}" for number in range(1, len(explanation.layers) + 1)]
    worth = f"worth (points, of {100 * explanation.importance.accuracy:.1f}%)"
    table = plain_table("template", "role", *layers, worth, right=(*layers, worth))
    found = explanation.importance
    for k, template in enumerate(explanation.templates):
        name = f"{template.name or template.text}  "
        weights = [
            (f"alpha {layer.alpha[k]:.2f}  " if layer.alpha else "")
            + f"share {100 * layer.share[k]:3.0f}%"
            for layer in explanation.layers
        ]
        change = f"{100 * found.template_drop[k]:+.1f} ± {100 * found.template_std[k]:.1f}"
        sketch = drawn(template, screen.options.ascii_only)
        table.add_row(name, sketch, *weights, change, style="bold")
        for weight in (w for w in explanation.layers[0].roles if w.template == k):
            row = [
                f"weight {w.weight:9.3g}  share {100 * w.share:3.0f}%"
                for layer in explanation.layers
                for w in layer.roles
                if (w.template, w.role, w.form) == (k, weight.role, weight.form)
            ]
            lost = ""
            if weight.role and weight.form == _first_form(explanation):
                number = explanation.role_number(k, weight.role)
                lost = f"{100 * found.role_drop[number]:+.1f} ± {100 * found.role_std[number]:.1f}"
            words = "role 0, the ego" if weight.role == 0 else f"role {weight.role}, {weight.form}"
            table.add_row("", words, *row, lost)
    if any(layer.own for layer in explanation.layers):
        kept = [f"share {100 * layer.own:3.0f}%" for layer in explanation.layers]
        table.add_row("the node itself", "its own map", *kept, "", style="bold")
    screen.print(
        "What the model learnt. Compare shares: weights multiply values of different size.\n"
    )
    screen.print(table)


def _first_form(explanation: Explanation) -> str:
    return next(weight.form for weight in explanation.layers[0].roles if weight.role)


def _print_classes(explanation: Explanation) -> None:
    found = explanation.importance
    chosen = [code for code, count in enumerate(found.support.tolist()) if count]
    names = [str(explanation.classes[code]) for code in chosen]
    table = plain_table("template", *names, right=tuple(names))
    for template, row in zip(explanation.templates, found.class_drop.tolist(), strict=True):
        cells = [f"{100 * row[code]:+.0f}".replace("+0", "0").replace("-0", "0") for code in chosen]
        table.add_row(template.name or template.text, *cells)
    table.add_row("nodes", *(str(found.support[code]) for code in chosen), style="dim")
    console().print("\nWorth by label: points lost among the validation nodes of the label.\n")
    console().print(table)


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
