# The front door. Each target installs what it needs (as root on Debian) or names what is missing.
.DEFAULT_GOAL := build
.PHONY: build wheel demo test test-long proof sanitize fuzz soak mutate bench lint format install clean help

BUILD := build
PREFIX ?= /usr/local
SOAK_SECONDS ?= 600
FUZZ_SECONDS ?= 600
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

help:            ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

deps:
	@scripts/deps packages.txt
.PHONY: deps

configure: deps
	@test -f $(BUILD)/build.ninja || cmake --preset default -DFUGU_WERROR=$(or $(FUGU_WERROR),OFF) >/dev/null
.PHONY: configure

build: configure ## build/fugu, the program
	@cmake --build $(BUILD) --target fugu -- $(if $(CI),,--quiet)

wheel: configure ## dist/fugu_privacy-….whl, the Python package, for Debian's own Python
	@cmake --build $(BUILD) --target fugu_rooms -- $(if $(CI),,--quiet)
	@scripts/wheel $(BUILD) dist

demo: build      ## the whole story on the paper's own table, written to fugu-demo/
	@$(BUILD)/fugu demo --dir fugu-demo --force

test: configure  ## every test of the gate
	@cmake --build $(BUILD) -- $(if $(CI),,--quiet)
	@scripts/build-readers $(if $(CI),,--quiet)
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)

test-long: test  ## the gate, then far more random input, draws and kills, then all three sanitizers over everything
	@cd $(BUILD) && FUGU_LONG=1 RC_PARAMS="max_success=2000" ctest --output-on-failure -j $(JOBS) -R 'Property|cli/(release|ledger)_test|python/(spark_cluster|ledger_at_once)_test'
	@cd $(BUILD) && RC_PARAMS="max_success=5000" ctest --output-on-failure -j $(JOBS) -R 'SharpProperty|Transfer.*Property'
	@$(MAKE) --no-print-directory sanitize

proof:           ## the theories in Coq, what they rest on, and build/fugu-check, held against the program where that is built
	@scripts/deps proofs/packages.txt
	@$(MAKE) --no-print-directory -C proofs BUILD=$(abspath $(BUILD)) -j $(JOBS)
	@/usr/bin/python3 -B -m pytest -q -s -p no:cacheprovider tests/proof

# The pages' own tests and the Python package are left out: neither Chromium nor Python's interpreter is compiled so.
sanitize: configure ## address, undefined and thread sanitizers over every C++ test and the program, 20 random cases each; the first at -O0 as well
	@for preset in asan-ubsan tsan unoptimised; do \
	  cmake --preset $$preset >/dev/null && cmake --build build-$$preset -- $(if $(CI),,--quiet) && \
	  (cd build-$$preset && RC_PARAMS="max_success=20" ctest --output-on-failure -j $(JOBS) -E '^page/') || exit 1; \
	done

soak: build      ## ten minutes of releases under limits, killed at random (SOAK_SECONDS=600)
	@/usr/bin/python3 -B tests/soak/soak.py $(BUILD)/fugu --seconds $(SOAK_SECONDS)

fuzz: deps       ## every reader under its fuzzer, FUZZ_SECONDS each, and what they reach
	@scripts/build-readers $(if $(CI),,--quiet)
	@tests/fuzz/run.py long $(FUZZ_SECONDS)

mutate: configure ## 100 small faults in calibrate, proof, verify and sample: which do the tests miss? (SEED=12 COUNT=100)
	@cmake --preset single >/dev/null && cmake --build build-single -- --quiet
	@scripts/mutate --build build-single --seed $(or $(SEED),12) --count $(or $(COUNT),100) --jobs $(JOBS)

bench: configure ## speed and memory against peers (installs them with pip into .venv)
	@bench/run

lint: configure  ## formatting, clang-tidy, cppcheck, pyflakes, the pages' types, the table of rooms
	@scripts/deps scripts/lint-packages.txt
	@scripts/lint

format:          ## clang-format over the sources
	@scripts/deps scripts/lint-packages.txt
	@git ls-files '*.h' '*.cc' | xargs clang-format-16 -i

install: build   ## program, library, headers, man page, completion under PREFIX
	@cmake --build $(BUILD) --target fugu_install -- --quiet
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:           ## remove what was built
	@rm -rf $(BUILD) build-*
