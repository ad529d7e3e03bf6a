"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# Tests use tiny tensors: torch's threads would only wait for each other on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell lets what it starts in the background ignore Ctrl-C, and so would the processes that
# the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give the folder of published datasets, or skip the test if this machine has none."""
    named = os.environ.get("GRAPE_TEST_DATA")
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "datasets"
    if not folder.is_dir():
        pytest.skip(f"no datasets in {folder}: set GRAPE_TEST_DATA to a folder that has them")
    return folder
