"""Facts of PyPI: which distribution gives a module, where no installed metadata tells."""

# `module distribution;`
_OTHER_NAMES = """
apex git+https://github.com/NVIDIA/apex.git; attr attrs; bert_score bert-score; Bio biopython; bs4 beautifulsoup4;
category_encoders category-encoders; clip git+https://github.com/openai/CLIP.git; comet_ml comet-ml; community python-louvain;
Crypto pycryptodome; cv2 opencv-python; dateutil python-dateutil; decouple python-decouple;
detectron2 git+https://github.com/facebookresearch/detectron2.git; distutils setuptools; docx python-docx; dotenv python-dotenv;
efficientnet_pytorch efficientnet-pytorch; faiss faiss-cpu; fitz PyMuPDF; flask Flask; git GitPython; github PyGithub;
huggingface_hub huggingface-hub; hydra hydra-core; IPython ipython; jose python-jose; jwt PyJWT; Levenshtein Levenshtein;
line_profiler line-profiler; magic python-magic; markdown Markdown; MeCab mecab-python3; memory_profiler memory-profiler;
ml_collections ml-collections; ml_dtypes ml-dtypes; more_itertools more-itertools; mpl_toolkits matplotlib; MySQLdb mysqlclient;
nacl PyNaCl; open_clip open-clip-torch; OpenGL PyOpenGL; OpenSSL pyOpenSSL; opt_einsum opt-einsum; ordered_set ordered-set; osgeo GDAL;
paddle paddlepaddle; patoolib patool; PIL Pillow; pkg_resources setuptools; pl_bolts lightning-bolts; prompt_toolkit prompt-toolkit;
psycopg2 psycopg2-binary; pylab matplotlib; pysrt pysrt; pytorch_fid pytorch-fid; pytorch_lightning pytorch-lightning;
pytorch_msssim pytorch-msssim; reformer_pytorch reformer-pytorch; ruamel ruamel.yaml;
segmentation_models_pytorch segmentation-models-pytorch; sentence_transformers sentence-transformers; serial pyserial;
skimage scikit-image; sklearn scikit-learn; skopt scikit-optimize; sksparse scikit-sparse; slugify python-slugify; socks PySocks;
speech_recognition SpeechRecognition; sphinx_gallery sphinx-gallery; sphinx_rtd_theme sphinx-rtd-theme;
stable_baselines3 stable-baselines3; surprise scikit-surprise; taming taming-transformers; tensorflow_addons tensorflow-addons;
tensorflow_datasets tensorflow-datasets; tensorflow_hub tensorflow-hub; tensorflow_probability tensorflow-probability;
tensorflow_text tensorflow-text; thop thop; tlz toolz; torch_cluster torch-cluster; torch_fidelity torch-fidelity;
torch_geometric torch-geometric; torch_scatter torch-scatter; torch_sparse torch-sparse; torch_spline_conv torch-spline-conv;
typing_extensions typing-extensions; umap umap-learn; usb pyusb; vit_pytorch vit-pytorch; websocket websocket-client; win32api pywin32;
win32con pywin32; wx wxPython; yaml PyYAML; zmq pyzmq
"""
# `distribution` or `distribution:module`; a hyphen is an underscore in the module.
_SAME_NAME = """
absl-py:absl accelerate addict aiohttp albumentations anndata arch autopep8 bitsandbytes bokeh boto3 braceexpand catboost click
cloudpickle colorama cupy cvxpy Cython dask datasets decorator decord deepspeed dgl diffusers dill dm-tree:tree e3nn easydict editdistance
einops einops-exts elasticsearch evaluate fairscale fairseq fastapi fasttext filelock fire flax fsspec ftfy fvcore gdown gensim gluoncv
gpytorch gradio graphviz grpcio:grpc gym gymnasium h5py horovod httpx hyperopt imageio imagenetv2-pytorch imbalanced-learn:imblearn imgaug
iopath isort jax jaxlib jieba jinja2 joblib jsonlines jsonschema keras kornia librosa lightgbm lightning lmdb loguru logzero lpips lxml
matplotlib mlflow mmcv mmengine mpi4py mxnet nbformat networkx nevergrad nibabel ninja nltk numba numexpr numpy numpydoc
nvidia-ml-py:pynvml ogb omegaconf onnx onnxruntime onnxslim open3d openai opendatasets OpenEXR openpyxl optax optuna orjson packaging
pandas patsy peft pettingzoo plotly portalocker pre-commit:pre_commit pretrainedmodels prettytable protobuf psutil pyarrow pybind11
pycocoevalcap pycocotools pydantic pydicom pydot pygame pylint PyQt5 pyro-ppl:pyro pyspark pytest pytorch3d pywavelets:pywt rasterio ray
rdflib rdkit regex requests rich rouge-score:rouge_score s3fs sacrebleu sacremoses safetensors scipy seaborn sentencepiece seqeval
setuptools shap shapely simpleitk:SimpleITK six sktime soundfile spacy sqlalchemy stanza statsmodels streamlit submitit sympy tables
tabulate tensorboard tensorboardX tensorflow termcolor textblob tf-keras:tf_keras theano thinc tifffile tiktoken timm tokenizers toml
tomli torch torchaudio torchdata torcheval torchinfo torchmetrics torchsummary torchtext torchtyping torchvision torchviz tornado tqdm
transformers trimesh triton trl typer ujson ultralytics urllib3 visdom vllm wandb webdataset werkzeug xarray xformers xgboost xlrd yacs
yapf yfinance
"""
_STAND_INS = (
    ("opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless"),
    ("tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tensorflow-macos", "tf-nightly"),
    ("faiss-cpu", "faiss-gpu", "faiss-gpu-cu12"),
    ("onnxruntime", "onnxruntime-gpu"),
    ("psycopg2", "psycopg2-binary"),
    ("rdkit", "rdkit-pypi"),
    ("levenshtein", "python-levenshtein"),
    ("pycocotools", "pycocotools-windows"),
    ("nvidia-ml-py", "pynvml", "nvidia-ml-py3"),
    ("pillow", "pillow-simd"),
)

PYTHON_2 = frozenset(
    "BaseHTTPServer ConfigParser HTMLParser Queue SimpleHTTPServer SocketServer StringIO Tkinter UserDict __builtin__ cPickle cStringIO "
    "commands cookielib copy_reg exceptions htmlentitydefs httplib md5 sets sha "
    "thread tkFileDialog tkMessageBox urllib2 urlparse xmlrpclib".split()
)
"""Modules of Python 2's standard library that no distribution gives."""


def _table() -> dict[str, str]:
    found = {}
    for pair in _OTHER_NAMES.split(";"):
        module, name = pair.split()
        found[module] = name
    for word in _SAME_NAME.split():
        name, _, module = word.partition(":")
        found[module or name.replace("-", "_")] = name
    return found


DISTRIBUTIONS = _table()
"""Module -> what pip is asked for: a distribution, or an address where PyPI has something else under that name."""


def stand_ins(name: str) -> tuple[str, ...]:
    """Distributions that give the same modules as this one (names normalised)."""
    return next((tuple(other for other in names if other != name) for names in _STAND_INS if name in names), ())
