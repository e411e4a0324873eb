"""A conversation with a model that is held to a budget in tokens: old results give way first."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ml_agent.models.actions import merged_words
from ml_agent.models.condensing import result_note, shortened, shortened_words
from ml_agent.models.messages import Message
from ml_agent.trajectory import ToolCall

KEPT = 0.7
"""So far it is condensed when it has to be, of what the budget leaves for old turns. What is sent then stays the same for many steps, and
so does what a service has kept of it."""
_SMALL = 200
"""Tokens of a result that gives way after the larger ones, however old it is."""
_WORDS = 400
"""Characters that are kept of old words and arguments of the model."""
_LEAST = 60
"""Tokens that are left of each text that is never cut, where nothing else is left to cut."""


@dataclass(slots=True)
class _Piece:
    message: Message
    tokens: int
    whole: Message
    """As it was before anything was left out."""
    call: ToolCall | None = None
    """Whose result it is."""
    pin: Literal["", "plan", "findings"] = ""
    condensed: bool = False


class Conversation:
    """The opening (system message and task), then turns: a reply of the model with the results of its calls, and what was said behind it.

    Never cut while there is anything else: the opening, the last plan, the last findings, and what came with or behind the last result.
    Of the rest go first the results, oldest first, the small ones last; then long words of the model; then whole turns: each call that
    is sent has its result. `count` gives the tokens of messages; each message is counted once. Deterministic.
    """

    def __init__(self, opening: Iterable[Message], count: Callable[[Sequence[Message]], int]) -> None:
        self._count = count
        self._opening = [self._piece(message) for message in opening]
        self._turns: list[list[_Piece]] = []
        self._left_out: Counter[str] = Counter()
        self._turns_left_out = 0
        self._note: _Piece | None = None
        self._tokens = sum(piece.tokens for piece in self._opening)

    @property
    def tokens(self) -> int:
        """Of all that is sent next, about."""
        return self._tokens

    def add(self, messages: Iterable[Message], *, findings: Collection[str] = ()) -> None:
        """A turn, as Reply.turn makes it. `findings`: ids of the calls whose results say what is wrong with an answer."""
        messages = list(messages)
        calls = {call.id: call for message in messages for call in message.calls}
        turn = [self._piece(message, calls.get(message.call_id)) for message in messages]
        for piece in turn:
            if piece.message.role == "tool" and piece.message.call_id in findings:
                piece.pin = "findings"
        if turn:
            self._turns.append(turn)
            self._tokens += sum(piece.tokens for piece in turn)

    def say(self, text: str, *, plan: bool = False) -> None:
        """Words of ours behind the last turn; `plan`: they take the place of the plan that was said before."""
        piece = self._piece(Message("user", text))
        piece.pin = "plan" if plan else ""
        if not self._turns:
            self._turns.append([])
        self._turns[-1].append(piece)
        self._tokens += piece.tokens

    def within(self, budget: int) -> list[Message]:
        """The messages, condensed to at most so many tokens if that is possible; what was cut before stays cut."""
        if self._tokens > budget:
            self._condense(budget)
        sent = [*self._opening, *([self._note] if self._note else []), *(piece for turn in self._turns for piece in turn)]
        return merged_words(piece.message for piece in sent)

    def _condense(self, budget: int) -> None:
        last, findings = self._last_results(), self._last_with("findings")
        plan = self._last_with("plan")
        found = [piece for piece in self._turns[findings] if piece.pin == "findings"] if findings < len(self._turns) else []
        planned = [piece for piece in self._turns[plan] if piece.pin == "plan"] if plan < len(self._turns) else []
        kept = {id(piece) for piece in (*found, *planned)}
        current = [piece for turn in self._turns[last:] for piece in turn if id(piece) not in kept]
        asking = [self._turns[findings][0]] if findings < last else []
        fixed = sum(piece.tokens for piece in (*self._opening, *current, *found, *planned))
        target = fixed + int(KEPT * (budget - fixed)) if budget > fixed else budget
        old = [piece for turn in self._turns[:last] for piece in turn if id(piece) not in kept]
        self._shorten_old(old, target)
        self._leave_out_turns(last, findings, kept, target)
        groups = (
            [piece for piece in current if piece.message.role == "tool"],
            [piece for piece in current if piece.message.role != "tool"],
            asking,
            found,
            planned,
            [piece for piece in self._opening if piece.message.role != "system"],
            self._opening,
        )
        for group in groups * 2:  # a note may be longer than the room of its text: what that takes, the second round gives back
            self._squeeze(group, budget)

    def _shorten_old(self, old: list[_Piece], target: int) -> None:
        results = [piece for piece in old if piece.message.role == "tool"]
        words = [piece for piece in old if piece.message.role == "assistant"]
        for piece in (*(p for p in results if p.tokens >= _SMALL), *(p for p in results if p.tokens < _SMALL), *words):
            if self._tokens <= target:
                return
            if not piece.condensed:
                piece.condensed = True
                whole = piece.whole
                tool = whole.role == "tool"
                self._put(piece, replace(whole, text=result_note(whole.text, piece.call)) if tool else shortened_words(whole, _WORDS))

    def _leave_out_turns(self, last: int, findings: int, kept: Collection[int], target: int) -> None:
        left: list[list[_Piece]] = []
        for number, turn in enumerate(self._turns[:last]):
            stays = turn if self._tokens <= target or number == findings else [piece for piece in turn if id(piece) in kept]
            gone = sum(piece.tokens for piece in turn) - sum(piece.tokens for piece in stays)
            self._tokens -= gone
            if gone and any(piece.message.role == "assistant" for piece in turn):
                self._turns_left_out += 1
                self._left_out.update(call.tool for piece in turn for call in piece.message.calls)
                self._say_left_out()
            if stays:
                left.append(stays)
        self._turns[:last] = left

    def _say_left_out(self) -> None:
        text = f"{self._turns_left_out} earlier replies of yours and their results were left out here to make room"
        if self._left_out:
            calls = ", ".join(f"{tool} {times}" for tool, times in sorted(self._left_out.items()))
            text += f"; calls by tool: {calls}. What you still need of them, call again"
        note = self._piece(Message("user", f"[{text}]"))
        self._tokens += note.tokens - (self._note.tokens if self._note else 0)
        self._note = note

    def _squeeze(self, group: list[_Piece], budget: int) -> None:
        """Cut the longest of a group to one length, so that all is within the budget; nothing if it is."""
        if self._tokens <= budget or not group:
            return
        room = sum(piece.tokens for piece in group) - (self._tokens - budget)
        level = _level([piece.tokens for piece in group], room)
        for piece in group:
            if piece.tokens > max(level, _LEAST):
                self._put(piece, self._shorter(piece, max(level, _LEAST)))

    def _shorter(self, piece: _Piece, tokens: int) -> Message:
        whole = piece.whole
        if whole.role != "assistant":
            text = shortened(whole.text, tokens - self._count([replace(whole, text="")]), self._count_text, piece.call)
            return replace(whole, text=text)
        characters = max(len(whole.text), *(len(str(value)) for call in whole.calls for value in call.arguments.values()), _WORDS)
        made = whole
        while self._count([made]) > tokens and characters > _LEAST:
            characters //= 2
            made = shortened_words(whole, characters)
        return made

    def _put(self, piece: _Piece, message: Message) -> None:
        """The message in place of a piece's, if it is shorter."""
        tokens = self._count([message])
        if tokens < piece.tokens:
            self._tokens += tokens - piece.tokens
            piece.message, piece.tokens = message, tokens

    def _piece(self, message: Message, call: ToolCall | None = None) -> _Piece:
        return _Piece(message, self._count([message]), message, call)

    def _count_text(self, text: str) -> int:
        return self._count([Message("user", text)]) - self._count([Message("user", "")])

    def _last_results(self) -> int:
        """The number of the last turn with a result; of those behind it, where there is none yet, the first."""
        return next((n for n in range(len(self._turns) - 1, -1, -1) if any(p.message.role == "tool" for p in self._turns[n])), 0)

    def _last_with(self, pin: str) -> int:
        return next((n for n in range(len(self._turns) - 1, -1, -1) if any(p.pin == pin for p in self._turns[n])), len(self._turns))


def _level(sizes: list[int], room: int) -> int:
    """The length L for which the sizes, each cut to at most L, fill the room; 0 if there is none."""
    left = len(sizes)
    for size in sorted(sizes):
        if size * left > room:
            return max(0, room // left)
        room -= size
        left -= 1
    return max(sizes)
