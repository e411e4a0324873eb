"""What a literal takes, and what is none that may be asked for."""

import ast

from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.request import read_request


def test_a_device_takes_devices_and_a_file_in_a_folder_no_name() -> None:
    code = "a = bake.device('cpu')\nb = load_model('nest/rye_config.py', 'rye.pt')\n"
    device, file, _ = literals_of(ast.parse(code), code)
    site, name, other, cuda = read_request("from crumbs.org/x, the Rye-T and nest/oat_config.py on cuda:1").mentions
    assert (device.suits(cuda), device.suits(site), device.suits(name)) == (1.0, 0.0, 0.0)
    assert (file.suits(name), file.names_model) == (0.0, False)
    assert file.suits(other) > 0.5


def test_the_index_of_a_shape_is_no_setting() -> None:
    code = "n = dough.shape[1]\nm = loaves[2]\n"
    assert [x.text for x in literals_of(ast.parse(code), code)] == ["2"]


def test_values_that_are_unpacked_are_literals_of_their_own() -> None:
    code = "batch, length = 2, 64\n"
    assert [(x.kind, x.text, x.names) for x in literals_of(ast.parse(code), code)] == [
        ("number", "2", ("batch",)),
        ("number", "64", ("length",)),
    ]


def test_a_models_name_or_path_names_a_model() -> None:
    code = 'x = owl.Nest(teacher_model_name_or_path="wren", tea_name_or_path="mint")\n'
    assert [x.text for x in literals_of(ast.parse(code), code) if x.names_model] == ["wren"]
