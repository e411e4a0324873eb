from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.policies import load_policy
from ml_agent.policies.ml_agent.defects import DEFECTS, MlAgentSettings

PAGE = Path(__file__).parents[3] / "docs/ml-agent-policy.md"


def test_without_any() -> None:
    settings = MlAgentSettings()
    assert not any(map(settings.has, DEFECTS))
    assert (settings.tokens, settings.refinements) == (4_000, 2)


def test_as_published_is_all_of_them() -> None:
    settings = MlAgentSettings(as_published=True)
    assert all(map(settings.has, DEFECTS))
    assert (settings.tokens, settings.refinements) == (None, 0)
    assert settings == MlAgentSettings.model_validate({"as_published": "true"})


def test_each_is_a_switch_of_its_own() -> None:
    settings = MlAgentSettings.model_validate({"defects": "readme-path, whole-files"})
    assert [name for name in DEFECTS if settings.has(name)] == ["readme-path", "whole-files"]
    assert settings == MlAgentSettings(defects=frozenset({"whole-files", "readme-path"}))
    assert MlAgentSettings.model_validate({"defects": ["no-folder"]}).has("no-folder")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"defects": "readme-path,nosuch"}, "there is no defect 'nosuch'; there are: readme-path, "),
        ({"document-tokens": "5"}, "document_tokens"),
        ({"as-published": "perhaps"}, "as_published"),
        ({"refine": "-1"}, "refine"),
        ({"published": "yes"}, "has no option 'published'"),
    ],
)
def test_options_that_are_wrong(options: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        load_policy("ml-agent", options)
    assert "\n" not in str(caught.value)


def test_the_page_lists_them_all() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, sentence in DEFECTS.items():
        assert f"| `{name}` | {sentence}" in page
    for name in MlAgentSettings.model_fields:
        assert f"`{name.replace('_', '-')}`" in page
