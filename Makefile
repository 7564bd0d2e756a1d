# Steno's tasks. `make check` is what a change must pass; `.ci/run` runs the same on a fresh machine.

SWIFT ?= swift
PREFIX ?= /usr/local
SOURCES := Package.swift Sources Tests Snippets Benchmarks/Package.swift Benchmarks/Sources
SNIPPETS := $(basename $(notdir $(wildcard Snippets/*.swift)))

# The installed command shall need no Swift toolchain. Apple's systems bring the library themselves.
ifeq ($(shell uname),Linux)
STATIC := --static-swift-stdlib
endif
# What people run is built in a folder of its own: tests open the modules' insides, and changing that builds all anew.
RELEASE := -c release --scratch-path .build-install $(STATIC)

.PHONY: check check-rest test test-arm lint strict snippets fuzz sanitize benchmarks install uninstall check-install format clean

check: test check-rest ## everything a change must pass

check-rest: test-arm lint strict snippets check-install check-allocations ## all of `check` but the tests

# The kernels are C, which a debug build does not optimise: the engine's tests would take hours there.
test: ## all tests, in release
	$(SWIFT) test -c release

test-arm: ## the arm64 kernels against the portable ones, under qemu where this is no arm64
	Tools/test_arm.sh

lint: ## the format, as .swift-format has it
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

# A folder of its own, since other flags would build everything anew each time.
strict: ## a debug build with warnings as errors, in which each target imports only what it names
	$(SWIFT) build --build-tests --scratch-path .build-check \
	    -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

snippets: ## build and run every program in Snippets
	@set -e; for name in $(SNIPPETS); do \
	    $(SWIFT) build $(RELEASE) --product $$name; \
	    echo "== $$name"; "$$($(SWIFT) build $(RELEASE) --show-bin-path)/$$name"; \
	done

fuzz: ## ten thousand broken files for each reader (a short run is part of `test`)
	STENO_FUZZ_COUNT=10000 $(SWIFT) test -c release --filter "Fuzz|LongStream"

# Without XCTest, which has nothing to run here and leaks 144 bytes of its own.
sanitize: ## the engine's tests under the address sanitizer, which finds leaks too, and under the thread sanitizer
	$(SWIFT) test -c release --sanitize=address --scratch-path .build-address --disable-xctest --filter StenoWhisperTests
	$(SWIFT) test -c release --sanitize=thread --scratch-path .build-thread --disable-xctest --filter StenoWhisperTests

# A package of its own, which no other target builds.
benchmarks: ## the kernels, and Whisper base, beside what this machine can do
	$(SWIFT) build -c release --package-path Benchmarks
	@cd Benchmarks && for part in ceilings kernels engine; do .build/release/steno-benchmarks $$part; echo; done

install: ## the command and its models below PREFIX (default /usr/local)
	$(SWIFT) build $(RELEASE) --product steno
	mkdir -p "$(DESTDIR)$(PREFIX)/lib/steno" "$(DESTDIR)$(PREFIX)/bin"
	products="$$($(SWIFT) build $(RELEASE) --show-bin-path)" && \
	    rm -rf "$(DESTDIR)$(PREFIX)/lib/steno/"* && \
	    cp -R "$$products/steno" "$$products"/Steno_*.* "$(DESTDIR)$(PREFIX)/lib/steno/"
	ln -sf ../lib/steno/steno "$(DESTDIR)$(PREFIX)/bin/steno"

uninstall: ## take away what `install` put there
	rm -rf "$(DESTDIR)$(PREFIX)/lib/steno"
	rm -f "$(DESTDIR)$(PREFIX)/bin/steno"

check-install: ## install, take the build away, and run the command from another folder
	Tools/check_install.sh

# With glibc only: elsewhere nothing can stand in for malloc.
check-allocations: ## decoding a token allocates nothing but its places in the lists
ifeq ($(shell uname),Linux)
	$(SWIFT) build $(RELEASE) --product steno
	Tools/count_allocations.sh --at-most 1 "$$($(SWIFT) build $(RELEASE) --show-bin-path)/steno" Tests/Fixtures/speech/talk.flac
endif

format: ## write all sources as .swift-format has it
	$(SWIFT) format format --in-place --recursive --parallel $(SOURCES)

clean: ## take away everything that was built
	rm -rf Benchmarks/.build .build .build-check .build-install .build-address .build-thread .build-arm
