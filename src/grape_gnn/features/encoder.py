"""`NodeEncoder`: the columns of a node table as features, the way scikit-learn's transformers work.

All that it learns comes from the training nodes, and is plain JSON: it goes into the model file,
and the same is done to the same columns of any other table, found by their names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from grape_gnn.arguments import flag, number, whole_number
from grape_gnn.errors import ModelError
from grape_gnn.features.categories import CategoryCode, fit_category
from grape_gnn.features.numbers import NumberCode, fit_number
from grape_gnn.features.sparse_matrix import MatrixCode, fit_matrix
from grape_gnn.files import check_shape
from grape_gnn.graph import Graph
from grape_gnn.graph.columns import Column, make_column, overruled
from grape_gnn.graph.frames import frame_columns, is_frame
from grape_gnn.transformer import Transformer

__all__ = ["NodeEncoder", "encoded"]

Code: TypeAlias = NumberCode | CategoryCode | MatrixCode


class _State(TypedDict):
    columns: list[dict[str, Any]]
    left_out: dict[str, str]
    notes: dict[str, str]


class NodeEncoder(Transformer):
    """Make features of the columns of a node table.

    Numbers and dates are standardised by the mean and deviation of the training nodes, or brought
    to a log scale where they have heavy tails. Categories are one-hot, rare ones together. Truth
    values are 0 and 1. Missing values are filled in, and a feature of their own marks them. What is
    the same on all training nodes is left out, and so are texts and ids, which differ from node to
    node.

    Parameters
    ----------
    scaling
        Whether to scale numbers and dates; if not, they are taken as they are.
    categorical
        Columns of categories that look like numbers, such as codes.
    ignore
        Columns to leave out.
    min_frequency
        Share of the training nodes below which a category is rare.
    max_categories
        How many categories of a column may have a feature of their own; the others are rare.

    Attributes
    ----------
    codes_ : list
        What is done to every column that is used.
    left_out_ : dict
        The columns that are not, and why.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"age": [20, 30, None, 40], "job": ["cook", "clerk"] * 2})
    >>> encoder = NodeEncoder()
    >>> print(encoder.fit_transform(people).round(1))
    [[-1.2  0.   0.   1. ]
     [ 0.   0.   1.   0. ]
     [ 0.   1.   0.   1. ]
     [ 1.2  0.   1.   0. ]]
    >>> encoder.get_feature_names_out().tolist()
    ['age', 'age is missing', 'job=clerk', 'job=cook']
    """

    def __init__(
        self,
        scaling: bool = True,
        categorical: Collection[str] = (),
        ignore: Collection[str] = (),
        min_frequency: float = 0.01,
        max_categories: int = 32,
    ) -> None:
        self.scaling = scaling
        self.categorical = categorical
        self.ignore = ignore
        self.min_frequency = min_frequency
        self.max_categories = max_categories

    def fit(self, data: Any, y: Any = None, *, nodes: Any = None) -> NodeEncoder:
        """Learn from the training nodes.

        Parameters
        ----------
        data
            A `Graph` with columns or features, or a pandas, polars or Arrow table of nodes.
        y
            Not looked at; it is there for pipelines.
        nodes
            Mask or list of the training nodes; None: all.

        Returns
        -------
        NodeEncoder
            Itself.
        """
        flag("scaling", self.scaling, error=ModelError)
        number("min_frequency", self.min_frequency, least=0, below=1, error=ModelError)
        whole_number("max_categories", self.max_categories, 1, error=ModelError)
        matrix = _matrix_of(data)
        if matrix is not None:
            training = np.zeros(data.num_nodes, bool)
            training[slice(None) if nodes is None else np.asarray(nodes)] = True
            self.codes_: list[Code] = [fit_matrix(matrix, training, self.scaling)]
            self.left_out_: dict[str, str] = {}
            self.notes_: dict[str, str] = {}
            return self
        columns = overruled(_columns_of(data), self.categorical, self.ignore)
        size = columns[0].values.size if columns else 0
        training = np.zeros(size, bool)
        training[slice(None) if nodes is None else np.asarray(nodes)] = True
        self.codes_ = []
        self.left_out_ = dict.fromkeys(self.ignore, "as asked")
        for column in columns:
            code = self._fitted(column, training)
            if isinstance(code, str):
                self.left_out_[column.name] = code
            else:
                self.codes_.append(code)
        self.notes_ = {column.name: column.note for column in columns if column.note}
        return self

    def _fitted(self, column: Column, training: NDArray[np.bool_]) -> Code | str:
        if column.kind == "id":
            return "looks like an id"
        if column.kind == "text":
            different = len({*column.values} - {None})
            if different < (~column.missing).sum():
                return f"text with {different:,} different values"
            return "text that differs from node to node"
        if column.kind == "category":
            return fit_category(column, training, self.min_frequency, self.max_categories)
        return fit_number(column, training, self.scaling)

    def transform(self, data: Any, *, trained: Any = None) -> Any:
        """Return the features, a row for every node, as `set_output` says.

        They are sparse if a sparse matrix was learnt from.
        Columns are found by their names, whatever their order; further ones do not matter.

        Parameters
        ----------
        data
            As for `fit`.
        trained
            Mask or list of the nodes it learnt from, if they are among these. Values that only
            other nodes of the same data have are no news then; if not, a warning tells of them.
        """
        matrix = next((code for code in self._codes if isinstance(code, MatrixCode)), None)
        if matrix is not None:
            if not isinstance(data, Graph) or data.x is None:
                raise ModelError(
                    "the model was trained with a matrix of features: give a graph that has one"
                )
            return matrix.transform(data.x)
        columns = {column.name: column for column in _columns_of(data)}
        missing = [code.name for code in self._codes if code.name not in columns]
        if missing:
            known = ", ".join(columns) or "none"
            raise ModelError(
                f"the node table lacks {', '.join(map(repr, missing))}, which the model was "
                f"trained with; its columns are {known}"
            )
        features = [
            part
            for code in self._codes
            if not isinstance(code, MatrixCode)
            for part in code.transform(columns[code.name], trained)
        ]
        if not features:  # no column is of use: all nodes are alike
            features = [np.ones(_num_rows(data, columns))]
        rows = data.names if isinstance(data, Graph) else getattr(data, "index", None)
        return self.output(np.stack(features, axis=1).astype(np.float32), rows)

    def fit_transform(self, data: Any, y: Any = None, *, nodes: Any = None) -> Any:
        """Learn, and return the features."""
        return self.fit(data, y, nodes=nodes).transform(data, trained=nodes)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the features."""
        names = [name for code in self._codes for name in code.feature_names]
        return np.array(names or ["constant"], dtype=object)

    @property
    def _codes(self) -> list[Code]:
        self.check_fitted("codes_")
        return self.codes_

    # -------------------------------------------------------------- description and files

    def describe(self) -> list[tuple[str, str, str]]:
        """Return name, kind and treatment of every column, those left out at the end."""
        rows = [(code.name, code.kind, code.describe()) for code in self._codes]
        rows += [(name, "", f"left out: {why}") for name, why in self.left_out_.items()]
        return [
            (name, kind, f"{what}; {self.notes_[name]}" if name in self.notes_ else what)
            for name, kind, what in rows
        ]

    def to_json(self) -> dict[str, Any]:
        """Return all that it learnt, for ``json.dump``."""
        return {
            "columns": [code.to_json() for code in self._codes],
            "left_out": self.left_out_,
            "notes": self.notes_,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NodeEncoder:
        """Read what `to_json` wrote.

        Raises
        ------
        ValueError
            It is not that.
        """
        check_shape(data, _State)
        encoder = cls()
        encoder.codes_ = [_code_of(dict(entry)) for entry in data["columns"]]
        encoder.left_out_, encoder.notes_ = dict(data["left_out"]), dict(data["notes"])
        return encoder


def encoded(graph: Graph, nodes: Any = None, scaling: bool = True) -> Graph:
    """Return a graph with features in place of its columns; one without columns as it is.

    Parameters
    ----------
    graph
        The graph.
    nodes
        Mask or list of the training nodes; None: all.
    scaling
        As for `NodeEncoder`.
    """
    if graph.columns is None:
        return graph
    return replace(graph, x=NodeEncoder(scaling).fit_transform(graph, nodes=nodes), columns=None)


def _columns_of(data: Any) -> tuple[Column, ...]:
    if isinstance(data, Graph):
        if data.columns is not None:
            return data.columns
        if data.x is None:
            raise ModelError("the graph has no features: read it with a table of its nodes")
        return tuple(make_column(f"x{k}", data.x[:, k], "used") for k in range(data.x.shape[1]))
    if is_frame(data):
        return tuple(make_column(name, cells) for name, cells in frame_columns(data).items())
    raise ModelError(
        f"expected a Graph or a pandas, polars or Arrow table of nodes, got {type(data).__name__}"
    )


def _matrix_of(data: Any) -> Any:
    """Return the sparse matrix of a graph's features; None if they are something else."""
    ours = isinstance(data, Graph) and data.columns is None and issparse(data.x)
    return data.x if ours else None


def _num_rows(data: Any, columns: Mapping[str, Column]) -> int:
    if isinstance(data, Graph):
        return data.num_nodes
    return next((column.values.size for column in columns.values()), 0)


def _code_of(entry: dict[str, Any]) -> Code:
    kind = entry.pop("code", None)
    if kind == "matrix":
        check_shape(entry, MatrixCode)
        scales = tuple(entry["scales"])
        if not all(np.isfinite(scales)) or min(scales, default=1.0) <= 0:
            raise ValueError("the scale of a column is none")
        return MatrixCode(scales, entry["name"])
    if kind == "category":
        check_shape(entry, CategoryCode)
        return CategoryCode(**{**entry, "categories": tuple(entry["categories"])})
    check_shape(entry, NumberCode)
    code = NumberCode(**entry)
    sizes = (code.fill, code.middle, code.spread, code.center, code.scale)
    if not np.isfinite(sizes).all() or code.spread <= 0 or code.scale <= 0:
        raise ValueError(f"the scale of {code.name!r} is none")
    return code
