"""A model that only makes faults ends the run."""

import pytest

from ml_agent.errors import NoAnswer
from ml_agent.models.messages import Fault, Message, Reply
from ml_agent.models.patience import Patience, insist
from ml_agent.trajectory import ToolCall

BAD = Reply(faults=(Fault("empty", "Your reply was empty."),))
HALF = Reply(calls=(ToolCall("1", "run", {}),), faults=BAD.faults)


def test_three_in_a_row() -> None:
    patience = Patience(3)
    for reply in (BAD, BAD, Reply("fine"), BAD, BAD, HALF, BAD, BAD):
        patience.hear(reply)
    with pytest.raises(NoAnswer, match="3 unusable replies in a row; the last: Your reply was empty"):
        patience.hear(BAD)


def test_it_is_asked_until_the_reply_can_be_used() -> None:
    """Each unusable reply is followed by what is wrong with it: its own faults, else the words given."""
    replies = [Reply("a"), Reply("b", faults=(Fault("length", "Cut off."),)), Reply("good")]
    sent: list[list[str]] = []

    def complete(messages: list[Message]) -> Reply:
        sent.append([message.text for message in messages])
        return replies[len(sent) - 1]

    said = insist(complete, [Message("user", "ask")], lambda r: r.text if r.text == "good" else None, Fault("not_json", "No."), Patience())
    assert said == "good"
    assert sent == [["ask"], ["ask", "a", "No."], ["ask", "a", "No.", "b", "Cut off."]]


def test_it_is_not_asked_for_ever() -> None:
    with pytest.raises(NoAnswer, match="2 unusable replies in a row"):
        insist(lambda messages: Reply("a"), [Message("user", "ask")], lambda reply: None, Fault("not_json", "No."), Patience(2))
