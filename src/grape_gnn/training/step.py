"""The steps of an epoch: batch by batch, or in shares of batches by several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.training.batches import Batch, Batches
from grape_gnn.training.objective import Objective
from grape_gnn.training.processes import Processes

__all__ = ["Step", "seeded"]


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Run a block with torch's generator at `seed`; the caller's generator is put back.

    Examples
    --------
    >>> with seeded(3):
    ...     first = torch.rand(2)
    >>> with seeded(3):
    ...     again = torch.rand(2)
    >>> bool((first == again).all())
    True
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


class Step:
    """Changes the weights of a model by what batches say.

    Parameters
    ----------
    model, labels, objective, optimiser
        Of the training.
    number
        Of the epoch, from 0, for messages.
    """

    def __init__(
        self,
        model: nn.Module,
        labels: torch.Tensor,
        objective: Objective,
        optimiser: torch.optim.Optimizer,
        number: int,
    ) -> None:
        self.model = model
        self.labels = labels
        self.objective = objective
        self.optimiser = optimiser
        self.number = number

    def through(self, batches: Batches, nodes: torch.Tensor) -> float:
        """Take a step for every batch of an epoch; return the mean loss of its nodes."""
        self.model.train()
        total, count = 0.0, 0
        for batch in batches.drawn(nodes):
            self.optimiser.zero_grad()
            loss = self._loss(batch)
            self._check(loss.item())
            loss.backward()
            self.optimiser.step()
            total += loss.item() * len(batch.nodes)
            count += len(batch.nodes)
        return total / count

    def through_shares(
        self,
        batches: Batches,
        nodes: torch.Tensor,
        count: int,
        mine: Sequence[int],
        together: Processes,
    ) -> float:
        """Take the same steps, of batches in shares that processes have between them.

        Gradients of shares are added up in double precision, in which their order hardly matters:
        Adam makes a step of the size of its rate out of any difference.
        """
        self.model.train()
        weights = [p for p in self.model.parameters() if p.requires_grad]
        seed = _drawn_seed()
        streams = [_Stream(batches.drawn(nodes, (k, count)), seed) for k in mine]
        total, learnt = 0.0, 0.0
        for parts in zip(*streams, strict=True):
            seed = _drawn_seed()
            # The gradients, then the loss and the weight of all nodes, and how many there are.
            sums = torch.zeros(sum(p.numel() for p in weights) + 3, dtype=torch.float64)
            for k, batch in zip(mine, parts, strict=True):
                if len(batch.nodes) > 0:
                    sums += self._share(batch, weights, (seed + k) % 2**62)
            sums = together.add_up(sums.to(self.labels.device))
            loss, weight, size = sums[-3:].tolist()
            self._check(loss / weight)
            begin = 0
            for p in weights:
                part = sums[begin : begin + p.numel()] / weight
                p.grad = part.view_as(p).to(p.dtype)
                begin += p.numel()
            self.optimiser.step()
            total += loss / weight * size
            learnt += size
        return total / learnt

    def _share(self, batch: Batch, weights: Sequence[nn.Parameter], seed: int) -> torch.Tensor:
        with seeded(seed):
            loss = self._loss(batch)
        weight = self.objective.weight(self.labels[batch.nodes])
        found = torch.autograd.grad(loss * weight, weights, allow_unused=True)
        flat = [
            torch.zeros(p.numel()) if g is None else g.flatten().cpu()
            for p, g in zip(weights, found, strict=True)
        ]
        numbers = torch.tensor([loss.item() * weight, weight, len(batch.nodes)])
        return torch.cat([*(each.double() for each in flat), numbers.double()])

    def _loss(self, batch: Batch) -> torch.Tensor:
        scores = self.model(*batch.inputs)[batch.rows]
        return self.objective(scores, self.labels[batch.nodes], weighted=True)

    def _check(self, loss: float) -> None:
        if not abs(loss) < float("inf"):
            raise ModelError(
                f"the training loss is {loss} in epoch {self.number + 1}: use a smaller learning "
                f"rate, features of ordinary size, or the preset 'default', which scales counts"
            )


class _Stream:
    """Batches whose random parts come from a seed, whatever is drawn between them."""

    def __init__(self, batches: Iterator[Batch], seed: int) -> None:
        self.batches = batches
        self.state = torch.Generator().manual_seed(seed).get_state()

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        with torch.random.fork_rng(devices=[]):
            torch.set_rng_state(self.state)
            batch = next(self.batches)
            self.state = torch.get_rng_state()
        return batch


def _drawn_seed() -> int:
    return int(torch.randint(2**62, ()))
