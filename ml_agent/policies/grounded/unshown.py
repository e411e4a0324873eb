"""Values that are said to be for what a snippet's calls do not show: `2 encoder blocks` beside `num_layers=3`, where a call also takes
`num_encoder_blocks`.
"""

from collections.abc import Sequence

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.assigning import called
from ml_agent.policies.grounded.calling import option_of, takes_values
from ml_agent.policies.grounded.customs import by_custom
from ml_agent.policies.grounded.fitting import INTERVALS, fits
from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.naming import named
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention
from ml_agent.repo.callables import Taken
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import stem

_NAMED, _CLEARLY = 0.7, 0.05
"""How well the words beside a value have to name a parameter, and by how much better than what is shown."""
_ALIKE = 0.8
_EACH = 0.06
"""What each further word of a name adds."""


def meant_elsewhere(
    mentions: Sequence[Mention], literals: Sequence[Literal], parameters: Sequence[Taken], around: Surroundings
) -> frozenset[tuple[int, int]]:
    """Pairs that cannot be, each the position of a value with the start of a literal. `parameters`: those that nothing is shown for."""
    options = [option_of(f"--{t.name}", t, "") for t in parameters if takes_values(t)]
    found: set[tuple[int, int]] = set()
    for mention in mentions:
        best = max((_named(o, mention, around) for o in options if fits(o, mention)), default=0.0)
        if best >= _NAMED:
            others = [x for x in literals if not _takes_it(x, mention)]
            found |= {(mention.position, x.start) for x in others if best > called(x, mention, around) + _CLEARLY}
    return frozenset(found)


def _takes_it(literal: Literal, mention: Mention) -> bool:
    """Whether what stands there is of the value's own kind: a name of the same family, a file of the same ending."""
    folder = mention.kind == "path" and not extension(mention.value)
    return literal.kind == "string" and literal.suits(mention) >= _ALIKE and not folder


def _named(option: Option, mention: Mention, around: Surroundings) -> float:
    """How well the words beside a value name a parameter; two words that are said speak louder than one."""
    words = name_words(option.name)
    before = around.request.tokens[max(0, mention.position - 2) : mention.position]
    if len(before) > 1 and before[1].text.lower() == "every" and INTERVALS.intersection(words) and before[0].stem in map(stem, words):
        return 1.1  # `saving every 500`
    said = by_custom(option, mention, around) if mention.kind == "path" else 0.0
    return max(said, named(option, mention.position, around)[0] * (1 + _EACH * (len(words) - 1)))
