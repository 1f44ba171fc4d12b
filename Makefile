# A thin layer over CMake. `make help` lists what there is.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# Many tests wait, for a launcher or for the end of a job that has failed, and leave their core to another.
TESTS_AT_ONCE ?= $(shell expr $(JOBS) + 1)
MAKEFLAGS += --no-print-directory

# Ninja where there is one, at the time when it is needed: `make check` may have just installed it.
with_ninja = $$(command -v ninja >/dev/null && echo env CMAKE_GENERATOR=Ninja)
# $(call build,PRESET[,TARGET])
define build
	$(with_ninja) cmake --preset $(1)
	cmake --build --preset $(1) --parallel $(JOBS) $(if $(2),--target $(2))
endef
# $(call test,PRESET[,OF THE BUILD])
test = ctest --preset $(1) --parallel $(TESTS_AT_ONCE) || \
    { scripts/print-failed-tests build/$(or $(2),$(1)); false; }
# $(call build_and_test,PRESET)
define build_and_test
	$(call build,$(1))
	$(call test,$(1))
endef
# $(call test_longer,TIER): the tests of a tier other than the gate, and those of the sanitizers, whose
# longest tier is the nightly one.
define test_longer
	scripts/ensure-packages test
	$(call build,gcc)
	$(call test,gcc-$(1),gcc)
	$(call build,asan-nightly)
	$(call test,asan-nightly,asan)
	$(call build,tsan-nightly)
	$(call test,tsan-nightly,tsan)
	$(call build,single-files)
endef
folders = include src tests examples bench python experiments packaging
sources = find $(folders) -name '*.[ch]pp' -o -name '*.[ch]' | sort
scripts = grep -rlI '^\#!/bin/sh' .ci scripts $(folders) | sort

# The site is made by programs in Python, in an environment of their own.
docs_venv = build/docs-venv
# $(call build_site[,OPTIONS])
build_site = scripts/build-site $(docs_venv)/bin/sphinx-build build/site -j $(JOBS) $(1)

.NOTPARALLEL:
.PHONY: all demo check check-quick check-nightly check-weekly check-gcc check-asan check-tsan check-python check-style check-docs docs wheels explore fuzz faults faults-gate format tidy install uninstall clean help

all: ## build the library, the tool and the examples
	scripts/ensure-packages build
	$(call build,release)

demo: ## see it work: three examples on 4 PEs, beside the same job without Boxcar
	scripts/ensure-packages build
	$(call build,release,demo)

check: check-gcc check-asan check-tsan check-python check-style check-docs ## the gate: what a change must pass

check-quick: ## while you work: the gate without launchers of clusters and worlds of 64 PEs
	scripts/ensure-packages test
	$(call build,gcc)
	$(call test,quick,gcc)

check-nightly: ## the gate and the nightly tests, with every case, and again with the sanitizers
	$(call test_longer,nightly)
	BOXCAR_TEST_TIER=nightly $(MAKE) check-python check-style check-docs

check-weekly: ## every test there is, and every planted fault
	$(call test_longer,weekly)
	BOXCAR_TEST_TIER=weekly $(MAKE) check-python check-style check-docs faults

check-gcc: ## the gate, built by GCC with warnings as errors
	scripts/ensure-packages test
	$(call build_and_test,gcc)

check-asan: ## its tests for AddressSanitizer and UndefinedBehaviorSanitizer, built by Clang
	scripts/ensure-packages test
	$(call build_and_test,asan)

check-tsan: ## its tests for ThreadSanitizer, built by Clang
	scripts/ensure-packages test
	$(call build_and_test,tsan)

check-python: ## the Python package: built, installed into an environment of its own, tested
	scripts/ensure-packages python
	scripts/check-python

check-style: ## is every source file formatted, every script sound, every comment in plain words?
	scripts/ensure-packages style
	$(sources) | xargs clang-format-16 --dry-run -Werror
	$(scripts) | xargs shellcheck
	scripts/check_language.py
	scripts/list_files.py --check

docs: ## the documentation as a site, in build/site
	scripts/ensure-packages docs
	$(MAKE) $(docs_venv)/installed
	$(call build_site)

check-docs: ## is the site whole? built anew, warnings are errors, and tested in a browser
	scripts/ensure-packages check-docs
	$(MAKE) $(docs_venv)/installed
	rm -rf build/site build/site-work
	$(call build_site,--fail-on-warning --keep-going)
	$(docs_venv)/bin/python -B -m pytest -c site/pytest.ini site/tests

$(docs_venv)/installed: site/requirements.txt
	python3 -m venv --clear $(docs_venv)
	$(docs_venv)/bin/pip install --quiet --disable-pip-version-check -r site/requirements.txt
	touch $@

explore: ## small programs in a million different orders of what happens (BOXCAR_EXPLORE_SCHEDULES)
	scripts/ensure-packages test
	$(call build,gcc,exploration_tests)
	BOXCAR_EXPLORE_SCHEDULES=$${BOXCAR_EXPLORE_SCHEDULES:-1000000} \
	    build/gcc/tests/exploration/exploration_tests --gtest_brief=1

fuzz: ## readers of files and messages against inputs of a fuzzer, FUZZ_SECONDS each (3600)
	scripts/ensure-packages test
	$(call build,asan,fuzzers)
	PATH=/usr/lib/llvm-16/bin:$$PATH scripts/fuzz build/asan

faults: ## plant known faults one by one: is each noticed by a test?
	scripts/ensure-packages test
	$(with_ninja) scripts/plant-faults --jobs $(JOBS)

faults-gate: ## the same with the tests of the gate: is each noticed by `make check`?
	scripts/ensure-packages test
	$(with_ninja) scripts/plant-faults --gate --jobs $(JOBS)

format: ## format every source file
	scripts/ensure-packages style
	$(sources) | xargs clang-format-16 -i

tidy: ## clang-tidy over the library and the tool
	scripts/ensure-packages tidy
	$(with_ninja) cmake --preset single-files
	run-clang-tidy-16 -quiet -p build/single-files '/src/'

wheels: ## binary wheels of the Python package, in build/wheels/dist, tested (PYTHONS names interpreters)
	scripts/ensure-packages build
	$(with_ninja) scripts/make-wheels

install: all ## install to PREFIX=/usr/local
	cmake --install build/release --prefix $(PREFIX)

uninstall: ## remove what the last install has put there
	cmake --build build/release --target uninstall

clean: ## remove everything that was built
	cmake -E rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
	    while IFS='|' read -r target meaning; do printf 'make %-14s%s\n' "$$target" "$$meaning"; done
