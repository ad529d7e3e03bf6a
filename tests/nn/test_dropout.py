"""Dropout: what it keeps, what it is divided by, and what goes back through it."""

from __future__ import annotations

import pytest
import torch

from grape_gnn.nn.dropout import Dropout, draw_kept, drop

CPU = torch.device("cpu")


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.99])
def test_every_value_is_kept_as_often_as_was_said(share: float) -> None:
    torch.manual_seed(0)
    passed, kept = draw_kept((400_000, 4), share, CPU)
    assert kept == pytest.approx(1 - share, abs=1e-5)
    # The four values that one random number decides about, each within five standard errors.
    error = 5 * (kept * (1 - kept) / 400_000) ** 0.5
    assert passed.double().mean(dim=0).tolist() == pytest.approx([kept] * 4, abs=error)


def test_values_that_one_number_decides_about_are_independent() -> None:
    torch.manual_seed(0)
    passed = draw_kept((400_000, 4), 0.5, CPU)[0].double()
    between = torch.corrcoef(passed.T) - torch.eye(4)
    assert between.abs().max() < 5 / 400_000**0.5


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1.0), (1e-9, 1.0), (1.0, 0.0)])
def test_nothing_or_everything_is_dropped(share: float, expected: float) -> None:
    assert drop(torch.ones(1001), share).unique().tolist() == [expected]


def test_the_derivative_passes_where_values_did() -> None:
    h = torch.ones(50, 3, requires_grad=True)
    out = Dropout(0.4)(h)
    out.sum().backward()
    assert h.grad is not None
    assert torch.equal(h.grad, out.detach())  # both are one over what is kept, or zero


def test_a_seed_decides() -> None:
    drawn = []
    for _ in range(2):
        torch.manual_seed(3)
        drawn.append(drop(torch.ones(7, 5), 0.5))
    assert torch.equal(*drawn)
