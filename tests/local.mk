# Every test prints TAP; a whole program that is skipped says why. Check's programs do so through
# CK_TAP_LOG_FILE_NAME.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
TESTS_ENV = LC_ALL=C.UTF-8 CK_TAP_LOG_FILE_NAME=- CK_VERBOSITY=silent PYTHONDONTWRITEBYTECODE=1 \
    CC='$(CC)' CFLAGS='$(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)' NM='$(NM)' \
    OD_SANITIZED='$(enable_sanitizers)' OOMDOCTOR='$(abs_top_builddir)/oomdoctor' \
    TOP_SRCDIR='$(abs_top_srcdir)' TOP_BUILDDIR='$(abs_top_builddir)'
AM_TESTS_ENVIRONMENT = env -u COLUMNS $(TESTS_ENV)

lint_tests = \
    tests/lint/layers \
    tests/lint/sizes \
    tests/lint/banned \
    tests/lint/headers \
    tests/lint/format \
    tests/lint/names \
    tests/lint/slots \
    tests/lint/shell

doc_tests = \
    tests/docs/readme \
    tests/docs/explain

# What the program does to whole files; also run with sanitizers.
run_tests = \
    tests/cases/run \
    tests/cases/mutate \
    tests/robust/run \
    tests/robust/snapshots

# What it says of real logs; skipped where there are none.
corpus_tests = \
    tests/corpus/run \
    tests/corpus/wrapped

dist_check_SCRIPTS += $(lint_tests) $(doc_tests) $(run_tests) $(corpus_tests)
EXTRA_DIST += tests/docs/explain.OD104 tests/docs/explain.list tests/tap.py tests/cases/README.md tests/cases/cases.py

include tests/unit/local.mk

unit_tests = $(filter tests/unit/%,$(TESTS))
TESTS += $(lint_tests) $(doc_tests) $(run_tests) $(corpus_tests)

.PHONY: lint bless check-sanitized check-unit
lint: all
	$(MAKE) check-TESTS TESTS='$(lint_tests)'

check-unit: all $(check_PROGRAMS)
	$(MAKE) check-TESTS TESTS='$(unit_tests)'

check-sanitized: all $(check_PROGRAMS)
	$(MAKE) check-TESTS TESTS='$(unit_tests) $(run_tests)'

# make bless [CASE=name]: shows what would change in the expected output, and asks (BLESS=yes: does not).
bless: all
	env $(TESTS_ENV) BLESS='$(BLESS)' $(srcdir)/tests/cases/run --bless $(CASE)
