"""Reading pickles of plain arrays without the power to run anything.

A pickle is a program: it may name any function of any module and call it. Here only the names
that arrays, sparse matrices and dictionaries of lists need can be looked up, and each is answered
with a stand-in of ours that checks what it is given; any other name stops the reading before
anything is called.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from grape_gnn.errors import GraphFileError, UnsafePickleError
from grape_gnn.files import open_regular

__all__ = ["read_array_pickle"]


class _PickledType:
    """Stands in for ``numpy.dtype``; only numbers, for an array of objects may hold anything."""

    def __init__(self, code: str, align: object = False, copy: object = False) -> None:
        self.dtype = np.dtype(code)
        if self.dtype.kind not in "biuf":
            raise ValueError(f"arrays of type {code!r} are not read")

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _version, byte_order, *_ = state
        self.dtype = self.dtype.newbyteorder(byte_order)


class _PickledArray:
    """Stands in for ``numpy.ndarray``, whose own way to take a state trusts it blindly."""

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.state = state

    def decode(self) -> NDArray[Any]:
        _version, shape, kind, by_columns, data = self.state
        content = data.encode("latin1") if isinstance(data, str) else data
        flat = np.frombuffer(content, kind.dtype)
        array: NDArray[Any] = flat.reshape(shape, order="F" if by_columns else "C")
        return array


class _PickledCsr:
    """Stands in for ``scipy.sparse.csr_matrix``."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.state = state

    def decode(self) -> Any:
        parts = tuple(self.state[key].decode() for key in ("data", "indices", "indptr"))
        matrix: Any = csr_array(parts, shape=self.state["_shape"])
        # Indices out of range would be read past the end of the arrays later on.
        matrix.check_format(full_check=True)
        return matrix


def _reconstruct(kind: object, shape: object, code: object) -> _PickledArray:
    # In a pickle the arguments are always those of an empty array: the contents follow.
    return _PickledArray()


_ALLOWED: dict[tuple[str, str], Any] = {
    ("numpy.core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy._core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy", "ndarray"): "ndarray",  # only ever an argument of _reconstruct
    ("numpy", "dtype"): _PickledType,
    ("scipy.sparse.csr", "csr_matrix"): _PickledCsr,
    ("scipy.sparse._csr", "csr_matrix"): _PickledCsr,
    ("collections", "defaultdict"): defaultdict,
    ("__builtin__", "list"): list,
    ("builtins", "list"): list,
}


class _ArrayUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise _RefusedError(f"{module}.{name}")
        return _ALLOWED[module, name]

    def persistent_load(self, pid: Any) -> Any:
        raise _RefusedError(f"the persistent object {pid!r}")


class _RefusedError(Exception):
    """A name outside the list; turned into a message with the file's path by the reader."""


def read_array_pickle(path: Path) -> Any:
    """Return the array, sparse array or dictionary in a pickle, of Python 2 or 3.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    UnsafePickleError
        The pickle names something that is not needed for arrays of numbers.
    GraphFileError
        The file is truncated or no pickle.
    """
    try:
        with open_regular(path) as file:
            value = _ArrayUnpickler(file, encoding="latin1").load()
        return value.decode() if isinstance(value, _PickledArray | _PickledCsr) else value
    except _RefusedError as refused:
        raise UnsafePickleError(
            path,
            f"the pickle asks for {refused}, which arrays do not need, so it was not read; get "
            "the file again from its source",
        ) from refused
    except Exception as error:  # a damaged pickle fails in as many ways as there are opcodes
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is no readable pickle of arrays: {reason}") from error
