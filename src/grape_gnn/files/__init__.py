"""Files that are whole or not there, records that survive a crash, folders with one writer."""

from grape_gnn.files.atomic import atomic_write, make_folder
from grape_gnn.files.folder import Folder
from grape_gnn.files.json_file import read_json, write_json
from grape_gnn.files.json_lines import append_records, read_records
from grape_gnn.files.lock import FolderLock, holder_of
from grape_gnn.files.reading import open_regular, parse_json, read_text
from grape_gnn.files.shape import Amount, Count, Finite, Share, check_shape

__all__ = [
    "Amount",
    "Count",
    "Finite",
    "Folder",
    "FolderLock",
    "Share",
    "append_records",
    "atomic_write",
    "check_shape",
    "holder_of",
    "make_folder",
    "open_regular",
    "parse_json",
    "read_json",
    "read_records",
    "read_text",
    "write_json",
]
