"""The options of train.py."""

import argparse
import pathlib


def positive(text):
    value = float(text)
    if value <= 0:
        raise argparse.ArgumentTypeError("must be above zero")
    return value


def build_parser():
    parser = argparse.ArgumentParser(description="Learn names letter by letter and invent new ones.")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(__file__).with_name("elements.txt"), help="one name a line")
    model = parser.add_argument_group("model")
    model.add_argument("--order", type=int, default=2, choices=range(1, 6), help="letters that the next one depends on")
    model.add_argument("--smoothing", type=positive, default=2.0, help="weight of the shorter context, in counts")
    sampling = parser.add_argument_group("sampling")
    sampling.add_argument("--names", type=int, default=10, help="how many to invent")
    sampling.add_argument("--temperature", type=positive, default=1.0, help="above 1: stranger names")
    sampling.add_argument("--seed", type=int, default=0)
    return parser
