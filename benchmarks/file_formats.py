"""A small valid example of everything that grape-gnn reads, and how it is read.

`FORMATS` has for every format a function that writes files into an empty folder and one that
reads them, as far as a user can. `damage_case` damages one of the files and reads them again.
"""

from __future__ import annotations

import shutil
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from file_mutations import mutate
from grape_gnn.errors import GrapeError
from graph_formats import GRAPH_FORMATS, Format
from run_formats import RUN_FORMATS

__all__ = ["FORMATS", "damage_case", "make_examples"]

FORMATS: dict[str, Format] = {**GRAPH_FORMATS, **RUN_FORMATS}


def damage_case(examples: Path, name: str, number: int, folder: Path) -> str | None:
    """Damage a copy of an example and read it; return what went wrong, None if nothing did.

    Right is a success, or a `GrapeError` with a message of one line.

    Parameters
    ----------
    examples
        What `make_examples` made.
    name
        The format.
    number
        The number of the case: the same number, the same damage.
    folder
        Place for the copy; what is there is removed.
    """
    # By the name, not by the place in the list: a new format leaves the cases of the others alone.
    rng = np.random.default_rng([number, zlib.crc32(name.encode())])
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(examples / name, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    chosen = files[rng.integers(len(files))]
    chosen.write_bytes(mutate(chosen.read_bytes(), rng))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            FORMATS[name].read(folder)
    except GrapeError as error:
        message = str(error)
        if len(message.splitlines()) != 1:
            return f"{chosen.name}: a message of several lines: {message!r}"
    except Exception as error:
        return f"{chosen.name}: {type(error).__name__}: {str(error)[:300]}"
    return None


def make_examples(folder: Path, names: Any = None) -> None:
    """Write the examples of all formats, or of some, each into a folder of its own; read them."""
    for name in FORMATS if names is None else names:
        (folder / name).mkdir(parents=True)
        FORMATS[name].write(folder / name)
        FORMATS[name].read(folder / name)
