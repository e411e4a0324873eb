"""What parsers that are like argparse's do besides."""

from pathlib import Path

from tests.repo.entrypoints.programs import names, option, read_program


def test_the_short_methods_of_configargparse_and_what_a_settings_file_may_give(tmp_path: Path) -> None:
    shapes = """
        import configargparse

        class Parser(configargparse.ArgumentParser):
            pass
        """
    text = """
        from shapes import Parser
        parser = Parser()
        group = parser.add_argument_group("data")
        group.add("-c", "--config", is_config_file=True)
        parser.add_arg("--data", required=True)
        parser.parse_args()
        """
    entry = read_program(tmp_path, text, shapes=shapes)
    assert names(entry) == ["--config", "--data"]
    assert (option(entry, "--data").required, option(entry, "--data").lenient, entry.open_ended) == (True, True, False)
