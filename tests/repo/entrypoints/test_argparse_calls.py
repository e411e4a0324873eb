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


def test_a_parser_that_a_module_makes_for_itself_or_as_a_sub_command(tmp_path: Path) -> None:
    sub = """
    import argparse

    def parser_of(group=None):
        if group is not None:
            parser = group.add_parser("hatch")
        else:
            parser = argparse.ArgumentParser()
        parser.add_argument("--eggs", type=int)
        return parser
    """
    code = """
    import argparse, hatching
    parser = argparse.ArgumentParser()
    group = parser.add_subparsers(dest="command")
    hatching.parser_of(group)
    parser.parse_args()
    """
    entry = read_program(tmp_path, code, hatching=sub)
    assert [(o.command, o.name) for o in entry.options if o.action != "help"] == [(None, "command"), ("hatch", "--eggs")]
