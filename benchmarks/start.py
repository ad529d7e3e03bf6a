"""How scripts begin: where the published graphs are, and one line where something is missing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from grape_gnn.datasets import load
from grape_gnn.errors import GrapeError

__all__ = ["check_datasets", "facebook_file", "start"]


def start(main: Callable[[], int | None]) -> None:
    """Run a script; what is wrong with its data is one line, not a traceback."""
    try:
        sys.exit(main())
    except GrapeError as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")


def check_datasets(names: Iterable[str]) -> None:
    """Complain of graphs that are not there before cells fail one by one."""
    for name in names:
        load(name)


def facebook_file(name: str, data: Path | None) -> Path:
    """Return the file of a Facebook100 graph, in a given folder or in that of ``GRAPE_DATA``."""
    folder = data or os.environ.get("GRAPE_DATA")
    if not folder:
        raise GrapeError(f"needs {name}.mat: set GRAPE_DATA=<folder with facebook100/>, or --data")
    path = Path(folder, "facebook100", f"{name}.mat")
    if not path.exists():
        raise GrapeError(f"there is no file {path}: set GRAPE_DATA=<folder with facebook100/>")
    return path
