"""What a caller may choose about runs."""

import pytest

from ml_agent.config import NETWORKS, SANDBOXES
from ml_agent.errors import UsageError
from ml_agent.sandbox import SANDBOXES as KNOWN
from ml_agent.sandbox.options import Options


def test_the_command_line_offers_what_there_is() -> None:
    assert set(SANDBOXES) == {"auto", *KNOWN}
    for name in NETWORKS:
        Options(network=name, setup="true").check()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(sandbox="nosuch"), "no sandbox is called 'nosuch': known: auto, docker, bubblewrap, local, none; your own"),
        (Options(network="maybe"), "off, setup, on"),  # type: ignore[arg-type]
        (Options(network="setup"), "give --setup CMD"),
        (Options(setup=" "), "--setup is empty"),
        (Options(setup="true", sandbox="none"), "leave one of the two out"),
        (Options(setup="true", image="python:3.11"), "build it into the image"),
        (Options(image="python:3.11", sandbox="bubblewrap"), "--sandbox docker"),
        (Options(gpus="some"), "--gpus 'some'"),
    ],
)
def test_what_cannot_be_is_told(options: Options, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        options.check()
