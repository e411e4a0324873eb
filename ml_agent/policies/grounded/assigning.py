"""Which value of a request takes the place of which literal of a snippet, by rules."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.calling import HOW_MANY
from ml_agent.policies.grounded.choosing import assignment
from ml_agent.policies.grounded.kinds import extension, file_kind
from ml_agent.policies.grounded.knowledge import Families
from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request, squeeze
from ml_agent.policies.grounded.results import loads, only_writes, written
from ml_agent.policies.grounded.slots import Placed, counted_alike, offered
from ml_agent.policies.grounded.spelled import says_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

RULE = 0.45
"""What the rules have to say of a pair to speak for it."""
_NAMED, _MORE = 0.8, 0.06
"""From which on a name is said, and what each further word of it adds."""
_IN_ORDER = 0.02
"""What keeping the order of the request is worth, of equals."""


def relatives(literals: Sequence[Literal], families: Families, request: Request) -> list[Placed]:
    """Strings that are one of an option's choices, where the request says another of them."""
    found: list[Placed] = []
    for literal in literals:
        for family in (*families, *offered(literal, literals)):
            said = [(v, span) for v in sorted(family) if literal.text in family and (span := request.grams.get(squeeze(v)))]
            if literal.kind == "string" and len(said) == 1:
                value, (first, last) = said[0]
                found.append((Mention(value, "name", last, request.span(first, last)), literal, 0.9))
                break
    return found


def assign(mentions: Sequence[Mention], literals: Sequence[Literal], around: Surroundings) -> list[Placed]:
    """The values in the places that suit them best by the rules: quick enough for every snippet that there is."""
    import numpy as np

    if not mentions or not literals:
        return []
    rules = np.array([[rule(m, x, around, x.suits(m)) for x in literals] for m in mentions])
    return best_of(mentions, literals, rules - RULE, rules)


def best_of(mentions: Sequence[Mention], literals: Sequence[Literal], worth: "NDArray[Any]", rules: "NDArray[Any]") -> list[Placed]:
    """The pairs that are worth most together, each literal and each value once, none below 0. Both tables: [mentions, literals]."""
    import numpy as np

    apart = np.abs(np.linspace(0, 1, len(mentions))[:, None] - np.linspace(0, 1, len(literals))[None, :])
    pairs = assignment(np.where(worth > 0, worth + _IN_ORDER * (1 - apart), worth))
    return [(mentions[i], literals[j], float(rules[i, j])) for i, j in pairs]


def rule(mention: Mention, literal: Literal, around: Surroundings, suits: float) -> float:
    """0 to 1: how well a value suits a literal's place by its kind (`suits`), and by the words beside it."""
    if literal.names_model and mention.kind in ("identifier", "quoted", "name") and says_model(mention, around.request):
        suits = max(suits, 0.9)
    if suits == 0.0 or is_result(mention, literal, around):
        return 0.0
    same = squeeze(mention.value) == squeeze(literal.text)
    if same and mention.kind != "number":
        return 1.0
    affinity = called(literal, mention, around)
    if literal.kind == "number":
        if literal.names and literal.names[0] in HOW_MANY:
            affinity = max(affinity, *(around.score((w,), mention.position)[0] for w in HOW_MANY[literal.names[0]]))
        if literal.comment:
            affinity = max(affinity, around.help_score(literal.comment, mention.position))
        if counted_alike(literal, mention, around.request):
            affinity = 1.0
    return min(1.0, 0.65 * suits + 0.45 * affinity + 0.05 * same) if suits >= 0.5 or affinity >= 0.4 else 0.0


def is_result(mention: Mention, literal: Literal, around: Surroundings) -> bool:
    """Whether what is to be written would stand for something that is read, or the other way round."""
    if extension(mention.value) and only_writes(literal.call, around.request):
        kind = file_kind(mention.value)
        if sum(bool(extension(m.value)) and file_kind(m.value) == kind for m in around.request.mentions) == 1:
            return True
    return loads(literal.call) and mention.position in written(around.request)


def called(literal: Literal, mention: Mention, around: Surroundings) -> float:
    """0 to 1: how well the words beside a value are the names of a literal's place."""
    words = tuple(w for name in literal.names for w in name_words(name))
    found = around.score(words, mention.position)[0] if words else 0.0
    return min(1.0, found * (1 + _MORE * (len(words) - 1))) if found > _NAMED else found  # `the MLP dimension` is mlp_dim, and no dim
