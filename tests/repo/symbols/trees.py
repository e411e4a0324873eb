"""A small tree of files for the tests of the table and the map."""

from ml_agent.repo.symbols import SymbolTable, parse_symbols

FILES = {
    "pkg/__init__.py": "from .nets import Net as Model, helper\nfrom .extra import *\nfrom outside import thing\nimport os\nVERSION = 1\n",
    "pkg/nets.py": (
        "from .base import Base\n\n\nclass Net(Base):\n    '''A net.'''\n\n    def forward(self, x):\n        return helper(x)\n\n\n"
        "def helper(x):\n    return x\n\n\ndef _hidden():\n    pass\n"
    ),
    "pkg/base.py": "class Base:\n    def forward(self, x):\n        raise NotImplementedError\n",
    "pkg/extra.py": "__all__ = ['shown', '_told']\ndef shown(): pass\ndef _told(): pass\ndef untold(): pass\n",
    "train.py": "from pkg import Model, shown\n\n\ndef main():\n    net = Model(3)\n    net.forward(1)\n    shown()\n\n\nmain()\n",
    "other.py": "def helper(a, b): pass\n\n\nhelper(1, 2)\nthing.forward()\n",
    "src/kernel.cu": "__global__ void helper(int a) {}\nvoid run() { helper<<<1, 1>>>(2); }\n",
}  # fmt: skip


def table() -> SymbolTable:
    return SymbolTable((path, parse_symbols(path, text)) for path, text in FILES.items())
