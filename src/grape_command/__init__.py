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
from typing import Any, NoReturn

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
        if ended.code == _INTERRUPTED or _is_one_of_several():
            _leave(ended.code)
        raise


def _is_one_of_several() -> bool:
    """Whether `torchrun` started this process and others."""
    return os.environ.get("WORLD_SIZE", "1") != "1"


def _leave(code: Any) -> NoReturn:
    """End the process at once; all is put away by now.

    Taking PyTorch down would last half a second more. In a process that has talked to others,
    threads may still listen to them; now and then the end of Python aborts these, and with them a
    training that was done.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def started() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again: from here on there is work to be put away."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop(number: int, frame: Any) -> None:
    # An exception might be caught by whatever is being imported; nothing is open yet.
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)
