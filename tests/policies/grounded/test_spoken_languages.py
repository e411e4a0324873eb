import pytest

from ml_agent.policies.grounded.edits import replace
from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.spoken_languages import place_languages
from ml_agent.repo.pysource import parse_python


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("sing(lang='en')", "a Finnish song", "sing(lang='fi')"),
        ("sing(language='eng')", "a Finnish song", "sing(language='fin')"),
        ("LANGUAGE = 'english'", "a Finnish song", "LANGUAGE = 'finnish'"),
        ("LANGUAGE = 'English'", "a Finnish song", "LANGUAGE = 'Finnish'"),
        ("sing(source_lang='en', target_lang='de')", "from Czech to Danish", "sing(source_lang='cs', target_lang='da')"),
        ("Choir(['en', 'fr'])", "songs in Czech, Danish and Dutch", "Choir(['cs', 'da', 'nl'])"),
        ("Choir(['ge_new', 'en'])", "songs in German and English", "Choir(['ge_new', 'en'])"),
        ("Choir(['ge_new', 'en'])", "songs in Dutch and German", "Choir(['nl', 'ge_new'])"),
        ("Choir(['zh_cn', 'en'])", "songs in Chinese", "Choir(['zh_cn'])"),
        ("Choir(['en', 'fr'])", "songs in Chinese and English", "Choir(['zh', 'en'])"),
        ("Choir(['sw', 'en'])", "songs in Swedish and English", "Choir(['sv', 'en'])"),  # the code of another
        ("sing(lang='en')", "a Finnish or Danish song", "sing(lang='en')"),
        ("sing(lang='en')", "a song, language fi", "sing(lang='fi')"),
        ("sing(lang='en')", "a song, the language code is da", "sing(lang='da')"),
        ("sing(mode='no')", "a song, language fi", "sing(mode='no')"),
        ("sing(mode='no')", "a Finnish song", "sing(mode='no')"),
        ("sing(lang='en')", "a song", "sing(lang='en')"),
    ],
)
def test_the_language_that_is_said(code: str, text: str, expected: str) -> None:
    found = place_languages(literals_of(parse_python(code), code), read_request(text))
    assert replace(code, [(literal, source) for literal, source, _ in found]) == expected
