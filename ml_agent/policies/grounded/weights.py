"""Weights of a logit: what each feature adds to the log odds of a pair, for all kinds of values and for each class of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLASSES = {"number": 0, "shape": 0, "path": 1, "quoted": 1, "identifier": 2, "name": 2, "word": 2}
"""Kinds of mentions that share weights, beside the weights that all share."""
KINDS = tuple(CLASSES)
_SLOPE = 10.0


@dataclass(frozen=True, slots=True)
class Weights:
    """`features` [1 + number of classes, len(FEATURES)]: what all kinds share, and each class; `bias` of no option, by kind."""

    features: "NDArray[Any]"
    bias: Mapping[str, float]


def read_weights(name: str, features: Sequence[str]) -> Weights:
    """Those of a file beside this one; what it leaves out is 0."""
    import numpy as np

    data = json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    return Weights(np.array([[float(row.get(feature, 0.0)) for feature in features] for row in data["features"]]), data["bias"])


def alone(name: str, features: Sequence[str], needed: Mapping[str, float], least: Mapping[str, float]) -> Weights:
    """Those with which one feature counts alone. By kind: what it has to be (`needed`) for the log odds to reach `least`."""
    import numpy as np

    table = np.zeros((1 + len(set(CLASSES.values())), len(features)))
    table[0, features.index(name)] = _SLOPE
    return Weights(table, {kind: _SLOPE * needed[kind] - least[kind] for kind in CLASSES})
