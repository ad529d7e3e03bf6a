"""The table of a comparison: means with their spread, who is first, and paired differences.

Reference methods (label propagation, MLP, LINKX, logistic regression) stand in the table but are
not ranked: the comparison is between GRAPE and the paper's eight baselines. Runs with the same seed
share their split, so methods are compared run by run. A method with label inputs is not the one
without.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from grape_gnn.baselines import METHODS, REFERENCE_METHODS
from grape_gnn.notebook import html_table
from grape_gnn.training import METRICS, RunResult, figure_text, summarise

__all__ = [
    "METRIC_WORDS",
    "Row",
    "comparison_table",
    "metric_columns",
    "metrics_text",
    "table_text",
]

METRIC_WORDS = {name: metric.words for name, metric in METRICS.items()}


@dataclass(frozen=True)
class Row:
    """One method on one dataset with one kind of features.

    Figures are in percent, but for metrics in units of their own, such as RMSE.

    Parameters
    ----------
    dataset, features, method, label_inputs
        What was run on what, and whether it had training labels among its inputs.
    runs
        Number of runs.
    metric
        What the scores are.
    mean, std, error
        Test score: mean, standard deviation, standard error of the mean.
    validation
        Mean validation score.
    reference
        Whether it stands outside the ranking.
    first
        Whether its mean is the best of the ranked methods: the highest, or of errors the lowest.
    tied
        Whether its mean is within its standard error of the best.
    against
        The best of the other ranked methods; None if there is none.
    difference, difference_error
        Mean of the differences to it over the runs both have, and its standard error.
    seconds
        Mean time of a training.
    figures
        All metrics of the test nodes by name: means over the runs, as people know them. Empty for
        runs that were recorded without them.
    """

    dataset: str
    features: str
    method: str
    label_inputs: bool
    runs: int
    metric: str
    mean: float
    std: float
    error: float
    validation: float
    reference: bool
    first: bool
    tied: bool
    against: str | None
    difference: float | None
    difference_error: float | None
    seconds: float
    figures: dict[str, float]

    def text(self, figure: float, digits: int = 2) -> str:
        """Write a figure: with so many digits in percent, or with four that count in units."""
        if METRICS[self.metric].percent:
            return f"{figure:.{digits}f}"
        return f"{figure:,.0f}" if abs(figure) >= 1000 else f"{figure:.4g}"

    @property
    def difference_text(self) -> str:
        """The difference to the best of the others; empty if there is none."""
        if self.difference is None or self.difference_error is None:
            return ""
        sign = "+" if self.difference >= 0 else "-"
        gap, error = self.text(abs(self.difference)), self.text(self.difference_error)
        return f"{sign}{gap} ± {error} to {self.against}"

    @property
    def title(self) -> str:
        """The method as tables name it: reference methods in brackets, label inputs mentioned."""
        name = _title((self.method, self.label_inputs))
        return f"({name})" if self.reference else name


_Name = tuple[str, bool]  # of a method, and whether it had label inputs


def _title(name: _Name) -> str:
    return f"{name[0]} + labels" if name[1] else name[0]


class ComparisonTable(list[Row]):
    """The rows of a comparison, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        names, figures = metric_columns(self)
        heads = (
            "dataset",
            "features",
            "method",
            "test",
            "std. error",
            "difference",
            "runs",
            *names,
        )
        rows = [
            (
                row.dataset,
                row.features,
                f"{row.title}{' (first)' if row.first else ' (tied)' if row.tied else ''}",
                f"{row.text(row.mean)} ± {row.text(row.std)}",
                row.text(row.error),
                row.difference_text,
                row.runs,
                *texts,
            )
            for row, texts in zip(self, figures, strict=True)
        ]
        metric = METRICS[self[0].metric] if self else None
        words = "scores" if metric is None else metric.words
        unit = " in percent" if metric is not None and metric.percent else ""
        note = f"Test {words}{unit}: mean ± deviation; further metrics: means"
        return html_table("Comparison", heads, rows, note)


def comparison_table(results: Iterable[RunResult]) -> ComparisonTable:
    """Summarise final runs, by dataset, kind of features and method.

    Parameters
    ----------
    results
        Runs, such as `compare` returns or `read_results` reads; trainings of the grid are skipped.

    Examples
    --------
    >>> runs = [
    ...     RunResult(name, "cora", "original", seed, {}, 0, 1, 0.8, test, 1.0)
    ...     for name, tests in {"gcn": (0.80, 0.82), "grape": (0.83, 0.86)}.items()
    ...     for seed, test in enumerate(tests)
    ... ]
    >>> for row in comparison_table(runs):
    ...     print(row.method, round(row.mean, 1), row.first, round(row.difference, 1))
    gcn 81.0 False -3.5
    grape 84.5 True 3.5
    """
    groups: dict[tuple[str, str, str], dict[_Name, dict[int, RunResult]]] = {}
    for run in results:
        if run.stage == "run" and run.test_score is not None:
            # Of two runs of the same seed, the later one counts.
            group = groups.setdefault((run.dataset, run.features, run.metric), {})
            name = (run.model, bool(run.settings.get("label_inputs")))
            group.setdefault(name, {})[run.seed] = run
    return ComparisonTable(row for key, group in groups.items() for row in _rows(*key, group))


def _rows(
    dataset: str, features: str, metric: str, group: dict[_Name, dict[int, RunResult]]
) -> list[Row]:
    order = {name: place for place, name in enumerate(METHODS)}
    names = sorted(group, key=lambda name: (order.get(name[0], len(order)), name))
    scores = {name: {s: run.test_score or 0.0 for s, run in group[name].items()} for name in names}
    unit = 100.0 if METRICS[metric].percent else 1.0
    sign = -1.0 if METRICS[metric].is_error else 1.0  # scores of errors are negative
    figures = {name: summarise(scores[name].values(), unit) for name in names}
    ranked = [name for name in names if name[0] not in REFERENCE_METHODS]
    top = max((figures[name][0] for name in ranked), default=float("nan"))
    rows = []
    for name in names:
        mean, std, error = figures[name]
        others = [other for other in ranked if other != name]
        against = max(others, key=lambda other: figures[other][0], default=None)
        gap = _paired(scores[name], scores[against], unit) if against else None
        rows.append(
            Row(
                dataset=dataset,
                features=features,
                method=name[0],
                label_inputs=name[1],
                runs=len(scores[name]),
                metric=metric,
                mean=sign * mean,
                std=std,
                error=error,
                validation=sign
                * unit
                * _mean(run.validation_score for run in group[name].values()),
                reference=name not in ranked,
                first=name in ranked and mean == top,
                tied=name in ranked and mean + error >= top,
                against=_title(against) if against and gap else None,
                difference=sign * gap[0] if gap else None,
                difference_error=gap[1] if gap else None,
                seconds=_mean(run.seconds for run in group[name].values()),
                figures=_mean_figures(group[name].values()),
            )
        )
    return rows


def _paired(
    mine: dict[int, float], theirs: dict[int, float], unit: float
) -> tuple[float, float] | None:
    shared = sorted(mine.keys() & theirs.keys())
    if not shared:
        return None
    mean, _, error = summarise((mine[seed] - theirs[seed] for seed in shared), unit)
    return mean, error


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))


def _mean_figures(runs: Iterable[RunResult]) -> dict[str, float]:
    listed = list(runs)
    known = {name: [run.figures.get(name) for run in listed] for name in METRICS}
    return {
        name: _mean(value for value in values if value is not None)
        for name, values in known.items()
        if any(value is not None for value in values)
    }


def metric_columns(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return all metrics of the rows: the names of the columns, and the cells of every row.

    Examples
    --------
    >>> run = RunResult(
    ...     "gcn", "cora", "original", 0, {}, 0, 1, 0.8, 0.81, 1.0, figures={"log-loss": 0.7}
    ... )
    >>> metric_columns(comparison_table([run]))
    (['log loss'], [['0.7']])
    """
    shown = [name for name in METRICS if any(name in row.figures for row in rows)]
    cells = [[figure_text(name, row.figures.get(name), 1) for name in shown] for row in rows]
    task = "multi-label" if "micro-f1" in shown else ""
    return [METRICS[name].title(task) for name in shown], cells


def table_text(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table; the first is bold, those tied with it are starred.

    Examples
    --------
    >>> run = RunResult("gcn", "cora", "original", 0, {}, 0, 1, 0.8, 0.81, 1.0)
    >>> print(table_text(comparison_table([run])))
    | dataset | features | method | test accuracy | std. error | paired difference | runs | s/run |
    |---|---|---|---|---|---|---|---|
    | cora | original | gcn | **81.0 ± 0.0** | 0.00 | | 1 | 1.0 |
    """
    words = " or ".join(dict.fromkeys(METRIC_WORDS[row.metric] for row in rows)) or "score"
    lines = [
        f"| dataset | features | method | test {words} | std. error | paired difference | runs "
        "| s/run |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        scored = f"{row.text(row.mean, 1)} ± {row.text(row.std, 1)}"
        if row.first:
            scored = f"**{scored}**"
        elif row.tied:
            scored += " *"
        gap = ""
        if row.difference is not None:
            gap = f"{row.difference_text} "
        lines.append(
            f"| {row.dataset} | {row.features} | {row.title} | {scored} | {row.text(row.error)} "
            f"| {gap}"
            f"| {row.runs} | {row.seconds:.1f} |"
        )
    return "\n".join(lines)


def metrics_text(rows: Sequence[Row]) -> str:
    """Return all metrics of the rows, means over the runs, as a Markdown table; empty if none.

    Examples
    --------
    >>> run = RunResult(
    ...     "gcn", "cora", "original", 0, {}, 0, 1, 0.8, 0.81, 1.0, figures={"macro-f1": 0.805}
    ... )
    >>> print(metrics_text(comparison_table([run])))
    | dataset | features | method | macro F1 |
    |---|---|---|---|
    | cora | original | gcn | 80.5% |
    """
    heads, cells = metric_columns(rows)
    if not heads:
        return ""
    lines = [
        f"| dataset | features | method | {' | '.join(heads)} |",
        "|---" * (3 + len(heads)) + "|",
    ]
    for row, texts in zip(rows, cells, strict=True):
        lines.append(f"| {row.dataset} | {row.features} | {row.title} | {' | '.join(texts)} |")
    return "\n".join(lines)
