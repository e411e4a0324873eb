"""How long a model's unusable replies are put up with."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from ml_agent.errors import NoAnswer
from ml_agent.models.messages import Fault, Message, Reply

T = TypeVar("T")


class Patience:
    """Counts replies in a row that have faults and nothing that can be done. One instance a run."""

    def __init__(self, limit: int = 3) -> None:
        self._limit = limit
        self._in_a_row = 0

    def hear(self, reply: Reply) -> None:
        """Take note of a reply. Raises NoAnswer at the `limit`-th unusable one in a row."""
        if not reply.faults or reply.calls:
            self._in_a_row = 0
            return
        self._in_a_row += 1
        if self._in_a_row >= self._limit:
            raise NoAnswer(f"the model gave {self._in_a_row} unusable replies in a row; the last: {reply.faults[-1].text}")


def insist(
    complete: Callable[[list[Message]], Reply],
    messages: Sequence[Message],
    read: Callable[[Reply], T | None],
    wrong: Fault,
    patience: Patience,
) -> T:
    """Ask until `read` makes something of the reply, and return that.

    What is wrong with a reply is told to the model: its own faults, else `wrong`. Raises NoAnswer when `patience` is at its end, and what
    `complete` raises.
    """
    asked = list(messages)
    while True:
        reply = complete(asked)
        made = read(reply)
        if made is not None:
            return made
        if not reply.faults:
            reply = replace(reply, faults=(wrong,))
        patience.hear(reply)
        asked += reply.turn()
