"""Evaluate a model that train.py wrote, on points that it has not seen."""

import argparse
import json
import pathlib

from tinynets.data import DATASETS, make_dataset
from tinynets.models import make_model
from tinynets.training import accuracy, confusion


def load(path):
    checkpoint = json.loads(path.read_text())
    settings = checkpoint["settings"]
    classes = len(checkpoint["state"][-1]["bias"])
    model = make_model(settings["model"], 2, classes, settings["hidden"], settings["activation"])
    model.load_state(checkpoint["state"])
    return model, settings, classes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=pathlib.Path, required=True, help="file that train.py --out wrote")
    parser.add_argument("--dataset", choices=DATASETS, help="another data set than the one it was trained on")
    parser.add_argument("--samples", type=int, default=400, help="points to draw")
    parser.add_argument("--noise", type=float, help="another noise than in training")
    parser.add_argument("--seed", type=int, default=10_000, help="of the points; training uses its own")
    parser.add_argument("--confusion", action="store_true", help="print the confusion matrix")
    args = parser.parse_args()

    model, settings, classes = load(args.checkpoint)
    noise = settings["noise"] if args.noise is None else args.noise
    dataset = make_dataset(args.dataset or settings["dataset"], args.samples, noise, args.seed)
    if dataset.classes != classes:
        parser.error(f"{dataset.name} has {dataset.classes} classes, the model {classes}")
    print(f"accuracy {accuracy(model, dataset):.3f} ({len(dataset)} points of {dataset.name})")
    if args.confusion:
        for label, row in enumerate(confusion(model, dataset)):
            print(f"class {label}: " + " ".join(f"{count:5d}" for count in row))


if __name__ == "__main__":
    main()
