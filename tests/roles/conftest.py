"""Counts the calls of match that were compared with brute force, over all tests."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    cases = sum(
        value
        for report in terminalreporter.stats.get("passed", [])
        for name, value in report.user_properties
        if name == "role_cases"
    )
    if cases:
        terminalreporter.write_line(f"calls of match compared with brute force: {cases:,}")
