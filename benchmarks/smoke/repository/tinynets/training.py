"""The training loop, and the measures that it reports."""

import random
from typing import Dict, List

from tinynets.data import Dataset
from tinynets.models import Classifier


def accuracy(model: Classifier, dataset: Dataset) -> float:
    """The share of points whose most probable class is right."""
    hits = sum(p == label for p, label in zip(model.predict(dataset.inputs), dataset.labels))
    return hits / len(dataset)


def confusion(model: Classifier, dataset: Dataset) -> List[List[int]]:
    """`matrix[true class][predicted class]` counts points."""
    matrix = [[0] * dataset.classes for _ in range(dataset.classes)]
    for predicted, label in zip(model.predict(dataset.inputs), dataset.labels):
        matrix[label][predicted] += 1
    return matrix


def fit(
    model: Classifier, dataset: Dataset, optimizer, epochs: int = 30, batch_size: int = 16, seed: int = 0, log=None
) -> List[Dict[str, float]]:
    """Train with mini-batches in an order drawn anew each epoch.

    Returns, for each epoch, `loss` (the mean over its points while it ran) and `accuracy` on the training data after it.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, not {batch_size}")
    rng, order, history = random.Random(seed), list(range(len(dataset))), []
    for epoch in range(1, epochs + 1):
        rng.shuffle(order)
        total = 0.0
        for start in range(0, len(order), batch_size):
            batch = order[start : start + batch_size]
            model.zero_grad()
            total += sum(model.backward(dataset.inputs[i], dataset.labels[i]) for i in batch)
            for _, grad in model.parameters():
                for i in range(len(grad)):
                    grad[i] /= len(batch)
            optimizer.step(model.parameters())
        history.append({"epoch": epoch, "loss": total / len(order), "accuracy": accuracy(model, dataset)})
        if log is not None:
            log(history[-1])
    return history
