"""The training loop of Alg. A1, for GRAPE and its baselines: batches, Adam, early stopping.

The model is any module that turns its inputs into one score per node and class, or for numbers into
one per node; `grape_gnn.training.objective` has the loss. Training labels drive the weights,
validation labels only the choice of the epoch, by the metric of the settings; test labels never
come here.

There is one loop: a full batch is an epoch of one batch. Normalisation (batch normalisation, and
the standardised messages of the default layer) goes by the nodes of a batch while it learns. What
it keeps for prediction is measured without dropout before every validation: over all nodes in a
full batch; in mini-batches over a sample of 65,536 nodes that stays the same, or all if there are
fewer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from time import monotonic
from typing import Any

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.nn.fusion import Fusion
from grape_gnn.nn.large_tensor import memory_used_again
from grape_gnn.nn.pooled import Pooled
from grape_gnn.nn.role_maps import RoleMaps
from grape_gnn.training.batches import Batches, FullBatch, scores_of
from grape_gnn.training.checkpoint import checkpoint_identity, load_checkpoint, save_checkpoint
from grape_gnn.training.history import Epoch, History
from grape_gnn.training.metrics import accuracy, score
from grape_gnn.training.objective import Objective
from grape_gnn.training.processes import Processes, processes
from grape_gnn.training.settings import TrainSettings
from grape_gnn.training.step import Step, seeded
from grape_gnn.training.threads import threads_for

__all__ = ["seeded", "train"]

CHECKPOINT_EVERY = 25  # epochs
CHECKPOINT_SECONDS = 300  # whichever comes first
MEASURED = 1 << 16  # nodes; more would change means and variances by less than a percent


def train(
    model: nn.Module,
    inputs: Sequence[Any] | Batches,
    labels: torch.Tensor,
    train_mask: torch.Tensor,
    validation_mask: torch.Tensor,
    settings: TrainSettings,
    *,
    shares: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    identity: dict[str, Any] | None = None,
    progress: Callable[[int, History], None] | None = None,
) -> History:
    """Train a model and leave it with the weights of its best validation epoch.

    Parameters
    ----------
    model
        ``model(*inputs)`` gives scores of shape (nodes, classes), (nodes, labels) or (nodes,).
    inputs
        Arguments of the model, the features may be `LabelInputs`; or a source of `Batches` of them.
    labels
        Label of every node, in the form of its task; only those of the two masks are read.
    train_mask, validation_mask
        Boolean masks over the nodes.
    settings
        The protocol.
    shares
        Parts that every batch is learnt in, each normalised by itself; see
        `grape_gnn.training.processes`. None: as many as there are processes, or as an interrupted
        training had.
    checkpoint
        File to write every 25 epochs or 5 minutes and at the end. If it is there already, training
        goes on from it, to the same final result.
    identity
        What the run is about (data, model); a checkpoint of another run is refused.
    progress
        Called after every epoch with the settings' number of epochs and the history.

    Returns
    -------
    History
        All epochs.

    Examples
    --------
    >>> x = torch.tensor([[0.0], [1.0], [0.0], [1.0]])
    >>> y = torch.tensor([0, 1, 0, 1])
    >>> first = torch.tensor([True, True, False, False])
    >>> model = nn.Linear(1, 2)
    >>> history = train(model, [x], y, first, ~first, TrainSettings(learning_rate=0.1))
    >>> accuracy(model(x), y)
    1.0
    """
    batches = inputs if isinstance(inputs, Batches) else FullBatch(inputs)
    learnt, validated = (mask.nonzero()[:, 0] for mask in (train_mask, validation_mask))
    measured = _sample(len(labels), settings.seed).to(labels.device)
    optimiser = torch.optim.Adam(
        model.parameters(),
        lr=settings.learning_rate,
        weight_decay=settings.weight_decay,
        fused=True,
    )
    together = processes(labels.device)
    before = together.from_first(checkpoint_identity(checkpoint))
    count = shares or (together.count if before is None else before.get("shares", 1))
    mine = together.shares(count)
    if count > 1 and isinstance(batches, FullBatch):
        raise ModelError(
            "several processes train in mini-batches: give a batch size, or start a single process"
        )
    known = {"settings": settings.to_json(), **(identity or {})}
    if count > 1:
        known["shares"] = count
    objective = Objective(labels, train_mask, settings.class_weight)
    history, best, finished = History(metric=settings.metric), _copy(model), False
    written = monotonic()
    with seeded(settings.seed), memory_used_again(), threads_for(len(labels)):
        if before is not None:
            best, history, finished = _continued(checkpoint, model, optimiser, known, together)
        while not finished:
            number = len(history.epochs)
            for group in optimiser.param_groups:
                group["lr"] = settings.rate_at(number)
            step = Step(model, labels, objective, optimiser, number)
            if count == 1:
                loss = step.through(batches, learnt)
            else:
                loss = step.through_shares(batches, learnt, count, mine, together)
            epoch = _validate(
                model, batches, labels, validated, measured, objective, settings.metric, loss
            )
            if history.add(together.from_first(epoch)):
                best = _copy(model)
            finished = _is_over(history, settings)
            late = monotonic() - written > CHECKPOINT_SECONDS
            due = finished or late or len(history.epochs) % CHECKPOINT_EVERY == 0
            if checkpoint is not None and due and together.rank == 0:
                save_checkpoint(checkpoint, model, optimiser, best, history, known, finished)
                written = monotonic()
            if progress is not None:
                progress(settings.epochs, history)
    model.load_state_dict(best)
    model.eval()
    return history


def _continued(
    checkpoint: str | os.PathLike[str] | None,
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    known: dict[str, Any],
    together: Processes,
) -> tuple[dict[str, torch.Tensor], History, bool]:
    """Put a checkpoint back, in all processes as it is in the first."""
    state: Any = None
    if together.rank == 0 and checkpoint is not None:
        best, history, finished = load_checkpoint(checkpoint, model, optimiser, known)
        own = (model.state_dict(), optimiser.state_dict(), torch.get_rng_state())
        state = (best, history.to_json(), finished, *own)
    state = together.from_first(state)
    if together.rank > 0:
        model.load_state_dict(state[3])
        optimiser.load_state_dict(state[4])
        torch.set_rng_state(state[5])
    return state[0], History.from_json(state[1]), state[2]


def _validate(
    model: nn.Module,
    batches: Batches,
    labels: torch.Tensor,
    nodes: torch.Tensor,
    measured: torch.Tensor,
    objective: Objective,
    metric: str,
    loss: float,
) -> Epoch:
    """Score the validation nodes as a prediction would."""
    wanted = labels[nodes]
    model.eval()
    with torch.no_grad():
        if batches.full:
            with _own_statistics(model):
                scores = scores_of(model, batches, nodes)
        else:
            if _norms(model):
                with _own_statistics(model):
                    scores_of(model, batches, measured)
            scores = scores_of(model, batches, nodes)
        validation_loss = objective(scores, wanted).item()
    right = accuracy(scores, wanted) if objective.classes else None
    scored = None if metric == "accuracy" else score(metric, scores, wanted)
    return Epoch(loss, validation_loss, right, scored)


def _sample(num_nodes: int, seed: int) -> torch.Tensor:
    """Return the nodes whose statistics are kept in mini-batches: the same in every epoch."""
    drawn = torch.randperm(num_nodes, generator=torch.Generator().manual_seed(seed))
    return drawn[:MEASURED].sort().values


def _norms(model: nn.Module) -> list[nn.Module]:
    kinds = (nn.modules.batchnorm._BatchNorm, RoleMaps, Fusion)
    return [part for part in model.modules() if isinstance(part, kinds)]


@contextmanager
def _own_statistics(model: nn.Module) -> Iterator[None]:
    """Let normalisation keep the statistics of the passes to come, instead of running averages.

    Dropout widens what batch normalisation sees in training, so averages over training passes
    would not fit the values seen without dropout. Every pass is normalised by its own statistics,
    set before they are used; at the end those of all passes together are kept. With a full batch
    the two are the same, and predicting later repeats the pass to the last bit.
    """
    pools: list[tuple[nn.Module, Pooled]] = []
    with ExitStack() as renewed:
        for norm in _norms(model):
            if isinstance(norm, RoleMaps | Fusion):
                renewed.enter_context(norm.renewed())
            else:
                pools.append((norm, Pooled()))
                hook = partial(_measure, pools[-1][1])
                renewed.callback(norm.register_forward_pre_hook(hook).remove)
        yield
    for norm, pooled in pools:
        _set_statistics(norm, pooled)


def _measure(pooled: Pooled, norm: nn.Module, inputs: tuple[torch.Tensor]) -> None:
    """Set mean and plain variance (over n, as torch normalises by in training) of every feature."""
    values = inputs[0]
    over = [dimension for dimension in range(values.dim()) if dimension != 1]
    own = Pooled()
    mean = values.mean(dim=over, keepdim=True)
    spread = (values - mean).square_().mean(dim=over)
    own.add(mean.flatten(), spread, values.numel() // values.shape[1])
    pooled.add(own.mean, own.variance, own.count)
    _set_statistics(norm, own)


def _set_statistics(norm: nn.Module, found: Pooled) -> None:
    norm.get_buffer("running_mean").copy_(found.mean)
    norm.get_buffer("running_var").copy_(found.variance)


def _is_over(history: History, settings: TrainSettings) -> bool:
    if len(history.epochs) >= settings.epochs:
        return True
    if settings.stopping == "window":
        return history.loss_above_window(settings.patience, settings.min_epochs)
    return history.patience_spent(settings.patience, settings.min_epochs)


def _copy(model: nn.Module) -> dict[str, torch.Tensor]:
    return {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
