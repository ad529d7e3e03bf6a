"""Anchored subgraph templates: their forms, symmetries, family and drawings."""

from grape_gnn.template.draw import sheet
from grape_gnn.template.family import all_templates, children, parents
from grape_gnn.template.json_form import load_templates, save_templates
from grape_gnn.template.template import Template

__all__ = [
    "Template",
    "all_templates",
    "children",
    "load_templates",
    "parents",
    "save_templates",
    "sheet",
]
