# Everything a developer runs, from a fresh clone with Python and a C++ compiler only.
# The environment is made once; stamp files remember what it was made from, so that a second
# run neither reinstalls nor rebuilds, and a changed C++ file or pyproject.toml does.

PYTHON ?= python3
VENV   ?= .venv
MINUTES ?= 5
PROFILE ?= quick
JOBS    ?= 1
SHELL  := /bin/bash
# The tools of the environment come first: no cmake, ninja or clang-format of the system needed.
export PATH := $(abspath $(VENV))/bin:$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export NO_MKDOCS_2_WARNING := 1

STAMPS  := $(VENV)/.stamps
PIP     := $(VENV)/bin/python -m pip install --quiet -c constraints.txt
NATIVE  := $(sort $(shell find native -name '*.?pp')) CMakeLists.txt
FOLDERS := $(sort $(dir $(filter native/%,$(NATIVE))))
CHECKS  := build/native-tests
REPORT  := demo-report

.DELETE_ON_ERROR:
.PHONY: always help install demo test lint format native-test wheel bench bench-scale bench-search fuzz results arena docs clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

install: $(STAMPS)/package  ## Make .venv and build the package into it (all targets below do)

demo: $(STAMPS)/package  ## GRAPE and GIN on planted roles, roles in a novel (demo-report)
	@grape demo --out $(REPORT)

test: lint native-test  ## Lint, C++ tests, Python tests and the examples in the documentation
	@echo "==> Python tests"
	@python -m pytest -n auto --maxprocesses 4

lint: $(STAMPS)/package  ## ruff, mypy and clang-format, changing nothing
	@echo "==> ruff, mypy, clang-format"
	@ruff check .
	@ruff format --check .
	@mypy
	@clang-format --dry-run -Werror $(filter-out CMakeLists.txt,$(NATIVE))

format: $(STAMPS)/package  ## Put Python and C++ into the house style
	@ruff check --fix-only .
	@ruff format .
	@clang-format -i $(filter-out CMakeLists.txt,$(NATIVE))

native-test: $(CHECKS)/built  ## C++ tests
	@echo "==> C++ tests"
	@ctest --test-dir $(CHECKS) --output-on-failure

wheel: $(STAMPS)/package  ## Source archive and wheel (dist), tried in an environment without torch
	@echo "==> building the source archive, and the wheel from it"
	@rm -rf dist build/wheel-environment
	@python -m build --no-isolation >/dev/null
	@echo "==> trying the wheel in a new environment"
	@python -m venv build/wheel-environment
	@build/wheel-environment/bin/python -m pip install --quiet -c constraints.txt dist/*.whl
	@build/wheel-environment/bin/python tests/wheel_smoke.py
	@ls dist

bench: $(STAMPS)/package  ## Time matching and training against other libraries (benchmarks/out)
	@python benchmarks/roles.py
	@python benchmarks/algebra.py
	@python benchmarks/lanes.py
	@python benchmarks/maps.py
	@python benchmarks/epoch.py
	@python benchmarks/memory.py

bench-scale: $(STAMPS)/package  ## How every step grows with the graph, for half an hour (benchmarks/out)
	@python benchmarks/scale.py --workers
	@python benchmarks/memory.py
	@python benchmarks/mini_batches.py
	@python benchmarks/plan.py

bench-search: $(STAMPS)/package  ## Template search against its baselines, for hours (benchmarks/out)
	@python benchmarks/search.py
	@python benchmarks/search_agreement.py
	@python benchmarks/search_gain.py

fuzz: $(STAMPS)/package  ## Random cases against brute force, damaged files: make fuzz MINUTES=30
	@python benchmarks/fuzz_files.py
	@python benchmarks/fuzz.py --minutes $(MINUTES)

results: $(STAMPS)/package  ## Run the paper's tables and figures again: make results PROFILE=paper JOBS=4
	@python -m reproduction all --profile $(PROFILE) --jobs $(JOBS) --document docs/results.md

arena: $(STAMPS)/package  ## GRAPE and the baselines on many tasks, in two leagues (docs/arena.md)
	@python -m arena run --league 1 --jobs $(JOBS)
	@python -m arena run --league 2 --jobs $(JOBS)
	@python -m arena table

docs: $(STAMPS)/docs  ## Build the documentation into site
	@python -m mkdocs build --strict
	@echo "open site/index.html"

clean:  ## Remove everything that was built, the environment too
	rm -rf $(VENV) build dist site $(REPORT) .pytest_cache .mypy_cache .ruff_cache

# --- the environment -----------------------------------------------------------------------

$(STAMPS):
	@echo "==> making $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $@

# torch goes first and by its exact version: a range would fetch its newest build, which is
# several gigabytes.
$(STAMPS)/torch: constraints.txt | $(STAMPS)
	@echo "==> installing $$(grep '^torch==' constraints.txt)"
	@$(PIP) "$$(grep '^torch==' constraints.txt)"
	@touch $@

$(STAMPS)/tools: constraints.txt $(STAMPS)/torch
	@echo "==> installing the build tools"
	@$(PIP) scikit-build-core nanobind cmake ninja
	@touch $@

# The installation lists the modules of src: a new one has to be made known to it.
always:
$(STAMPS)/modules: always | $(STAMPS)
	@find src -name '*.py' | sort | cmp -s - $@ || find src -name '*.py' | sort >$@

$(STAMPS)/package: pyproject.toml $(NATIVE) $(FOLDERS) $(STAMPS)/modules $(STAMPS)/tools
	@echo "==> building and installing grape-gnn"
	@$(PIP) --no-build-isolation -e '.[dev]'
	@touch $@

$(STAMPS)/docs: $(STAMPS)/package
	@echo "==> installing the documentation tools"
	@$(PIP) --no-build-isolation -e '.[docs]'
	@touch $@

$(CHECKS)/built: $(NATIVE) $(FOLDERS) $(STAMPS)/tools
	@echo "==> building the C++ tests"
	@cmake -S . -B $(CHECKS) -G Ninja -DGRAPE_NATIVE_TESTS=ON >/dev/null
	@cmake --build $(CHECKS)
	@touch $@
