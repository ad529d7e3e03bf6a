"""What ``grape search`` prints at the end."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from grape_gnn.cli.output import console, drawn, plain_table
from grape_gnn.cli.search_progress import judged
from grape_gnn.cli.training_progress import in_words

if TYPE_CHECKING:
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.search import SearchResult

__all__ = ["graph_words", "print_found", "summary"]

_ENDINGS = {
    "rounds": "all rounds done",
    "time": "time is over",
    "exhausted": "no new gene came up for many rounds",
    "interrupted": "interrupted",
}
_CHOICES = 6  # of the Pareto list, on the screen


def summary(found: SearchResult) -> dict[str, Any]:
    """Return the outcome of a search for scripts."""
    history = found.history
    return {
        "folder": str(found.folder),
        "ended": found.ended,
        "templates": found.best.texts,
        "names": [template.name for template in found.templates],
        "metric": found.history.metric,
        "validation_accuracy": found.validation_accuracy,
        "start_validation_accuracy": found.start.validation_accuracy,
        "judged_by": found.history.best.fitness,
        "figures": dict(history.best.figures),
        "start_figures": dict(found.start.figures),
        "rounds": history.rounds,
        "evaluations": sum(1 for _ in history.computed(history.fitness)),
        "trainings": sum(1 for _ in history.computed("training")),
        "seconds": round(history[-1].seconds, 3),
        "matching_seconds": round(history.matching_seconds, 3),
        "evaluation_seconds": round(history.evaluation_seconds, 3),
        "pareto": [
            {
                "templates": each.gene.texts,
                "validation_accuracy": each.validation_accuracy,
                "cost": each.cost,
            }
            for each in found.pareto
        ],
    }


def print_found(found: SearchResult, source: GraphSource) -> None:
    """Print the templates found, what they are worth and what to do with them."""
    screen = console()
    history = found.history
    screen.print(f"{source.title}: {_gain(found)}", style="bold cyan")
    table = plain_table("template", "drawing", "roles", right=("roles",))
    for template in found.templates:
        picture = drawn(template, screen.options.ascii_only)
        table.add_row(template.name or template.text, picture, str(template.num_roles))
    screen.print(table)
    rounds = "1 round" if history.rounds == 1 else f"{history.rounds} rounds"
    screen.print(
        f"\n{_ENDINGS[found.ended]} after {rounds} and "
        f"{in_words(history[-1].seconds)}: {judged(history)}, matching "
        f"{history.matching_seconds:.1f} s"
    )
    _print_metrics(found)
    _print_choices(found)
    screen.print(f"\nfolder: {found.folder} (templates.svg, curve.svg)", soft_wrap=True)
    screen.print(f"next:   {found.train_command(graph_words(source))}", soft_wrap=True)


def _gain(found: SearchResult) -> str:
    """Say what the templates are worth."""
    from grape_gnn.training import METRICS, score_text

    metric, by = found.history.metric, found.history.best.fitness
    best, start = found.validation_accuracy, found.start.validation_accuracy
    if metric != "accuracy":
        words = f"validation {METRICS[metric].words} {score_text(metric, best)} by {by}"
        return f"{words}, {score_text(metric, start)} by edges alone"
    return (
        f"{100 * best:.2f}% of the validation nodes right by {by}, {100 * (best - start):+.2f} "
        f"points over edges alone"
    )


def _print_metrics(found: SearchResult) -> None:
    """Print all metrics of what was found and of the start, if both were trained."""
    from grape_gnn.training import METRICS, figure_text

    best, start = found.history.best.figures, found.start.figures
    if not best:
        return
    screen = console()
    screen.print("\nAll metrics of the validation nodes")
    columns = ("found", "edges alone")
    table = plain_table("", *columns, right=columns)
    task = "multi-label" if "micro-f1" in best else ""
    for name in METRICS:
        if name in best:
            texts = (figure_text(name, figures.get(name)) for figures in (best, start))
            table.add_row(METRICS[name].title(task), *texts)
    screen.print(table)


def _print_choices(found: SearchResult) -> None:
    from grape_gnn.training import score_text

    front, metric = found.pareto, found.history.metric
    if len(front) < 2:
        return
    screen = console()
    screen.print("\nCheaper choices: cost is the work of an aggregation, 1 for edges alone")
    accuracy = f"by {found.history.fitness}"
    table = plain_table("cost", accuracy, "templates", right=("cost", accuracy))
    for each in front[-_CHOICES:]:
        names = ", ".join(t.name or t.text for t in each.gene.templates)
        table.add_row(f"{each.cost:.2f}", score_text(metric, each.validation_accuracy), names)
    screen.print(table)


def graph_words(source: GraphSource) -> str:
    """Return how a graph is named on the command line, with its options.

    Examples
    --------
    >>> from grape_gnn.datasets.source import GraphSource
    >>> graph_words(GraphSource("friends.csv", False, {"directed": True, "label": "team"}))
    'friends.csv --directed --label team'
    >>> graph_words(GraphSource("amherst", True, {"missing": "drop-label"}, "constant"))
    'amherst --option missing=drop-label --features constant'
    """
    words = [source.name]
    for name, value in source.options.items():
        if source.is_dataset:
            words += ["--option", f"{name}={value}"]
        elif name == "directed":
            words.append("--directed" if value else "--undirected")
        elif name == "header":
            words.append("--header" if value else "--no-header")
        else:
            words += [f"--{name}", ",".join(value) if isinstance(value, list) else str(value)]
    if source.features is not None:
        words += ["--features", source.features]
    return shlex.join(words)
