"""Every table and figure of the paper, run again: ``python -m reproduction``, ``make results``.

One file an experiment. Its finished cells are records (`record`), run by `runner`; `document`
writes the page of results from the records and from nothing else. This package is part of the
repository, not of the installed library.
"""

from __future__ import annotations

import difflib

from grape_gnn.errors import GrapeError
from reproduction.accuracy_table import TABLE_1, TABLE_A1, TABLE_A2
from reproduction.experiment import Entry, Experiment
from reproduction.fig3a import FIG_3A
from reproduction.fig3bc import FIG_3BC
from reproduction.profiles import PROFILES, Profile
from reproduction.prop2 import PROP_2
from reproduction.record import Record, Records
from reproduction.runner import CellReport, missing_cells, run_cells
from reproduction.table2 import TABLE_2
from reproduction.table3 import TABLE_3
from reproduction.table_a3 import TABLE_A3

__all__ = [
    "EXPERIMENTS",
    "PROFILES",
    "CellReport",
    "Entry",
    "Experiment",
    "Profile",
    "Record",
    "Records",
    "find_experiment",
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
    raise GrapeError(f"no experiment is called {name!r}{hint} (there are {known})")
