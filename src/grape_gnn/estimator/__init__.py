"""GRAPE behind scikit-learn's interface: the classifier, its input and its model file."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.estimator.classifier import GrapeClassifier

__all__ = ["GrapeClassifier"]
