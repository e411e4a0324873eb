"""Ask a model with a conversation that fits into it."""

from collections.abc import Sequence

from ml_agent.errors import NoAnswer
from ml_agent.models.conversation import Conversation
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Options, Reply, ToolLike

CONTEXT = 16_384
"""Tokens that a model is taken to hold where nothing is known of it."""
REPLY = 4_000
"""Tokens that are left free for the reply, but no more than a quarter of all."""
_HALVINGS = 3
_MOST_OFF = 4.0
"""A service that says it counted more than so many times what we did is not believed further."""


class Fitted:
    """A model, with its tools and options, that is asked with conversations which are condensed to what it can hold.

    What the service says it counted corrects our own count, which is a rough one for most models. Deterministic: it depends on nothing but
    the conversation and the replies.
    """

    def __init__(self, model: ChatModel, tools: Sequence[ToolLike], options: Options) -> None:
        self._model, self._tools, self._options = model, tools, options
        self._for_tools = model.count([], tools)
        context = model.context or CONTEXT
        self._most = context - min(options.max_tokens or REPLY, context // 4)
        self._factor = 1.0
        """Tokens of the service for one of ours, at the most that was seen."""

    @property
    def room(self) -> int:
        """Tokens, as we count them, that a conversation may have."""
        return max(0, int(self._most / self._factor) - self._for_tools)

    def ask(self, conversation: Conversation) -> Reply:
        """A reply. What the service finds too long is condensed to half, three times at most; then NoAnswer is raised."""
        for halvings in range(_HALVINGS + 1):
            messages = conversation.within(self.room)
            try:
                reply = self._model.complete(messages, self._tools, options=self._options)
            except ContextOverflow as error:
                if halvings == _HALVINGS:
                    raise NoAnswer(self._too_long(conversation, error)) from error
                self._most = int((self._for_tools + conversation.tokens // 2) * self._factor)
            else:
                self._learn(reply, conversation.tokens + self._for_tools)
                return reply
        raise AssertionError("unreachable")

    def _too_long(self, conversation: Conversation, error: ContextOverflow) -> str:
        counted = f"{conversation.tokens} tokens, with {self._for_tools} more for the tools"
        return f"the model cannot hold what is left of the conversation ({counted}): offer fewer tools, or take another model ({error})"

    def _learn(self, reply: Reply, counted: int) -> None:
        if reply.requests == 1 and not reply.usage.estimated and counted > 0:
            self._factor = min(_MOST_OFF, max(self._factor, reply.usage.input / counted))
