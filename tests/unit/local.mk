# One program a room: tests/unit/<room>/. Each room has its own local.mk.
if HAVE_CHECK
UNIT_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
unit_libs = src/libod.a $(CHECK_LIBS) $(ARCHIVE_LIBS) $(OD_LIBS)
include tests/unit/attribute/local.mk
include tests/unit/base/local.mk
include tests/unit/facts/local.mk
include tests/unit/host/local.mk
include tests/unit/input/local.mk
include tests/unit/lib/local.mk
include tests/unit/rules/local.mk
include tests/unit/runs/local.mk
include tests/unit/readers/local.mk
include tests/unit/estimate/local.mk
include tests/unit/case/local.mk
include tests/unit/cgi/local.mk
include tests/unit/scan/local.mk
include tests/unit/diagnose/local.mk
include tests/unit/plan/local.mk
include tests/unit/advise/local.mk
include tests/unit/redact/local.mk
include tests/unit/report/local.mk
endif
