"""How people in this field say what programs spell: synonyms and abbreviations of option names, verbs, number words.

Facts about the language of machine learning, not about any repository.
"""

GLUED_ENDS = (
    "name", "names", "dir", "path", "file", "folder", "root", "size", "sz", "length", "len", "rate", "type", "steps", "iters", "epochs",
    "only", "mode",
)  # fmt: skip
GLUED_HEADS = frozenset(
    "exp experiment run job check task model data dataset file user project proj group image in out output input cache work train test "
    "log save load checkpoint result results feat tokenizer env host learning sampling crop patch kernel hop win vocab ref base text "
    "audio video".split()
)
GLUED_COUNTS = ("num", "max", "min", "n")
"""Names of options are written in one word as well: `expname`, `outdir`, `numworkers`, `maxlen`. These are what they are made of."""

WEAK = frozenset("num n nb nr no number count the of a in per is use with for to name do args arg s".split())
"""Words of an option name that say little: people leave them out."""

GENERIC = frozenset("size rate path dir type max min len length step train training file value model data".split())
"""Words that many options share: alone they point to none."""

DATA_WORDS = frozenset("data dataset datasets corpus benchmark".split())
MODEL_WORDS = frozenset("model arch architecture backbone network net".split())
SPOKEN = {"avg": ("average", "averaging", "mean"), "bi": ("bidirectional",), "uni": ("unidirectional",), "rand": ("random",)}
"""Values that are abbreviated, with what people say for them."""

OUTPUT_WORDS = frozenset("out output save dest destination result results export log logdir outdir".split())
"""Words in the names of options that take data, a model, or a place to write to."""

PATH_WORDS = frozenset(
    "dir directory path file folder root ckpt checkpoint checkpoints config cfg input output out data image img weights save "
    "load log vocab source src target".split()
)
"""Words in the names of options that take a path."""

EVERYDAY_VALUES = frozenset(
    "train training test testing eval evaluate val true false none all default yes no sum mean max min base small large auto "
    "best last model data dataset batch step steps epoch epochs image images text no both first second gpu".split()
)
"""Values of options that are also everyday words of a request: they need their option named beside them."""

PLAIN_NAMES = frozenset(
    "main run train test eval evaluate model models data dataset src lib core utils util example examples script scripts code "
    "demo task project implementation implementations python method usage training evaluation feature features image images "
    "text".split()
)
"""Names that many folders and files bear: equal to a word of the request, they point to none."""

LIBRARY_WORDS = frozenset("import class function method module library api snippet object instantiate tensor layer shape".split())
"""A request with these words asks for a use of the library."""

PROGRAM_WORDS = frozenset(
    "train finetune pretrain epoch gpu batch learning dataset command terminal shell bash cli script seed checkpoint "
    "benchmark evaluate".split()
)
"""A request with these words asks for a program to be run."""

VERBS: dict[str, frozenset[str]] = {
    # what a program does -> how requests and file names say it (stems are compared)
    "train": frozenset({"train", "fit", "learn"}),
    "evaluate": frozenset({"evaluate", "eval", "val", "test", "validate", "assess", "benchmark", "score"}),
    "predict": frozenset({"predict", "infer", "inference", "classify", "detect", "segment", "transcribe"}),
    "generate": frozenset({"generate", "sample", "synthesize", "translate"}),
    "prepare": frozenset({"prepare", "preprocess", "build", "process", "convert", "create"}),
    "pretrain": frozenset({"pretrain", "pretraining"}),
    "finetune": frozenset({"finetune", "finetuning", "ft"}),
    "export": frozenset({"export", "onnx", "merge"}),
    "visualize": frozenset({"visualize", "visualise", "plot", "draw", "show"}),
    "download": frozenset({"download", "fetch"}),
    "serve": frozenset({"serve", "server", "deploy", "demo", "gradio", "webui"}),
    "distill": frozenset({"distill", "distil", "distillation"}),
    "compile": frozenset({"compile", "compilation"}),
    "replay": frozenset({"replay", "enjoy", "watch", "rollout", "play", "behold"}),
    "record": frozenset({"record", "video", "movie", "mp4"}),
}

PARTS = {"train": "train", "training": "train", "val": "val", "valid": "val", "validation": "val", "dev": "val", "test": "test"}
"""Words for a part of the data -> one word for each."""
