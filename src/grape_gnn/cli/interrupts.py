"""Ctrl-C that is never lost.

Python raises `KeyboardInterrupt` wherever the signal happens to find it. Inside a destructor or
the callback of a weak reference (every import has one) it cannot leave: it is printed as "ignored"
and the work goes on. Such an interrupt is sent a second time.
"""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["interrupts_kept"]

_AGAIN_AFTER = 0.02  # seconds: at once would be inside the same destructor


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Send an interrupt again that Python had to ignore."""
    usual = sys.unraisablehook
    main = threading.get_ident()

    def send_again(ignored: Any) -> None:
        if issubclass(ignored.exc_type, KeyboardInterrupt):
            threading.Timer(_AGAIN_AFTER, signal.pthread_kill, [main, signal.SIGINT]).start()
        else:
            usual(ignored)

    sys.unraisablehook = send_again
    try:
        yield
    finally:
        sys.unraisablehook = usual
