"""Sums up over all tests: calls of match compared with brute force, time to obey Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    def recorded(wanted: str) -> Iterator[float]:
        for report in terminalreporter.stats.get("passed", []):
            yield from (value for name, value in report.user_properties if name == wanted)

    if cases := sum(recorded("role_cases")):
        terminalreporter.write_line(f"calls of match compared with brute force: {cases:,}")
    if slowest := max(recorded("ctrl_c_seconds"), default=0.0):
        terminalreporter.write_line(f"Ctrl-C obeyed after at most {1000 * slowest:.0f} ms")
