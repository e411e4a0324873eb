"""Two-dimensional data sets for classification, drawn from a seed."""

import math
import random
from dataclasses import dataclass
from typing import Callable, Dict, List, Tuple

Point = List[float]


@dataclass(frozen=True)
class Dataset:
    """Points with their classes. `inputs` is samples x features; `labels` holds one class a sample, from 0."""

    name: str
    inputs: List[Point]
    labels: List[int]
    classes: int

    def __len__(self) -> int:
        return len(self.inputs)


def _blobs(label: int, rng: random.Random) -> Point:
    angle = 2 * math.pi * label / 3
    return [math.cos(angle) + rng.gauss(0, 0.25), math.sin(angle) + rng.gauss(0, 0.25)]


def _moons(label: int, rng: random.Random) -> Point:
    angle = rng.uniform(0, math.pi)
    if label == 0:
        return [math.cos(angle), math.sin(angle)]
    return [1 - math.cos(angle), 0.5 - math.sin(angle)]


def _rings(label: int, rng: random.Random) -> Point:
    angle, radius = rng.uniform(0, 2 * math.pi), 0.4 + 0.6 * label
    return [radius * math.cos(angle), radius * math.sin(angle)]


def _spirals(label: int, rng: random.Random) -> Point:
    radius = rng.uniform(0.1, 1.5)
    angle = 2.5 * radius + 2 * math.pi * label / 3
    return [radius * math.cos(angle), radius * math.sin(angle)]


def _xor(label: int, rng: random.Random) -> Point:
    side = rng.choice((-1, 1))
    return [0.6 * side + rng.gauss(0, 0.15), 0.6 * side * (1 if label == 0 else -1) + rng.gauss(0, 0.15)]


_GENERATORS: Dict[str, Tuple[int, Callable[[int, random.Random], Point]]] = {
    "blobs": (3, _blobs),
    "moons": (2, _moons),
    "rings": (3, _rings),
    "spirals": (3, _spirals),
    "xor": (2, _xor),
}

DATASETS = tuple(_GENERATORS)


def make_dataset(name: str, samples: int = 400, noise: float = 0.1, seed: int = 0) -> Dataset:
    """Draw `samples` points, the classes as even as they can be, each coordinate with Gaussian noise of deviation `noise`."""
    if name not in _GENERATORS:
        raise ValueError(f"unknown data set {name!r}; there are {', '.join(DATASETS)}")
    if samples < 1:
        raise ValueError(f"samples must be at least 1, not {samples}")
    classes, generate = _GENERATORS[name]
    rng = random.Random(seed)
    labels = [i % classes for i in range(samples)]
    rng.shuffle(labels)
    inputs = [[c + rng.gauss(0, noise) for c in generate(label, rng)] for label in labels]
    return Dataset(name, inputs, labels, classes)


def split(dataset: Dataset, test_fraction: float = 0.25) -> Tuple[Dataset, Dataset]:
    """The first part for training, the rest for testing; the points are in random order already."""
    if not 0 < test_fraction < 1:
        raise ValueError(f"test_fraction must lie between 0 and 1, not {test_fraction}")
    cut = round(len(dataset) * (1 - test_fraction))
    return (
        Dataset(dataset.name, dataset.inputs[:cut], dataset.labels[:cut], dataset.classes),
        Dataset(dataset.name, dataset.inputs[cut:], dataset.labels[cut:], dataset.classes),
    )
