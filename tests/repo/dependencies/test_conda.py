"""environment.yml."""

from pathlib import Path

from tests.repo.dependencies.support import brief, declared


def test_an_environment(tmp_path: Path) -> None:
    text = """\
name: x
channels: [defaults]
dependencies:
  - python=3.8
  - pip
  - conda-forge::numpy=1.19
  - pytorch>=1.8
  - cudatoolkit=11.1
  - pip:
    - wandb==0.12
    - -r more.txt
"""
    found = declared(tmp_path, {"environment.yml": text, "more.txt": "tqdm\n"})
    assert brief(found) == {
        "numpy==1.19.*": "environment.yml:6",
        "torch>=1.8": "environment.yml:7",
        "cudatoolkit==11.1.*": "environment.yml:8",
        "wandb==0.12": "environment.yml:10",
        "tqdm": "more.txt:1",
    }
    assert [d.name for d in found.requirements if not d.python_package] == ["cudatoolkit"]
    assert [(p.specifier, p.place) for p in found.python] == [("==3.8.*", "environment.yml:4")]
    assert found.unread == ()


def test_other_yaml_is_left_alone(tmp_path: Path) -> None:
    found = declared(
        tmp_path, {"env.yaml": "a: [\n", "environment.yml": "dependencies: 3\n", "conda/x.yml": "dependencies:\n - {a: 1}\n - '='\n"}
    )
    assert found.requirements == ()
    assert {u.place for u in found.unread} == {"environment.yml", "conda/x.yml:2", "conda/x.yml:3"}


def test_hostile_yaml(tmp_path: Path) -> None:
    """Nothing is constructed: neither objects of Python nor what aliases would multiply to."""
    bomb = "dependencies:\n" + "".join(f" - &a{i} [{', '.join([f'*a{i - 1}'] * 9) if i else 'x'}]\n" for i in range(30))
    files = {
        "environment.yml": bomb,
        "a/environment.yml": "dependencies:\n - !!python/object/apply:os.system ['touch ran']\n",
        "b/environment.yml": f"dependencies: {'[' * 5000}\n",
        "c/environment.yml": "dependencies:\n\t- x\n",
    }
    found = declared(tmp_path, files)
    assert {u.place.split(":")[0] for u in found.unread} == set(files)
    assert not Path("ran").exists()
