"""Features and labels in ``.npy`` files: row ``i`` belongs to the node that is called ``i``.

Features may also be a sparse matrix, in an ``.npz`` file that ``scipy.sparse.save_npz`` wrote.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse, load_npz

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.files.array_file import pack_names, page_dropper
from grape_gnn.files.npy import GrowingArray, read_array
from grape_gnn.graph.feature_matrix import as_features, feature_members, made_dense
from grape_gnn.graph.streaming.workspace import Workspace
from grape_gnn.graph.targets import read_target
from grape_gnn.progress import report

__all__ = ["NodeArrays"]

CELLS = 1 << 22  # of the features, copied at once


class NodeArrays:
    """Arrays of features and labels on their way into a graph.

    Parameters
    ----------
    work
        Where the conversion works.
    x, y
        The files, or None.
    """

    def __init__(self, work: Workspace, x: Path | None, y: Path | None) -> None:
        self.work = work
        self.files = {name: file for name, file in (("x", x), ("y", y)) if file is not None}
        self.arrays: dict[str, Any] = {}
        for name, file in self.files.items():
            sparse = name == "x" and file.suffix == ".npz"
            self.arrays[name] = _read_sparse(file, work.memory) if sparse else _mapped(file)
        for name, file in self.files.items():
            if self.arrays[name].shape[0] != len(self):
                raise GraphFileError(file, f"has not as many rows as {self.files['x']}")

    def __len__(self) -> int:
        return int(next(iter(self.arrays.values())).shape[0])

    def integers(self) -> NDArray[np.int64]:
        """Return the names of the nodes: the numbers of the rows."""
        return np.arange(len(self))

    def texts(self) -> NoReturn:
        """Refuse texts for names, which rows cannot belong to."""
        file = next(iter(self.files.values()))
        raise GraphFileError(
            file, "row i belongs to node i, and nodes have texts for names: use a table"
        )

    def place(self, numbers: NDArray[np.int32], nodes: int, on_edges: int) -> None:
        """See that every node has a row."""
        del numbers, on_edges
        if nodes != len(self):
            file = next(iter(self.files.values()))
            raise GraphFileError(
                file,
                f"has {len(self):,} rows, and row i belongs to node i: nodes of the edge list have "
                f"larger numbers",
            )

    def write(self, task: str | None) -> None:
        """Write features and labels into the graph."""
        folder, x = self.work.graph, self.arrays.get("x")
        if issparse(x):
            try:
                folder.write_arrays(feature_members(as_features(x, len(self))))
            except GraphError as error:
                raise GraphFileError(self.files["x"], str(error)) from None
        elif x is not None:
            drop = page_dropper(x)
            step = max(1, CELLS // max(1, x.shape[1]))
            with GrowingArray(folder.array_path("x"), np.float32, (x.shape[1],)) as copy:
                for begin in range(0, len(x), step):
                    report("copying the features", begin, len(x))
                    block = x[begin : begin + step]
                    try:
                        copy.append(made_dense(as_features(block, len(block)), "a copy"))
                    except GraphError as error:
                        where = f"in the rows from {begin:,} on, {error}"
                        raise GraphFileError(self.files["x"], where) from None
                    drop()
        if "y" in self.arrays:
            try:
                y, classes = read_target(np.array(self.arrays["y"]), len(self), task)
            except GraphError as error:
                raise GraphFileError(self.files["y"], str(error)) from None
            folder.write_arrays({"y": y})
            if classes is not None:
                folder.write_arrays(pack_names("label_names", classes))


def _mapped(file: Path) -> NDArray[np.generic]:
    try:
        array = read_array(file, mmap=True)
    except OSError as error:
        raise GraphFileError(file, f"cannot be read: {error.strerror}") from error
    except Exception as error:  # a damaged header makes NumPy fail in many ways
        raise GraphFileError(file, f"is not an .npy file of numbers: {error}") from error
    if array.ndim == 0:
        raise GraphFileError(file, "holds one number, not a row for every node")
    return array


def _read_sparse(file: Path, memory: int) -> csr_array[Any, Any]:
    """Read a packed sparse matrix, which has to fit into memory; trust none of its arrays."""
    try:
        with zipfile.ZipFile(file) as packed:
            size = sum(member.file_size for member in packed.infolist())
        if size > memory:
            raise GraphFileError(
                file, f"takes {size / 1e9:.2g} GB unpacked: give more memory, or an .npy file"
            )
        matrix: Any = load_npz(file)
        if matrix.format in ("csr", "csc"):
            matrix.check_format(full_check=True)
        elif matrix.format != "coo":  # whose places are looked at as it is made
            raise ValueError(f"its format is {matrix.format}: save it as csr")
        return csr_array(matrix)
    except GraphFileError:
        raise
    except OSError as error:
        raise GraphFileError(file, f"cannot be read: {error.strerror or error}") from error
    except Exception as error:  # a damaged file makes NumPy and SciPy fail in many ways
        raise GraphFileError(
            file, f"is not a sparse matrix of scipy.sparse.save_npz: {error}"
        ) from error
