from ml_agent.policies.grounded.abbreviations import ABBREVIATIONS
from ml_agent.policies.grounded.number_words import NUMBER_WORDS
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.vocabulary import EVERYDAY_VALUES, PLAIN_NAMES, VERBS
from ml_agent.repo.lexical import stem


def test_an_abbreviation_is_one_word_of_a_name() -> None:
    """A key that is taken apart is never looked up."""
    assert [key for key in ABBREVIATIONS if name_words(f"--use-{key}") != ("use", key)] == []
    assert all(phrase and all(w == w.lower() for w in phrase) for phrases in ABBREVIATIONS.values() for phrase in phrases)


def test_no_phrase_says_only_the_word_itself() -> None:
    assert [k for k, phrases in ABBREVIATIONS.items() for phrase in phrases if phrase == (k,) and len(phrases) == 1] == []


def test_number_words_are_read_as_their_numbers() -> None:
    for word, number in NUMBER_WORDS.items():
        assert [m.value for m in read_request(f"take {word} steps").mentions] == [str(number)]


def test_a_verb_is_said_by_its_own_word() -> None:
    assert [verb for verb, said in VERBS.items() if stem(verb) not in {stem(w) for w in said}] == []


def test_words_are_lower_case() -> None:
    assert {w for w in EVERYDAY_VALUES | PLAIN_NAMES if w != w.lower()} == set()


def test_short_words_for_a_number_are_whole() -> None:
    assert [name_words(f"{word}_owls") for word in ("nr", "nb", "num")] == [("nr", "owls"), ("nb", "owls"), ("num", "owls")]
