"""Grounded's proposals, and a model where grounded is in doubt: two candidates as good as each other, a value that may belong to either
of two options, or to none.
"""

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from pydantic import Field

from ml_agent.models.messages import ChatModel
from ml_agent.policies.grounded.pairing import Weighed
from ml_agent.policies.grounded.policy import Grounded
from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.policies.grounded_plus.asking import Asker, ModelFailed
from ml_agent.policies.grounded_plus.corrections import invented, keeps, unplaced
from ml_agent.policies.grounded_plus.placing import contested, described
from ml_agent.policies.replies import code_in, cut
from ml_agent.policies.settings import ModelSettings
from ml_agent.policies.stepwise import Move, Plan, Seen, arguments_of
from ml_agent.prompts import Prompts

_USAGE_TOKENS = 800
"""Of a program's help, that a model is shown at most."""
_CODE_TOKENS = 300
"""Of one candidate."""


class GroundedPlusSettings(ModelSettings):
    ask: Literal["doubt", "always"] = Field(
        default="doubt", description="When the model is asked: only where grounded is in doubt, or at each task."
    )
    candidates: int = Field(default=4, ge=2, le=10, description="Proposals that the model chooses from, at most.")
    close: float = Field(
        default=0.05, ge=0, le=1, description="Proposals whose score is within this share of the best one's are as good as it."
    )
    place: bool = Field(default=True, description="Ask which option a value is meant for, where two are nearly as likely.")
    correct: bool = Field(default=True, description="Let the model put in what found no place; what it changes besides is not taken.")


class GroundedPlus(Grounded):
    """The model chooses between proposals that are as good as each other, says which option a value is meant for where two are nearly as
    likely, and puts in values that found no place.

    Whatever it says is held to the repository: a choice is one of the proposals; its word on an option counts beside what grounded
    goes by, and no more; and a correction is taken only if it runs the same program and nothing else, keeps each value that grounded
    placed, invents no option, and passes verification. Where the model fails (cannot be reached, gives no usable reply, holds too
    little, takes too long, has no tokens left) the answer is grounded's, and the thought of the step says so. Attempt k starts from the
    k-th in the order after the choice, which is the same for all attempts.
    """

    name = "grounded+"
    ranked = True
    Settings = GroundedPlusSettings

    def __init__(self, settings: GroundedPlusSettings | None = None) -> None:
        self._settings = settings or GroundedPlusSettings()
        self._prompts = Prompts(self._settings.prompts)
        self.model: ChatModel | None = None

    def plan(self) -> Plan:
        """As Stepwise.plan."""
        proposals, own = yield from self.look()
        assert self.model is not None
        options = self._settings.options(0, self.seed)  # attempts follow one order: it must not be drawn anew for each
        asker = Asker(self.model, self._prompts.render("grounded_plus/system"), options)
        why = ""
        try:
            proposals = self._placed(self._chosen(proposals, asker), asker)
        except ModelFailed as error:
            why = f" (without the model: {error})"
        order = [proposals[min(self.attempt, len(proposals) - 1)]]
        order += [p for p in proposals[self.attempt + 1 :] if p is not order[0]]
        if not why:
            corrected, why = yield from self._corrected(order[0], asker)
            order = [corrected, *order] if corrected is not None else order
        yield from _noting(why, self.hand_in(order, own))

    def _chosen(self, proposals: list[Proposal], asker: Asker) -> list[Proposal]:
        """The proposals with the model's choice first, if there is something to choose. Raises ModelFailed."""
        best = proposals[0].score
        pool = [p for p in proposals if self._settings.ask == "always" or p.score >= best - abs(best) * self._settings.close]
        pool = pool[: self._settings.candidates]
        if len(pool) < 2:
            return proposals
        shown = [self._shown(proposal) for proposal in pool]
        question = self._prompts.render("grounded_plus/choose", task=self.task.instruction, candidates=shown)
        number = asker.ask(
            question, _object("choice", {"enum": list(range(1, len(pool) + 1))}), lambda made: _number(made, len(pool)), self.remaining
        )
        chosen = pool[number - 1]
        return [chosen, *(p for p in proposals if p is not chosen)]

    def _placed(self, proposals: list[Proposal], asker: Asker) -> list[Proposal]:
        """The first proposal filled in with the model's word on contested values, before it as it was. Raises ModelFailed."""
        first = proposals[0]
        if not self._settings.place or first.line is None or first.again is None or not isinstance(first.weighed, Weighed):
            return proposals
        values, opinions = contested(first.weighed), dict[tuple[str, int], float]()
        shown = described(values)
        for value in values:
            question = self._prompts.render(
                "grounded_plus/place",
                task=self.task.instruction,
                program=first.line.program.path,
                options=shown,
                value=value.mention.words,
            )
            names = [option.name for option in value.asked]
            named = asker.ask(question, _object("option", {"enum": names}), partial(_one_of, names), self.remaining)
            opinions |= value.named(named)
        again = first.again(opinions) if opinions else first
        text = again.answer.as_text()
        return [replace(again, score=first.score), *(p for p in proposals if p.answer.as_text() != text)]

    def _corrected(self, proposal: Proposal, asker: Asker) -> Generator[Move, Seen, tuple[Proposal | None, str]]:
        """The proposal as the model corrects it, if it has to be and the correction can be taken; and a word for the thought."""
        if not self._settings.correct or not (unplaced(proposal) or self._settings.ask == "always"):
            return None, ""
        usage = ""
        if proposal.line is not None and "show_usage" in self.tools:
            program = proposal.line.program.path
            (shown,) = yield (
                f"Read how {program} is used: the model is to put in what found no place.",
                [("show_usage", {"program": program})],
            )
            usage = "" if shown.error else shown.text
        assert self.model is not None
        question = self._prompts.render(
            "grounded_plus/correct",
            task=self.task.instruction,
            language=proposal.answer.language,
            code=proposal.answer.code,
            left=[mention.words for mention in unplaced(proposal)],
            usage=cut(usage, _USAGE_TOKENS, self.model) if usage else "",
        )
        try:
            reply = asker.ask(question, _object("code", {"type": "string"}), _code, self.remaining)
        except ModelFailed as error:
            return None, f" (without the model: {error})"
        read = code_in(reply) if "```" in reply else code_in(f"```{proposal.answer.language}\n{reply}\n```")
        if read is None or read.code == proposal.answer.code.strip():
            return None, ""
        answer = replace(proposal.answer, code=read.code, unused=())
        if not keeps(proposal, answer):
            return None, " (the model's correction drops what was placed, or runs something else)"
        if made_up := invented(proposal.answer, answer, f"{usage}\n{self.task.instruction}"):
            return None, f" (the model's correction makes up {', '.join(made_up)[:100]})"
        (checked,) = yield f"Check the model's correction: {read.code.splitlines()[0][:100]}", [("check_answer", arguments_of(answer))]
        if not checked.data.get("ok"):
            return None, " (the model's correction does not pass)"
        return replace(proposal, answer=answer, line=None, left=()), ""

    def _shown(self, proposal: Proposal) -> dict[str, Any]:
        assert self.model is not None
        sources = list(dict.fromkeys(e.source for e in proposal.answer.evidence if e.source))
        return {
            "code": cut(proposal.answer.as_text(), _CODE_TOKENS, self.model),
            "language": proposal.answer.language,
            "sources": sources[:3],
            "left": [mention.words for mention in unplaced(proposal)],
        }


def _object(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with this one field."""
    return {"type": "object", "properties": {name: dict(schema)}, "required": [name], "additionalProperties": False}


def _number(made: Mapping[str, Any], count: int) -> int | None:
    """The choice, from 1 to `count`, also in quotes: where the service does not hold a model to the schema it may say so."""
    text = str(made.get("choice")).strip()
    return int(text) if re.fullmatch(r"[0-9]{1,3}", text) and 1 <= int(text) <= count else None


def _one_of(names: Sequence[str], made: Mapping[str, Any]) -> str | None:
    return next((name for name in names if name == made.get("option")), None)


def _code(made: Mapping[str, Any]) -> str | None:
    code = made.get("code")
    return code if isinstance(code, str) else None


def _noting(why: str, plan: Plan) -> Plan:
    """The plan, with a word behind its first thought."""
    thought, calls = next(plan)
    seen = yield thought + why, calls
    while True:
        seen = yield plan.send(seen)
