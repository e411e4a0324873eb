"""A recorded run replays without its model, and says where it departs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Message, Options, Reply, to_json
from ml_agent.models.recording import Departed, Recorder, Replayed
from ml_agent.trajectory import ToolCall
from tests.models.parts import HI, READ, RUN, Fixed, model_at, said
from tests.models.server import calls, serving, text


def conversation(model: ChatModel) -> list[Reply]:
    first = model.complete(HI, [RUN])
    second = model.complete([*HI, *first.turn({call.id: "README.md" for call in first.calls})], [RUN], options=Options(seed=1))
    return [first, second]


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "run" / "model.jsonl"
    with serving(calls(("run", '{"command": "ls"}')), text("done")) as server:
        recorder = Recorder(model_at(server.url), path)
        conversation(recorder)
        recorder.close()
    return path


def test_replays_bit_for_bit(recording: Path) -> None:
    first, second = (list(map(to_json, conversation(Replayed(recording)))) for _ in range(2))
    assert first == second
    assert [reply["text"] for reply in first] == ["", "done"]
    assert first[0]["calls"][0]["arguments"] == {"command": "ls"}


@pytest.mark.parametrize(
    ("messages", "tools", "words"),
    [
        ([Message("user", "ho")], [RUN], "the replay departs at call 1: message 1 (user) was 'hi' and is 'ho'"),
        ([*HI, *HI], [RUN], "1 messages were sent and are now 2"),
        (HI, [RUN, READ], "the tools that are offered are others"),
        (HI, [RUN], "the options of the request are others"),
    ],
)
def test_departs(recording: Path, messages: list[Message], tools: list[object], words: str) -> None:
    options = Options(seed=9) if "options" in words else Options()
    with pytest.raises(Departed) as caught:
        Replayed(recording).complete(messages, tools, options=options)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_ends(recording: Path) -> None:
    model = Replayed(recording)
    conversation(model)
    with pytest.raises(Departed, match="departs at call 3: the recording has 2"):
        model.complete(HI)


def test_an_overflow_is_replayed(tmp_path: Path) -> None:
    recorder = Recorder(Fixed(ContextOverflow("too long"), said("fine")), tmp_path / "r")
    models: list[Callable[[], ChatModel]] = [lambda: recorder, lambda: Replayed(tmp_path / "r")]
    for start in models:
        model = start()
        with pytest.raises(ContextOverflow, match="too long"):
            model.complete([*HI, *HI])
        assert model.complete(HI).text == "fine"
        model.close()


def test_ids_of_calls_do_not_count(tmp_path: Path) -> None:
    def asked(call_id: str) -> list[Message]:
        return [*HI, Message("assistant", "", (ToolCall(call_id, "run", {}),)), Message("tool", "x", call_id=call_id)]

    recorder = Recorder(Fixed(said("fine")), tmp_path / "r")
    recorder.complete(asked("a"))
    recorder.close()
    assert Replayed(tmp_path / "r").complete(asked("b")).text == "fine"


def test_a_torn_last_line_is_dropped_and_no_key_is_written(tmp_path: Path) -> None:
    secret = "sk-abcdefghijklmnopqrstuv"
    path = tmp_path / "r"
    recorder = Recorder(Fixed(said(secret), said("b")), path)
    recorder.complete([Message("user", secret)])
    recorder.complete(HI)
    recorder.close()
    assert secret not in path.read_text()
    path.write_bytes(path.read_bytes()[:-20])
    model = Replayed(path)
    assert model.complete([Message("user", secret)]).text == "[redacted]"
    with pytest.raises(Departed, match="the recording has 1"):
        model.complete(HI)


@pytest.mark.parametrize(
    "content", [b"", b"words\n", b'{"event": "header"}\n', b'{"event": "model", "schema": 1, "name": "x"}\n[]\n', b"\xff\n"]
)
def test_no_recording(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r").write_bytes(content)
    with pytest.raises(UsageError, match="is not a recording of a model"):
        Replayed(tmp_path / "r")


def test_an_existing_file_is_not_written_over(recording: Path) -> None:
    with pytest.raises(InfrastructureError, match="cannot write the recording"):
        Recorder(Fixed(), recording)
