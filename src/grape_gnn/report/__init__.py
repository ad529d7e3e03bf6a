"""Pages that show what was found; `write_report` makes one of a run or search folder."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.report.write import write_report

__all__ = ["write_report"]
