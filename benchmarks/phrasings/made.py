"""Options of one program, asked for: options in many words, lists in one word, and what is switched on or off."""

import random
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import yaml

from ml_agent.task import Answer

_OF_A_PROGRAM, _ASKED, _SHOWN, _EACH = 22, 4, 4, 10
"""Options of a program, options that a request asks for, options that its documented command has, and requests to one program."""
_VOICES = ("Train it with {}.", "Please train the model: {}", "{}", "How do I train it with {}?", "Hi! Could you train it, {}? Thanks.")
_JOINED = (", ", ", ", " and ", "; ")

_LISTS: Sequence[tuple[str, str, str, str]] = (
    # what is declared, and the signs of the list: opening, between, closing; separate words have a "|" between them
    ("type=str, default='3,4'", "", ",", ""),
    ("type=str, default='(3, 4)'", "(", ", ", ")"),
    ("type=str, default='[3,4]'", "[", ",", "]"),
    ("type=eval, default=[3,4]", "[", ",", "]"),
    ("type=str, default='3 4'", "", " ", ""),
    ("type=str, default='3-4'", "", "-", ""),
    ("type=lambda s: [int(x) for x in s.split(',')], default=[3,4]", "", ",", ""),
    ("type=str, default='', help='comma separated list'", "", ",", ""),
    ("nargs='+', type=float, default=[3,4]", "", "|", ""),
)
_LIST_NAMES = ("layers", "milestones", "scales", "hidden_sizes", "kernel_sizes")
_LIST_VALUES = (("256", "128", "64"), ("60", "90"), ("0.5", "0.75", "2"), ("3", "9"))
_LIST_SAID = ("{n} {l}", "with {n} of {l}", "{n} set to {l}", "use {l} as the {n}", "{n} should be {l}", "{n}: {l}", "{l} for the {n}")
_LIST_JOINS = (" ", ", ", ",", "-", "/", " then ", " and then ", " followed by ")

_SWITCHES: Sequence[tuple[str, str, str]] = (
    # what is declared, what switches it on, and off; empty if nothing is to be given
    ("'--{o}', action='store_true'", "--{o}", ""),
    ("'--no-{o}', action='store_true'", "", "--no-{o}"),
    ("'--{o}', type=str2bool, default=False", "--{o} True", ""),
    ("'--{o}', type=str2bool, default=True", "", "--{o} False"),
    ("'--{o}', type=int, default=0, help='whether to do it (1) or not (0)'", "--{o} 1", ""),
    ("'--{o}', type=int, default=1, help='1 to do it, 0 otherwise'", "", "--{o} 0"),
    ("'--{o}', choices=['yes','no'], default='no'", "--{o} yes", ""),
    ("'--{o}', action=argparse.BooleanOptionalAction, default=True", "", "--no-{o}"),
)
_SWITCHED = {
    "shuffle": "shuffling", "layer-norm": "layer norm", "augment": "augmentation", "cache": "caching", "ema": "EMA",
    "gradient-checkpointing": "gradient checkpointing", "batch-norm": "batch norm", "residual": "residual connections",
}  # fmt: skip
_ON = ("with {}", "enable {}", "use {}", "{} on", "turn on {}", "turn {} on", "{} enabled")
_OFF = ("without {}", "no {}", "disable {}", "{} off", "turn off {}", "turn {} off", "{} disabled", "don't use {}", "skip {}")


@dataclass(frozen=True, slots=True)
class Program:
    """The text of `train.py`, the arguments of its documented command, and requests with what their answers have to hold."""

    code: str
    documented: str
    requests: tuple[tuple[str, tuple["Wanted", ...]], ...]

    def write(self, folder: Path) -> None:
        (folder / "train.py").write_text(self.code, encoding="utf-8")
        text = f"# Owl\n\nTrain:\n\n```bash\npython train.py {self.documented}".rstrip() + "\n```\n"
        (folder / "README.md").write_text(text, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Wanted:
    """An option with the value that it has to have."""

    said: str
    """The phrase, with `{}` or the like for the value: what is counted."""
    option: str
    value: str | None
    """None: it need not be given, and if it is, then as `usual` says."""
    usual: tuple[str, ...] = ()

    def problems(self, answer: Answer | None) -> list[str]:
        """Of the last line of the answer."""
        words = shlex.split(answer.code.rpartition("\n")[2]) if answer and answer.language == "bash" else []
        return [] if self.is_given(words) else [""]

    def is_given(self, words: Sequence[str]) -> bool:
        """Whether a command line gives the option this value, separate words with a `|` between them."""
        behind = next((k for k, word in enumerate(words) if word.partition("=")[0] == self.option), None)
        if behind is None:
            return self.value is None
        _, equals, value = words[behind].partition("=")
        given = [value] if equals else []
        for word in words[behind + 1 :] if not equals else ():
            if word.startswith("--"):
                break
            given.append(word)
        if self.value is None:
            return given[0].lower() in self.usual if given else "true" in self.usual
        return "|".join(given).replace(", ", ",") == self.value.replace(", ", ",")


def program(declared: Sequence[str]) -> str:
    """The text of `train.py` that declares these options."""
    head = "import argparse\n\n\ndef str2bool(word):\n    return word.lower() in ('true', '1')\n\n\nparser = argparse.ArgumentParser()\n"
    return head + "".join(f"parser.add_argument({each})\n" for each in declared) + "print(parser.parse_args())\n"


def options(tasks: int, seed: int) -> Iterator[Program]:
    """Of the two catalogues in turn."""
    catalogues: dict[str, list[dict[str, Any]]] = yaml.safe_load(Path(__file__).with_name("options.yaml").read_text(encoding="utf-8"))
    chance = random.Random(seed)  # noqa: S311 - a choice of words
    for number in range(-(-tasks // _EACH)):
        known = chance.sample(list(catalogues.values())[number % len(catalogues)], _OF_A_PROGRAM)
        sign = chance.choice("-_")
        names = {each["name"]: "--" + each["name"].replace("_", sign) for each in known}
        shown = chance.sample([each for each in known if each["values"] != [""]], _SHOWN) if chance.random() < 0.5 else []
        documented = " ".join(f"{names[each['name']]} {chance.choice(each['values'])}" for each in shown)
        code = program([f"'{names[each['name']]}', {each['declares']}" for each in known])
        yield Program(code, documented, tuple(islice(_requests(known, names, chance), _EACH)))


def _requests(known: Sequence[dict[str, Any]], names: dict[str, str], chance: random.Random) -> Iterator[tuple[str, tuple[Wanted, ...]]]:
    while True:
        said, wanted = [], []
        for each in chance.sample(known, _ASKED):
            phrase, value = chance.choice(each["said"]), chance.choice(each["values"])
            said.append(phrase.format(v=value))
            wanted.append(Wanted(f"{each['name']}: {phrase}", names[each["name"]], value))
        text = ", ".join(said[:-1]) + chance.choice(_JOINED) + said[-1]
        yield chance.choice(_VOICES).format(text), tuple(wanted)


def lists() -> Iterator[Program]:
    """Each way to declare one with each name, and each way to say it."""
    for declared, opening, between, closing in _LISTS:
        others = ["'--epochs', type=int, default=10", "'--dropout', type=float, default=0.1"]
        code = program([*others, *(f"'--{name}', {declared}" for name in _LIST_NAMES)])
        requests = []
        for k, name in enumerate(_LIST_NAMES):
            for n, join in enumerate(_LIST_JOINS):
                phrase, values = _LIST_SAID[(k + n) % len(_LIST_SAID)], _LIST_VALUES[(k + n) % len(_LIST_VALUES)]
                text = phrase.format(n=name.replace("_", " "), l=join.join(values))
                wanted = Wanted(f"{declared}: {join!r}", f"--{name}", opening + between.join(values) + closing)
                requests.append((f"Train for 30 epochs, {text}, dropout 0.2", (wanted,)))
        yield Program(code, "--epochs 5", tuple(requests))


def switches() -> Iterator[Program]:
    """Each way to declare one, and each way to say that it is to be on or off."""
    for declared, on, off in _SWITCHES:
        for name, thing in _SWITCHED.items():
            requests = []
            for phrases, given, usual in ((_ON, on, ("true", "1", "yes")), (_OFF, off, ("false", "0", "no"))):
                option, _, value = (given or "--{o}").format(o=name).partition(" ")
                for phrase in phrases:
                    wanted = Wanted(f"{declared}: {phrase}", option, value if given else None, usual)
                    requests.append((f"Train for 30 epochs, {phrase.format(thing)}, learning rate 0.01", (wanted,)))
            code = program(["'--epochs', type=int", "'--lr', type=float", "'--data'", declared.format(o=name)])
            yield Program(code, "--epochs 5", tuple(requests))
