"""The words that an option's name is made of, and what people say for each."""

from functools import cache

from ml_agent.policies.grounded.abbreviations import ABBREVIATIONS
from ml_agent.policies.grounded.number_words import COUNTED
from ml_agent.policies.grounded.vocabulary import GENERIC, GLUED_COUNTS, GLUED_ENDS, GLUED_HEADS, WEAK
from ml_agent.repo.lexical import split_identifier, stem


@cache
def name_words(name: str) -> tuple[str, ...]:
    """`--num-stacks` -> ("num", "stacks"). Digits stuck to a word stay apart: `--d2v` -> ("d", "2", "v"), unless people say something
    else for the whole: `--use-fp16` -> ("use", "fp16").

    Two words written as one are two: `--expname`, `--numworkers`.
    """
    parts = split_identifier(name.lstrip("-"))
    if parts[-3:] == ["name", "or", "path"]:
        del parts[-2:]  # `--model_name_or_path` takes what is called a model's name
    for k in range(len(parts) - 1, 0, -1):
        if parts[k].isdigit() and parts[k - 1] + parts[k] in ABBREVIATIONS:
            parts[k - 1 : k + 1] = [parts[k - 1] + parts[k]]
    return tuple(part for word in parts for part in _unglued(word))


def _unglued(word: str) -> tuple[str, ...]:
    if word in ABBREVIATIONS or word in GENERIC or word in WEAK:
        return (word,)
    for end in GLUED_ENDS:
        head = word.removesuffix(end)
        if head != word and (head in ABBREVIATIONS or head in GLUED_HEADS):
            return (head, end)
    for head in GLUED_COUNTS:
        rest = word.removeprefix(head)
        if rest != word and (rest in ABBREVIATIONS or rest in GENERIC or rest.removesuffix("s") in COUNTED):
            return (head, rest)
    return (word,)


@cache
def phrases_for(word: str) -> tuple[tuple[str, ...], ...]:
    """The stems that stand for one word of an option's name: itself, then the phrases people say."""
    phrases = [(word,), *ABBREVIATIONS.get(word, ())]
    if len(word) > 3 and word.endswith("s"):
        phrases.append((word[:-1],))  # `gpus`, of which the stem is `gpus`
        phrases.extend(ABBREVIATIONS.get(word[:-1], ()))
    if len(word) > 4 and word.startswith("n") and word.endswith("s"):
        phrases.append((word[1:],))  # nlayers, nheads, ngpus
    return tuple(tuple(stem(w) for w in phrase) for phrase in phrases)


@cache
def weight(word: str) -> float:
    if word in WEAK:
        return 0.15
    return 0.6 if word in GENERIC else 1.0
