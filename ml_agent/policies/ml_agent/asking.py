"""A question of the policy: a prompt with documents that are cut to fit, and a reply that is read as the object it has to be."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from ml_agent.errors import NoAnswer
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Fault, Message, Options, Reply
from ml_agent.models.patience import Patience
from ml_agent.policies.ml_agent.defects import MlAgentSettings
from ml_agent.policies.ml_agent.documents import Document
from ml_agent.policies.ml_agent.schemas import StepReply, Unfit
from ml_agent.prompts import Prompts

K = TypeVar("K", bound=StepReply)

_HALVINGS = 3
"""So often documents are cut to half where a request is too long for the model."""
_REPLY_TOKENS = 1_000
"""Left free for a reply, if no limit of it is set; a quarter of the context at most."""


class Asking:
    """Asks the model of one attempt, and puts up with a few replies that cannot be used."""

    def __init__(self, model: ChatModel, settings: MlAgentSettings, *, attempt: int, seed: int) -> None:
        self._model, self._settings, self._attempt, self._seed = model, settings, attempt, seed
        self._prompts = Prompts(settings.prompts)
        self._patience = Patience()

    def words(self, name: str, **values: Any) -> Message:
        """A message of the user's, from the template of that name."""
        return Message("user", self._prompts.render(f"ml_agent/{name}", **values))

    def ask(
        self, kind: type[K], documents: Mapping[str, Document], more: tuple[Message, ...] = (), **values: Any
    ) -> tuple[K, tuple[Message, ...]]:
        """The reply to the prompt of `kind`, and what was said after it, the reply at the end: to go on from as `more`.

        Documents are values too, each cut to the tokens of a document, to half of them up to three times if all is too long. Raises
        NoAnswer if it still is, or if the model gives nothing that can be used.
        """
        folder_asked = not self._settings.has("no-folder")
        options = self._settings.options(self._attempt, self._seed, schema=kind.schema_of(folder=folder_asked))
        values = {**values, "folder_asked": folder_asked}
        tokens, halvings, said = self._settings.tokens, 0, more
        while True:
            shown = {name: document.shown(tokens, self._model) for name, document in documents.items()}
            question = self.words(kind.template, **values, **shown)
            messages = [Message("system", self._prompts.render("ml_agent/system")), question, *said]
            try:
                reply = self._complete(messages, options, foresee=tokens is not None and halvings < _HALVINGS)
            except ContextOverflow as error:
                if tokens is None or halvings >= _HALVINGS:
                    raise NoAnswer(f"the question of the step {kind.template} does not fit into the model: {error}") from error
                halvings += 1
                longest = max((self._model.count([Message("user", document.text)]) for document in documents.values()), default=0)
                tokens = max(1, min(tokens, longest) // 2)
                continue
            answer, reply = _read(kind, reply)
            if answer is None and self._settings.has("plain-text-ends"):
                words = " ".join(reply.text.split())[:200]
                raise NoAnswer(f"the reply to the step {kind.template} is not what was asked for ({reply.faults[-1].text}): {words}")
            self._patience.hear(reply)
            said = (*said, *reply.turn())
            if answer is not None:
                return answer, said

    def _complete(self, messages: list[Message], options: Options, *, foresee: bool) -> Reply:
        """With `foresee`, what cannot fit is not sent: some services cut a request off at its beginning, and say nothing."""
        context = self._model.context
        if foresee and context is not None:
            count, room = self._model.count(messages), context - min(options.max_tokens or _REPLY_TOKENS, context // 4)
            if count > room:
                raise ContextOverflow(f"about {count} tokens, and there is room for {room}")
        return self._model.complete(messages, options=options)


def _read(kind: type[K], reply: Reply) -> tuple[K | None, Reply]:
    """The object, if it is one of this kind; the reply with a word on what is wrong, if it is not."""
    if reply.data is None:
        fault = Fault("not_json", "Your reply is not a JSON object. Reply with one and nothing else.")
        return None, reply if reply.faults else replace(reply, faults=(fault,))
    try:
        answer = cast(K, kind.read(reply.data))
    except Unfit as error:
        return None, replace(reply, faults=(*reply.faults, Fault("not_json", str(error))))
    return (None, reply) if reply.faults else (answer, reply)
