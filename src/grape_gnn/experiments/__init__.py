"""Every table and figure of the paper, regenerated: ``grape reproduce`` and ``make results``.

One file an experiment. Its cells become JSON lines (`lines`), run by `runner`; `document` writes
the page of results from the lines and from nothing else.
"""

from __future__ import annotations

import difflib

from grape_gnn.errors import ExperimentError
from grape_gnn.experiments.ablations import ABLATIONS
from grape_gnn.experiments.experiment import Cell, Experiment
from grape_gnn.experiments.fig3a import FIG_3A
from grape_gnn.experiments.fig3bc import FIG_3BC
from grape_gnn.experiments.lines import Line, Results
from grape_gnn.experiments.profiles import PROFILES, Profile, find_profile
from grape_gnn.experiments.prop2 import PROP_2
from grape_gnn.experiments.runner import CellReport, missing_cells, run_cells
from grape_gnn.experiments.table1 import TABLE_1
from grape_gnn.experiments.table2 import TABLE_2
from grape_gnn.experiments.table3 import TABLE_3
from grape_gnn.experiments.table_a1 import TABLE_A1
from grape_gnn.experiments.table_a2 import TABLE_A2
from grape_gnn.experiments.table_a3 import TABLE_A3

__all__ = [
    "EXPERIMENTS",
    "PROFILES",
    "Cell",
    "CellReport",
    "Experiment",
    "Line",
    "Profile",
    "Results",
    "find_experiment",
    "find_profile",
    "missing_cells",
    "run_cells",
]

# In the order in which `make results` runs them.
EXPERIMENTS: tuple[Experiment, ...] = (
    TABLE_1,
    TABLE_A1,
    TABLE_A2,
    TABLE_A3,
    TABLE_3,
    FIG_3A,
    FIG_3BC,
    TABLE_2,
    PROP_2,
    ABLATIONS,
)


def find_experiment(name: str) -> Experiment:
    """Return the experiment of a name; upper and lower case do not matter.

    Examples
    --------
    >>> find_experiment("tablea1").title
    'Table A1: constant features'
    """
    names = {
        each.lower(): experiment
        for experiment in EXPERIMENTS
        for each in (experiment.name, *experiment.aliases)
    }
    if name.lower() in names:
        return names[name.lower()]
    close = difflib.get_close_matches(name.lower(), names, n=1)
    hint = f"; did you mean {names[close[0]].name}?" if close else ""
    known = ", ".join(experiment.name for experiment in EXPERIMENTS)
    raise ExperimentError(f"no experiment is called {name!r}{hint} (there are {known})")
