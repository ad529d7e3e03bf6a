"""Run folders: all that is known of one training, written and read again."""

from grape_gnn.runs.folder import RunFolder

__all__ = ["RunFolder"]
