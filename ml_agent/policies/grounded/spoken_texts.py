"""Texts that a request says without quotes: `ask it how many birds there are`, `the prompt: a red fox in the snow`."""

import re
from collections.abc import Iterator, Sequence

from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.mentions import Mention
from ml_agent.policies.grounded.request import Request

_ASKED = r"(?:what|who|whose|which|where|when|why|how many|how much)"
_PICTURE = r"(?:picture|image|photo|photograph|drawing|painting|video|clip)"
_REST = r"(?:[^\n.?!:;,\"'`]|\.(?=\w)){4,150}"
_QUESTION = re.compile(
    r"\b(?:question|query)(?: is| reads)?\s*:\s+(?P<labelled>[^\n\"'`]{4,200}?\?)"
    rf"|:\s+(?P<direct>{_ASKED}\b{_REST}\?)"
    r"|\b(?:asks?|asking|asked|finds? out|know|see|determine|identify|figure out|tell me|highlight(?:ing)?|say)"
    rf"(?: (?:it|the [\w-]+(?: model)?|[\w-]+ model))? (?P<indirect>{_ASKED} "
    rf"(?!(?:commands?|codes?|scripts?|options?|programs?|steps?|files?|class|function|to)\b){_REST})",
    re.IGNORECASE,
)
_PROMPT = re.compile(
    r"\b(?:prompt|text|sentence|caption)(?: is| reads)?\s*:\s+"
    r"(?P<labelled>[^\n\"'`;]{4,200}?)(?=\.(?:\s|$)|\n|$|, (?:with|using|and|seed|for) )"
    rf"|\b(?:paint|draw|generate|create|make|render|produce)(?: me| us)?(?: an?| the)? {_PICTURE} (?:of|that shows|showing) "
    r"(?P<shown>[^\n.?!:;,\"'`]{4,120}?)(?= (?:with|using|at|by|for|and (?:save|store|write)|as [\w./]+\.\w+)\b|[.?!:;,\n]|$)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"\s+(?:(?:in|on|of|from|at)\s+)?\S+\.\w{2,4}\b.*$")
"""Behind a question: the file in which the answer is to be seen."""
_QUESTIONS, _PROMPTS = frozenset({"question", "query"}), frozenset({"prompt", "text", "sentence", "caption", "prompts", "texts"})


def spoken_text(request: Request, *, question: bool) -> Mention | None:
    """The text, if the request has none in quotes, as one mention of the kind `quoted` at its first word."""
    if any(m.kind == "quoted" and " " in m.value for m in request.mentions):
        return None
    said = (_QUESTION if question else _PROMPT).search(request.text)
    if said is None:
        return None
    name = said.lastgroup or ""
    words = said[name] if name != "indirect" else _ELSEWHERE.sub("", said[name])
    value = words.strip() + ("?" if name == "indirect" else "")
    start = said.start(name)
    positions = request.between(start, start + len(words))
    return Mention(value[:1].upper() + value[1:] if question else value, "quoted", positions[0], words) if positions else None


def place_spoken_texts(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, Mention]]:
    """(literal, its new source text, what says it), at most one."""
    texts = [x for x in literals if x.kind == "string" and x.names and " " in x.text.strip()]
    for names, asks in ((_QUESTIONS, True), (_PROMPTS, False)):
        place = next((x for x in texts if names.intersection(x.names) or (asks and x.text.rstrip().endswith("?"))), None)
        if place is not None and (said := spoken_text(request, question=asks)):
            yield place, repr(said.value), said
            return
