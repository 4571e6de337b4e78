# Everything a developer or a newcomer runs. `make help` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEVELOPED := $(VENV)/.developed
PAGE_TOOLS := $(VENV)/.page-tools

# Node comes in a wheel; programs written for it look for it on the path.
NODE = PATH="$(abspath $(BIN)):$$PATH"
NAMED = $(BIN)/node -p 'Object.entries(require("./clients/web/package.json").devDependencies).map((tool) => tool.join("@")).join(" ")'

.DEFAULT_GOAL := help
.PHONY: help setup run demo test lint bench faults clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(DEVELOPED) $(PAGE_TOOLS) ## make the virtual environment .venv with everything for development

$(READY): pyproject.toml constraints.txt clients/python/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable clients/python --editable .
	@touch $@

$(DEVELOPED): $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

$(PAGE_TOOLS): clients/web/package.json | $(DEVELOPED)
	$(NODE) npm install --global --prefix $(VENV) --no-audit --no-fund --loglevel=error $$($(NAMED)) \
		|| { echo 'setup: npm could not install what checks clients/web: see above' >&2; exit 1; }
	@touch $@

run: $(READY) ## migrate the embedded SQLite database and serve on http://127.0.0.1:8000
	@$(BIN)/canfield-race migrate
	@$(BIN)/canfield-race serve

demo: $(READY) ## four bots race on the running server, with a live table
	@$(BIN)/canfield demo

lint: setup ## style, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NODE) tsc --project clients/web
	$(NODE) biome check --error-on-warnings

test: lint ## lint, then the whole suite, real PostgreSQL included
	$(BIN)/pytest -n 3 --dist loadfile -r fEs

bench: $(DEVELOPED) ## measure rules, moves, memory, fan-out, solver, boards and more; ONLY="memory fanout" for some
	$(BIN)/python -m tests.bench $(ONLY)

faults: $(DEVELOPED) ## break real processes while bots race, COUNT=20 times each; SEED=1, FAULT=node-killed
	$(BIN)/python -W "ignore:XDG_RUNTIME_DIR" -m tests.faults \
		$(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(FAULT:%=--fault %)

clean: ## remove what setup and the tools made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
