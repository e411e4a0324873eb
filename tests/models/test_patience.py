"""A model that only makes faults ends the run."""

import pytest

from ml_agent.errors import NoAnswer
from ml_agent.models.messages import Fault, Reply
from ml_agent.models.patience import Patience
from ml_agent.trajectory import ToolCall

BAD = Reply(faults=(Fault("empty", "Your reply was empty."),))
HALF = Reply(calls=(ToolCall("1", "run", {}),), faults=BAD.faults)


def test_three_in_a_row() -> None:
    patience = Patience(3)
    for reply in (BAD, BAD, Reply("fine"), BAD, BAD, HALF, BAD, BAD):
        patience.hear(reply)
    with pytest.raises(NoAnswer, match="3 unusable replies in a row; the last: Your reply was empty"):
        patience.hear(BAD)
