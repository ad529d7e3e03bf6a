"""The first code of the ``grape`` command: it knows what Ctrl-C means before all else is there.

`import grape_gnn` brings NumPy and SciPy, which takes a moment, longer on a cold disk. A Ctrl-C in
that time would end in a traceback from their depths. So this package stands beside grape_gnn, not
inside: nothing is imported before `main` runs.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import Any

__all__ = ["main", "started"]

_INTERRUPTED = 130


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else ignored, by nohup
        signal.signal(signal.SIGINT, _stop)
    from grape_gnn.cli import main as run

    try:
        run()
    except SystemExit as ended:
        if ended.code == _INTERRUPTED:
            # All is put away by now, and taking PyTorch down would last half a second more.
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):
                    stream.flush()
            os._exit(_INTERRUPTED)
        raise


def started() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again: from here on there is work to be put away."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop(number: int, frame: Any) -> None:
    # An exception might be caught by whatever is being imported; nothing is open yet.
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)
