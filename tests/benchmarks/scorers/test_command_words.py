from ml_agent.benchmarks.scorers.command_words import read_words
from ml_agent.repo.entrypoints import EntryPoint, Option

ENTRY = EntryPoint(
    "x.py",
    "argparse",
    ("python", "x.py"),
    (
        Option("--learning-rate", ("-l", "--learning-rate"), "x.py:1"),
        Option("--sizes", ("--sizes",), "x.py:2", nargs="+"),
        Option("--pair", ("--pair",), "x.py:3", nargs="2"),
        Option("--fast", ("--fast",), "x.py:4", action="flag"),
        Option("data", ("data",), "x.py:5"),
    ),
)


def test_with_the_program() -> None:
    found = read_words("-l 0.1 a --sizes 1 2 --pair x y b --fast c --learning-rate=0.2 -- --d".split(), ENTRY)
    assert found.options == {"--learning-rate": ("0.2",), "--sizes": ("1", "2"), "--pair": ("x", "y"), "--fast": ()}
    assert found.positionals == ("a", "b", "c", "--d")
    assert found.spelled["--learning-rate"] == "--learning-rate"


def test_without_it_all_words_up_to_the_next_option_are_its_values() -> None:
    found = read_words("a --lr 0.1 b --fast --x=1 c -1 -.5".split(), None)
    assert found.options == {"--lr": ("0.1", "b"), "--fast": (), "--x": ("1",)}
    assert found.positionals == ("a", "c", "-1", "-.5")
