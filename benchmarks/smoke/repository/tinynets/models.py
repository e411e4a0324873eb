"""Classifiers with hand-written gradients.

A model gives `forward(x)`, the class probabilities of one point, and `backward(x, label)`, which adds the gradient of that
point's cross-entropy to the gradients of its layers and returns the loss.
"""

import math
import random
from operator import mul
from typing import Dict, Iterator, List, Sequence, Tuple

Vector = List[float]


class Linear:
    """A dense layer, `weight @ x + bias`, with gradients that add up until `zero_grad`."""

    def __init__(self, inputs: int, outputs: int, rng: random.Random) -> None:
        bound = math.sqrt(6 / (inputs + outputs))  # Glorot and Bengio, 2010
        self.weight = [[rng.uniform(-bound, bound) for _ in range(inputs)] for _ in range(outputs)]
        self.bias = [0.0] * outputs
        self.zero_grad()

    def zero_grad(self) -> None:
        self.weight_grad = [[0.0] * len(row) for row in self.weight]
        self.bias_grad = [0.0] * len(self.bias)

    def forward(self, x: Vector) -> Vector:
        return [sum(map(mul, row, x)) + b for row, b in zip(self.weight, self.bias)]

    def backward(self, x: Vector, grad: Vector) -> Vector:
        """`grad` is the loss by this layer's output; the result is the loss by its input."""
        below = [0.0] * len(x)
        for j, g in enumerate(grad):
            row, row_grad = self.weight[j], self.weight_grad[j]
            for i, value in enumerate(x):
                row_grad[i] += g * value
                below[i] += g * row[i]
            self.bias_grad[j] += g
        return below

    def parameters(self) -> Iterator[Tuple[Vector, Vector]]:
        """Rows of parameters with the rows of their gradients; optimizers change the former in place."""
        yield from zip(self.weight, self.weight_grad)
        yield self.bias, self.bias_grad


def softmax(scores: Sequence[float]) -> Vector:
    top = max(scores)
    exponentials = [math.exp(s - top) for s in scores]
    total = sum(exponentials)
    return [e / total for e in exponentials]


ACTIVATIONS = ("relu", "tanh")


class Classifier:
    """What the two models share."""

    layers: List[Linear]

    def forward(self, x: Vector) -> Vector:
        raise NotImplementedError

    def backward(self, x: Vector, label: int) -> float:
        raise NotImplementedError

    def loss(self, x: Vector, label: int) -> float:
        return -math.log(max(self.forward(x)[label], 1e-12))

    def predict(self, inputs: Sequence[Vector]) -> List[int]:
        """The most probable class of each point."""
        probabilities = (self.forward(x) for x in inputs)
        return [p.index(max(p)) for p in probabilities]

    def parameters(self) -> Iterator[Tuple[Vector, Vector]]:
        for layer in self.layers:
            yield from layer.parameters()

    def zero_grad(self) -> None:
        for layer in self.layers:
            layer.zero_grad()

    def state(self) -> List[Dict[str, list]]:
        """The parameters as JSON-able data; `load_state` takes it back."""
        return [{"weight": layer.weight, "bias": layer.bias} for layer in self.layers]

    def load_state(self, state: List[Dict[str, list]]) -> None:
        shapes = [(len(s["weight"]), len(s["weight"][0])) for s in state]
        own = [(len(layer.weight), len(layer.weight[0])) for layer in self.layers]
        if shapes != own:
            raise ValueError(f"the state has layers of {shapes}, the model {own}")
        for layer, saved in zip(self.layers, state):
            layer.weight, layer.bias = saved["weight"], saved["bias"]
            layer.zero_grad()


class SoftmaxRegression(Classifier):
    """One linear layer: the decision borders are straight."""

    def __init__(self, features: int, classes: int, seed: int = 0) -> None:
        self.layers = [Linear(features, classes, random.Random(seed))]

    def forward(self, x: Vector) -> Vector:
        return softmax(self.layers[0].forward(x))

    def backward(self, x: Vector, label: int) -> float:
        grad = self.forward(x)
        loss = -math.log(max(grad[label], 1e-12))
        grad[label] -= 1.0
        self.layers[0].backward(x, grad)
        return loss


class MLP(Classifier):
    """One hidden layer."""

    def __init__(self, features: int, hidden: int, classes: int, activation: str = "relu", seed: int = 0) -> None:
        if activation not in ACTIVATIONS:
            raise ValueError(f"unknown activation {activation!r}; there are {', '.join(ACTIVATIONS)}")
        rng = random.Random(seed)
        self.activation = activation
        self.layers = [Linear(features, hidden, rng), Linear(hidden, classes, rng)]

    def _hidden(self, x: Vector) -> Vector:
        scores = self.layers[0].forward(x)
        if self.activation == "relu":
            return [s if s > 0 else 0.0 for s in scores]
        return [math.tanh(s) for s in scores]

    def forward(self, x: Vector) -> Vector:
        return softmax(self.layers[1].forward(self._hidden(x)))

    def backward(self, x: Vector, label: int) -> float:
        hidden = self._hidden(x)
        grad = softmax(self.layers[1].forward(hidden))
        loss = -math.log(max(grad[label], 1e-12))
        grad[label] -= 1.0
        below = self.layers[1].backward(hidden, grad)
        if self.activation == "relu":
            below = [g if h > 0 else 0.0 for g, h in zip(below, hidden)]
        else:
            below = [g * (1 - h * h) for g, h in zip(below, hidden)]
        self.layers[0].backward(x, below)
        return loss


MODELS = ("mlp", "softmax")


def make_model(name: str, features: int, classes: int, hidden: int = 16, activation: str = "relu", seed: int = 0) -> Classifier:
    """A model by name; `hidden` and `activation` are for the MLP alone."""
    if name == "mlp":
        return MLP(features, hidden, classes, activation, seed)
    if name == "softmax":
        return SoftmaxRegression(features, classes, seed)
    raise ValueError(f"unknown model {name!r}; there are {', '.join(MODELS)}")
