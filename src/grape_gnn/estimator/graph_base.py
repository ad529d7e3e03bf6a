"""What `GrapeGraphClassifier` and `GrapeGraphRegressor` share: fitting GRAPE to a set of graphs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import flag, whole_number
from grape_gnn.errors import ModelError
from grape_gnn.estimator.fitted import FittedModel
from grape_gnn.estimator.graph_inputs import GraphInputs
from grape_gnn.estimator.input import check_network
from grape_gnn.estimator.match_within import match_within
from grape_gnn.estimator.target import (
    check_parts,
    choose_split,
    class_weights,
    metric_for,
)
from grape_gnn.extras import named_extra
from grape_gnn.graph.checksum import checksum
from grape_gnn.graphs import GraphSet
from grape_gnn.graphs.accept import as_pieces
from grape_gnn.nn.graph_model import GraphGRAPE
from grape_gnn.nn.pair_layer import LARGEST
from grape_gnn.nn.pooling import parse_pooling
from grape_gnn.nn.presets import find_preset
from grape_gnn.roles.set_result import SetMatches
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training import (
    History,
    InUnits,
    Split,
    TrainSettings,
    all_figures,
    check_metric,
    random_split,
    seeded,
    train,
)
from grape_gnn.training.graph_batches import GraphBatches
from grape_gnn.warn import warn

with named_extra():
    import torch

__all__ = ["GraphEstimator"]

E = TypeVar("E", bound="GraphEstimator")


class GraphEstimator(FittedModel):
    """Everything but what is predicted; see `GrapeGraphClassifier` for the parameters."""

    sample = "graph"
    usual_pooling: str

    pooling: str | None
    totals: bool
    both: bool
    pair_layer: bool
    match_time: float | str | None
    batch_size: int
    min_epochs: int

    skipped_: tuple[Template, ...]
    inputs_: GraphInputs
    _network: GraphGRAPE

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "molecule",
        preset: str = "default",
        *,
        pooling: str | None = None,
        totals: bool = True,
        both: bool = False,
        pair_layer: bool = False,
        hidden: int = 32,
        layers: int = 3,
        dropout: float = 0.3,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-5,
        class_weight: Any = None,
        batch_size: int = 64,
        metric: str | None = None,
        epochs: int = 200,
        patience: int = 50,
        min_epochs: int = 0,
        engine: str = "auto",
        match_time: float | str | None = None,
        device: str = "cpu",
        seed: int = 0,
    ) -> None:
        self._keep(locals())

    # -------------------------------------------------------------- fitting

    def fit(
        self: E,
        graphs: Any,
        y: Any = None,
        *,
        train_mask: Any = None,
        val_mask: Any = None,
        roles: SetMatches | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Callable[[int, History], None] | None = None,
    ) -> E:
        """Train on a set of graphs.

        Parameters
        ----------
        graphs
            A `GraphSet`, or a list of graphs of networkx, igraph or PyTorch Geometric. Graphs
            whose target is missing take no part.
        y
            One target per graph; None: those of the set.
        train_mask, val_mask
            Boolean masks or lists of graphs. Without them a random 60/20/20 split by the seed.
        roles
            What `match` found for the same templates on the same set; None: they are matched now.
        checkpoint
            File for interrupted trainings: if it is there, training goes on from it.
        progress
            Called after every epoch with the number of epochs and the history.
        """
        check_network(self.hidden, self.layers, self.dropout, False, self.device, self.seed)
        for name in ("totals", "both", "pair_layer"):
            flag(name, getattr(self, name), error=ModelError)
        whole_number("batch_size", self.batch_size, 2, error=ModelError)
        parse_pooling(self._pooling)
        find_preset(self.preset)
        data, self.split_ = self.split_for(graphs, train_mask, val_mask, y)
        labels = cast(NDArray[Any], data.y)
        self.templates_, self.skipped_ = tuple(find_templates(self.templates)), ()
        if self.match_time is not None and roles is None:
            weighting = find_preset(self.preset).weighting
            roles, self.skipped_ = match_within(
                data, self.templates_, self.match_time, weighting, self.engine
            )
            self.templates_ = tuple(each.template for each in roles)
        self.metric_ = self.metric or metric_for(labels, self.split_)
        check_metric(self.metric_, data.task)
        self.task_, self.labels_ = str(data.task), data.label_names or ()
        self.inputs_ = GraphInputs.of(data, self.split_.train)
        settings = TrainSettings(
            epochs=self.epochs, patience=self.patience, min_epochs=self.min_epochs,
            learning_rate=self.learning_rate, weight_decay=self.weight_decay, metric=self.metric_,
            class_weight=class_weights(self.class_weight, cast(Any, data)),
            batch_size=self.batch_size, seed=self.seed,
        )  # fmt: skip
        batches = self._batches(data, roles)
        with seeded(self.seed):
            network: torch.nn.Module = self._fresh()
        target = torch.from_numpy(labels.copy()).to(self.device)
        train_on, check_on = (
            torch.from_numpy(part).to(self.device)
            for part in (self.split_.train, self.split_.validation)
        )
        if labels.dtype.kind == "f":
            network = InUnits(network, target[train_on])
        self.history_ = train(
            network.to(self.device), batches, target, train_on, check_on, settings,
            checkpoint=checkpoint, identity=self._identity(data, batches.x), progress=progress,
        )  # fmt: skip
        self._take(network)
        self._trained_on = self._digest(data)
        return self

    def split_for(
        self, graphs: Any, train_mask: Any = None, val_mask: Any = None, y: Any = None
    ) -> tuple[GraphSet, Split]:
        """Return the set with the targets that are learnt, and its split; as for `fit`."""
        data = as_graph_set(graphs, targets=y is None)
        if y is not None:
            data = data.with_targets(y)
        data = self._target(data)
        if data.y is None:
            raise ModelError("the graphs have no targets to learn from: give y, one per graph")
        if train_mask is None and val_mask is None:
            split = random_split(data.y, self.seed, sample="graph")
        else:
            masks = (train_mask, val_mask)
            split = choose_split(cast(Any, data), *masks, "random", self.seed, self.sample)
        check_parts(data.y, split, "graph")
        return data, split

    @property
    def _pooling(self) -> str:
        return self.usual_pooling if self.pooling is None else self.pooling

    def _fresh(self) -> GraphGRAPE:
        return GraphGRAPE(
            self.templates_, self.inputs_.width, self.num_outputs, self.hidden, self.layers,
            self.dropout, self.preset, pooling=self._pooling, totals=self.totals,
            num_roles=self.inputs_.num_roles(self.templates_, self.both),
            pair_layer=self.pair_layer,
        )  # fmt: skip

    def _batches(self, graphs: GraphSet, roles: SetMatches | None = None) -> GraphBatches:
        x = self.inputs_.features(graphs)
        preset = find_preset(self.preset)
        if roles is not None:
            known = [t.canonical for t in self.templates_]
            wrong = [r.template.canonical for r in roles] != known
            if wrong or roles.weighting != preset.weighting or len(roles.graphs) != len(graphs):
                raise ModelError(
                    f"the given roles are not of these graphs, of the templates of the model, or "
                    f"not with weighting={preset.weighting!r}: match them so"
                )
        written = self.inputs_.roles(
            graphs, self.templates_, preset, self.engine, self.both, found=roles
        )
        large = int((graphs.sizes > LARGEST).sum())
        if self.pair_layer and large:
            warn(
                f"{large:,} of {len(graphs):,} graphs have more than {LARGEST} nodes: the pair "
                f"layer says nothing of them"
            )
        return GraphBatches(x.to(self.device), written, graphs.ptr, self.batch_size)

    def _identity(self, graphs: GraphSet, x: torch.Tensor) -> dict[str, Any]:
        """Tell what a checkpoint must agree with to be continued."""
        data = checksum(graphs.union, graphs.ptr, x.cpu().numpy(), graphs.y,
                        *vars(self.split_).values(), *graphs.edge_parts)  # fmt: skip
        return {"parameters": self.json_params(), "data": data}

    def _digest(self, graphs: GraphSet) -> str:
        return checksum(graphs.union, graphs.ptr, *graphs.edge_parts)

    # -------------------------------------------------------------- asking

    def set_of(self, graphs: Any, *, targets: bool = True) -> GraphSet:
        """Return graphs as a set; of a list, edges are asked for the features of the training."""
        names = self.inputs_.edge_features if hasattr(self, "inputs_") else ()
        return as_graph_set(graphs, targets=targets, edge_features=names or None)

    def outputs(self, graphs: Any) -> NDArray[Any]:
        """Return what the network computes: (graphs, classes) or (graphs,) for numbers."""
        self.network  # noqa: B018  complains if there is none
        data = self.set_of(graphs, targets=False)
        everyone = torch.arange(len(data), device=self.device)
        return self.outputs_of(self._batches(data), everyone)

    def transform(self, graphs: Any) -> NDArray[np.float32]:
        """Return what the head is given for every graph: its pooled layers, normalised."""
        self.network.eval()
        data = self.set_of(graphs, targets=False)
        with torch.no_grad():
            parts = [
                self.network.pooled(*batch.inputs)
                for batch in self._batches(data).asked(torch.arange(len(data)))
            ]
        found: NDArray[np.float32] = torch.cat(parts).cpu().numpy()
        return found

    def _with(self, graphs: Any, y: Any) -> Any:
        return graphs if y is None else self.set_of(graphs, targets=False).with_targets(y)

    def scored(self, graphs: Any, mask: Any = None) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return outputs and targets of the graphs that a score is of.

        These are the graphs of the mask; without one the test graphs of the training's set. Of
        another set all graphs are scored, with a warning that says so.
        """
        data = self.set_of(graphs)
        if data.y is None:
            raise ModelError("the graphs have no targets to score against: give them y")
        chosen = self._chosen(data, len(data), mask)
        return self.outputs(data)[chosen], self.codes(data)[chosen]

    def figures(self, graphs: Any, *, mask: Any = None) -> dict[str, float | None]:
        """Return all metrics by name; the graphs are those of `score`."""
        return all_figures(*self.scored(graphs, mask))

    # -------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a ``.safetensors`` file, atomically."""
        from grape_gnn.estimator.graph_file import save_graph_model

        save_graph_model(self, path)

    @classmethod
    def load(cls: type[E], path: str | os.PathLike[str]) -> E:
        """Read a model that `save` wrote; it can predict and score at once."""
        from grape_gnn.estimator.graph_file import load_graph_model

        return load_graph_model(cls, path)


def as_graph_set(
    graphs: Any, *, targets: bool = True, edge_features: Sequence[str] | None = None
) -> GraphSet:
    """Return a set of graphs as it is, or make one of a list, with their targets if wanted."""
    if isinstance(graphs, GraphSet):
        return graphs
    pieces, directed = as_pieces(graphs, edge_features=edge_features, targets=targets)
    return GraphSet.from_pieces(pieces, directed=directed)
