"""The standard library of other versions."""

import sys

from ml_agent.repo.standard import removed_in, standard_modules


def test_versions() -> None:
    assert "distutils" in standard_modules("3.11.2")
    assert "distutils" not in standard_modules("3.12.0")
    assert "tomllib" not in standard_modules("3.9.2")
    assert "tomllib" in standard_modules("3.11.0rc1".replace("rc1", ""))
    assert "cgi" not in standard_modules("3.13.0")
    assert removed_in("imp") == "3.12"
    assert removed_in("os") == ""


def test_this_version() -> None:
    ours = standard_modules(".".join(map(str, sys.version_info[:3])))
    assert set(sys.stdlib_module_names) <= ours
