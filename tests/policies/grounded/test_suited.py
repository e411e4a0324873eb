"""Options that suit a value best by what it is."""

from ml_agent.policies.grounded.request import Mention
from ml_agent.policies.grounded.suited import suited_by
from tests.policies.grounded.support import given, option


def test_a_place_is_for_what_takes_places() -> None:
    wood, folder, free = option("--wood", default="'oak'"), option("--wood-path"), option("--note")
    examples = {"--wood": ("oak",), "--wood-path": ("data/oak",), "--note": ()}
    assert suited_by([wood, folder, free], Mention("/data/elm", "path", 0, ""), examples) == {"--wood-path", "--note"}
    assert suited_by([wood, folder], Mention("elm", "name", 0, ""), examples) == frozenset()
    assert suited_by([wood], Mention("/data/elm", "path", 0, ""), examples) == frozenset()


def test_a_file_is_for_what_is_called_after_its_ending() -> None:
    plain, called = option("--nests"), option("--nests-sdf")
    assert suited_by([plain, called], Mention("owls.sdf", "path", 0, ""), {"--nests": (), "--nests-sdf": ()}) == {"--nests-sdf"}


def test_a_text_is_for_what_takes_texts() -> None:
    options = [option("--init-img"), option("--prompt"), option("--negative-prompt", default="''"), option("--model-name")]
    assert given('draw "a red owl at night"', *options) == {"--prompt": "a red owl at night"}
    assert given('the negative prompt is "blurry"', *options) == {"--negative-prompt": "blurry"}
    assert given('the negative prompt is "blurry, at night"', *options) == {"--negative-prompt": "blurry, at night"}
