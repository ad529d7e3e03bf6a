"""The training protocol of the paper (appendix D.1), as one immutable record."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from grape_gnn.arguments import number, one_of, whole_number
from grape_gnn.errors import ModelError
from grape_gnn.training.metrics import check_metric

__all__ = ["TrainSettings"]


@dataclass(frozen=True)
class TrainSettings:
    """How a model is trained; the defaults are the paper's.

    Parameters
    ----------
    epochs
        Largest number of epochs.
    patience
        Stop after this many epochs without a better validation result.
    min_epochs
        No early stopping before this epoch: with constant features learning takes off late.
    learning_rate
        Adam's rate at the start, halved every `halve_every` epochs.
    weight_decay
        Coefficient of the L2 penalty.
    halve_every
        Epochs between two halvings of the rate.
    stopping
        ``"patience"``, or ``"window"``: stop once the validation loss exceeds the mean of the
        `patience` losses before it.
    metric
        What validation nodes are scored by to choose the epoch: a name of
        `grape_gnn.training.METRICS` that is for the task.
    class_weight
        ``"balanced"``: in the loss every class has the same weight, however few nodes it has. Or
        a weight for the nodes of every class, in the order of the codes.
    batch_size
        Nodes of a batch; None: all at once.
    sample_neighbours
        Members per role and ego in a batch, drawn anew for every batch; None: all.
    seed
        Seed of dropout, and of the order of the batches.

    Examples
    --------
    >>> settings = TrainSettings(learning_rate=0.02)
    >>> settings.rate_at(0), settings.rate_at(250)
    (0.02, 0.005)
    """

    epochs: int = 500
    patience: int = 50
    min_epochs: int = 0
    learning_rate: float = 0.01
    weight_decay: float = 5e-5
    halve_every: int = 100
    stopping: str = "patience"
    metric: str = "accuracy"
    class_weight: str | tuple[float, ...] | None = None
    batch_size: int | None = None
    sample_neighbours: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("epochs", "patience", "halve_every"):
            whole_number(name, getattr(self, name), 1, error=ModelError)
        whole_number("min_epochs", self.min_epochs, error=ModelError)
        whole_number("seed", self.seed, error=ModelError)
        number("learning_rate", self.learning_rate, above=0, error=ModelError)
        number("weight_decay", self.weight_decay, least=0, error=ModelError)
        check_metric(self.metric)
        if isinstance(self.class_weight, str):
            one_of("class_weight", self.class_weight, ("balanced",), error=ModelError)
        for name in ("batch_size", "sample_neighbours"):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name), 1, error=ModelError)
        one_of("stopping", self.stopping, ("patience", "window"), error=ModelError)

    def rate_at(self, epoch: int) -> float:
        """Return the learning rate of an epoch, counted from 0."""
        return float(self.learning_rate * 0.5 ** (epoch // self.halve_every))

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``; it does not name class weights or batches of None.

        So the records of trainings from before there were any are still found.
        """
        return {k: v for k, v in asdict(self).items() if v is not None}
