import pytest

from ml_agent.verify.synonyms import meaning, same_meaning


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("--lr", "--learning-rate"),
        ("--learning_rate", "lr"),
        ("--bs", "--batch-size"),
        ("--n-epochs", "--epochs"),
        ("--num_workers", "--workers"),
        ("--weight-decay", "--wd"),
        ("--save-dir", "--save_path"),
        ("--Img-Size", "--image_size"),
    ],
)
def test_names_that_mean_the_same(name: str, other: str) -> None:
    assert same_meaning(name, other)


@pytest.mark.parametrize(
    ("name", "other"), [("--lr", "--lr-decay"), ("--n", "--num"), ("", ""), ("--train-dir", "--test-dir"), ("--lr", "--epochs")]
)
def test_names_that_do_not(name: str, other: str) -> None:
    assert not same_meaning(name, other)


def test_a_meaning_is_a_set_of_words() -> None:
    assert meaning("--num_hid.dim") == {"hidden", "size"}
