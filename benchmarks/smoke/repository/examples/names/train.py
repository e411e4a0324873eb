"""A character model of interpolated n-grams."""

import collections
import math
import random

from options import build_parser

END = "\n"


class CharacterModel:
    """Probability of a letter given the `order` letters before it.

    Counts of each order are mixed with the estimate of the order below, down to a uniform one; `smoothing` is the weight of the
    estimate below, in counts.
    """

    def __init__(self, names, order, smoothing):
        self.order, self.smoothing = order, smoothing
        self.letters = sorted({letter for name in names for letter in name} | {END})
        self.counts = collections.defaultdict(collections.Counter)
        for name in names:
            for context, letter in self.steps(name):
                for start in range(order + 1):
                    self.counts[context[start:]][letter] += 1

    def steps(self, name):
        padded = END * self.order + name + END
        for i in range(self.order, len(padded)):
            yield padded[i - self.order : i], padded[i]

    def probability(self, context, letter):
        estimate = 1 / len(self.letters)
        for start in range(self.order, -1, -1):
            seen = self.counts.get(context[start:], {})
            estimate = (seen.get(letter, 0) + self.smoothing * estimate) / (sum(seen.values()) + self.smoothing)
        return estimate

    def bits(self, names):
        """Mean negative log2 probability of a letter, the ends of the names included."""
        steps = [step for name in names for step in self.steps(name)]
        return -sum(math.log2(self.probability(*step)) for step in steps) / len(steps)

    def sample(self, rng, temperature, longest=20):
        name = ""
        while len(name) < longest:
            context = (END * self.order + name)[-self.order :]
            weights = [self.probability(context, letter) ** (1 / temperature) for letter in self.letters]
            letter = rng.choices(self.letters, weights)[0]
            if letter == END:
                break
            name += letter
        return name


def main():
    args = build_parser().parse_args()
    names = args.data.read_text().lower().split()
    held_out = names[::10]
    train = [name for i, name in enumerate(names) if i % 10]
    model = CharacterModel(train, args.order, args.smoothing)
    print(f"order {args.order}: {model.bits(train):.2f} bits a letter in training, {model.bits(held_out):.2f} held out")
    rng = random.Random(args.seed)
    for _ in range(args.names):
        print(model.sample(rng, args.temperature).capitalize())


if __name__ == "__main__":
    main()
