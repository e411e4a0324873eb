"""Files by their endings."""

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.fitting import Candidate, fits, score
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import given, option


@pytest.mark.parametrize(
    ("name", "value", "other"),
    [
        ("--ligands-sdf", "nests/owl.sdf", "nests/owl.pdb"),
        ("--config", "nests/owl.yaml", "nests/owl.sdf"),
        ("--config", "nests/owl.json", "owl.csv"),
    ],
)
def test_a_file_of_another_format_does_not_fit(name: str, value: str, other: str) -> None:
    right, wrong = read_request(f"sing {value} and {other}").mentions
    assert fits(option(name), right) > 0.7
    assert fits(option(name), wrong) < 0.2


def test_a_table_is_no_settings_and_settings_are() -> None:
    config, file = option("--config"), option("--config-file", required=True)
    assert given("brew with tea.json", file) == {"--config-file": "tea.json"}
    assert given("brew with nests/tea.csv", file) == {}
    assert given("brew with nests/tea.csv", file, option("--input")) == {"--input": "nests/tea.csv"}
    assert given("brew with the config tea.yaml", config) == {"--config": "tea.yaml"}
    assert given("brew with the config tea.csv", config) == given("brew with the config nests/tea.sdf", config) == {}


def test_one_ending_of_a_format_stands_for_the_other() -> None:
    request = read_request("brew nests/tea.yml")
    strength, _ = score(option("--owls-yaml"), Candidate(request.mentions[0], {}), Surroundings(request), ())
    assert strength > 0.6
