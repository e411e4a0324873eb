"""The two questions of the paper to a model (arXiv 2311.09835): keywords for a search, and the order of what it found.

The published code shows the model only the addresses of what was found; here it sees name, description, topics and stars as well.
"""

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ml_agent.catalogue.base import Candidate, one_line
from ml_agent.catalogue.words import KEYWORDS, search_words
from ml_agent.models.messages import ChatModel, Fault, Message, Options
from ml_agent.models.patience import Patience, insist
from ml_agent.prompts import Prompts

_TASK_CHARACTERS = 4_000
_DESCRIPTION_CHARACTERS = 350
_KEYWORD_CHARACTERS = 100


class Asking:
    """A model and the words that it is asked in. `seconds`: for all questions together; `seed`: of the replies."""

    def __init__(self, model: ChatModel, prompts: Prompts, *, seconds: float = math.inf, seed: int | None = None) -> None:
        self._model, self._prompts, self._seed = model, prompts, seed
        self._end = time.monotonic() + seconds

    @property
    def name(self) -> str:
        """Of the model."""
        return self._model.name

    def keywords(self, instruction: str) -> list[str]:
        """For a search, what tells most first. Raises NoAnswer if the model gives none, ContextOverflow and InfrastructureError."""
        text = self._prompts.render("find/keywords", task=instruction[:_TASK_CHARACTERS], most=KEYWORDS)
        schema = _list_schema("keywords", {"type": "string", "maxLength": _KEYWORD_CHARACTERS}, KEYWORDS)
        return self._ask(text, schema, lambda data: _read_keywords(data.get("keywords")))

    def ranking(self, instruction: str, candidates: Sequence[Candidate]) -> list[str]:
        """What the model names, best first: unchecked, see ranking.as_said. Raises as `keywords` does."""
        shown = [json.dumps(_shown(one), ensure_ascii=False) for one in candidates]
        text = self._prompts.render("find/ranking", task=instruction[:_TASK_CHARACTERS], candidates=shown)
        names = list(dict.fromkeys(one.name for one in candidates))
        schema = _list_schema("ranked_array", {"type": "string", "enum": names}, len(names))
        return self._ask(text, schema, lambda data: _read_ranking(data.get("ranked_array")))

    def _ask(self, text: str, schema: Mapping[str, Any], read: Callable[[Mapping[str, Any]], list[str]]) -> list[str]:
        options = Options(seed=self._seed, schema=schema)
        wanted = f"Reply with the JSON object {{{json.dumps(schema['required'][0])}: [...]}}: a list of one text or more."
        return insist(
            lambda messages: self._model.complete(messages, options=options, seconds=max(0.0, self._end - time.monotonic())),
            [Message("user", text)],
            lambda reply: (read(reply.data) or None) if reply.data is not None else None,
            Fault("arguments", wanted),
            Patience(),
        )


def _list_schema(name: str, items: Mapping[str, Any], most: int) -> dict[str, Any]:
    """Of an object with one list of texts."""
    listed = {"type": "array", "items": dict(items), "minItems": 1, "maxItems": most}
    return {"type": "object", "properties": {name: listed}, "required": [name], "additionalProperties": False}


def _read_keywords(value: Any) -> list[str]:
    """Those with words in them, each once; one text is taken apart at its commas."""
    given = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    cut = [one[:_KEYWORD_CHARACTERS] for one in given if isinstance(one, str)]
    found: dict[str, str] = {}
    for one in cut:
        found.setdefault(" ".join(search_words(one)), one_line(one))
    found.pop("", None)
    return list(found.values())[:KEYWORDS]


def _read_ranking(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _shown(candidate: Candidate) -> dict[str, Any]:
    shown = {
        "name": candidate.name,
        "url": candidate.url,
        "description": one_line(candidate.description, _DESCRIPTION_CHARACTERS),
        "topics": list(candidate.topics[:10]),
        "stars": candidate.stars,
    }
    return {name: value for name, value in shown.items() if value not in ("", [], None)}
