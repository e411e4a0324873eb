"""The request: its words, the values that it mentions, and which of them make lists."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

from ml_agent.policies.grounded.mentions import Mention, MentionKind, find_mentions, in_folders
from ml_agent.policies.grounded.number_words import DEVICES, ORDINALS
from ml_agent.policies.grounded.passed_over import is_passed_over
from ml_agent.policies.grounded.quantities import join_numbers
from ml_agent.policies.grounded.respective import respective
from ml_agent.policies.grounded.tokens import HYPHENED, Token, tokenize
from ml_agent.repo.lexical import STOPWORDS, split_identifier, squeeze, stem

__all__ = ["MENTIONS", "Mention", "MentionKind", "Request", "Token", "read_request", "squeeze", "unused_words"]

_DEVICES_OF_ONE = 8  # as most machines have at most
MENTIONS = 200
"""Values of one request that are looked at, the first: no command line takes more, and a pasted table must not take minutes."""
_JOINERS = frozenset("and or to through plus then by against versus vs".split())
_LONG_JOINERS = frozenset({("as", "well", "as"), ("and", "then"), ("followed", "by"), ("and", "also")})
_IN_THE_FIRST = re.compile(r"(?:\w+ )?(?:in|for|at|on) the (?:first|second|third)(?: \w+)? (?:, )?(?:and|,)")
_IN_THE_NEXT = re.compile(r"(?:\w+ )?(?:in|for|at|on) the (?:second|third|fourth|last|other)\b")
"""`15 neighbours in the first layer and 5 in the second`: a list, with the places of its values."""
_ADJACENT = frozenset({"number", "quoted", "path"})
"""Kinds whose values make a list with nothing but a space between them; two names in a row are one name."""


@dataclass(frozen=True)
class Request:
    text: str
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words that carry meaning, also the words inside quotes and compounds."""
        found = {t.stem for t in self.tokens if t.says_something}
        for token in self.tokens:
            if token.kind != "stop":
                found.update(stem(w) for w in re.findall(r"[a-z]+|\d+", token.text.lower()) if w not in STOPWORDS)
        return frozenset(found)

    @cached_property
    def words(self) -> tuple[tuple[str, int], ...]:
        """(stem, token position) of every word in order; a compound gives its parts and itself squeezed."""
        found: list[tuple[str, int]] = []
        for position, token in enumerate(self.tokens):
            if token.kind == "number" and token.text[-1].isalpha() and token.text[0].isdigit():
                found.append((token.text.lower(), position))  # `the 350M model`: a part of its name
            if token.kind in ("stop", "comma", "number", "shape"):
                continue
            parts = split_identifier(token.text)
            found.extend((stem(p), position) for p in parts)
            if len(parts) > 1 and token.kind == "word":
                found.append((stem(squeeze(token.text)), position))
                found.extend((stem(c), position) for c in chunks_of(token.text) if c not in parts)
        return tuple(found)

    @cached_property
    def grams(self) -> dict[str, tuple[int, int]]:
        """Runs of 1 to 5 neighbouring words, squeezed to letters and digits -> (first token, last token)."""
        found: dict[str, tuple[int, int]] = {}
        words = [i for i, t in enumerate(self.tokens) if t.kind not in ("stop", "comma")]
        for size in range(1, 6):
            for k in range(len(words) - size + 1):
                span = words[k : k + size]
                if span[-1] - span[0] != size - 1:
                    continue
                squeezed = squeeze("".join(self.tokens[i].text for i in span))
                if squeezed:
                    found.setdefault(squeezed, (span[0], span[-1]))
                if squeezed and _PLUS.match(self.text, self.tokens[span[-1]].end):
                    found.setdefault(squeezed + "plus", (span[0], span[-1]))  # `Eval+`
                if size > 1 and re.fullmatch(r"v?\d+\.0", self.tokens[span[-1]].text):
                    found.setdefault(squeezed[:-1], (span[0], span[-1]))  # `Owl 2.0` is `owl2` as well
        return found

    @cached_property
    def acronyms(self) -> dict[str, int]:
        """What neighbouring words are abbreviated to -> the last one's token: `variational graph auto-encoder` -> vga, vgae, vae."""
        found: dict[str, int] = {}
        parts = [(p, i) for i, t in enumerate(self.tokens) if t.says_something for p in split_identifier(t.text)]
        for size in range(3, 6):
            for k in range(len(parts) - size + 1):
                window = parts[k : k + size]
                if window[-1][1] - window[0][1] >= size:
                    continue  # other tokens stand between
                initials = "".join(p[0] for p, _ in window)
                for short in (initials, *(initials[:j] + initials[j + 1 :] for j in range(1, size - 1) if size > 3)):
                    found.setdefault(short, window[-1][1])
        return found

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each word, or part of a name, is said first, also without its version, abbreviated, or as a number of three digits."""
        found = dict(self.acronyms)
        found.update({t.value: i for i, t in reversed(list(enumerate(self.tokens))) if t.kind == "number" and len(t.value) > 2})
        found.update({stem(base): first for base, (first, _) in self.bases.items()})
        for word, position in reversed(self.words):
            found[word] = position
        return found

    @cached_property
    def hyphened(self) -> dict[str, dict[str, int]]:
        """Words that are written with hyphens, each with its position, by their first part, `a-`, and by their last, `-a`."""
        found: dict[str, dict[str, int]] = {}
        for position, token in enumerate(self.tokens):
            if token.kind == "word" and "-" in token.text and HYPHENED.fullmatch(token.text):
                parts = token.text.lower().split("-")
                for end in (f"{parts[0]}-", f"-{parts[-1]}"):
                    found.setdefault(end, {})[token.text] = position
        return found

    @cached_property
    def beginnings(self) -> dict[str, int]:
        """What words begin with, of three letters at least and not all of it -> the first such word's token."""
        found: dict[str, int] = {}
        for position, token in enumerate(self.tokens):
            word = token.text.lower()
            if token.says_something and word.isalpha():
                for length in range(3, len(word)):
                    found.setdefault(word[:length], position)
        return found

    @cached_property
    def bases(self) -> dict[str, tuple[int, int]]:
        """Names without their version, squeezed: `SQuAD2.0` is a `squad`, `ResNet50` a `resnet`."""
        found: dict[str, tuple[int, int]] = {}
        for i, token in enumerate(self.tokens):
            base = squeeze(re.sub(r"[-_]?v?(?<![\d.])\d[\d.]*[a-z]?$", "", token.text, flags=re.IGNORECASE))
            if len(base) > 3 and token.kind not in ("stop", "comma"):
                found.setdefault(base, (i, i))
        return found

    @cached_property
    def runs(self) -> tuple[tuple[Mention, ...], ...]:
        """Values of one kind that are written in one go, in order: `0.1 0.2`, `256, 128 and 64`, `a.jpg as well as b.jpg`.

        Only runs of two or more; names, identifiers and words count as one kind. A range (`0 to 2`) is a run of its two ends.
        """
        found: list[list[Mention]] = []
        for mention in (m for m in self.mentions if m.position not in self.respective):
            last = found[-1][-1] if found else None
            if last and _group(last) == _group(mention) and self._joined(last, mention) and not self._ended(found[-1], mention):
                found[-1].append(mention)
            else:
                found.append([mention])
        return tuple(tuple(run) for run in map(self._one_thing, found) if len(run) > 1)

    @cached_property
    def respective(self) -> Mapping[int, tuple[int, int]]:
        """See `respective.respective`."""
        return respective(self.tokens, self.mentions)

    def run(self, mention: Mention) -> tuple[Mention, ...]:
        """The run that the mention stands in, or the mention alone."""
        return self.run_at(mention.position) or (mention,)

    def run_at(self, position: int) -> tuple[Mention, ...]:
        """The run in which a value at this token stands; empty if none does."""
        return self._run_at.get(position, ())

    @cached_property
    def _run_at(self) -> dict[int, tuple[Mention, ...]]:
        return {mention.position: run for run in self.runs for mention in run}

    def _joined(self, last: Mention, mention: Mention) -> bool:
        between = self.tokens[last.position + 1 : mention.position]
        if _IN_THE_FIRST.fullmatch(" ".join(t.text.lower() for t in between)) and last.kind == "number":
            behind = " ".join(t.text.lower() for t in self.tokens[mention.position + 1 : mention.position + 5])
            return _IN_THE_NEXT.match(behind) is not None
        words = tuple(t.text.lower() for t in between if t.text not in (",", "|", "&"))
        if len(between) > 4 or any(t.kind == "stop" or t.text in "()/" for t in between):
            return False
        if not between:
            return mention.kind in _ADJACENT
        return not words or words in _LONG_JOINERS or (len(words) == 1 and words[0] in _JOINERS)

    def _ended(self, run: Sequence[Mention], mention: Mention) -> bool:
        """`steps at 40 and 70, and 90 epochs`, `sizes 64, 128 and 256 and 16 workers`: its `and` has ended a list, if the next value has
        a noun of its own.
        """
        if not self._and(run[-1], mention) or not any(self._and(one, other) for one, other in pairwise(run)):
            return False
        named = any(t.says_something for t in self.tokens[max(0, run[0].position - 1) : run[0].position])
        apart = any(t.kind == "comma" for t in self.tokens[run[-1].position + 1 : mention.position])
        return (named or apart) and any(t.says_something for t in self.tokens[mention.position + 1 : mention.position + 2])

    def _and(self, one: Mention, other: Mention) -> bool:
        return any(t.text.lower() in ("and", "or") for t in self.tokens[one.position + 1 : other.position])

    def _one_thing(self, run: list[Mention]) -> list[Mention]:
        """`seeds 0, 1 and 2, 75 epochs`: the last number has its own noun. Two names with a comma between are two things."""
        if len(run) < 2:
            return run
        comma = (
            all(t.kind == "comma" for t in self.tokens[run[-2].position + 1 : run[-1].position]) and run[-1].position - run[-2].position > 1
        )
        if _group(run[0]) == "name" and len(run) == 2 and comma:
            return []
        if run[0].kind != "number" or not comma:
            return run
        before = [t for t in self.tokens[max(0, run[0].position - 2) : run[0].position] if t.text.lower() not in ("of", "at", "by")]
        behind = self.tokens[run[-1].position + 1 : run[-1].position + 3]
        counted = any(t.text.lower().endswith("s") or run[-1].value == "1" for t in behind if t.says_something)
        return run[:-1] if before and before[-1].says_something and behind and behind[0].says_something and counted else run

    @cached_property
    def devices(self) -> tuple[str, ...]:
        """The numbers of the devices to run on, counted from zero: `GPU 3`, `cards 0 and 1`, `the second GPU`, `cuda:1`."""
        return tuple(dict.fromkeys(m.value.removeprefix("cuda:") for m in self.mentions if m.position in self.device_places))

    @cached_property
    def device_places(self) -> frozenset[int]:
        """The positions of the mentions that say them."""
        found: set[int] = set()
        for mention in self.mentions:
            named = mention.kind == "identifier" and re.fullmatch(r"cuda:(\d+)", mention.value)
            if named or (mention.kind == "number" and mention.words.lower() in ORDINALS):
                found.add(mention.position)
            elif mention.kind == "number" and mention.value.isdigit() and self._behind_device(mention):
                run = [m.position for m in self.run(mention) if m.position >= mention.position and m.value.isdigit()]
                if self._is_their_number(mention, run):
                    continue
                found.update(at for at in run if at == mention.position or not self._is_counted(at))
        return frozenset(found)

    def _is_counted(self, position: int) -> bool:
        """`GPU 1 and 8 workers`: another number, of what stands behind it."""
        behind = self.tokens[position + 1 : position + 2]
        return bool(behind) and behind[0].says_something and behind[0].text.lower() not in DEVICES

    def _is_their_number(self, mention: Mention, run: Sequence[int]) -> bool:
        """`gpus 16`: more than one, and no machine has one of that number."""
        return self.tokens[mention.position - 1].text.lower().endswith("s") and len(run) == 1 and int(mention.value) >= _DEVICES_OF_ONE

    def _behind_device(self, mention: Mention) -> bool:
        before = [t.text.lower() for t in self.tokens[max(0, mention.position - 2) : mention.position]]
        if before and before[-1] in ("number", "no", "id", "index"):
            before.pop()
        return bool(before) and before[-1] in DEVICES and before[:-1] not in (["per"], ["each"], ["every"])  # `images per GPU 64`

    def between(self, start: int, end: int) -> tuple[int, ...]:
        """The tokens that stand in this stretch of the text, or reach into it."""
        return tuple(i for i, t in enumerate(self.tokens) if t.start < end and t.end > start)

    def span(self, first: int, last: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[last].end]


def chunks_of(name: str) -> list[str]:
    """What signs keep apart, whatever its case: `LeViT-128S` -> levit, 128s."""
    return re.findall(r"[a-z0-9]+", name.lower())


def unused_words(request: Request, left: Sequence[Mention]) -> tuple[str, ...]:
    """What the request asks for with these mentions, in its own words: a number with the word that says what it is."""
    found = []
    for mention in left:
        if mention.kind in ("name", "word"):
            continue
        first = last = mention.position
        if mention.kind == "number":
            before = next((i for i in range(first - 1, max(-1, first - 3), -1) if request.tokens[i].says_something), first)
            behind = first + 1 if first + 1 < len(request.tokens) and request.tokens[first + 1].says_something else first
            first, last = (first, behind) if behind > first else (before, first)
        found.append(request.span(first, last))
    return tuple(dict.fromkeys(found))


_PLUS = re.compile(r"\+(?![\w+])")
_COUNT = re.compile(r"(?<=\s)\d(?=\s+[a-z]{3,}s\b)")


def without_counts(text: str) -> str:
    """A request without numbers of one digit that count something (`2 gpus`), for search: they stand in many documented commands."""
    return _COUNT.sub("", text)


def read_request(text: str, repository: str = "") -> Request:
    """`repository`: its name, which is said of what is asked for, and is no value."""
    tokens = tuple(join_numbers(text, tuple(tokenize(text))))
    found = in_folders(list(islice(find_mentions(tokens), MENTIONS)), tokens)
    own = squeeze(repository).removesuffix("s")
    found = [m for m in found if not (own and m.kind in ("name", "identifier") and squeeze(m.value).removesuffix("s") == own)]
    found = [m for m in found if not is_passed_over(tokens, m.position) and not _is_key(m, tokens)]
    return Request(text, tokens, tuple(found))


def _is_key(mention: Mention, tokens: Sequence[Token]) -> bool:
    """`{'owl': 'a bird'}`: what names a value is none."""
    behind = tokens[mention.position + 1 : mention.position + 3]
    return mention.kind == "quoted" and [t.text for t in behind[:1]] == [":"] and [t.kind for t in behind[1:]] == ["quoted"]


def _group(mention: Mention) -> str:
    return "name" if mention.kind in ("identifier", "name", "word") else mention.kind
