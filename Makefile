# make demo      a Chinese sentence segmented by a real model, in place, in one arena:  make demo SENTENCE='…'
# make check     the tests, the longest ones on a part of what they cover
# make sweep     those on the rest of it: further random programs, models of packages, instruction sets
# make sanitize  tests of the runtime with ASan and UBSan, then with TSan
# make fuzz      random programs, decided, run, held against an interpreter:  make fuzz N=20000 SEED=1
# make docs      the pages of docs/ that come from the code
# make paddle    paddlepaddle in an environment of its own, under build/peers, for the tests on programs that it writes
# make bench     how the passes scale
# make clean     removes what was built; .venv stays, `make distclean` removes it too

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python3.10; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
PY := $(VENV)/bin/python
# Errors only: pip warns of what is no concern of ours, such as a mirror that lacks a package.
PIP := $(PY) -m pip --disable-pip-version-check -qq
SAY := @printf '\033[1m%s\033[0m\n'
# Through the environment, so that it may hold quotes.
export SENTENCE ?=
PYTHON_FILES := $(shell find . -name '*.py*' -type f -not -name '*.pyc' -not -path './$(VENV)/*' -not -path './build/*')
CPP := CMakeLists.txt $(wildcard runtime/cpp/* runtime/cpp/*/* passes/planning/cpp/*)

# As many workers as cores: threads of each would only wait for those of the others.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PY) -m pytest -q -n auto --maxprocesses 4 --dist worksteal

N ?= 2000
SEED ?= 0

.PHONY: demo check sweep sanitize fuzz docs paddle bench clean distclean setup
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

demo: setup
	@$(PY) examples/lac/demo.py $${SENTENCE:+"$$SENTENCE"}

check: setup
	@rm -f build/*.xml build/ruff.status
	$(SAY) 'ruff: style and unused names'
	@$(VENV)/bin/ruff check -q .; echo $$? > build/ruff.status
	$(SAY) 'pyright: types; lit: textual IR through the tools; pytest: everything else; all at once'
	@$(MAKE) -s build/pyright.status & \
	$(VENV)/bin/lit -q --xunit-xml-output build/lit.xml test/lit & \
	$(PYTEST) -m 'not sweep' --junit-xml build/pytest.xml test; \
	wait; test "$$(cat build/pyright.status)" = 0 || cat build/pyright.txt
	@$(PY) .ci/summary.py build/ruff.status build/pyright.status build/lit.xml build/pytest.xml

sweep: setup
	@rm -f build/sweep.xml
	$(SAY) 'pytest: further random programs, models and instruction sets'
	@$(PYTEST) -m sweep --junit-xml build/sweep.xml test; $(PY) .ci/summary.py build/sweep.xml

sanitize: setup
	@.ci/sanitize address
	@.ci/sanitize thread

fuzz: setup
	@$(PY) test/fuzz/run_fuzz.py $(N) --seed $(SEED)

# Types are looked at again where a file has changed.
build/pyright.status: $(PYTHON_FILES) $(VENV)/installed.stamp
	@$(VENV)/bin/pyright > build/pyright.txt && echo 0 > $@ || { echo 1 > $@; touch -t 197001020000 $@; }

docs: setup
	$(SAY) 'docs: the pages that come from the code'
	@$(PY) docs/generate.py

paddle: setup
	@$(PY) bench/peers.py

bench: setup
	@for file in bench/*.py; do printf '\033[1m%s\033[0m\n' "$$file"; $(PY) "$$file" || exit 1; done

clean:
	rm -rf build dist .pytest_cache .ruff_cache .hypothesis
	rm -f $(VENV)/*.stamp
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)

# Set-up. Each stamp is younger than what it was made from, so a second `make` does nothing.

setup: $(VENV)/installed.stamp
	@mkdir -p build

$(PY):
	@test -n '$(PYTHON)' || { echo 'error: no Python 3.10 or newer found; make PYTHON=/path/to/python3' >&2; exit 1; }
	$(SAY) 'set-up: a virtual environment in $(VENV)'
	@$(PYTHON) -m venv $(VENV) || { echo 'error: $(PYTHON) cannot make one; on Debian: apt install python3-venv' >&2; exit 1; }

$(VENV)/installed.stamp: pyproject.toml $(CPP) | $(PY)
	@command -v $${CXX:-c++} > /dev/null || { echo 'error: no C++ compiler found; set CXX' >&2; exit 1; }
	$(SAY) 'set-up: packages, and the C++ runtime built against oneDNN (a few minutes the first time)'
	@$(PIP) install -e '.[dev,examples]'
	@touch $@
