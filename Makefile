# Fumata. `make help` lists the targets; each installs what it lacks (.setup) and says so.

BUILD    ?= build
PREFIX   ?= /usr/local
DESTDIR  ?=
CC       ?= gcc
OPTIMISE ?= -O3
VERSION  := $(shell sed -n 's/^\#define FUMATA_VERSION_[A-Z]* \([0-9]*\)u$$/\1/p' core/version.h | paste -sd .)

# The core is freestanding: the compiler must not turn its loops into calls of memset or memcpy.
CORE_FLAGS  := -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -ffreestanding \
               -fno-tree-loop-distribute-patterns -fPIC
SHELL_FLAGS := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -fPIC -iquote shell -iquote . -DFUMATA_VERSION='"$(VERSION)"'
LIBRARIES   := -llinear -lxgboost -lsqlite3 -lcrypto -lopenblas -llapacke -lz -llzma -lzstd -lm -lpthread
CFLAGS      ?= $(OPTIMISE) -g

CORE     := $(patsubst core/%.c,$(BUILD)/core/%.o,$(sort $(wildcard core/*.c)))
# Some files of the core once more, for processors with wider vectors; gate/target.c chooses. Only one function of each is
# seen outside, under another name.
VECTORS  := $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),avx2 avx512)
WIDE     := $(foreach v,$(VECTORS),$(patsubst %,$(BUILD)/core/%-$(v).o,ballot meter crowd poll))
WIDE_ballot := fumata_ballot_tally_u8=target_tally_u8
WIDE_meter  := fumata_meter_answer=target_meter_answer
WIDE_crowd  := fumata_crowd_find=target_crowd_find
WIDE_poll   := fumata_poll_vote=target_poll_vote
# Points have a multiple of 16 coordinates: vectors of more would leave some over.
TUNING_crowd := -mprefer-vector-width=256
# The objects of some rooms of the shell (shell/README.md).
objects   = $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard $(patsubst %,shell/%/*.c,$(1)))))
PROGRAM  := $(call objects,base plan gate data learn run report command)
DOOR     := $(call objects,base plan gate door)
PARTS  := $(filter-out $(BUILD)/shell/command/main.o,$(PROGRAM)) $(call objects,door)
SUITES   := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/core/check_*.c tests/shell/check_*.c)))

.PHONY: all build lint test check verify mutants foreign audit audit-programs fuzz fuzz-programs demo bench accuracy experiments plan-table faults amalgamate install uninstall \
        wheel deb dist-check report-check distcheck format \
        clean help suites
.DEFAULT_GOAL := all

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Quiet, on all cores, and only when something changed.
MAKE_PROGRAM = $(MAKE) -q $(BUILD)/fumata $(BUILD)/libfumata-door.so $(BUILD)/libfumata.so $(BUILD)/libfumata.a $(PLUG_IN) 2>/dev/null || \
               { echo "building $(BUILD)/fumata"; $(MAKE) --no-print-directory -s -j$$(nproc) build; }

all: ## build the library and the program
	@./.setup build
	@$(MAKE_PROGRAM)

lint: ## format, scripts, Python, layers, names, lengths, dead names; builds nothing (ten seconds)
	@./.setup lint
	@tests/lint/run

test: ## the suites and the command line (a minute or two)
	@./.setup check
	@tests/run suites cli

check: ## run every test (about ten minutes)
	@./.setup check
	@tests/run

verify: ## check every proof: WP, Coq, lists (about twelve minutes on two cores)
	@./.setup verify
	@proofs/verify

mutants: ## break code and definitions 2300 times; the proof must notice each (an hour and a half; MUTANTS=--hand: two minutes)
	@./.setup verify
	@proofs/mutate $(MUTANTS)

demo: ## private learning on Fashion-MNIST, in two minutes
	@./.setup demo
	@$(MAKE_PROGRAM)
	@FUMATA=$(BUILD)/fumata shell/demo

foreign: ## the core on 32 bits, ARM and WebAssembly, and from C++, Rust and Go; `make check` tries what is installed
	@./.setup foreign
	@$(MAKE_PROGRAM)
	@tests/vectors/run
	@BUILD=$(BUILD) FUMATA=$(BUILD)/fumata sh tests/cli/library.sh

audit: ## attack the compiled core from outside: what can be measured, what depends on a secret, do compilers agree
	@./.setup audit
	@tests/audit/run

fuzz: ## every parser and the core's calls under libFuzzer, a minute each (about twelve minutes on two cores)
	@./.setup fuzz
	@tests/fuzz/run

bench: ## speed, as ratios to peers and to the machine's limits
	@./.setup bench
	@$(MAKE_PROGRAM)
	@FUMATA=$(BUILD)/fumata BUILD=$(BUILD) tests/bench/run

accuracy: ## private students on every data set of FUMATA_DATA (or of SETS="a9a ..."), five runs each; labels of published votes
	@./.setup bench
	@$(MAKE_PROGRAM)
	@FUMATA=$(BUILD)/fumata tests/bench/accuracy $(SETS)
	@FUMATA=$(BUILD)/fumata tests/bench/votes_labels

experiments: ## the papers' tables and ours, peers beside them: CSV and SVG in build/experiments (an hour; or NAMES="a9a ...")
	@./.setup experiments
	@$(MAKE_PROGRAM)
	@$(MAKE) --no-print-directory -s $(BUILD)/tests/experiments/own_rule
	@FUMATA=$(BUILD)/fumata OUT=$(BUILD)/experiments tests/experiments/run $(NAMES)

plan-table: ## the distances that the planner reaches, each certified by the core
	@./.setup build
	@$(MAKE_PROGRAM)
	@FUMATA=$(BUILD)/fumata BUILD=$(BUILD) tests/bench/plan_table

faults: ## 500 kill -9, full disks, failing writes: the long form
	@./.setup check
	@$(MAKE_PROGRAM)
	@FUMATA=$(BUILD)/fumata BUILD=$(BUILD) FAULTS=long tests/fault/run

format: ## lay out the C files the house way
	@./.setup format
	@find core shell tests -name "*.[ch]" -o -name "*.cpp" | xargs clang-format -i

clean: ## remove what was built (the fetched Alt-Ergo too)
	rm -rf build

# What follows is called by the targets above.

# The plug-in for mpirun, where Open MPI's compiler is; the program itself is built without.
PLUG_IN := $(if $(shell command -v mpicc),$(BUILD)/libfumata-mpi.so)

build: $(PLUG_IN) $(BUILD)/fumata $(BUILD)/parts.a $(BUILD)/libfumata.a $(BUILD)/libfumata.so $(BUILD)/libfumata-door.so
	@:

# The scan of a silence or a toll table compares 64-bit words, which plain x86-64 does twice as fast without vectors.
$(BUILD)/core/meter.o $(BUILD)/core/named.o: CORE_TUNING := -fno-tree-vectorize -funroll-loops

$(BUILD)/core/%.o: core/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CORE_FLAGS) $(CFLAGS) $(CORE_TUNING) $(EXTRA_CORE) -MMD -MP -c -o $@ $<

define WIDE_RULE
$(BUILD)/core/%-$(1).o: core/%.c Makefile
	@mkdir -p $$(@D)
	$$(CC) $$(CORE_FLAGS) $$(CFLAGS) $(2) $$(TUNING_$$*) -MMD -MP -c -o $$@ $$<
	objcopy --redefine-sym $$(WIDE_$$*)_$(1) --keep-global-symbol=$$(lastword $$(subst =, ,$$(WIDE_$$*)))_$(1) $$@
endef
$(eval $(call WIDE_RULE,avx2,-mavx2))
$(eval $(call WIDE_RULE,avx512,-mavx512bw -mavx512vl -mprefer-vector-width=512))

$(BUILD)/shell/%.o: shell/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(SHELL_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/fumata: $(PROGRAM) $(CORE) $(WIDE)
	$(CC) $(CFLAGS) -o $@ $^ $(LIBRARIES)

$(BUILD)/libfumata.a: $(CORE)
	@rm -f $@
	ar rcs $@ $^

SONAME := libfumata.so.0
PUBLIC := ballot_* noise_* certify_meter certify_toll certify_budget certify_classic certify_noise meter_* toll_* \
          budget_* classic_* count_* poll_* crowd_* partition_* ceiling_*
$(BUILD)/libfumata.so: $(CORE)
	@echo 'FUMATA_0 { global: $(patsubst %,fumata_%;,$(PUBLIC)) fumata_strerror; fumata_version; local: *; };' > $(BUILD)/core.map
	$(CC) $(CFLAGS) -shared -nostdlib -Wl,-soname,$(SONAME) -Wl,-z,defs -Wl,--version-script=$(BUILD)/core.map -o $@ $^

# What other languages need of the shell: planner, ledger, answering. Only fumata_door_* is visible.
$(BUILD)/libfumata-door.so: $(DOOR) $(CORE) $(WIDE)
	@printf 'FUMATA { global: fumata_door_*; local: *; };\n' > $(BUILD)/door.map
	$(CC) $(CFLAGS) -shared -Wl,-soname,libfumata-door.so.0 -Wl,-z,defs -Wl,--version-script=$(BUILD)/door.map \
	  -o $@ $^ -lsqlite3 -lcrypto -lm -lpthread

$(BUILD)/libfumata-mpi.so: shell/mpi/engine.c shell/learn/ranks_engine.h Makefile
	@mkdir -p $(@D)
	mpicc $(SHELL_FLAGS) $(CFLAGS) -fvisibility=hidden -shared -Wl,-z,defs -o $@ $<

# All but main: what suites, fault drivers and benchmarks link.
$(BUILD)/parts.a: $(PARTS) $(CORE) $(WIDE)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/tests/%: tests/%.c $(BUILD)/parts.a
	@mkdir -p $(@D)
	$(CC) $(SHELL_FLAGS) -iquote tests $(CFLAGS) -MMD -MP -o $@ $(filter-out %.h,$^) $(LIBRARIES) $$(pkg-config --libs check) $(EXTRA_LINK)

# The core's suites need the core alone; the one that makes plans to attack them needs the planner too.
$(BUILD)/tests/core/%: tests/core/%.c $(CORE)
	@mkdir -p $(@D)
	$(CC) $(SHELL_FLAGS) -iquote tests $(CFLAGS) -MMD -MP -o $@ $(filter-out %.h,$^) $(PLANNER_LIBRARIES) -lm $$(pkg-config --libs check) $(EXTRA_LINK)

$(BUILD)/tests/core/check_falsify $(BUILD)/tests/core/check_sampler: $(call objects,base plan)
$(BUILD)/tests/core/check_falsify $(BUILD)/tests/core/check_sampler: PLANNER_LIBRARIES := -lcrypto

suites: $(SUITES)

AUDIT := $(patsubst %,$(BUILD)/tests/audit/%.o,bounds crowd game laws plans subject)
audit-programs: $(BUILD)/tests/audit/epsilon $(BUILD)/tests/audit/tight

$(BUILD)/tests/audit/%.o: tests/audit/%.c
	@mkdir -p $(@D)
	$(CC) $(SHELL_FLAGS) -iquote tests $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/audit/epsilon $(BUILD)/tests/audit/tight: %: %.o $(AUDIT) $(call objects,base plan) $(CORE)
	$(CC) $(CFLAGS) -o $@ $^ -lcrypto -lm

# A fuzzing harness replays the files it is given, or has libFuzzer's main (FUZZER, tests/fuzz/run). INSTEAD: objects that
# go before those of the same name.
FUZZ := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/fuzz/*.c)))
fuzz-programs: $(FUZZ)

$(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(BUILD)/parts.a
	@mkdir -p $(@D)
	$(CC) $(SHELL_FLAGS) -iquote tests $(CFLAGS) $(FUZZER) -MMD -MP -o $@ $< $(INSTEAD) $(BUILD)/parts.a -Wl,--as-needed $(LIBRARIES)

amalgamate: ## write the core as fumata.h and fumata-core.c into build/amalgamated
	@core/dist/amalgamate $(BUILD)/amalgamated
	@ls $(BUILD)/amalgamated/fumata.h $(BUILD)/amalgamated/fumata-core.c

PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages
INTO := $(DESTDIR)$(PREFIX)

install: all ## install libraries, header, program, manual, Python module and specs under PREFIX
	@install -d $(INTO)/bin $(INTO)/lib/pkgconfig $(INTO)/include $(INTO)/share/man/man1 $(INTO)/share/man/man3 \
	  $(INTO)/share/doc/fumata $(INTO)/share/bash-completion/completions $(INTO)/share/zsh/site-functions $(INTO)/share/fish/vendor_completions.d \
	  $(DESTDIR)$(PYTHONDIR)/fumata
	@install -m 755 $(BUILD)/fumata $(INTO)/bin/fumata
	@install -m 644 $(BUILD)/libfumata.a $(INTO)/lib/libfumata.a
	@install -m 755 $(BUILD)/libfumata.so $(INTO)/lib/$(SONAME)
	@ln -sf $(SONAME) $(INTO)/lib/libfumata.so
	@install -m 755 $(BUILD)/libfumata-door.so $(INTO)/lib/libfumata-door.so.0
	@ln -sf libfumata-door.so.0 $(INTO)/lib/libfumata-door.so
	@$(if $(PLUG_IN),install -m 755 $(PLUG_IN) $(INTO)/lib/)
	@core/dist/amalgamate $(BUILD)/amalgamated
	@install -m 644 $(BUILD)/amalgamated/fumata.h shell/door/cpp/fumata.hpp $(INTO)/include/
	@install -m 644 shell/door/door.h $(INTO)/include/fumata-door.h
	@sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' core/dist/fumata.pc.in > $(INTO)/lib/pkgconfig/fumata.pc
	@sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' shell/door/fumata-door.pc.in > $(INTO)/lib/pkgconfig/fumata-door.pc
	@install -m 644 shell/man/*.1 $(INTO)/share/man/man1/
	@$(BUILD)/fumata completion bash > $(INTO)/share/bash-completion/completions/fumata
	@$(BUILD)/fumata completion zsh > $(INTO)/share/zsh/site-functions/_fumata
	@$(BUILD)/fumata completion fish > $(INTO)/share/fish/vendor_completions.d/fumata.fish
	@core/dist/apipage > $(INTO)/share/man/man3/fumata.3 2>/dev/null
	@install -m 644 shell/man/fumata-door.3 $(INTO)/share/man/man3/
	@install -m 644 specs/* tests/experiments/*.md tests/experiments/*.svg tests/bench/SCALE.md LICENSE $(INTO)/share/doc/fumata/
	@install -m 644 shell/door/python/fumata/*.py shell/door/python/fumata/py.typed $(DESTDIR)$(PYTHONDIR)/fumata/
	@echo "installed under $(INTO)"

uninstall: ## remove what `make install` put there
	@rm -f $(INTO)/bin/fumata $(addprefix $(INTO)/lib/,libfumata.a libfumata.so $(SONAME) libfumata-door.so libfumata-door.so.0 libfumata-mpi.so pkgconfig/fumata.pc pkgconfig/fumata-door.pc) \
	  $(addprefix $(INTO)/share/man/man1/,$(notdir $(wildcard shell/man/*.1))) $(addprefix $(INTO)/share/man/man3/,fumata.3 fumata-door.3) \
	  $(addprefix $(INTO)/include/,fumata.h fumata.hpp fumata-door.h)
	@rm -f $(INTO)/share/bash-completion/completions/fumata $(INTO)/share/zsh/site-functions/_fumata \
	  $(INTO)/share/fish/vendor_completions.d/fumata.fish
	@rm -rf $(INTO)/share/doc/fumata $(DESTDIR)$(PYTHONDIR)/fumata
	@echo "removed from $(INTO)"

wheel: ## the Python package with the compiled library, for pip: build/dist/fumata-*.whl
	@./.setup wheel
	@$(MAKE_PROGRAM)
	@BUILD=$(BUILD) VERSION=$(VERSION) shell/dist/wheel $(BUILD)/dist

report-check: ## the page of `fumata report` in a headless browser: nothing overflows; pictures in build/report
	@./.setup report
	@$(MAKE_PROGRAM)
	@FUMATA=$(BUILD)/fumata tests/cli/report_browser $(BUILD)/report

deb: ## Debian packages, compiled with Debian's flags: build/dist/*.deb
	@./.setup deb
	@VERSION=$(VERSION) shell/dist/deb $(BUILD)/dist

dist-check: deb ## the packages and the Dockerfile's steps in a fresh Debian (debootstrap; needs root)
	@./.setup dist
	@tests/dist/check $(BUILD)/dist

distcheck: ## compatible with the last release; tarball, unpack, check, verify, install, uninstall
	@./.setup distcheck
	@tests/dist/distcheck

-include $(CORE:.o=.d) $(WIDE:.o=.d) $(PROGRAM:.o=.d) $(DOOR:.o=.d) $(SUITES:=.d) $(FUZZ:=.d) $(AUDIT:.o=.d) $(BUILD)/tests/audit/epsilon.d $(BUILD)/tests/audit/tight.d $(BUILD)/tests/experiments/own_rule.d
