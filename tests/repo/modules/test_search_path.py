"""What programs put on `sys.path`, in every way of writing it."""

import pytest

from ml_agent.repo.modules.search_path import added_folders
from ml_agent.repo.pysource import parse_python
from tests.pace import within

HERE = "os.path.dirname(__file__)"


def added(code: str, path: str = "nests/owls/run.py") -> tuple[str, ...]:
    return added_folders(parse_python(code), path)


@pytest.mark.parametrize(
    ("expression", "folder"),
    [
        (f'os.path.join({HERE}, "..")', "nests"),
        (f"os.path.join({HERE}, os.pardir, os.pardir)", "."),
        ('join(dirname(abspath(__file__)), "tea", "lib")', "nests/owls/tea/lib"),
        ('osp.realpath(osp.join(__file__, "..", ".."))', "nests"),
        (HERE, "nests/owls"),
        (f"os.path.dirname({HERE})", "nests"),
        (f'{HERE} + "/../lamps"', "nests/lamps"),
        (f'"%s/../lamps" % {HERE}', "nests/lamps"),
        (f'"%s/%s" % ({HERE}, "lamps")', "nests/owls/lamps"),
        (f'f"{{{HERE}}}/../lamps"', "nests/lamps"),
        ("os.path.split(os.path.abspath(__file__))[0]", "nests/owls"),
        ("os.path.split(os.path.split(os.path.abspath(__file__))[0])[0]", "nests"),
        ("Path(__file__).resolve().parents[1]", "nests"),
        ("str(pathlib.Path(__file__).absolute().parent.parent)", "nests"),
        ('os.fspath(Path(__file__).parent / "lamps")', "nests/owls/lamps"),
        ('(Path(__file__).parent.parent / "lamps").as_posix()', "nests/lamps"),
        ("os.path.dirname(inspect.getfile(inspect.currentframe()))", "nests/owls"),
        ('os.path.join(sys.path[0], "lamps")', "nests/owls/lamps"),
        ('os.path.join(os.getcwd(), "lamps")', "lamps"),
    ],
)
@pytest.mark.parametrize(
    "call", ["sys.path.append({})", "sys.path.insert(0, {})", "site.addsitedir({})", "add_path({})", "x._add_to_sys_path({})"]
)
def test_every_way_of_writing_a_folder(expression: str, folder: str, call: str) -> None:
    assert added(call.format(expression)) == (folder,)


@pytest.mark.parametrize(
    ("code", "folders"),
    [
        (f"BASE_DIR = {HERE}\nROOT = os.path.dirname(BASE_DIR)\nsys.path.append(BASE_DIR)\nsys.path.append(ROOT)", ("nests/owls", "nests")),
        (f'BASE_DIR = {HERE}\nsys.path.append(os.path.join(BASE_DIR, "lib"))', ("nests/owls/lib",)),
        ("def main():\n    here = Path(__file__).parent\n    if True:\n        sys.path.insert(0, str(here))", ("nests/owls",)),
        ("lib = 'lib'\nsys.path.append(lib)\nsys.path.append(lib)", ("nests/owls/lib", "lib")),
    ],
)
def test_names_of_the_file(code: str, folders: tuple[str, ...]) -> None:
    assert added(code) == folders


@pytest.mark.parametrize(
    ("expression", "folders"),
    [
        ('"lib"', ("nests/owls/lib", "lib")),
        ('Path("lib").resolve()', ("nests/owls/lib", "lib")),
        ('"../lib"', ("nests/lib",)),
        ('"."', ("nests/owls", ".")),
        ("os.getcwd()", (".",)),
    ],
)
def test_what_is_relative_counts_from_the_file_and_from_the_root(expression: str, folders: tuple[str, ...]) -> None:
    assert added(f"sys.path.append({expression})") == folders


@pytest.mark.parametrize(
    "code",
    [
        'sys.path.append("/home/me/lib")',
        'sys.path.append("../../../lib")',
        f'sys.path.append(os.path.join({HERE}, "../../../lib"))',
        "sys.path.append(Path(__file__).parents[9])",
        'sys.path.append(os.environ["NEST"])',
        f"sys.path.append(os.path.join({HERE}, nest))",
        "sys.path.append(f'{nest}/lib')",
        'sys.path.append("%s/%s" % nest)',
        "sys.path.append(*nests)",
        "sys.path.append()",
        'nests.append("lib")',
        'read_path("lib")',
    ],
)
def test_what_is_outside_or_not_known_is_nothing(code: str) -> None:
    assert added(code) == ()


@pytest.mark.parametrize(
    "code",
    [
        "a = a\nsys.path.append(a)",
        "a = b\nb = a\nsys.path.append(a)",
        "a = a + a\nsys.path.append(a)",
        "a = f'{a}{a}'\nsys.path.append(a)",
        "a = os.path.join(a, a)\nsys.path.append(a)",
        f"sys.path.append({'os.path.dirname(' * 80}__file__{')' * 80})",
        f"sys.path.append({'+'.join(['nest'] * 400)})",
        f"sys.path.append({'nest/' * 100_000!r})",
        f"sys.path.append({'../' * 100_000!r})",
        "".join(f"a{n} = a{n + 1}\n" for n in range(5_000)) + "a5000 = 'lib'\nsys.path.append(a0)",
    ],
    ids=lambda code: code[:20],
)
def test_hostile_files_end_soon(code: str) -> None:
    with within(2):
        assert added(code) == ()


def test_no_more_folders_than_a_dozen() -> None:
    with within(3):
        assert len(added("".join(f"sys.path.append('lib{n}')\n" for n in range(5_000)))) == 12


@pytest.mark.parametrize(
    "line",
    [
        'sys.path.append("%s/{x}" % __file__)',
        'sys.path.append("{}/%s" % __file__)',
        "sys.path.append(str(Path(__file__).parents[100000000000000000000]))",
        "a = os.path.join(a, a, a, a, a, a, a)\nsys.path.append(a)",
        "a = b\nb = a\nsys.path.append(a)",
    ],
)
def test_what_makes_no_sense_is_passed_over_at_once(line: str) -> None:
    with within(1.0):
        assert all(".." not in folder for folder in added_folders(parse_python(line), "nests/owl.py"))


def test_what_begins_with_a_point_counts_from_the_file_as_well() -> None:
    assert added_folders(parse_python('sys.path.append("./lib")'), "a/b/run.py") == ("a/b/lib", "lib")
