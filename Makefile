# Steno's tasks; `make` lists them. Every change must pass `make check`; `.ci/run` runs the same on a fresh machine.

SWIFT ?= swift
PREFIX ?= /usr/local
SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources \
    Examples/Package.swift Examples/Sources Examples/Programs Examples/CaptionsApp/Sources
# Tests are built without optimisation, which compiles in a third of the time; the kernels, where the time goes, are optimised all
# the same. Not in the debug configuration, in which swift-argument-parser checks every command at every start: that would be a
# third of the time of all tests. No debug information is written, which saves a tenth of the time to compile.
# OPTIMIZED=1 tests what users get.
UNOPTIMIZED = -debug-info-format none \
    -Xswiftc -Onone -Xswiftc -no-whole-module-optimization -Xswiftc -enable-batch-mode -Xswiftc -incremental
QUICK = -c release --scratch-path $(CHECKED) $(if $(OPTIMIZED),,$(UNOPTIMIZED))
CHECKED = .build-check$(if $(OPTIMIZED),-optimized)
# The build that includes store and server, treats warnings as errors, and lets each target import only the targets it names. All
# checks use it, and `check` and .ci/run use it for the tests too, so that they compile everything once.
STRICT = $(QUICK) --traits Server -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

# The installed command must not need a Swift toolchain. Apple's systems include the library.
ifeq ($(shell uname),Linux)
STATIC := --static-swift-stdlib
endif
# Installed programs have their own build folder, because tests build the modules with other flags, which would cause rebuilds.
# SWIFTFLAGS: more options for SwiftPM, for example --disable-sandbox inside another sandbox.
# With the trait, which only the server uses, steno and steno-server share their modules.
RELEASE := -c release --traits Server --scratch-path .build-install $(STATIC) $(SWIFTFLAGS)

.PHONY: help formula check check-rest test test-bare test-beyond test-server test-isa test-arm lint tested strict docs-check check-examples check-apple long test-long test-busy \
    measure-live measure-live-hours measure-worker-hours test-spark fuzz faults sanitize sanitize-address sanitize-thread benchmarks \
    check-benchmarks check-store manual install \
    uninstall stage archive deb image release check-packages check-install check-allocations check-dependency libsteno check-c \
    wheel check-wheel format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# `require-NAME-NAME`: before compiling, reports missing programs and headers with the command that installs them. Building the
# installed programs needs libcurl's headers, because they contain Foundation's networking.
require-%:
	@SWIFT='$(SWIFT)' Tools/ci/require.sh $(subst -, ,$*)

check: EVERYTHING := 1
check: require-swift-python3-cc-curl-sqlite-groff strict test-bare test-beyond check-rest ## everything a change must pass

# All of `check` except the tests.
check-rest: EVERYTHING := 1
# The longest first, for two at a time.
check-rest: test-isa docs-check check-apple lint test-arm check-install check-store check-benchmarks check-examples

# The build of `make test`, whose programs other checks run. SwiftPM links the folder of a configuration to that of its products, so that
# checks that run at the same time need not wait for SwiftPM's lock to learn it.
FLAGS = $(if $(EVERYTHING)$(STENO_CI),$(STRICT),$(QUICK))
TEST = $(SWIFT) test $(FLAGS)
PRODUCTS = "$(CURDIR)/$(CHECKED)/release"

test: require-swift ## all tests except those of store and server (STENO_CI=1: with them), or those of FILTER=; lists skipped tests at the end
	Tools/ci/run_tests.sh $(TEST) $(if $(FILTER),--filter '$(FILTER)')

# What README.md promises a newcomer, on a machine where everything else is installed too: only Swift and make are found.
test-bare: EVERYTHING := 1
test-bare: require-swift ## `make test` as on a machine with Swift and make alone (Debian)
	STENO_SKIPPED="$(CURDIR)/$(CHECKED)/skipped.txt" Tools/ci/bare_machine.sh env -u STENO_CI \
	    Tools/ci/run_tests.sh $(TEST) --skip '$(SERVER_TESTS)'

# Every test is run once: here what found no program in the bare run, and store and server.
test-beyond: EVERYTHING := 1
test-beyond: require-swift-sqlite ## the tests that `make test-bare` skipped, and those of store and server
	Tools/ci/run_tests.sh $(TEST) --filter '$(SERVER_TESTS)' \
	    --filter "$$(sed -E 's/[][().*+?|^$$]/\\&/g; s/.*/[.\/]&\//' $(CHECKED)/skipped.txt | sort -u | paste -sd '|')"

SERVER_TESTS := ^Steno(Store|Server)Tests\.

# These link a web server, a database and TLS, which take minutes to compile.
test-server: require-swift-sqlite ## the tests of store and server
	Tools/ci/run_tests.sh $(SWIFT) test $(STRICT) --filter '$(or $(FILTER),^Steno(Store|Server)Tests\.)'

# A filter that matches no test only builds.
tested: require-swift
	$(TEST) --filter '^nothing$$'

strict: require-swift-sqlite ## everything, including tests, compiles with warnings as errors; targets import only the targets they name
	$(SWIFT) test $(STRICT) --filter '^nothing$$'

# Without SwiftPM's lock, because nothing is built.
test-isa: tested ## the tests of the kernels, once for each instruction set of this processor
	STENO_TEST="$(TEST) --skip-build --ignore-lock" Tools/ci/test_isa.sh

test-arm: ## the arm64 kernels against the portable ones, under qemu on other hosts
	Tools/ci/test_arm.sh

lint: require-swift-python3 ## source format (.swift-format), and phrases to avoid (Tools/ci/phrases.txt)
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	Tools/ci/check_phrases.py

docs-check: require-python3 strict ## documents: figures come from Benchmarks/results, code compiles, links work, docc converts; at most 330 public symbols
	Tools/documents/figures.py --check
	Tools/documents/pictures.py --check
	Tools/ci/check_docs.sh $(PRODUCTS)
	Tools/ci/check_surface.sh $(PRODUCTS)

check-apple: require-python3 strict ## the library without StenoEvaluation and StenoServer, and CaptionsApp, compile for macOS 13 and iOS 16 against stubs
	Tools/ci/check_apple.sh $(PRODUCTS)

check-benchmarks: strict ## Benchmarks/, a separate package, compiles with the current library
	Tools/ci/check_benchmarks.sh $(PRODUCTS)

check-store: strict ## the trait Store without the trait Server: StenoStore and its tests compile without the server's packages
	Tools/ci/check_store.sh $(PRODUCTS)

check-examples: strict ## Examples/, a separate package, compiles with the current library
	Tools/ci/check_examples.sh $(PRODUCTS)

long: require-swift-python3-curl-sqlite ## checks that take too long for `check` (Tools/ci/run_long.sh), and a table of the results
	Tools/ci/run_long.sh

test-long: require-swift-sqlite ## all tests of optimised code, including those that take minutes
	STENO_LONG=1 $(MAKE) --no-print-directory OPTIMIZED=1 EVERYTHING=1 test

test-busy: require-swift-sqlite ## all tests three times while every core is busy
	Tools/ci/repeat_tests.sh 3
	Tools/ci/repeat_tests.sh 3 $(MAKE) --no-print-directory test-server

# Skipped where Python lacks what reads the recordings.
PYTHON ?= python3
MEASURE = $(PYTHON) -c 'import numpy, soundfile' 2> /dev/null || { echo "$@: skipped: $(PYTHON) has no numpy and soundfile (Tools/requirements.txt)"; exit 0; }; \
    $(SWIFT) build $(RELEASE) --product steno && steno="$$($(SWIFT) build $(RELEASE) --show-bin-path)/steno" && $(PYTHON) Tools/live

measure-live: require-swift-curl-python3 ## latency and word error rate of live transcription, in real time
	@$(MEASURE)/measure_live.py --steno "$$steno" --set talk --pace realtime

measure-live-hours: require-swift-curl-python3 ## three hours of speech in real time: memory and lag stay flat
	@$(MEASURE)/long_session.py --steno "$$steno" --hours 3

measure-worker-hours: require-swift-curl-python3-ffmpeg ## 24 hours of audio through one `steno transcribe --from-list`: memory and descriptors stay flat
	$(SWIFT) build $(RELEASE) --product steno
	Tools/archives/measure_worker.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/steno"

test-spark: require-swift-curl-python3-ffmpeg-java ## the Spark job under Spark 3.5 and 4, on a local cluster; needs Java 17
	$(SWIFT) build $(RELEASE) --product steno
	Integrations/spark/tests/run.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/steno"

fuzz: require-swift ## ten thousand damaged files for each reader (a short run is part of `test`)
	STENO_FUZZ_COUNT=10000 $(TEST) --filter "Fuzz|LongStream"

# Built as the tests are, into a copy. FAULTS=3,17: only these.
faults: require-swift-sqlite-python3 ## sixty planted faults, each of which must make its suites fail (Tests/Faults/faults.toml)
	python3 Tools/ci/test_plant_faults.py
	SWIFT='$(SWIFT)' Tools/ci/plant_faults.py $(if $(FAULTS),--only $(FAULTS)) -- -c release $(UNOPTIMIZED) --traits Server

# The test targets for the sanitizers: all of them, including store and server.
SANITIZED ?= ^Steno[A-Za-z]*Tests\.
# Without XCTest, which has no tests here and itself leaks 144 bytes. Not optimised: in optimised code the sanitizers stop inside SwiftNIO.
SANITIZE := Tools/ci/run_tests.sh $(SWIFT) test -c release $(UNOPTIMIZED) --traits Server --disable-xctest --filter '$(SANITIZED)'

sanitize: sanitize-address sanitize-thread ## all tests under both sanitizers (SANITIZED= a filter)

# For both sanitizers: a test requests more memory than there is, which must cause one of our errors.
ADDRESS_OPTIONS := \
    ASAN_OPTIONS=allocator_may_return_null=1:suppressions=$(CURDIR)/Tools/ci/address_sanitizer.supp \
    LSAN_OPTIONS=print_suppressions=0:suppressions=$(CURDIR)/Tools/ci/leak_sanitizer.supp

sanitize-address: require-swift-sqlite ## all tests under the address sanitizer, which also finds leaks
	$(ADDRESS_OPTIONS) $(SANITIZE) --sanitize=address --scratch-path .build-address

THREAD_OPTIONS := TSAN_OPTIONS=allocator_may_return_null=1:suppressions=$(CURDIR)/Tools/ci/thread_sanitizer.supp

sanitize-thread: require-swift-sqlite ## all tests under the thread sanitizer
	$(THREAD_OPTIONS) $(SANITIZE) --sanitize=thread --scratch-path .build-thread

# A separate package, which `check` compiles but does not link.
benchmarks: require-swift ## the kernels, and Whisper base, compared with the roofline of this machine
	$(SWIFT) build -c release --package-path Benchmarks
	@cd Benchmarks && for part in ceilings kernels engine; do .build/release/steno-benchmarks $$part; echo; done

# The manual page and the completions come from the help of steno and of steno-server, which runs some of its commands.
MANUAL := share/man/man1/steno.1
BASH_COMPLETION := share/bash-completion/completions/steno
ZSH_COMPLETION := share/zsh/site-functions/_steno
FISH_COMPLETION := share/fish/vendor_completions.d/steno.fish
SHARED := $(MANUAL) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

# Programs that are already built are installed from their folder: BUILT=FOLDER.
PROGRAMS = $(or $(BUILT),$$($(SWIFT) build $(RELEASE) --show-bin-path))

manual: require-swift-curl$(if $(BUILT),,-sqlite) ## the manual page and the completions of bash, zsh and fish, in .build-install/share
	$(if $(BUILT),,$(SWIFT) build $(RELEASE) --product steno)
	$(if $(BUILT),,$(SWIFT) build $(RELEASE) --product steno-server)
	$(SWIFT) build $(RELEASE) --product generate-manual
	generator="$$($(SWIFT) build $(RELEASE) --show-bin-path)/generate-manual" && \
	    Tools/install/make_manual.sh "$(PROGRAMS)" "$$generator" .build-install

install: manual ## the commands, their models, manual page and completions below PREFIX (default /usr/local)
	mkdir -p "$(DESTDIR)$(PREFIX)/lib/steno" "$(DESTDIR)$(PREFIX)/bin"
	programs="$(PROGRAMS)" && rm -rf "$(DESTDIR)$(PREFIX)/lib/steno/"* && \
	    cp -R "$$programs/steno" "$$programs/steno-download" "$$programs/steno-server" "$$programs"/Steno_*.* \
	        "$(DESTDIR)$(PREFIX)/lib/steno/"
	ln -sf ../lib/steno/steno "$(DESTDIR)$(PREFIX)/bin/steno"
	set -e; for file in $(SHARED); do \
	    mkdir -p "$$(dirname "$(DESTDIR)$(PREFIX)/$$file")"; \
	    cp ".build-install/$$file" "$(DESTDIR)$(PREFIX)/$$file"; \
	done

uninstall: ## remove the installed files
	rm -rf "$(DESTDIR)$(PREFIX)/lib/steno"
	rm -f "$(DESTDIR)$(PREFIX)/bin/steno"
	for file in $(SHARED); do rm -f "$(DESTDIR)$(PREFIX)/$$file"; done

# The library for C: Swift's runtime is linked into it, so these objects are compiled like the installed programs.
LIBSTENO := .build-install/libsteno

libsteno: require-swift-cc ## libsteno for C, shared and static, with its header, in .build-install/libsteno (Linux)
	$(SWIFT) build $(RELEASE) --product StenoC
	Tools/install/make_libsteno.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/libStenoC.a" $(LIBSTENO)

check-c: libsteno ## the header in C11 and C++17, the library's symbols, the C example; address sanitizer and valgrind
	Tools/ci/check_c.sh $(LIBSTENO)

wheel: libsteno require-curl-python3 ## the Python wheel, dist/steno-*.whl (Linux)
	$(SWIFT) build $(RELEASE) --product steno
	Integrations/python/make_wheel.py $(LIBSTENO) "$$($(SWIFT) build $(RELEASE) --show-bin-path)" dist

check-wheel: wheel ## the wheel in clean environments of the installed Pythons, with its tests
	Tools/ci/check_wheel.sh dist/steno-*.whl

# Packages are made from one installed tree, for the system that they are made on.
VERSION = $(shell sed -n 's/.*current = "\(.*\)".*/\1/p' Sources/Steno/Support/Version.swift)
STAGE = .build-install/stage

stage:
	rm -rf $(STAGE)
	$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(CURDIR)/$(STAGE)

archive: require-swift-curl-sqlite-strip stage ## dist/steno-VERSION-linux-ARCH.tar.gz: runs where it is unpacked; install.sh copies it to a prefix
	Tools/packages/make_archive.sh $(STAGE) $(VERSION)

deb: require-swift-curl-sqlite-dpkg stage ## dist/steno_VERSION_ARCH.deb, with a systemd unit for the server and a user service for captions
	Tools/packages/make_deb.sh $(STAGE) $(VERSION)

image: require-mmdebstrap deb ## dist/steno-image.tar: an OCI image of the server, made without a daemon
	Tools/packages/make_image.py dist/steno_$(VERSION)_$$(dpkg --print-architecture).deb $(VERSION)

# Homebrew builds from source; it was not run on a Mac.
formula: ## dist/steno.rb, a Homebrew formula, and the source archive that it names (URL=the folder that it will be downloaded from)
	Tools/packages/make_formula.sh $(VERSION) $(URL)

release: wheel archive deb image ## all packages, their checksums (SHA256SUMS), a bill of materials, and the notes of this version
	Tools/packages/make_sbom.py $(VERSION) dist/steno-$(VERSION).sbom.json
	awk '/^## /{ inside = index($$0, "## $(VERSION)") == 1 } inside' CHANGELOG.md > dist/NOTES.md
	cd dist && rm -f SHA256SUMS && sha256sum -- * > SHA256SUMS && cat SHA256SUMS

check-packages: require-openssl-mmdebstrap-umoci-runc-python3 ## install what is in dist on a clean Debian, boot it, and use it (root)
	Tools/ci/check_packages.sh

check-dependency: require-swift ## Examples/ as a package that depends on this one by version, in a debug build
	Tools/ci/check_dependency.sh

# For every change with the programs of the tests; before a release (`make long`) with those that users get, built for it.
check-install: require-curl-groff $(if $(EVERYTHING)$(STENO_CI),strict) ## install, hide the build, and run the command from another folder; manual, completions; uninstall
	Tools/ci/check_install.sh $(if $(EVERYTHING)$(STENO_CI),$(PRODUCTS))

# Only with glibc, because malloc cannot be replaced elsewhere.
check-allocations: require-curl-python3-cc ## decoding a token allocates at most once; pushing audio neither allocates nor locks
ifeq ($(shell uname),Linux)
	$(SWIFT) build $(RELEASE) --product StenoFuzzTool
	$(SWIFT) build $(RELEASE) --product steno
	products="$$($(SWIFT) build $(RELEASE) --show-bin-path)" && Tools/ci/count_pushes.sh "$$products/StenoFuzzTool" && \
	    Tools/ci/count_allocations.sh --at-most 1 "$$products/steno" Tests/Fixtures/speech/talk.flac
endif

format: require-swift ## format all sources with .swift-format
	$(SWIFT) format format --in-place --recursive --parallel $(SOURCES)

clean: ## remove all build folders
	rm -rf Examples/.build Benchmarks/.build .build .build-check .build-check-optimized .build-install .build-address .build-thread .build-arm .build-long .build-faults .build-spark dist
