"""Many node tasks, one protocol, two leagues: ``python -m arena``, ``make arena``.

`tasks` says what is asked, `entrants` who answers, `run` trains what is missing. Every training is
a line of ``records``; `scores` reads them, `rules` says what GRAPE must not lose, and `page` writes
``docs/arena.md`` from the records and from nothing else. This package is part of the repository,
not of the installed library.
"""
