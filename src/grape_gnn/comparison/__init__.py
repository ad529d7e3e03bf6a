"""The protocol of the paper's appendix: every method tuned, run and scored in the same way."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.comparison.cells import Cell
    from grape_gnn.comparison.compare import Progress, compare
    from grape_gnn.comparison.profiles import PROFILES, Profile, find_profile
    from grape_gnn.comparison.table import Row, comparison_table, table_text

__all__ = [
    "PROFILES",
    "Cell",
    "Profile",
    "Progress",
    "Row",
    "compare",
    "comparison_table",
    "find_profile",
    "table_text",
]
