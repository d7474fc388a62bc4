# Every target runs what it needs first. `make demo` and `make test` are the two commands of a fresh clone.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
EXTRAS := cluster,fast,plots,dev
# Many processes start here: each module is compiled once, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup demo test serve lint bench soak figures pictures clean

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Floorman needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	@echo "setup: making .venv"
	@$(PYTHON) -m venv --clear .venv
	@echo "setup: fetching the installer"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt uv
	@echo "setup: installing Floorman and its pinned dependencies"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt --build-constraint constraints.txt -e ".[$(EXTRAS)]"
	@touch $@
	@echo "setup: done"

demo: setup
	@$(BIN)/floorman demo $(if $(SEED),--seed $(SEED))

serve: setup
	@$(BIN)/floorman serve

lint: setup
	@echo "lint: ruff"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@echo "lint: mypy"
	@$(BIN)/mypy
	@echo "lint: import contracts"
	@$(BIN)/lint-imports --no-cache

test: lint
	@echo "test: pytest, two workers"
	@$(BIN)/python -m pytest -m "not soak" -n 2 --dist worksteal

soak: setup
	@echo "soak: long checks, under two hours"
	@rm -f build/soak/figures.json
	@began=$$(date +%s); failed=0; \
	$(BIN)/python -m pytest -m "soak and not alone" -n 2 --dist worksteal --timeout 7200 --durations 12 || failed=1; \
	echo "soak: now those that measure, one by one"; \
	$(BIN)/python -m pytest -m "soak and alone" --timeout 7200 --durations 12 || failed=1; \
	$(BIN)/python -m tests.soak.figures; \
	echo "soak: $$(( ($$(date +%s) - began) / 60 )) minutes"; exit $$failed

figures: setup
	@$(BIN)/python -m tests.soak.figures --keep

bench: setup
	@for script in tests/bench/*.py; do echo "bench: $$script"; $(BIN)/python $$script || exit 1; done

pictures: setup
	@$(BIN)/floorman report quarter-ladder --pictures payouts/par/pictures
	@$(BIN)/python -m tests.browser.pictures

clean:
	rm -rf .venv build
