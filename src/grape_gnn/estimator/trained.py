"""A model of GRAPE that was trained: its parameters, what it is given, and what it answers.

A graph is given with every question; or, as scikit-learn wants it, once to the constructor, and the
samples are node numbers (`grape_gnn.estimator.target.node_numbers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.estimator.decoupled import Decoupled
from grape_gnn.estimator.fitted import FittedModel
from grape_gnn.estimator.input import check_roles, check_same_kind, feature_array
from grape_gnn.estimator.known_labels import KnownLabels, given_labels
from grape_gnn.estimator.method import Grape
from grape_gnn.estimator.methods import find_method, is_product_folder_of
from grape_gnn.estimator.role_cache import RoleCache
from grape_gnn.estimator.sklearn_base import TransformerMixin
from grape_gnn.estimator.target import node_numbers
from grape_gnn.extras import named_extra
from grape_gnn.features import NodeEncoder
from grape_gnn.graph import Graph, as_graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.feature_matrix import Features
from grape_gnn.nn import GRAPE, DecoupledGRAPE, RoleValues, SparseFeatures, as_sparse
from grape_gnn.roles import RoleMatches
from grape_gnn.template import Template
from grape_gnn.training import (
    Batches,
    Prepared,
    ProductInputs,
    is_constant,
    scores_of,
    with_all_labels,
)

with named_extra():
    import torch

__all__ = ["TrainedModel"]

# Of graphs given to constructors: copies of an estimator, as a search makes them, share them.
_SHARED: WeakKeyDictionary[Graph, RoleCache] = WeakKeyDictionary()


class TrainedModel(TransformerMixin, FittedModel):  # type: ignore[misc]
    """Parameters and answers; `GrapeEstimator` has the training."""

    graph: Any
    edge_only: bool | str | None
    label_inputs: bool
    batch_size: int | str | None
    sample_neighbours: int | None
    products: str | None
    min_epochs: int | None
    split: int | str
    scaling: bool | None

    encoder_: NodeEncoder | None
    _directed: bool
    _known: KnownLabels | None

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] | None = None,
        preset: str = "default",
        *,
        graph: Any = None,
        edge_only: bool | str | None = None,
        hidden: int = 32,
        layers: int = 2,
        dropout: float = 0.3,
        label_inputs: bool = False,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-5,
        class_weight: str | Mapping[Any, float] | None = None,
        batch_size: int | str | None = "auto",
        sample_neighbours: int | None = None,
        products: str | None = None,
        metric: str | None = None,
        epochs: int = 500,
        patience: int = 50,
        min_epochs: int | None = None,
        split: int | str = 0,
        scaling: bool | None = None,
        engine: str = "auto",
        device: str = "cpu",
        seed: int = 0,
    ) -> None:
        self._keep(locals())

    def _asked(self, graph: Any) -> tuple[Graph, NDArray[np.int64] | None]:
        """Return the graph, and which nodes are meant if node numbers were given; None: all."""
        listed = isinstance(graph, list | tuple | range) or hasattr(graph, "__array__")
        flat = isinstance(graph, np.ndarray) and graph.ndim == 1
        if self.graph is None and (flat or isinstance(graph, list | tuple | range)):
            raise ModelError(
                f"expected a graph, got {type(graph).__name__}: give one, or, to fit and predict "
                f"by node numbers, give it once as graph= of {type(self).__name__}"
            )
        if self.graph is None or not listed:
            return as_graph(graph), None
        whole = as_graph(self.graph)
        return whole, node_numbers(graph, whole.num_nodes)

    def _method(self) -> Grape | Decoupled:
        return find_method(self.templates_, self.preset, self.engine)

    def _prepared(self, graph: Graph, x: Features, given: RoleMatches | None = None) -> Prepared:
        """Return what the method needs of a graph, made now or known from a call before."""
        method = self._method()
        if isinstance(method, Decoupled):
            return Prepared(self._product_inputs(method, graph, x, given), is_constant(x), (graph,))
        features = as_sparse(x, self.device)
        roles = self._roles(method, graph, given)
        return Prepared(features, is_constant(x), (roles,))

    def _product_inputs(
        self,
        method: Decoupled,
        graph: Graph,
        x: Features,
        given: RoleMatches | None,
    ) -> ProductInputs:
        """Return products: from the folder, if it is of this graph or the training makes it."""
        if given is not None:
            raise ModelError("roles= is for presets with layers: 'decoupled' matches by itself")
        fitted = hasattr(self, "_network")
        folder = self.products
        if fitted:
            kept = getattr(self._network, "directions", None)
            directions = None if kept is None else kept.cpu().numpy()
            if folder is not None and not is_product_folder_of(folder, graph, x):
                folder = None
        else:
            directions = method.directions(x, folder)
        texts = tuple((template.name, template.text) for template in self.templates_)
        what = ("decoupled", texts, folder, fitted and directions is not None, checksum(graph, x))
        found = self.role_cache.get(
            graph, what, lambda: method.inputs(graph, x, folder, directions)
        )
        return cast(ProductInputs, found)

    def _roles(self, method: Grape, graph: Graph, given: RoleMatches | None = None) -> RoleValues:
        """Return the roles of a graph: those given, those of a call before, or matched now."""
        preset = method.preset
        if given is not None:
            check_roles(graph, given, self.templates_, preset)
            if any(roles.sampled or roles.truncated for roles in given):
                return method.roles(graph, given)  # predicting takes exact ones
        texts = tuple((template.name, template.text) for template in self.templates_)
        what = (texts, preset.weighting, preset.values)
        return cast(
            RoleValues, self.role_cache.get(graph, what, lambda: method.roles(graph, given))
        )

    @property
    def role_cache(self) -> RoleCache:
        """The roles of the last two graphs."""
        if isinstance(self.graph, Graph):
            return _SHARED.setdefault(self.graph, RoleCache())
        if not hasattr(self, "_cache"):
            self._cache = RoleCache()
        return self._cache

    # -------------------------------------------------------------- asking

    def outputs(self, graph: Any, known: Any = None) -> NDArray[Any]:
        """Return what the network computes, before it is turned into probabilities.

        Parameters
        ----------
        graph, known
            As for `predict`.

        Returns
        -------
        array
            Shape (nodes, classes) or (nodes, labels); for numbers (nodes,), in their units.
        """
        self.network  # noqa: B018  complains if there is none
        whole, nodes = self._asked(graph)
        everyone = torch.arange(whole.num_nodes, device=self.device)
        found = self.outputs_of(self._batches(whole, known), everyone)
        return found if nodes is None else found[nodes]

    def in_units(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return numbers to predict in the units of the network, which `outputs` undoes."""
        centre, spread = self._units
        return (numbers - centre) / spread

    def _batches(self, graph: Graph, known: Any = None) -> Batches:
        prepared = self._asked_of(graph, known)
        return self._method().batches([prepared.x, *prepared.structure], None)

    def transform(self, graph: Any) -> NDArray[np.float32]:
        """Return what the last layer knows of every node, shape (nodes, hidden).

        Parameters
        ----------
        graph
            As for `predict`: a graph, or node numbers of the constructor's graph.
        """
        whole, nodes = self._asked(graph)
        network = _Headless(self.network).eval()
        everyone = torch.arange(whole.num_nodes, device=self.device)
        kept = scores_of(network, self._batches(whole), everyone)
        found: NDArray[np.float32] = kept.cpu().numpy()
        return found if nodes is None else found[nodes]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns that `transform` gives."""
        ends = isinstance(self.network, GRAPE) and not self.network.preset.head
        width = self.num_outputs if ends else self.hidden
        return np.array([f"grape{number}" for number in range(width)], dtype=object)

    def inputs(
        self, graph: Any, known: Any = None
    ) -> tuple[torch.Tensor | SparseFeatures, RoleValues]:
        """Return what the network is given for a graph: its features and role matrices."""
        self.layered  # noqa: B018  complains of a network that takes something else
        prepared = self._asked_of(graph, known)
        features, roles = with_all_labels([prepared.x, *prepared.structure])
        return features, roles

    def product_inputs(self, graph: Any, known: Any = None) -> ProductInputs:
        """Return what a network of the preset ``decoupled`` is given: features and products."""
        prepared = self._asked_of(graph, known)
        if not isinstance(prepared.x, ProductInputs):
            raise ModelError(f"the preset {self.preset!r} takes no products: ask for its inputs")
        return prepared.x

    def _asked_of(self, graph: Any, known: Any = None) -> Prepared:
        """Return what the network is asked with, the labels among it that may be seen."""
        width = self.num_features  # complains if nothing was fitted
        data, _ = self._asked(graph)
        own = self.encoder_ is not None and self.is_trained_on(data)
        x = feature_array(data, self.encoder_, self.split_.train if own else None)
        check_same_kind(data, x, width, self._directed)
        seen = self.seen_labels(data, known)
        prepared = self._prepared(data, x)
        if seen is not None:
            given = torch.from_numpy(seen).to(self.device)
            prepared = prepared.with_labels(given, self.num_outputs)
        return prepared

    def seen_labels(self, graph: Graph, known: Any = None) -> NDArray[Any] | None:
        """Return the labels that the network may see, as for `predict`; None: it looks at none."""
        if self._known is None:
            if known is not None:
                raise ModelError("known= is for models with label_inputs=True")
            return None
        if known is None:
            seen: NDArray[Any] = self._known.on(graph)
            return seen
        return given_labels(self._target(graph), known, self.labels_, self.task_)

    def scored_nodes(self, graph: Any, mask: Any = None) -> tuple[Graph, NDArray[np.bool_]]:
        """Return a graph and the mask of its nodes that a score is of.

        These are the labelled nodes among those of the mask; without one, among the test nodes of
        the training's graph. On another graph all labelled nodes are scored, with a warning that
        says so.
        """
        data = as_graph(graph)
        if data.y is None:
            raise ModelError("the graph has no labels to score against: pass y=")
        return data, self._chosen(data, data.num_nodes, mask)

    def _digest(self, graph: Graph) -> str:
        return checksum(graph)

    @property
    def num_features(self) -> int:
        """Number of features of a node, without label inputs."""
        width: int = self.network.in_features
        if isinstance(self.network, DecoupledGRAPE):
            return width  # labels are in the products alone
        extra = 0 if self.task_ == "classification" else 1  # that a label is given
        return width - (self.num_outputs + extra if self.label_inputs else 0)

    @property
    def layered(self) -> GRAPE:
        """The trained network, if it has layers that can be looked into."""
        network: GRAPE = self.network
        if isinstance(network, DecoupledGRAPE):
            raise ModelError(
                "the preset 'decoupled' is trained on products and keeps no role matrices to "
                "explain it by: train with the preset 'default' to see what roles are worth"
            )
        return network

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True  # of node numbers, or one column of them
        tags.input_tags.categorical = tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = []  # float32, whatever the node numbers are
        tags.target_tags.required = False  # the graph has labels
        tags.non_deterministic = False
        return tags


class _Headless(torch.nn.Module):
    """A network that gives what its head is given."""

    def __init__(self, network: GRAPE | DecoupledGRAPE) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Any) -> torch.Tensor:
        kept: list[torch.Tensor] = []
        hook = self.network.head.register_forward_pre_hook(lambda _, given: kept.append(given[0]))
        try:
            self.network(*inputs)
        finally:
            hook.remove()
        return kept[0]
