"""``grape explain`` for many graphs: what roles are worth, and what one answer rests on."""

from __future__ import annotations

from pathlib import Path

from grape_gnn.cli.output import (
    check_target,
    console,
    load_torch,
    plain_table,
    print_json,
    working,
)
from grape_gnn.errors import ModelError

__all__ = ["explain_graph_run"]

_ROLES = 12


def explain_graph_run(path: Path, graph: str | None, figure: Path | None, as_json: bool) -> None:
    """Print what roles are worth on the validation graphs, or what one answer rests on.

    Parameters
    ----------
    path
        The run folder.
    graph
        Name of a graph of the run; None: all validation graphs.
    figure
        File for a drawing of that graph.
    as_json
        Print JSON.
    """
    load_torch()
    from grape_gnn.explain import explain_graph, role_worth
    from grape_gnn.runs.graph_run import GraphRun
    from grape_gnn.template.palette import role_colour
    from grape_gnn.training import METRICS

    if figure is not None:
        if graph is None:
            raise ModelError("--figure draws one graph: choose it with --graph NAME")
        check_target(figure, ".svg")
    run = GraphRun.open(path)
    with working("asking the model"):
        model, graphs = run.model(), run.graphs()
        number = None if graph is None else graphs.index_of(graph)
        if number is None:
            why, effects = None, role_worth(model, graphs, run.split().validation)
        else:
            why = explain_graph(model, graphs, number)
            effects = list(why.roles)
    if figure is not None and why is not None:
        from grape_gnn.files import atomic_write

        with atomic_write(figure) as temporary:
            temporary.write_text(why.svg(), encoding="utf-8")
    if as_json:
        print_json(
            {"roles": [effect.to_json() for effect in effects]}
            if why is None
            else {"graph": graphs.name_of(number or 0), **why.to_json()}
        )
        return
    screen = console()
    metric = METRICS[model.metric_]
    factor = 100 if why is None and metric.percent else 1
    if why is None:
        unit = ", in points," if metric.percent else ""
        title = metric.title(model.task_)
        does = "By how much" if metric.is_error else "What", "grows" if metric.is_error else "loses"
        screen.print(
            f"{does[0]} the {title} of the validation graphs {does[1]}{unit} when nobody plays a "
            f"role.\n"
        )
    else:
        label = run.predictions()[number or 0].label or "none"
        answer = f"{why.answer:.6g}" if isinstance(why.answer, float) else why.answer
        called = graphs.name_of(number or 0)
        screen.print(f"graph {called}: label {label}, predicted {answer}\n", style="bold")
    table = plain_table("template", "role", "worth", right=("role", "worth"))
    for effect in sorted(effects, key=lambda each: -abs(each.effect))[:_ROLES]:
        name = effect.template.name or effect.template.text
        table.add_row(
            name, str(effect.role), f"{factor * effect.effect:+.3f}",
            style=role_colour(effect.role),
        )  # fmt: skip
    screen.print(table)
    if why is not None:
        odds = model.task_ != "regression"
        what = "the log odds of the answer" if odds else "the number"
        screen.print(
            f"\nWorth: what {what}, {why.value:+.3f}, would lose if nobody played the role. "
            f"Strongest around {why.node}."
        )
    if figure is not None:
        screen.print(f"drawn: {figure}", soft_wrap=True)
