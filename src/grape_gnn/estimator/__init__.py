"""GRAPE behind scikit-learn's interface: the estimators, their input and their model file."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.estimator.classifier import GrapeClassifier
    from grape_gnn.estimator.graph_estimators import GrapeGraphClassifier, GrapeGraphRegressor
    from grape_gnn.estimator.regressor import GrapeRegressor

__all__ = ["GrapeClassifier", "GrapeGraphClassifier", "GrapeGraphRegressor", "GrapeRegressor"]
