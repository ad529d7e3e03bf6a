"""Logistic regression on standardised features, or on them, their squares and their products.

Squares and products together are a quadratic form, ``x·U·x`` with an upper triangular matrix of
weights, so that the terms are never written out. The penalised likelihood is maximised by L-BFGS;
of the few penalties and the two kinds of terms, validation pairs choose. A model is three small
arrays, so that it can be saved without a pickle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from grape_gnn.training.ranking import roc_auc_of

__all__ = ["Logistic", "choose", "fit"]

_Floats = NDArray[np.float64]
_CHOICES = ((False, 1.0), (True, 1.0), (True, 10.0), (True, 100.0))
_DIGITS = 9
_FARTHEST = 4.0  # standard deviations: a hub must not decide alone


@dataclass(frozen=True)
class Logistic:
    """A trained regression.

    Parameters
    ----------
    centre, spread
        Mean and standard deviation of every feature.
    weights
        Intercept first; then one for every term.
    products
        Whether the terms have the products of two features among them.
    """

    centre: _Floats
    spread: _Floats
    weights: _Floats
    products: bool

    def decision(self, features: _Floats) -> _Floats:
        """Return the logarithm of the odds of a link."""
        standard = _standard(features, self.centre, self.spread)
        # What rounding adds must not decide between pairs that are alike.
        return np.round(_margins(standard, self.weights, self.products), _DIGITS)


def _standard(features: _Floats, centre: _Floats, spread: _Floats) -> _Floats:
    return np.clip((features - centre) / spread, -_FARTHEST, _FARTHEST)


def _margins(standard: _Floats, weights: _Floats, products: bool) -> _Floats:
    """Return the intercept, the linear terms and, if asked for, the quadratic ones, added up."""
    size = standard.shape[1]
    margins = weights[0] + standard @ weights[1 : size + 1]
    if products:
        upper = np.zeros((size, size))
        upper[np.triu_indices(size)] = weights[size + 1 :]
        margins += np.einsum("ij,ij->i", standard @ upper, standard)
    return np.asarray(margins)


def fit(features: _Floats, linked: NDArray[np.bool_], products: bool, penalty: float) -> Logistic:
    """Fit one regression; ``penalty`` is half of the factor of the squared weights.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = fit(x, np.array([False, False, True, True]), products=False, penalty=1.0)
    >>> (model.decision(x) > 0).tolist()
    [False, False, True, True]
    """
    centre, spread = features.mean(axis=0), features.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    standard = _standard(features, centre, spread)
    signs = np.where(linked, 1.0, -1.0)
    upper = np.triu_indices(standard.shape[1])

    def loss(weights: _Floats) -> tuple[float, _Floats]:
        margins = signs * _margins(standard, weights, products)
        pull = -signs * expit(-margins)
        slopes = [pull.sum(keepdims=True), pull @ standard]
        if products:
            slopes.append(((standard.T * pull) @ standard)[upper])
        gradient = np.concatenate(slopes)
        gradient[1:] += penalty * weights[1:]
        size = np.logaddexp(0.0, -margins).sum() + penalty / 2 * (weights[1:] @ weights[1:])
        return float(size), gradient

    start = np.zeros(1 + standard.shape[1] + (len(upper[0]) if products else 0))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return Logistic(centre, spread, np.asarray(found.x), products)


def choose(features: _Floats, linked: NDArray[np.bool_], rng: np.random.Generator) -> Logistic:
    """Fit the regression that ranks held-out pairs best, on all pairs.

    One pair in five is held out while the choice is made.
    """
    held = rng.random(len(linked)) < 0.2
    best, chosen = -1.0, _CHOICES[0]
    if 0 < linked[held].sum() < held.sum() and 0 < linked[~held].sum() < (~held).sum():
        for choice in _CHOICES:
            model = fit(features[~held], linked[~held], *choice)
            area = roc_auc_of(model.decision(features[held]), linked[held]) or 0.0
            if area > best:
                best, chosen = area, choice
    return fit(features, linked, *chosen)
