"""What holds langchain's loop to the rules of every run: middleware around each of its model calls."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain.agents import AgentState
from langchain.agents.middleware import AgentMiddleware, hook_config
from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from ml_agent.agent import Run, accepted
from ml_agent.limits import Remaining
from ml_agent.models.as_langchain import read_reply, write_messages
from ml_agent.models.patience import Patience
from ml_agent.trajectory import Decision, End

State = AgentState[Any]


class Held(AgentMiddleware[State]):
    """A step is taken from the limits before each call of the model; after it, what the model decided is written down and done.

    The calls are made here, one after the other: langchain's own node for tools makes each in a thread of its own, where neither a signal
    nor the deadline reaches, and in no order. Only an accepted answer ends the loop; a reply without a call, which would, is answered with
    `no_call()`. What ends the run as it is for every agent is raised, NoAnswer after three unusable replies in a row included.
    """

    def __init__(self, run: Run, no_call: Callable[[], str]) -> None:
        super().__init__()
        self._run, self._no_call = run, no_call
        self._patience = Patience()
        self._remaining: Remaining | None = None
        self.end: End | None = None
        """The accepted answer."""

    def before_model(self, state: State, runtime: Runtime[None]) -> None:
        self._remaining = self._run.spend_step()

    @hook_config(can_jump_to=["model", "end"])
    def after_model(self, state: State, runtime: Runtime[None]) -> dict[str, Any]:
        message = state["messages"][-1]
        assert isinstance(message, AIMessage)
        assert self._remaining is not None
        reply = read_reply(message)
        self._run.decided(Decision(reply.text, reply.calls), self._remaining)
        self._patience.hear(reply)
        results = {}
        for call in reply.calls:
            observation = self._run.call(call)
            self.end = accepted(observation)
            if self.end is not None:
                return {"jump_to": "end"}
            results[call.id] = observation.text
        self._run.done()
        faults = tuple(replace(fault, text=self._no_call()) if fault.kind == "no_call" else fault for fault in reply.faults)
        answers = [message for message in replace(reply, faults=faults).turn(results) if message.role != "assistant"]
        return {"messages": write_messages(answers), "jump_to": "model"}
