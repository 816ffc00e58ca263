# Set-up, tests and checks. "make" alone lists the targets.
# PYTHON=... chooses the interpreter (else the first of python3.13, python3.12, python3.11, python3 that fits).
# ARGS=... is handed to firesim demo or pytest, as in: make test ARGS="-k layers -x"

SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

PYTHON ?=
ARGS ?=
VENV := .venv
PY := $(VENV)/bin/python
PYTHONS := python3.13 python3.12 python3.11 python3
MADE := $(VENV)/.made-with
LONG_STEPS := long-tests long-bounds long-nojit long-wheel

.PHONY: help demo test long $(LONG_STEPS) lint lint-code lint-format lint-types format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/.installed-maps ## burn a shipped town, draw it, say where the picture is
	@$(PY) -m firesim demo $(ARGS)

test: $(VENV)/.installed-test ## the quick suite (under 10 minutes on 2 cores)
	$(PY) -m pytest $(ARGS)

lint: lint-code lint-format lint-types ## ruff check, ruff format --check, mypy

lint-code: $(VENV)/.installed-dev
	$(PY) -m ruff check .

lint-format: $(VENV)/.installed-dev
	$(PY) -m ruff format --check .

lint-types: $(VENV)/.installed-dev
	$(PY) -m mypy

format: $(VENV)/.installed-dev ## let ruff mend what it can
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

# Every step runs, also after a failed one; what each printed and how it ended goes to a dated file under out/.
long: $(VENV)/.installed-test ## the long suite; writes out/long-DATE.txt
	@mkdir -p out; report=out/long-$$(date +%Y-%m-%dT%H%M%S).txt; ends=; code=0; set -o pipefail; \
	{ echo "firesim long suite, $$(date '+%Y-%m-%d %H:%M:%S %z')"; \
	  echo "commit: $$(git describe --always --dirty 2>/dev/null || echo unknown)"; \
	  $(PY) -c 'import os, platform, numba, numpy; print("python", platform.python_version(), "numpy", numpy.__version__, "numba", numba.__version__, platform.system(), platform.machine(), os.cpu_count(), "cores")'; \
	} | tee "$$report" || code=1; \
	for step in $(LONG_STEPS); do \
	  started=$$SECONDS; printf '\n== %s\n' "$$step" | tee -a "$$report"; end=passed; \
	  $(MAKE) --no-print-directory "$$step" 2>&1 | tee -a "$$report" || { end=FAILED; code=1; }; \
	  ends+=$$(printf '%-12s %-6s %6d s' "$$step" "$$end" $$((SECONDS - started)))$$'\n'; \
	done; \
	printf '\n== summary\n%s' "$$ends" | tee -a "$$report"; echo "written: $$report"; exit $$code

long-tests: $(VENV)/.installed-test ## of the long suite: the tests marked long
	$(PY) -m pytest -m long $(ARGS)

# numba does not look at NUMBA_BOUNDSCHECK when it loads from its cache: unless the checked code has a cache folder of its
# own, old unchecked code would run and nothing would be tested.
FOLDER := $(PY) -c 'from firesim.jit import folder; print(folder())'
long-bounds: $(VENV)/.installed-test ## of the long suite: the quick tests with array bounds checked
	@test "$$($(FOLDER))" != "$$(NUMBA_BOUNDSCHECK=1 $(FOLDER))" || { \
	  echo "firesim.jit.folder() is the same with NUMBA_BOUNDSCHECK=1: unchecked code would be loaded" >&2; exit 1; }
	NUMBA_BOUNDSCHECK=1 $(PY) -m pytest $(ARGS)

long-nojit: $(VENV)/.installed-test ## of the long suite: the examples in plain Python, uncompiled
	NUMBA_DISABLE_JIT=1 $(PY) -m pytest tests/test_examples.py $(ARGS)

long-wheel: $(VENV)/.installed-test ## of the long suite: the built wheel, in its own environment, away from the checkout
	@set -eux; room=$$(mktemp -d); trap 'rm -rf "$$room"' EXIT; \
	$(PIP_ENV) $(PY) -m pip wheel --quiet --no-deps --wheel-dir "$$room" .; \
	$(PY) -m venv "$$room/venv"; \
	$(PIP_ENV) "$$room/venv/bin/python" -m pip install --quiet "$$room"/firesim-*.whl; \
	cd "$$room"; venv/bin/python -m firesim --help > /dev/null; venv/bin/firesim demo

clean: ## remove the environment, caches and builds (results under out/ stay)
	rm -rf $(VENV) $(VENV).lock build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find firesim tests benchmarks notebooks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# --- the environment -------------------------------------------------------------------------------------------------

# Both names, so that build backends are pinned too: pip before 25.3 reads the first for builds, later ones the second.
PIP_ENV := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1

# Two makes in one checkout: the second waits (where flock exists).
LOCKED := exec 9> $(VENV).lock; if command -v flock > /dev/null; then flock 9; fi

# An environment whose interpreter is gone, or was made with another PYTHON than the one named: make it anew.
ifneq ($(shell test -x $(PY) && echo there),there)
.PHONY: $(MADE)
else ifneq ($(PYTHON),)
ifneq ($(PYTHON),$(shell cat $(MADE) 2>/dev/null))
.PHONY: $(MADE)
endif
endif

# A command called python3.12 may be absent, a launcher's stub, too old, or lack venv: each candidate has to run and say so.
$(MADE):
	@$(LOCKED); \
	if [ -x $(PY) ] && [ -e $(MADE) ] && [ -z "$(PYTHON)" -o "$(PYTHON)" = "$$(cat $(MADE))" ]; then exit 0; fi; \
	chosen=; \
	for candidate in $(if $(PYTHON),"$(PYTHON)",$(PYTHONS)); do \
	  if "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; \
	  then chosen=$$candidate; break; fi; \
	done; \
	if [ -z "$$chosen" ]; then \
	  echo "no usable Python: tried $(or $(PYTHON),$(PYTHONS)): needed 3.11, 3.12 or 3.13 with its venv module" \
	    "(Debian, Ubuntu: the package python3-venv); name one: make PYTHON=/path/to/python3.12 TARGET" >&2; \
	  exit 1; \
	fi; \
	echo "making $(VENV) with $$chosen ($$("$$chosen" -c 'import platform; print(platform.python_version())'))" >&2; \
	"$$chosen" -m venv --clear $(VENV) && echo "$$chosen" > $(MADE)

# One stamp per extra: set-up runs again only when the environment, the dependencies or the pins change.
$(VENV)/.installed-%: $(MADE) pyproject.toml constraints.txt
	@$(LOCKED); echo "installing firesim[$*] into $(VENV)" >&2; \
	$(PIP_ENV) $(PY) -m pip install --quiet --editable '.[$*]' && touch $@
