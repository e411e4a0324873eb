"""The policy `direct`: one completion, with some text of the repository. The table of language models of the paper (arXiv 2311.09835)."""

from typing import Literal

from pydantic import Field

from ml_agent.errors import NoAnswer
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Message
from ml_agent.models.patience import Patience
from ml_agent.policies.replies import code_in, cut
from ml_agent.policies.settings import ModelSettings
from ml_agent.policies.stepwise import Plan, Stepwise, arguments_of, title
from ml_agent.prompts import Prompts
from ml_agent.task import CONTEXT, Answer

_CUTS = 3
"""So often a context that is too long is cut to half."""


class DirectSettings(ModelSettings):
    context: Literal["none", "readme", "bm25"] = Field(
        "bm25", description="Text of the repository for the model: none, the README of the root, or the passages that fit the task best."
    )
    document_tokens: int = Field(4_000, ge=100, description="Of that text, at most.")


class Direct(Stepwise):
    """Asks once and hands in what comes back; what verification finds is not told to the model, so there is no repair.

    In a setting of the benchmark, where the instruction comes with its context and `submit` is the only tool, that context is used.
    """

    name = "direct"
    Settings = DirectSettings

    def __init__(self, settings: DirectSettings | None = None) -> None:
        self._settings = settings or DirectSettings()  # type: ignore[call-arg] # all have defaults
        self._prompts = Prompts(self._settings.prompts)
        self.model: ChatModel | None = None

    def plan(self) -> Plan:
        instruction, found, context = self.task.instruction.partition(CONTEXT)
        if not found and self._settings.context != "none":
            tool, arguments = {
                "readme": ("read_readme", {}),
                "bm25": ("search_docs", {"query": instruction[:2_000]}),
            }[self._settings.context]
            if tool in self.tools:
                (looked,) = yield "Look for text that fits the task.", [(tool, arguments)]
                if not looked.error and (looked.data.get("hits") or looked.data.get("sections")):
                    context = looked.text
        answer = self._ask(instruction, context)
        while True:  # it is one completion: the same until it is accepted
            (said,) = yield f"Submit: {title(answer)}", [("submit", arguments_of(answer))]
            if said.error:
                raise NoAnswer(f"what the model wrote cannot be handed in: {said.text}")

    def _ask(self, instruction: str, context: str) -> Answer:
        assert self.model is not None
        options = self._settings.options(self.attempt, self.seed)
        patience, tokens, cuts = Patience(2), self._settings.document_tokens, 0
        more: list[Message] = []
        while True:
            asked = self._prompts.render("direct/task", instruction=instruction, context=cut(context.strip(), tokens, self.model))
            messages = [Message("system", self._prompts.render("direct/system")), Message("user", asked), *more]
            try:
                reply = self.model.complete(messages, options=options)
            except ContextOverflow as error:
                cuts += 1
                if cuts > _CUTS:
                    raise NoAnswer(f"the request does not fit into the model: {error}") from error
                tokens //= 2
                continue
            answer = code_in(reply.text)  # also of a reply that was cut off: its block may be whole
            if answer is not None:
                return answer
            if not reply.faults and more:
                raise NoAnswer(f"the model gave no code: {' '.join(reply.text.split())[:200]}")
            patience.hear(reply)
            more = [*reply.turn(), *([] if reply.faults else [Message("user", self._prompts.render("direct/no_code"))])]
