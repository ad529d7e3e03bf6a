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

SECOND_LOOKS = Path(__file__).with_name("second_looks.md")
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
2. **With label inputs on offer**, to everybody who is trained: the training labels are inputs too,
   half of them hidden in every epoch ([how](baselines.md)), and validation decides whether the
   features are used besides. Whether it takes label inputs at all is validation's choice as well,
   over the splits that ran with and without them, as with `grape train --label-inputs auto`: who
   declines has the score of league one, with a circle (°). Label propagation and logistic
   regression are not trained that way and are the same in both leagues.

## The protocol

- **Entrants**: the eight baselines and the five reference methods ([what they are](baselines.md)),
  all ranked here; *GRAPE*, the preset `default` with the templates that suit the dataset, or with
  the edge alone where validation prefers that; *GRAPE, edge*, with the edge as its only template.
- **Grid**, the same for all, of four points: dropout 0.1 or 0.5, two layers or three (minesweeper:
  two or five; the generated tasks, which ask for a node's own role: one, too; DE-GNN is exact for
  two only); width 32, weight decay 5e-5, learning rate 0.02. The social graphs have six: also
  dropout 0.3; the two smaller ones nine: also five layers, which would take hours on the others.
  Where the features are words (Cora, Citeseer, chameleon) there are 24: also dropout 0.7, weight
  decay 2e-3 and learning rate 0.005.
  Methods published without batch normalisation try every point without and with it, and *GRAPE*
  with all templates and with the edge alone. Points are tried on the first split, on the airports
  on two, on the paper's graphs and chameleon on three. In league one there are *finals*: the best
  point of either form goes on to all splits, and the form with the better mean validation score
  there is taken, before any test node is scored. (Splits overlap: a test node of one is a
  validation node of others, so the choice between two forms has seen its label there; the same for
  all who have finals.) Training is that of the [protocol](baselines.md). League two has the finals
  and the grids of league one on the airports, chameleon, role-quartile and directed-roles; the rest
  was run before: GRAPE on the social graphs with finals and two or three layers, everybody on Cora
  and Citeseer with four points on one split.
- **The paper's graphs**: the baselines were run for the [results](results.md) page too, on the same
  splits, chosen on one of them from 16 points (width 16 or 32, two weight decays, learning rate
  0.01 or 0.03, dropout 0.3 or 0.5), times two for batch normalisation, with two layers (GIN: two or
  three). Those runs stand where their mean validation score is the better one: a second grid that
  GRAPE does not have. For GAT, GeniePath and Meta-GNN on the social graphs they are the only ones,
  because those three take hours there; and for GIN of league two on all seven.
- **Who has no finals** in league one: GeniePath; GAT but on Cora and Citeseer; Meta-GNN on
  chameleon and the social graphs. GIN, DE-GNN and LINKX come in one form and need none.
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
    looks = SECOND_LOOKS.read_text(encoding="utf-8")
    parts = [_HEAD.format(tasks=len(TASKS)), looks, _tasks(scores)]
    for league, title in ((1, "without label inputs"), (2, "with label inputs on offer")):
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
