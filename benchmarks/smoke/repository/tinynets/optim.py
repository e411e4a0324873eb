"""Optimizers. `step` changes the parameters in place, from gradients that are means over a batch."""

import math
from typing import Dict, Iterable, List, Tuple

Rows = Iterable[Tuple[List[float], List[float]]]


class SGD:
    """Gradient descent with momentum and decoupled weight decay."""

    def __init__(self, lr: float, momentum: float = 0.0, weight_decay: float = 0.0) -> None:
        if lr <= 0:
            raise ValueError(f"lr must be above zero, not {lr}")
        self.lr, self.momentum, self.weight_decay = lr, momentum, weight_decay
        self._velocity: Dict[int, List[float]] = {}

    def step(self, parameters: Rows) -> None:
        for index, (row, grad) in enumerate(parameters):
            velocity = self._velocity.setdefault(index, [0.0] * len(row))
            for i, g in enumerate(grad):
                velocity[i] = self.momentum * velocity[i] + g
                row[i] -= self.lr * (velocity[i] + self.weight_decay * row[i])


class Adam:
    """Kingma and Ba, 2015, with decoupled weight decay (Loshchilov and Hutter, 2019)."""

    def __init__(self, lr: float, betas: Tuple[float, float] = (0.9, 0.999), eps: float = 1e-8, weight_decay: float = 0.0) -> None:
        if lr <= 0:
            raise ValueError(f"lr must be above zero, not {lr}")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self._moments: Dict[int, Tuple[List[float], List[float]]] = {}
        self._steps = 0

    def step(self, parameters: Rows) -> None:
        self._steps += 1
        first, second = self.betas
        scale = self.lr * math.sqrt(1 - second**self._steps) / (1 - first**self._steps)
        for index, (row, grad) in enumerate(parameters):
            mean, square = self._moments.setdefault(index, ([0.0] * len(row), [0.0] * len(row)))
            for i, g in enumerate(grad):
                mean[i] = first * mean[i] + (1 - first) * g
                square[i] = second * square[i] + (1 - second) * g * g
                row[i] -= scale * mean[i] / (math.sqrt(square[i]) + self.eps) + self.lr * self.weight_decay * row[i]


OPTIMIZERS = ("sgd", "adam")


def make_optimizer(name: str, lr: float, momentum: float = 0.9, weight_decay: float = 0.0):
    """An optimizer by name; `momentum` is for SGD alone."""
    if name == "sgd":
        return SGD(lr, momentum, weight_decay)
    if name == "adam":
        return Adam(lr, weight_decay=weight_decay)
    raise ValueError(f"unknown optimizer {name!r}; there are {', '.join(OPTIMIZERS)}")
