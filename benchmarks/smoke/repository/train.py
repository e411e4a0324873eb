"""Train a classifier on a synthetic data set and report its accuracy on held-out points."""

import argparse
import json
import pathlib

from tinynets.data import DATASETS, make_dataset, split
from tinynets.models import ACTIVATIONS, MODELS, make_model
from tinynets.optim import OPTIMIZERS, make_optimizer
from tinynets.training import accuracy, fit


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=pathlib.Path, help="JSON file with settings; options on the command line win over it")
    parser.add_argument("--dataset", choices=DATASETS, default="moons", help="what to train on")
    parser.add_argument("--samples", type=int, default=400, help="points to draw; a quarter of them is held out")
    parser.add_argument("--noise", type=float, default=0.1, help="standard deviation of the noise on each coordinate")
    parser.add_argument("--model", choices=MODELS, default="mlp", help="classifier")
    parser.add_argument("--hidden", type=int, default=16, help="units of the hidden layer (mlp)")
    parser.add_argument("--activation", choices=ACTIVATIONS, default="relu", help="of the hidden layer (mlp)")
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="sgd")
    parser.add_argument("--lr", type=float, default=0.1, help="learning rate")
    parser.add_argument("--momentum", type=float, default=0.9, help="of sgd")
    parser.add_argument("--weight-decay", type=float, default=0.0)
    parser.add_argument("--epochs", type=int, default=30, help="passes over the training data")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0, help="of the data, the weights and the order of the batches")
    parser.add_argument("--log-every", type=int, default=10, metavar="N", help="print every Nth epoch")
    parser.add_argument("--out", type=pathlib.Path, help="write the trained model here, as JSON")
    first = parser.parse_args()
    if first.config is None:
        return first
    try:
        settings = json.loads(first.config.read_text())
    except (OSError, ValueError) as error:
        parser.error(f"--config {first.config}: {error}")
    unknown = sorted(set(settings) - set(vars(first)))
    if unknown:
        parser.error(f"--config {first.config}: no such setting: {', '.join(unknown)}")
    parser.set_defaults(**settings)
    return parser.parse_args()


def main():
    args = parse_arguments()
    train, test = split(make_dataset(args.dataset, args.samples, args.noise, args.seed))
    model = make_model(args.model, 2, train.classes, args.hidden, args.activation, args.seed)
    optimizer = make_optimizer(args.optimizer, args.lr, args.momentum, args.weight_decay)

    def log(epoch):
        if epoch["epoch"] % args.log_every == 0 or epoch["epoch"] == args.epochs:
            print(f"epoch {epoch['epoch']:3d}  loss {epoch['loss']:.4f}  train accuracy {epoch['accuracy']:.3f}")

    history = fit(model, train, optimizer, args.epochs, args.batch_size, args.seed, log)
    result = accuracy(model, test)
    print(f"test accuracy {result:.3f} ({len(test)} points of {args.dataset}, {args.model})")
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        settings = {name: value for name, value in vars(args).items() if name not in ("config", "out", "log_every")}
        args.out.write_text(json.dumps({"settings": settings, "history": history, "test_accuracy": result, "state": model.state()}))
        print(f"written to {args.out}")


if __name__ == "__main__":
    main()
