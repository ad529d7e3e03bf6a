"""Room for large tensors: aligned, and used again only when nobody uses it."""

from __future__ import annotations

import pytest
import torch

from grape_gnn.nn.large_tensor import large_tensor, memory_used_again

LIKE = torch.zeros(1)
LARGE = (9 << 20,)  # 36 MB


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_rows_begin_with_a_line_of_the_cache(kind: torch.dtype) -> None:
    for shape in ((3, 5), (0, 4), (1000, 32)):
        tensor = large_tensor(shape, torch.zeros(1, dtype=kind))
        assert tensor.shape == shape
        assert tensor.dtype == kind
        assert tensor.data_ptr() % 64 == 0


def test_a_block_waits_until_its_last_user_is_gone() -> None:
    with memory_used_again():
        first = large_tensor(LARGE, LIKE)
        place, part = first.data_ptr(), first[5:]
        del first
        other = large_tensor(LARGE, LIKE)
        assert other.data_ptr() != place
        del part
        assert large_tensor(LARGE, LIKE).data_ptr() == place


def test_what_outlives_a_training_stays_as_it_is() -> None:
    with memory_used_again():
        kept = large_tensor(LARGE, LIKE).fill_(3.0)
    with memory_used_again():
        other = large_tensor(LARGE, LIKE).fill_(4.0)
        assert kept.unique().tolist() == [3.0]
        assert other.unique().tolist() == [4.0]
