"""Gradients against finite differences."""

import random

from tinynets.models import Classifier


def gradient_error(model: Classifier, step: float = 1e-5, seed: int = 0) -> float:
    """The largest difference between a gradient and its central difference, over all parameters, at one random point."""
    rng = random.Random(seed)
    x = [rng.gauss(0, 1) for _ in model.layers[0].weight[0]]
    label = rng.randrange(len(model.layers[-1].bias))
    model.zero_grad()
    model.backward(x, label)
    worst = 0.0
    for row, grad in model.parameters():
        for i, value in enumerate(row):
            row[i] = value + step
            above = model.loss(x, label)
            row[i] = value - step
            below = model.loss(x, label)
            row[i] = value
            worst = max(worst, abs(grad[i] - (above - below) / (2 * step)))
    return worst
