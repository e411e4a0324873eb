"""Plain requests, as people write them: what each says, and the options that it sets.

Beside these stand options of the kind that most programs have, so that each value has more than one place to go to.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import command, flag, given, option

TABLE = Path(__file__).with_name("plain_requests.txt")


TRAIN = [
    option("--batch-size", type="int", default="16"),
    option("--lr", type="float", default="0.1"),
    option("--epochs", type="int", default="100"),
    option("--dataset", type="str", default="'ptb'"),
    option("--arch", type="str", default="'resnet18'"),
    option("--output-dir", type="str", default="'out'"),
    option("--exp-name", type="str", default="'exp'"),
    option("--seed", type="int", default="0"),
    option("--num-workers", type="int", default="4"),
    option("--weight-decay", type="float", default="0.0001"),
    option("--momentum", type="float", default="0.9"),
    option("--dropout", type="float", default="0.5"),
    option("--optimizer", type="str", default="'sgd'", choices=["sgd", "adam", "adamw"]),
    option("--hidden-dim", type="int", default="256"),
    option("--num-layers", type="int", default="2"),
    flag("--resume"),
    flag("--use-amp"),
    option("--checkpoint", type="str", default="None"),
    option("--image-size", type="int", default="224"),
    option("--gpu", type="int", default="0"),
    option("--suffix", type="str", help="Suffix of the restored faces"),
    option("--prompt", type="str"),
    option("--top-k", type="int"),
    option("--temperature", type="float", default="1.0"),
    option("--max-length", type="int", default="128"),
    option("--split", type="str", default="'test'"),
    option("--tag", type="str"),
    option("--scale", type="float", choices=["1.0", "2.0", "4.0"]),
]

RUN = [
    option("--input", type="str", help="input image or folder"),
    option("--output", type="str", default="'results'", help="output folder"),
    option("--model", type="str", default="'base'", choices=["tiny", "base", "large"]),
    option("--weights", type="str", help="path to the weights"),
    option("--conf", type="float", default="0.25", help="confidence threshold"),
    option("--iou", type="float", default="0.45", help="IoU threshold for NMS"),
    option("--device", type="str", default="'cuda'", help="cuda device, i.e. 0 or cpu"),
    flag("--half"),
    flag("--save-txt", help="save results to *.txt"),
    option("--img-size", type="int", default="640"),
    option("--classes", type="int", nargs="+", help="filter by class"),
    option("--fps", type="int", default="25"),
    flag("--verbose"),
    option("--lang", type="str", default="'en'", help="language of the audio"),
    option("--format", type="str", default="'json'", choices=["json", "csv", "txt"]),
    option("--beam-size", type="int", default="5", help="number of beams"),
    option("--strength", type="float", default="0.8", help="strength of noising"),
    option("--tasks", type="str", nargs="+"),
    option("--max-steps", type="int", default="1000"),
    option("--save-every", type="int", default="500", help="save a checkpoint every n steps"),
    option("--eval-interval", type="int", default="100", help="steps between evaluations"),
    option("--warmup-steps", type="int", default="0"),
    option("--grad-clip", type="float", default="1.0", help="clip gradients at this norm"),
    option("--accumulate", type="int", default="1", help="gradient accumulation steps"),
    option("--hidden-sizes", type="int", nargs="+"),
    option("--config", type="str", help="config file"),
    option("--gamma", type="float", default="0.99"),
    option("--num-samples", type="int", default="1", help="number of samples to draw"),
    option("--scheduler", type="str", default="'linear'", choices=["cosine", "linear", "step"]),
    flag("--no-cuda"),
    flag("--shuffle"),
    option("--data-path", type="str", required=True),
    option("--port", type="int", default="8000"),
    option("--host", type="str", default="'localhost'"),
    option("--train-ratio", type="float", default="0.8"),
    option("--patience", type="int", default="10"),
    option("--horizon", type="int", default="96"),
]

MODEL = [
    option("--model", type="str", default="'gcn'", help="model name"),
    option("--data", type="str", default="'cora'", help="dataset"),
    option("--root-path", type="str", default="'./data/'", help="root path of the data file"),
    option("--features", type="str", default="'M'", choices=["M", "S", "MS"]),
    option("--seq-len", type="int", default="96"),
    option("--pred-len", type="int", default="96"),
    option("--enc-layers", type="int", default="2", help="num of encoder layers"),
    option("--dec-layers", type="int", default="1", help="num of decoder layers"),
    option("--n-heads", type="int", default="8"),
    option("--d-model", type="int", default="512", help="dimension of model"),
    option("--des", type="str", default="'test'", help="exp description"),
    option("--alpha", type="float", default="0.2"),
    option("--hops", type="int", default="2"),
    option("--aggregator", type="str", default="'mean'", help="aggregator type: mean/gcn/pool/lstm"),
    option("--activation", type="str", default="'relu'"),
    option("--loss", type="str", default="'mse'", help="loss function"),
    option("--metric", type="str", choices=["auc", "acc", "f1"]),
    option("--mode", type="str", default="'train'", choices=["train", "test", "predict"]),
    option("--itr", type="int", default="1", help="experiments times"),
    flag("--bidirectional"),
    flag("--residual"),
    option("--pooling", type="str", choices=["mean", "max", "cls"]),
    option("--task-name", type="str", choices=["long_term_forecast", "imputation", "classification"], required=True),
    option("--mask-rate", type="float", default="0.25"),
    option("--fold", type="int", default="0"),
    option("--freq", type="str", default="'h'", help="freq for time features: h hourly, d daily"),
    option("--norm", type="str", default="'batch'", help="batch, layer or none"),
    option("--init", type="str", default="'xavier'"),
    option("--backbone", type="str", default="'resnet50'"),
    option("--src-lang", type="str"),
    option("--tgt-lang", type="str"),
    option("--max-tokens", type="int", default="4096"),
    option("--lr", type="float", default="0.001"),
    option("--subset", type="str"),
    option("--num-classes", type="int", default="10"),
    option("--margin", type="float", default="0.3"),
    option("--dist", type="str", default="'l2'", choices=["l1", "l2", "cosine"]),
    option("--rank", type="int", default="8"),
    option("--precision", type="str", default="'fp32'", choices=["fp16", "bf16", "fp32"]),
    option("--num-neighbors", type="int", default="10"),
]

AGENT = [
    option("--env", type="str", default="'CartPole-v1'"),
    option("--algo", type="str", default="'ppo'", choices=["ppo", "a2c", "dqn", "sac"]),
    option("--total-timesteps", type="int", default="1000000"),
    option("--num-envs", type="int", default="8"),
    option("--n-steps", type="int", default="128", help="steps to run in each environment per rollout"),
    option("--gamma", type="float", default="0.99"),
    option("--gae-lambda", type="float", default="0.95"),
    option("--clip-coef", type="float", default="0.2"),
    option("--ent-coef", type="float", default="0.01", help="coefficient of the entropy"),
    option("--buffer-size", type="int", default="100000"),
    option("--learning-starts", type="int", default="1000"),
    option("--eval-episodes", type="int", default="10"),
    flag("--capture-video"),
    flag("--track", help="track with Weights and Biases"),
    option("--wandb-project-name", type="str", default="'rl'"),
    option("--tau", type="float", default="0.005"),
    option("--seed", type="int", default="1"),
    flag("--render"),
    option("--log-interval", type="int", default="10"),
    option("--save-dir", type="str"),
    option("--load", type="str"),
]
PICTURE = [
    option("--prompt", type="str", help="the prompt to render"),
    option("--negative-prompt", type="str", default="''"),
    option("--steps", type="int", default="50", help="number of ddim sampling steps"),
    option("--scale", type="float", default="7.5", help="unconditional guidance scale"),
    option("--H", type="int", default="512", help="image height, in pixel space"),
    option("--W", type="int", default="512", help="image width, in pixel space"),
    option("--n-samples", type="int", default="3", help="how many samples to produce for each given prompt"),
    option("--n-iter", type="int", default="2", help="sample this often"),
    option("--ckpt", type="str", default="'model.ckpt'", help="path to checkpoint of model"),
    option("--outdir", type="str", default="'outputs'"),
    option("--seed", type="int", default="42"),
    option("--init-img", type="str", help="path to the input image"),
    option("--strength", type="float", default="0.75"),
    option("--sampler", type="str", default="'ddim'", choices=["ddim", "plms", "dpm"]),
    flag("--skip-grid", help="do not save a grid, only individual samples"),
    option("--precision", type="str", default="'autocast'", choices=["full", "autocast"]),
    flag("--plms", help="use plms sampling"),
    option("--ddim-eta", type="float", default="0.0"),
    option("--device", type="str", default="'cuda'", choices=["cuda", "cpu", "mps"]),
]
AUDIO = [
    option("--wav", type="str", help="path to the audio file"),
    option("--text", type="str", help="text to synthesize"),
    option("--speaker", type="str", default="'p225'"),
    option("--model-name", type="str", default="'base'"),
    option("--sample-rate", type="int", default="22050"),
    option("--hop-length", type="int", default="256"),
    option("--n-mels", type="int", default="80"),
    option("--segment-length", type="int", default="8192"),
    option("--language", type="str", default="'en'"),
    option("--task", type="str", default="'transcribe'", choices=["transcribe", "translate"]),
    option("--noise-scale", type="float", default="0.667"),
    option("--length-scale", type="float", default="1.0"),
    option("--out-path", type="str", default="'out.wav'"),
    option("--duration", type="float", default="10.0", help="seconds of audio"),
    option("--channels", type="int", default="1"),
    flag("--word-timestamps"),
    option("--output-format", type="str", default="'all'", choices=["txt", "srt", "json", "all"]),
    option("--beam-size", type="int", default="5"),
    option("--vocoder", type="str", default="'hifigan'"),
    flag("--denoise"),
]
TEXT = [
    option("--model-name-or-path", type="str", required=True, help="path to pretrained model or model identifier"),
    option("--task-name", type="str", choices=["mrpc", "sst2", "cola", "mnli"]),
    option("--train-file", type="str"),
    option("--validation-file", type="str"),
    option("--max-seq-length", type="int", default="128"),
    option("--per-device-train-batch-size", type="int", default="8"),
    option("--per-device-eval-batch-size", type="int", default="8"),
    option("--learning-rate", type="float", default="5e-05"),
    option("--num-train-epochs", type="float", default="3.0"),
    option("--output-dir", type="str", required=True),
    flag("--do-train"),
    flag("--do-eval"),
    flag("--do-predict"),
    option("--gradient-accumulation-steps", type="int", default="1"),
    option("--warmup-ratio", type="float", default="0.0"),
    option("--save-steps", type="int", default="500"),
    option("--logging-steps", type="int", default="500"),
    flag("--fp16"),
    flag("--overwrite-output-dir"),
    option("--seed", type="int", default="42"),
    option("--lr-scheduler-type", type="str", default="'linear'", choices=["linear", "cosine", "constant"]),
    option("--save-total-limit", type="int"),
    option("--report-to", type="str", default="'all'"),
    option("--num-beams", type="int", default="4"),
    option("--max-target-length", type="int", default="128"),
    option("--source-prefix", type="str", default="''"),
    option("--doc-stride", type="int", default="128"),
    option("--cache-dir", type="str"),
]
PROGRAMS: dict[str, tuple[list[Option], list[str]]] = {
    "train": (
        TRAIN,
        ["python train.py --dataset ptb --batch-size 16 --lr 0.1 --output-dir out --exp-name exp --arch resnet18 --split test"],
    ),
    "run": (RUN, ["python run.py --input images/a.jpg --output results --weights w.pt --config configs/a.yaml --data-path data/owls"]),
    "model": (
        MODEL,
        [
            "python run.py --task-name long_term_forecast --model gcn --data cora --features M --seq-len 96 --des test --aggregator mean",
            "python run.py --task-name imputation --model gat --data citeseer --aggregator pool",
        ],
    ),
    "agent": (AGENT, ["python train.py --env CartPole-v1 --algo ppo --total-timesteps 500000"]),
    "picture": (PICTURE, ["python txt2img.py --prompt a --steps 50"]),
    "audio": (AUDIO, ["python synth.py --wav a.wav --speaker p225 --model-name base --out-path out.wav"]),
    "text": (
        TEXT,
        ["python run.py --model-name-or-path bert-base-cased --task-name mrpc --do-train --do-eval --output-dir /tmp/mrpc/"],
    ),
}
"""Section of the table -> its options, and the commands that are documented."""


def requests() -> Iterator[tuple[str, str, str]]:
    """Section, what is said, and what it sets."""
    section = ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        said, arrow, wanted = line.partition(" => ")
        if arrow:
            yield section, said, wanted
        elif line:
            section = line.strip("[]")


@pytest.mark.parametrize(("section", "said", "wanted"), list(requests()))
def test_what_is_said_is_set(section: str, said: str, wanted: str) -> None:
    options, documented = PROGRAMS[section]
    expected = dict(word.split("=", 1) for word in shlex.split(wanted))
    assert given(said, *options, commands=[command(text) for text in documented]) == expected


def test_the_table_is_read() -> None:
    sections = [section for section, _, _ in requests()]
    assert set(sections) == PROGRAMS.keys()
    assert len(sections) > 250
