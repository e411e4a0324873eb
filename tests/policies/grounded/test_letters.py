import pytest

from ml_agent.policies.grounded.letters import words_of
from tests.policies.grounded.support import given, option


@pytest.mark.parametrize(
    ("help_text", "words"),
    [
        ("number of steps to run for, default 256", ("number", "steps")),
        ("temperature in [0,inf], default 1.0", ("temperature",)),
        ("(optional) system prompt in chat mode", ("system", "prompt")),
        ("optional path to custom tokenizer", ("path",)),
        ("the random seed", ("random", "seed")),
        ("", ("n",)),
        ("= [", ("n",)),
        ("something that one may want or not want here today", ("something",)),
    ],
)
def test_a_letter_is_called_by_its_help(help_text: str, words: tuple[str, ...]) -> None:
    assert words_of(option("-n", help=help_text)) == words


def test_a_name_is_called_by_itself() -> None:
    assert words_of(option("-n", aliases=("--num-eggs",), help="how many")) == ("n",)
    assert words_of(option("--num-eggs", aliases=("-n",), help="how many")) == ("num", "eggs")
    assert words_of(option("n", help="number of eggs")) == ("n",)


def test_values_go_to_letters_by_their_help() -> None:
    options = (
        option("-t", type="float", help="temperature, default 1.0"),
        option("-s", type="int", help="random seed, default time(NULL)"),
        option("-i", help="input prompt"),
    )
    text = "I would like it at a temperature of 0.9 with 42 as the seed, opening with 'The old barn was silent'"
    assert given(text, *options) == {"-t": "0.9", "-s": "42", "-i": "The old barn was silent"}


def test_the_letter_itself_may_be_said() -> None:
    made = option("--k", type="int", help="Number of propagation layers.")
    assert given("a hidden size of 16 and k of 12", made, option("--hidden", type="int")) == {"--k": "12", "--hidden": "16"}


@pytest.mark.parametrize(
    ("name", "help_text", "words"),
    [
        ("--e_layers", "num of encoder layers", ("encoder", "layers")),
        ("--d_model", "dimension of the model", ("dimension", "model")),
        ("--g_lr", "learning rate of the generator", ("generator", "lr")),
        ("--c_out", "output size", ("c", "out")),
        ("--n_heads", "number of heads", ("n", "heads")),
        ("--beta_2", "beta two", ("beta", "2")),
    ],
)
def test_a_letter_beside_a_word_is_what_the_help_has_beside_it(name: str, help_text: str, words: tuple[str, ...]) -> None:
    assert words_of(option(name, help=help_text)) == words


def test_values_go_to_such_names_by_their_help() -> None:
    options = (option("--e_layers", type="int", help="num of encoder layers"), option("--enc_in", type="int", help="encoder input size"))
    assert given("4 heads and 3 encoder layers", *options) == {"--e_layers": "3"}
