import pytest

from ml_agent.policies.grounded.kinds import extension, file_kind, likeness, takes_kind


@pytest.mark.parametrize(
    ("value", "ending", "kind"),
    [
        ("clips/Rain.WAV", ".wav", "audio"),
        ("runs/best.pth", ".pth", "weights"),
        ("a.b/frame.jpeg", ".jpeg", "image"),
        ("ratings.csv", ".csv", "table"),
        ("dqn.yaml", ".yaml", "config"),
        ("play.mkv", ".mkv", "video"),
        ("main.py", ".py", None),
        ("v1.5", "", None),
        ("data/", "", None),
        ("", "", None),
    ],
)
def test_the_kind_of_a_file_is_its_extensions(value: str, ending: str, kind: str | None) -> None:
    assert extension(value) == ending
    assert file_kind(value) == kind


def test_options_that_take_a_kind() -> None:
    assert takes_kind(("input", "wav"), "audio")
    assert takes_kind(("resume", "from"), "weights")
    assert not takes_kind(("resume", "from"), "audio")


def test_likeness_to_documented_values() -> None:
    assert likeness("b/night.wav", ("a/day.wav",)) > 0.5
    assert likeness("b/day2.wav", ("a/day.wav",)) > likeness("b/night.wav", ("a/day.wav",))
    assert likeness("tiny_v2", ("tiny_v1", "other")) > 0.75
    assert likeness("tiny_v2.wav", ("tiny_v1",)) == 0.0
    assert likeness("large", ("tiny_v1",)) == likeness("x", ()) == 0.0
    assert likeness("a/day", ("a/day/",)) == 1.0
