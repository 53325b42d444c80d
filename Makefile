# The front door. Each target installs what it needs (as root on Debian) or names what is missing.
.DEFAULT_GOAL := build
.PHONY: build wheel demo test test-long test-r proof sanitize fuzz soak mutate bench lint format install clean help dist test-dist

BUILD := build
PREFIX ?= /usr/local
SOAK_SECONDS ?= 600
FUZZ_SECONDS ?= 600
export NINJA_STATUS ?= fugu: step %f of %t, %es: 
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
TEST_JOBS ?= $(shell expr $(JOBS) + 2)

help:            ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

# What a target needs from Debian, by purpose: packages/*.txt.
deps:
	@scripts/deps packages/build.txt
test-deps:
	@scripts/deps packages/build.txt packages/python.txt packages/r.txt packages/test.txt
.PHONY: deps test-deps

# The tests are configured when somebody wants them: the program needs fewer packages, and is not built again.
configure: deps
	@test -f $(BUILD)/build.ninja || cmake --preset default -DBUILD_TESTING=OFF -DFUGU_WERROR=$(or $(FUGU_WERROR),OFF) >/dev/null
configure-tests: test-deps
	@grep -qs '^BUILD_TESTING:BOOL=ON' $(BUILD)/CMakeCache.txt || \
	  cmake --preset default -DBUILD_TESTING=ON -DFUGU_WERROR=$(or $(FUGU_WERROR),OFF) >/dev/null
.PHONY: configure configure-tests

build: configure ## build/fugu, the program
	@cmake --build $(BUILD) --target fugu

wheel: configure ## dist/fugu_privacy-….whl, the Python package, for Debian's own Python
	@scripts/deps packages/python.txt
	@cmake --build $(BUILD) --target fugu_rooms
	@scripts/wheel $(BUILD) dist

dist: configure  ## what people install, into dist/: static program, Debian package, wheel, R package, OCI image, checksums, bill of materials
	@scripts/deps packages/python.txt packages/dist.txt
	@cmake --build $(BUILD) --target fugu fugu_pages fugu_rooms
	@scripts/dist $(BUILD) dist

test-dist: dist  ## each of them installed and used in a bootstrapped Debian, as root
	@/usr/bin/python3 -B -m pytest -q -p no:cacheprovider tests/dist

demo: build      ## the whole story on the paper's own table, written to fugu-demo/
	@$(BUILD)/fugu demo --dir fugu-demo --force

test: configure-tests ## every test but those of the proofs and those that wait for test-long
	@cmake --build $(BUILD)
	@scripts/build-readers fuzzers
	@cd $(BUILD) && RC_PARAMS="$${RC_PARAMS:-max_success=40}" ctest --output-on-failure -j $(TEST_JOBS) -LE long

test-long: test  ## make test, then what waits for this, far more random input, draws and kills, then all three sanitizers over everything
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS) -L long
	@cd $(BUILD) && FUGU_LONG=1 RC_PARAMS="max_success=2000" ctest --output-on-failure -j $(JOBS) -R 'Property|Optimum.Many|cli/(release|ledger|closeness|belief)_test|python/(spark|programs)$$'
	@cd $(BUILD) && RC_PARAMS="max_success=5000" ctest --output-on-failure -j $(JOBS) -R 'SharpProperty|Transfer.*Property'
	@FUGU_LONG=1 FUGU=$(abspath $(BUILD))/fugu /usr/bin/python3 -B -m pytest -q -s -p no:cacheprovider tests/recomputed
	@$(MAKE) --no-print-directory sanitize

test-r: build    ## R CMD check of the R package, without errors and warnings
	@scripts/deps packages/r.txt
	@cmake --build $(BUILD) --target fugu_rooms
	@FUGU=$(abspath $(BUILD))/fugu r/test $(BUILD) --check

proof:           ## the theories in Coq, what they rest on, and build/fugu-check, held against the program where that is built
	@scripts/deps packages/proof.txt
	@$(MAKE) --no-print-directory -C proofs BUILD=$(abspath $(BUILD)) -j $(JOBS)
	@/usr/bin/python3 -B -m pytest -q -s -p no:cacheprovider tests/proof

docs:            ## the documents as an offline site with search, build/site/html
	@scripts/deps packages/docs.txt
	@scripts/site
.PHONY: docs

# The pages' own tests and the Python package are left out: neither Chromium nor Python's interpreter is compiled so.
sanitize: configure-tests ## address, undefined and thread sanitizers over every C++ test and the program, 20 random cases each; the first at -O0 as well
	@for preset in asan-ubsan tsan unoptimised; do \
	  cmake --preset $$preset >/dev/null && cmake --build build-$$preset && \
	  (cd build-$$preset && RC_PARAMS="max_success=20" ctest --output-on-failure -j $(JOBS) -E '^page/') || exit 1; \
	done

soak: build      ## ten minutes of releases under limits, on full disks and in PostgreSQL, killed at random (SOAK_SECONDS=600 SOAK_SPARK=PYTHON)
	@/usr/bin/python3 -B tests/soak/soak.py $(BUILD)/fugu --seconds $(SOAK_SECONDS) $(if $(SOAK_SPARK),--spark $(SOAK_SPARK))

fuzz: test-deps  ## every reader under its fuzzer, FUZZ_SECONDS each, and what they reach
	@FUGU_READERS_LEVEL=-O1 scripts/build-readers fuzzers
	@tests/fuzz/run.py long $(FUZZ_SECONDS)

mutate: configure-tests ## 100 small faults in the rooms of the promise: which do the tests miss? (SEED=12 COUNT=100)
	@cmake --preset single >/dev/null && cmake --build build-single -- --quiet
	@scripts/mutate --build build-single --seed $(or $(SEED),12) --count $(or $(COUNT),100) --jobs $(JOBS)

bench: configure ## speed and memory against peers (installs them with pip into .venv)
	@bench/run

lint: configure-tests ## formatting, clang-tidy, cppcheck, pyflakes, the pages' types, the table of rooms
	@scripts/deps packages/lint.txt
	@scripts/lint

format:          ## clang-format over the sources
	@scripts/deps packages/lint.txt
	@git ls-files '*.h' '*.cc' | xargs clang-format-16 -i

install: build   ## program, library, headers, man page, completion under PREFIX
	@cmake --build $(BUILD) --target fugu_install -- --quiet
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:           ## remove what was built
	@rm -rf $(BUILD) build-*
