# make run    sets up this machine and opens the window (a spoken tour where there is no display)
# make test   sets up this machine and runs every check
.PHONY: run test check lint types contracts tests constraints bench-startup bench-voice bench-soak bench-agent clean

ARGS ?= --sample-data
VENV := .venv/bin

run:
	@packaging/bootstrap.sh run
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" != Linux ]; then \
		exec $(VENV)/greenroom $(ARGS); \
	else \
		exec $(VENV)/greenroom tour; \
	fi

test:
	@packaging/bootstrap.sh test
	@$(MAKE) --no-print-directory check

check: lint types contracts tests

lint:
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .

types:
	$(VENV)/mypy

contracts:
	$(VENV)/lint-imports

tests:
	QT_QPA_PLATFORM=offscreen $(VENV)/python -m pytest -n auto --dist worksteal

# Writes the exact versions of what is installed now; run it after changing dependencies in pyproject.toml.
constraints:
	@packaging/bootstrap.sh test
	$(VENV)/python -m pip freeze --exclude-editable | grep -E '^[A-Za-z0-9_.-]+==' >constraints.txt

bench-startup:
	$(VENV)/python benchmarks/bench_startup.py

bench-voice:
	$(VENV)/python benchmarks/bench_voice.py

bench-soak:
	$(VENV)/python benchmarks/bench_soak.py

# The SDKs it compares with live in an environment of their own, never in .venv.
bench-agent:
	@packaging/bootstrap.sh bench
	.venv-bench/bin/python benchmarks/bench_agent.py

clean:
	rm -rf .venv .venv-bench build dist tour
