# Every test prints TAP; a whole program that is skipped says why. Check's programs do so through
# CK_TAP_LOG_FILE_NAME.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
TESTS_ENV = LC_ALL=C.UTF-8 CK_TAP_LOG_FILE_NAME=- CK_VERBOSITY=silent CK_DEFAULT_TIMEOUT=120 PYTHONDONTWRITEBYTECODE=1 \
    CC='$(CC)' CFLAGS='$(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)' NM='$(NM)' \
    OD_SANITIZED='$(enable_sanitizers)' OOMDOCTOR='$(abs_top_builddir)/oomdoctor' \
    TOP_SRCDIR='$(abs_top_srcdir)' TOP_BUILDDIR='$(abs_top_builddir)'
AM_TESTS_ENVIRONMENT = env -u COLUMNS $(TESTS_ENV)

lint_tests = \
    tests/lint/devices \
    tests/lint/models \
    tests/lint/layers \
    tests/lint/symbols \
    tests/lint/sizes \
    tests/lint/banned \
    tests/lint/headers \
    tests/lint/format \
    tests/lint/names \
    tests/lint/yaml \
    tests/lint/retired \
    tests/lint/words \
    tests/lint/comments \
    tests/lint/slots \
    tests/lint/promises \
    tests/lint/shell \
    tests/lint/parts

# Figures as gnuplot draws them; `make check-plots` looks at all of them, at two sizes.
plot_tests = tests/plots/check

doc_tests = \
    tests/accuracy/check \
    tests/calibration/check \
    tests/fits/check \
    tests/docs/completion \
    tests/docs/habits \
    tests/docs/man \
    tests/docs/readme \
    tests/docs/examples \
    tests/docs/explain \
    tests/docs/site

# What the program does to whole files; also run with sanitizers.
run_tests = \
    tests/cases/run \
    tests/labelled/run \
    tests/cases/damaged \
    tests/cases/mutate \
    tests/redact/recall \
    tests/robust/curves \
    tests/robust/doors \
    tests/robust/faults \
    tests/robust/filled \
    tests/robust/hostile \
    tests/robust/progress \
    tests/robust/budget \
    tests/robust/kept \
    tests/robust/mcp \
    tests/robust/mutated \
    tests/robust/nonsense \
    tests/robust/once \
    tests/robust/plots \
    tests/robust/retry \
    tests/robust/advised \
    tests/robust/run \
    tests/robust/screen \
    tests/robust/enforcers \
    tests/robust/reported \
    tests/robust/tried \
    tests/robust/sense \
    tests/robust/share \
    tests/robust/titles \
    tests/robust/trace \
    tests/robust/snapshots \
    tests/robust/speed \
    tests/robust/ways \
    tests/robust/watch \
    tests/robust/watched \
    tests/web/cgi

# Reads many short logs in one process, for cases.run_many.
check_PROGRAMS += tests/cases/sessions
tests_cases_sessions_SOURCES = tests/cases/sessions.c
tests_cases_sessions_LDADD = src/libod.a $(OD_LIBS) -lm

EXTRA_DIST += tests/lint/comments.limits tests/lint/passed.sh

# Drives one reader; tests/robust/curves counts.
check_PROGRAMS += tests/robust/curve
tests_robust_curve_SOURCES = tests/robust/curve.c tests/fuzz/feed.c tests/fuzz/feed.h
tests_robust_curve_LDADD = src/libod.a $(OD_LIBS) -lm

# Analyzes many logs in one process; tests/robust/mutated counts.
check_PROGRAMS += tests/robust/mutate
tests_robust_mutate_SOURCES = tests/robust/mutate.c
tests_robust_mutate_LDADD = src/libod.a $(OD_LIBS) -lm

# The ready steps of ci/, and the formats for CI systems.
ci_tests = \
    tests/ci/fleet \
    tests/ci/formats \
    tests/ci/steps \
    tests/ci/tables
EXTRA_DIST += tests/ci/gitlab-codequality.schema.json tests/ci/logs.py tests/ci/package.json tests/ci/rendered.py \
    tests/ci/runner.py tests/ci/workflow.py
dist_check_SCRIPTS += tests/ci/dask tests/ci/schemas tests/ci/slurm tests/ci/spark

# Calls from other languages.
binding_tests = tests/bindings/python

# What it says of real logs; skipped where there are none.
corpus_tests = \
    tests/corpus/run \
    tests/corpus/wrapped

dist_check_SCRIPTS += $(lint_tests) $(doc_tests) $(plot_tests) $(run_tests) $(ci_tests) $(binding_tests) $(corpus_tests) \
    tests/robust/linear \
    tests/robust/memcheck

# Failures made here and now: the kernel's are part of check where this machine lets us make them.
real_tests = tests/real/cgroup_oom
dist_check_SCRIPTS += $(real_tests) tests/real/checkpoints tests/real/leak tests/real/memory_errors tests/real/snippets
EXTRA_DIST += \
    tests/real/expect.py \
    tests/real/kernel.py \
    tests/real/programs/hog.py \
    tests/real/programs/jax_zoo.py \
    tests/real/programs/keras_zoo.py \
    tests/real/programs/loader.py \
    tests/real/programs/numpy_dataset.py \
    tests/real/programs/numpy_limit.py \
    tests/real/programs/pool_killed.py \
    tests/real/programs/python_rows.py \
    tests/real/programs/rank_killed.py \
    tests/real/programs/spawned_killed.py \
    tests/real/programs/torch_checkpoints.py \
    tests/real/programs/torch_longer.py \
    tests/real/programs/torch_forward.py \
    tests/real/programs/torch_huge.py \
    tests/real/programs/torch_leak.py \
    tests/real/programs/torch_load.py \
    tests/real/programs/torch_zoo.py
dist_check_SCRIPTS += tests/lab/lab
EXTRA_DIST += tests/lab/results.md tests/lab/README.md \
    tests/lab/gpu/arrays.py \
    tests/lab/gpu/card.py \
    tests/lab/gpu/double.py \
    tests/lab/gpu/gpt.py \
    tests/lab/gpu/jaxnet.py \
    tests/lab/gpu/module.py \
    tests/lab/gpu/net.py \
    tests/lab/gpu/pieces.py \
    tests/lab/gpu/trainer.py \
    tests/lab/gpu/vision.py \
    tests/lab/programs/Load.cs \
    tests/lab/programs/Load.java \
    tests/lab/programs/Makefile \
    tests/lab/programs/Meta.java \
    tests/lab/programs/Survive.java \
    tests/lab/programs/Ways.java \
    tests/lab/programs/again.R \
    tests/lab/programs/again.lua \
    tests/lab/programs/again.m \
    tests/lab/programs/again.ml \
    tests/lab/programs/arena.py \
    tests/lab/programs/arrays.py \
    tests/lab/programs/boost.py \
    tests/lab/programs/build.ninja \
    tests/lab/programs/cacheit \
    tests/lab/programs/cluster.py \
    tests/lab/programs/engine.py \
    tests/lab/programs/factors.py \
    tests/lab/programs/figures.py \
    tests/lab/programs/forest.py \
    tests/lab/programs/frames.py \
    tests/lab/programs/graph.py \
    tests/lab/programs/keras_fit.py \
    tests/lab/programs/load.R \
    tests/lab/programs/load.cc \
    tests/lab/programs/load.escript \
    tests/lab/programs/load.exs \
    tests/lab/programs/load.f90 \
    tests/lab/programs/load.go \
    tests/lab/programs/load.js \
    tests/lab/programs/load.lisp \
    tests/lab/programs/load.lua \
    tests/lab/programs/load.m \
    tests/lab/programs/load.ml \
    tests/lab/programs/load.nim \
    tests/lab/programs/load.pas \
    tests/lab/programs/load.php \
    tests/lab/programs/load.pl \
    tests/lab/programs/load.prolog \
    tests/lab/programs/load.rb \
    tests/lab/programs/load.rs \
    tests/lab/programs/load.scm \
    tests/lab/programs/load.tcl \
    tests/lab/programs/ml_keras.py \
    tests/lab/programs/ml_loaders.py \
    tests/lab/programs/ml_ray.py \
    tests/lab/programs/near.py \
    tests/lab/programs/build.xml \
    tests/lab/programs/deep.y \
    tests/lab/programs/jobs.py \
    tests/lab/programs/load.adb \
    tests/lab/programs/load.clj \
    tests/lab/programs/load.cr \
    tests/lab/programs/load.d \
    tests/lab/programs/load.ecl.lisp \
    tests/lab/programs/load.gambit.scm \
    tests/lab/programs/load.groovy \
    tests/lab/programs/load.hs \
    tests/lab/programs/load.icn \
    tests/lab/programs/load.jy.py \
    tests/lab/programs/load.mit.scm \
    tests/lab/programs/load.newlisp.lsp \
    tests/lab/programs/load.ps \
    tests/lab/programs/load.py \
    tests/lab/programs/load.rexx \
    tests/lab/programs/load.sml \
    tests/lab/programs/load.ss \
    tests/lab/programs/models.py \
    tests/lab/programs/space.lua \
    tests/lab/programs/net.py \
    tests/lab/programs/package.json \
    tests/lab/programs/picture.py \
    tests/lab/programs/pool.py \
    tests/lab/programs/processor.py \
    tests/lab/programs/query \
    tests/lab/programs/rank.py \
    tests/lab/programs/retry.rb \
    tests/lab/programs/room.fs \
    tests/lab/programs/serve \
    tests/lab/programs/sheets.py \
    tests/lab/programs/sparse.py \
    tests/lab/programs/store \
    tests/lab/programs/table.cob \
    tests/lab/programs/tables.py \
    tests/lab/programs/train.py \
    tests/lab/programs/trees.py \
    tests/lab/programs/ways.cc \
    tests/lab/programs/ways.go \
    tests/lab/programs/ways.js \
    tests/lab/programs/ways.py \
    tests/lab/programs/web.py \
    tests/lab/programs/worker.js \
    tests/lab/programs/workers.rb \
    tests/lab/requirements.txt \
    tests/lab/runner.py \
    tests/lab/scenarios.py \
    tests/lab/scenarios_gpu.py \
    tests/lab/scenarios_later.py \
    tests/lab/scenarios_ml.py \
    tests/lab/scenarios_more.py \
    tests/lab/scenarios_new.py \
    tests/lab/scenarios_other.py \
    tests/lab/scenarios_third.py \
    tests/lab/table.py \
    tests/lab/wordings.py

EXTRA_DIST += \
    tests/fits/bfc.py \
    tests/fits/layers.py \
    tests/fits/logs.py \
    tests/fits/measure.py \
    tests/fits/nets.py \
    tests/fits/steps.py
EXTRA_DIST += tests/calibration/measure \
    tests/calibration/failures.py \
    tests/calibration/labels.txt
# Published peaks beside what simple estimators say of them
side-by-side: oomdoctor$(EXEEXT)
	python3 $(top_srcdir)/tests/accuracy/side_by_side.py ./oomdoctor$(EXEEXT) $(top_srcdir)/tests/accuracy/peaks.jsonl
.PHONY: side-by-side

EXTRA_DIST += tests/accuracy/results.md \
    tests/accuracy/architectures \
    tests/accuracy/cnns.py \
    tests/accuracy/cpu_runs.py \
    tests/accuracy/first_looks.tsv \
    tests/accuracy/formulas.py \
    tests/accuracy/held_out.py \
    tests/accuracy/gpu_nets.py \
    tests/accuracy/gpu_page.py \
    tests/accuracy/gpu_runs.py \
    tests/accuracy/gpu_drawn.py \
    tests/accuracy/gpu_unseen.py \
    tests/accuracy/measure.py \
    tests/accuracy/odds.py \
    tests/accuracy/others.py \
    tests/accuracy/pipelines.py \
    tests/accuracy/page.py \
    tests/accuracy/peaks.jsonl \
    tests/accuracy/prices.py \
    tests/accuracy/public_language.py \
    tests/accuracy/public_vision.py \
    tests/accuracy/side_by_side.py \
    tests/accuracy/tables.py \
    tests/accuracy/truth.tsv \
    tests/accuracy/zoo.py
EXTRA_DIST += tests/redact/corpus.py tests/redact/harmless.txt tests/redact/secrets.txt
EXTRA_DIST += tests/robust/sense_logs.py tests/robust/repeated.py tests/robust/sensible.py tests/robust/described.py tests/robust/fault.c tests/robust/hostile-input.txt tests/web/cgi.mjs tests/web/package.json tests/web/pages.mjs tests/web/pictures.mjs tests/web/start.mjs doc/pictures/page.png doc/pictures/terminal.png
dist_check_SCRIPTS += tests/web/check tests/web/pictures tests/web/servers tests/bench/bench tests/bench/flame
EXTRA_DIST += tests/bench/dumps.py tests/bench/logs.py
EXTRA_DIST += tests/docs/explain.OD104 tests/docs/explain.freeing tests/docs/questions tests/docs/explain.list tests/docs/explain.vllm tests/ablate tests/ablate_rows.c tests/tap.py tests/touched tests/cases/README.md tests/cases/cases.py tests/cases/projection.py

include tests/unit/local.mk
include tests/fuzz/local.mk
include tests/sentences/local.mk
include tests/shapes/local.mk

unit_tests = $(filter tests/unit/%,$(TESTS))
TESTS += $(lint_tests) $(doc_tests) $(plot_tests) $(run_tests) $(ci_tests) $(binding_tests) $(real_tests) $(corpus_tests)

.PHONY: bench profile
# The program beside wc, cat, grep, ripgrep and Python: a table. BENCH='logs start rules', BENCH_MB,
# BENCH_RUNS and BENCH_OUT choose.
bench: all
	env $(TESTS_ENV) $(srcdir)/tests/bench/bench $(BENCH)

# profile.svg: where the time goes, over a log of kind PROFILE (tests/bench/logs.py).
PROFILE = mixed
profile: all
	env $(TESTS_ENV) python3 $(srcdir)/tests/bench/logs.py $(PROFILE) 8 > profile.log
	env $(TESTS_ENV) $(srcdir)/tests/bench/flame profile.svg ./oomdoctor analyze profile.log
	rm -f profile.log

# The test programs are made by a make of their own, after `all`, which is one, too: side by side the
# two would write the same objects.
.PHONY: check-plots check-web lint bless check-portable check-real check-snippets check-sanitized check-unit check-valgrind
# In a browser; node, npm and Chromium are not needed for anything else.
check-web: all
	$(TESTS_ENV) $(top_srcdir)/tests/web/check

# Instructions at N, 2N and 4N of all rules, tables and pages: minutes, where perf cannot count.
.PHONY: check-linear
check-linear: all
	env $(TESTS_ENV) $(srcdir)/tests/robust/linear

# The pictures of README.md, made anew.
.PHONY: pictures
pictures: all
	$(TESTS_ENV) $(top_srcdir)/tests/web/pictures

# The formats for CI systems against published schemas, which npm fetches.
.PHONY: check-formats
check-formats: all
	$(TESTS_ENV) $(top_srcdir)/tests/ci/schemas

# A cluster of this machine alone. Wants root, slurm-wlm and munge; what is missing is named.
.PHONY: check-slurm
check-slurm: all
	$(TESTS_ENV) $(top_srcdir)/tests/ci/slurm

.PHONY: check-python
check-python: all
	$(MAKE) check-TESTS TESTS='$(binding_tests)'

# Dask wants python3-distributed, or DASK_PYTHON with distributed, moto[server] and boto3; Spark wants Java and pyspark, whose interpreter SPARK_PYTHON names.
.PHONY: check-dask check-spark
check-dask: all
	$(TESTS_ENV) $(top_srcdir)/tests/ci/dask
check-spark: all
	$(TESTS_ENV) $(top_srcdir)/tests/ci/spark

# The inner loop, under a minute of processor time: golden cases, lints, and the unit tests of the rooms that
# differ from QUICK_BASE.
QUICK_BASE = main
.PHONY: quick
quick: all
	@tests="$$(env $(TESTS_ENV) $(srcdir)/tests/touched '$(QUICK_BASE)' $(unit_tests))" && \
	    echo "unit tests: $${tests:-none}" && $(MAKE) all $$tests && \
	    $(MAKE) check-TESTS TESTS="tests/cases/run $$tests $(lint_tests)"

lint: all
	$(MAKE) check-TESTS TESTS='$(lint_tests)'

check-unit: all
	@test -n '$(CHECK_LIBS)' || { \
	    echo 'make check-unit: Check (https://libcheck.github.io/check/) was not there when this was configured: no unit test was built' >&2; \
	    exit 1; }
	$(MAKE) $(check_PROGRAMS)
	$(MAKE) check-TESTS TESTS='$(unit_tests)'

check-plots: all
	env $(TESTS_ENV) $(srcdir)/tests/plots/check --all

# Without what measures (units, mutate and the fuzzers' replay run the same code) or brings its own malloc.
# Each unit program is one process: LeakSanitizer looks at its end, not after each of its thousand tests.
check-sanitized: all
	$(MAKE) $(check_PROGRAMS)
	CK_FORK=no $(MAKE) check-TESTS TESTS='$(filter-out tests/unit/lib/test_no_memory,$(unit_tests)) $(filter-out tests/redact/recall tests/robust/curves tests/cases/damaged,$(run_tests))'

# One after the other: each reads what the kernel says meanwhile. Wants root, control groups, and
# for the second python3-numpy and python3-torch; what is missing is skipped and named.
check-real: all
	env $(TESTS_ENV) $(srcdir)/tests/real/cgroup_oom
	env $(TESTS_ENV) $(srcdir)/tests/real/checkpoints
	env $(TESTS_ENV) $(srcdir)/tests/real/leak
	env $(TESTS_ENV) $(srcdir)/tests/real/memory_errors
	env $(TESTS_ENV) $(srcdir)/tests/real/snippets
	env $(TESTS_ENV) $(srcdir)/tests/lab/lab --quick

# SNIPPET_PYTHONS=one:another: interpreters with PyTorch, JAX or Keras beside the system's own.
check-snippets: all
	env $(TESTS_ENV) $(srcdir)/tests/real/snippets

# Real programs fail, what is advised is tried, and tests/lab/results.md is the table of it, with what was written
# by hand at its end: an hour or two, as root; LAB_ARGS='--results lab.jsonl' goes on where a call was
# ended. Each scenario runs in the first of LAB_PYTHONS that has its packages; what is missing is left
# out and named. An environment with the others comes by `make lab-venv`.
LAB_VENV = lab-venv
LAB_PYTHONS = /usr/bin/python3 $(wildcard $(LAB_VENV)/bin/python)
.PHONY: lab lab-gpu lab-venv
lab: all
	env $(TESTS_ENV) $(srcdir)/tests/lab/lab $(LAB_PYTHONS:%=--python %) $(LAB_ARGS) > results.md.tmp
	sed -n '/^## A card, at first look/,$$p' $(srcdir)/tests/lab/results.md >> results.md.tmp
	mv results.md.tmp $(srcdir)/tests/lab/results.md

lab-venv:
	python3 -m venv $(LAB_VENV)
	$(LAB_VENV)/bin/pip install -q -r $(srcdir)/tests/lab/requirements.txt

# Of a card, in ten minutes; wants PyTorch, and what else is there of transformers, timm, Lightning,
# JAX, CuPy and Numba. The table is printed.
lab-gpu: all
	env $(TESTS_ENV) $(srcdir)/tests/lab/lab --gpu

# All of the tests of which make check takes a part, another one after each commit (tests/tap.py).
turn_tests = tests/cases/damaged tests/cases/mutate tests/plots/check tests/redact/recall tests/robust/curves tests/robust/sense \
    tests/robust/speed
.PHONY: check-whole
check-whole: all
	$(MAKE) tests/cases/sessions tests/robust/curve
	env OD_TURN=all $(MAKE) check-TESTS TESTS='$(turn_tests)'

# A system without what is Linux's own: built anew in portable/, with its unit tests and golden cases.
portable_lacks = ac_cv_header_sys_prctl_h=no ac_cv_header_sys_syscall_h=no ac_cv_func_memfd_create=no \
    ac_cv_func_memrchr=no ac_cv_func_mkostemp=no ac_cv_func_pipe2=no \
    ac_cv_have_decl_SYS_pidfd_open=no ac_cv_have_decl_SYS_close_range=no
check-portable:
	$(MKDIR_P) portable
	cd portable && $(abs_top_srcdir)/configure --without-seccomp --without-hs CC='$(CC)' CFLAGS='$(CFLAGS)' \
	    LDFLAGS='$(LDFLAGS)' $(portable_lacks)
	$(MAKE) -C portable all check-unit
	$(MAKE) -C portable check-TESTS TESTS='tests/cases/run'

check-valgrind: all
	$(MAKE) $(check_PROGRAMS)
	env $(TESTS_ENV) $(srcdir)/tests/robust/memcheck

# Writes tests/accuracy/results.md: the planner against models measured by tests/accuracy/measure.py (which
# wants python3-torch, and is run by hand).
.PHONY: accuracy accuracy-fits
accuracy: all
	python3 $(srcdir)/tests/accuracy/page.py $(abs_top_builddir)/oomdoctor > results.md.tmp
	mv results.md.tmp $(srcdir)/tests/accuracy/results.md

# Published peaks of language models: simple estimators beside the planner, and its ranges with each look at new ones
# left out. PEAKS is a file of cases (tests/accuracy/held_out.py).
PEAKS = $(srcdir)/tests/accuracy/peaks.jsonl
.PHONY: accuracy-peaks
accuracy-peaks: all
	python3 $(srcdir)/tests/accuracy/side_by_side.py $(abs_top_builddir)/oomdoctor $(PEAKS) public-llm
	python3 $(srcdir)/tests/accuracy/held_out.py $(abs_top_builddir)/oomdoctor

# What fits, answered to runs that were made to fail on a simulated device: a table, in minutes.
accuracy-fits: all
	python3 $(srcdir)/tests/fits/measure.py $(abs_top_builddir)/oomdoctor --cases 10

# Rules, readers, signs, remedies and answers of programs that change no report when they are switched off:
# ABLATE='sign reader' or names of functions; all kinds take about two minutes.
.PHONY: ablate
ablate: all
	env $(TESTS_ENV) ABLATE_LIBS='$(OD_LIBS) -lm' \
	    ABLATE_CC='$(CC) $(AM_CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)' $(srcdir)/tests/ablate $(ABLATE)

# make bless [CASE=name]: shows what would change in the expected output, and asks (BLESS=yes: does not).
bless: all
	env $(TESTS_ENV) BLESS='$(BLESS)' $(srcdir)/tests/cases/run --bless $(CASE)

# After `make install`; also a part of distcheck. The consumer needs the installed header alone, and
# a sanitized library needs a sanitized consumer.
dist_check_SCRIPTS += tests/install/check tests/install/chroot tests/install/page tests/install/wheel

# The first answer to a log from a clean environment of Python, in the steps of CI, from the static page (make wasm) and
# from a minimal Debian (as root, with debootstrap, minutes); each script names what it lacks.
.PHONY: check-install
check-install: wheel
	$(TESTS_ENV) $(top_srcdir)/tests/install/wheel release
	WHEEL=$$(echo '$(abs_builddir)'/release/*.whl) && env $(TESTS_ENV) WHEEL="$$WHEEL" $(top_srcdir)/tests/ci/steps
	$(TESTS_ENV) $(top_srcdir)/tests/install/page wasm/page/index.html
	$(MAKE) distdir
	$(SHELL) $(top_srcdir)/tests/install/chroot "$(abs_builddir)/$(distdir)"
	rm -rf "$(distdir)"
EXTRA_DIST += tests/install/consumer.c
installcheck-local:
	env PREFIX_LIB='$(DESTDIR)$(libdir)' PREFIX_BIN='$(DESTDIR)$(bindir)' PREFIX_MAN='$(DESTDIR)$(mandir)' \
	    PREFIX_DATA='$(DESTDIR)$(datadir)' PREFIX_CGI='$(DESTDIR)$(cgidir)' TOP_SRCDIR='$(abs_top_srcdir)' \
	    INSTALL_CC='$(CC) $(HARDEN_LDFLAGS)' $(srcdir)/tests/install/check
