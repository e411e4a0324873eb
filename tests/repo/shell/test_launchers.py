import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.shell import parse, run_target


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("python train.py --x 1", "file", "train.py"),
        ("python3.10 -u -O ./a/train.py", "file", "a/train.py"),
        ("/usr/bin/python -W ignore train.py", "file", "train.py"),
        ("python -m pkg.train --x", "module", "pkg.train"),
        ("python -um pkg.train", "module", "pkg.train"),
        ("python -m torch.distributed.launch --nproc_per_node=2 --use_env train.py --x", "file", "train.py"),
        ("python -m torch.distributed.run --nproc_per_node 2 -m pkg.train", "module", "pkg.train"),
        ("torchrun --standalone --nproc_per_node 2 train.py --x", "file", "train.py"),
        ("torchrun --nproc_per_node gpu --module pkg.train", "module", "pkg.train"),
        ("accelerate launch --multi_gpu --num_processes 2 train.py", "file", "train.py"),
        ("accelerate launch --config_file c.yaml train.py --config_file d", "file", "train.py"),
        ("deepspeed --num_gpus 8 train.py --deepspeed", "file", "train.py"),
        ("mpirun -np 4 -x PATH --allow-run-as-root python train.py", "file", "train.py"),
        ("horovodrun -np 4 -H localhost:4 python train.py", "file", "train.py"),
        ("srun --gres=gpu:1 -n 1 --partition debug python -u train.py", "file", "train.py"),
        ("srun -p gpu --cpu_bind=v --accel-bind=gn python -m pkg.train", "module", "pkg.train"),
        ("bash -x scripts/run.sh a b", "file", "scripts/run.sh"),
        ("source ./env.sh", "file", "env.sh"),
        (". env.sh", "file", "env.sh"),
        ("./run.sh", "file", "run.sh"),
        ("scripts/run.sh", "file", "scripts/run.sh"),
        ("nohup time env A=1 B=2 python train.py", "file", "train.py"),
        ("timeout -k 5 10m python train.py", "file", "train.py"),
        ("CUDA_VISIBLE_DEVICES=0 nohup python train.py", "file", "train.py"),
        ("poetry run python train.py", "file", "train.py"),
        ("uv run --with numpy train.py", "file", "train.py"),
        ("conda run -n env --no-capture-output python train.py", "file", "train.py"),
        ("xvfb-run -a -s '-screen 0' python train.py", "file", "train.py"),
        ("python -m cProfile -o out.prof train.py --x", "file", "train.py"),
        ("python -m pdb train.py", "file", "train.py"),
        ("coverage run -m pkg.train", "module", "pkg.train"),
        ("python $PWD/train.py", "file", "train.py"),
        ("streamlit run app.py", "file", "app.py"),
    ],
)
def test_run_target(text: str, kind: str, value: str) -> None:
    (command,) = parse(text).commands
    target = run_target(command.words)
    texts = [w.text for w in command.words]
    assert target is not None
    assert (target.kind, target.value) == (kind, value)
    assert target.launcher == tuple(texts[: target.index])
    assert run_target(texts) == target


@pytest.mark.parametrize(
    "text",
    [
        "python -c 'x.py'",
        "pip install x",
        "python",
        "ls train.py",
        "cd a",
        "bash",
        "bash -c 'python x.py'",
        "python -",
        "torchrun",
        "echo a/b.py",
    ],
)
def test_no_target(text: str) -> None:
    assert run_target(parse(text).commands[0].words) is None


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "python -m torchrun -- - -u env A=1 mpirun -np 2 x.py srun bash -c . timeout 5 accelerate launch --x=1 -genv".split()
            + "torch.distributed.run conda run -n".split()
        ),
        max_size=8,
    )
)
def test_run_target_never_fails(texts: list[str]) -> None:
    target = run_target(texts)
    assert target is None or texts[target.index].endswith(target.value)
