# The two commands a newcomer needs are `make demo` and `make test`; both do all of their own set-up.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

MODELS := all-MiniLM-L6-v2 sim smollm2-135m wordnet

.PHONY: demo test check bench docs clean

demo: $(VENV)/.core
	$(BIN)/paraloom demo --out demo

test: $(VENV)/.test check
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	$(BIN)/python benchmarks/build.py
	$(BIN)/python benchmarks/fuzz.py
	$(BIN)/python benchmarks/metrics.py
	$(BIN)/python benchmarks/identify.py
	$(PIP) semhash
	$(BIN)/python benchmarks/mine.py --work $(VENV)/mine --semhash 1M
	$(BIN)/python benchmarks/mine_scale.py --work $(VENV)/mine --sizes 1M 3M
	$(BIN)/python benchmarks/generate.py --against llama.cpp
	$(BIN)/python benchmarks/generate_killed.py
	$(PIP) eflomal simalign || echo 'Peers that are not installed are left out.'
	test -z "$$PARALOOM_DATA" || PATH="$(BIN):$$PATH" $(BIN)/python benchmarks/phrases.py --data "$$PARALOOM_DATA"
	$(BIN)/python benchmarks/annotate.py --cache $(VENV)/peers
	$(BIN)/python benchmarks/annotation_quality.py

docs: $(VENV)/.docs
	$(BIN)/python scripts/write_cli_page.py
	$(BIN)/mkdocs build --strict --quiet

clean:
	rm -rf $(VENV) demo site

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Paraloom needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.core: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) --editable .
	touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) --editable '.[test]'
	scripts/ensure_chromium
	$(BIN)/paraloom models fetch $(MODELS) || echo 'Tests that need $(MODELS) will be skipped.'
	touch $@ $(VENV)/.core

$(VENV)/.docs: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) --editable '.[docs]'
	touch $@ $(VENV)/.core
