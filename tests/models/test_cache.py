"""What was paid for once is not paid for again."""

import json
import sqlite3
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.models.cache import Cached
from ml_agent.models.messages import Fault, Message, Options, Reply
from tests.models.parts import HI, RUN, Fixed, said


def test_a_second_request_is_answered_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "replies.sqlite"
    first = Cached(Fixed(said("fine")), path)
    paid = first.complete(HI, [RUN])
    first.close()
    behind = Fixed()
    heard: list[str] = []
    again = Cached(behind, path).complete(HI, [RUN], on_text=heard.append)
    assert (behind.asked, again.text, again.usage, again.money) == (0, "fine", paid.usage, paid.money)
    assert (paid.cached, again.cached, heard) == (False, True, ["fine"])
    assert path.stat().st_mode & 0o077 == 0


def test_any_difference_is_another_request(tmp_path: Path) -> None:
    model = Cached(Fixed(*[said(str(n)) for n in range(5)]), tmp_path / "c")
    answers = [
        model.complete(HI).text,
        model.complete(HI, [RUN]).text,
        model.complete(HI, options=Options(seed=1)).text,
        model.complete([Message("system", "hi")]).text,
        model.complete([*HI, *HI]).text,
    ]
    assert answers == list("01234")


def test_faults_are_not_kept(tmp_path: Path) -> None:
    model = Cached(Fixed(Reply(faults=(Fault("empty", "x"),)), said("fine")), tmp_path / "c")
    model.complete(HI)
    assert model.complete(HI).text == "fine"


def test_no_key_is_written(tmp_path: Path) -> None:
    secret = "sk-abcdefghijklmnopqrstuv"
    model = Cached(Fixed(said(f"your key is {secret}")), tmp_path / "c")
    model.complete([Message("user", secret)])
    model.close()
    assert all(secret.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_a_row_of_another_kind_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "c"
    Cached(Fixed(said("a")), path).complete(HI)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE replies SET reply = ?", (json.dumps({"text": 1}),))
    assert Cached(Fixed(said("b")), path).complete(HI).text == "b"
    assert Cached(Fixed(), path).complete(HI).text == "b"


def test_a_file_that_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("words " * 1000)
    with pytest.raises(InfrastructureError, match="cannot use the cache of replies"):
        Cached(Fixed(), tmp_path / "c")
