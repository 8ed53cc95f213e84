# make demo and make test need Python 3.11 or newer, make and a package index; nothing else.
# Another interpreter: make test PYTHON=python3.13

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PACKAGE := $(VENV)/.package-installed
DEV := $(VENV)/.dev-installed
IRRCAC := .venv-irrcac
CROWDKIT := .venv-crowdkit

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONUTF8 := 1

.DEFAULT_GOAL := help
.PHONY: help demo test lint types unit kernels docs format bench irrcac crowdkit clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

demo: $(PACKAGE) ## analyse the bundled example and write accordant-report.html here
	@$(BIN)/accordant demo

test: lint types unit docs ## everything that must pass: lint, types, tests, docs
	@echo "All checks passed."

lint: $(DEV) ## style, format and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(DEV) ## static types
	$(BIN)/mypy --strict src

unit: $(DEV) ## tests and the examples in docstrings
	$(BIN)/python -m pytest -n auto

# Last bits of floats differ between the kernels of OpenBLAS. Name and flag in /proc/cpuinfo:
KERNELS := SkylakeX=avx512f Haswell=avx2 Prescott=pni
NUMERIC := $(addprefix tests/,laws oracle papers inference decomposition diagnosis models simulate)

kernels: $(DEV) ## numeric tests with the other kernels of OpenBLAS that this processor can run
	@chosen=; for kernel in $(KERNELS); do \
		if ! grep -qsw "$${kernel#*=}" /proc/cpuinfo; then \
			echo "This processor cannot run the kernel $${kernel%=*}."; \
		elif [ -z "$$chosen" ]; then \
			chosen=$${kernel%=*}; echo "$$chosen is what \"make unit\" runs here."; \
		else \
			echo "OPENBLAS_CORETYPE=$${kernel%=*}"; \
			OPENBLAS_CORETYPE=$${kernel%=*} $(BIN)/python -m pytest -q -n auto $(NUMERIC) || exit 1; \
		fi; \
	done

# -E reads every page again: else a warning would be gone on the second try.
docs: $(DEV) ## documentation into docs/_build/html, with its examples run
	$(BIN)/python -m sphinx -E -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python -m sphinx -E -W --keep-going -q -b doctest docs docs/_build/doctest

format: $(DEV) ## correct style and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEV) $(IRRCAC)/.installed $(CROWDKIT)/.installed ## compare speed and memory with other packages
	$(BIN)/python -m benchmarks --only '^(?!models)' --memory
	$(BIN)/python -m benchmarks.sorts
	$(BIN)/python -m benchmarks.files
	$(BIN)/python -m benchmarks.frames
	$(BIN)/python -m benchmarks.start
	$(BIN)/python -m benchmarks.projects
	PYTHONPATH=src $(IRRCAC)/bin/python -W ignore -m benchmarks --only '^(?!models)'
	PYTHONPATH=src $(CROWDKIT)/bin/python -W ignore -m benchmarks --only '^models' --memory

irrcac: $(IRRCAC)/.installed ## the peer irrCAC, in an environment of its own

crowdkit: $(CROWDKIT)/.installed ## the peers crowd-kit, cleanlab, CrowdTruth, likewise (800 MB)

clean: ## remove environments, builds and caches
	rm -rf $(VENV) $(IRRCAC) $(CROWDKIT) build dist docs/_build
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp per environment and purpose: installed again only when pyproject.toml changes.

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Accordant needs Python 3.11 or newer, this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.13")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(PACKAGE): pyproject.toml | $(BIN)/python
	@echo "Installing accordant into $(VENV) (once, about a minute) ..."
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(DEV): pyproject.toml | $(PACKAGE)
	@echo "Installing what the tests need into $(VENV) (once, about a minute) ..."
	$(BIN)/python -m pip install --quiet --editable . --group dev --group docs
	@touch $(PACKAGE) $@

$(IRRCAC)/.installed:
	$(PYTHON) -m venv $(IRRCAC)
	$(IRRCAC)/bin/python -m pip install --quiet "irrCAC>=0.4.4"
	@touch $@

# crowd-kit installs a language-model library that its models of coders do not need.
$(CROWDKIT)/.installed:
	$(PYTHON) -m venv $(CROWDKIT)
	$(CROWDKIT)/bin/python -m pip install --quiet "crowd-kit>=1.4.2" "cleanlab>=2.9" "crowdtruth>=2.1"
	@touch $@
