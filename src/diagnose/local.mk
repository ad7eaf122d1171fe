# The file x.c of a row x of causes.def defines od_diagnoser_x: OD_DIAGNOSERS.
include src/diagnose/causes.mk
$(srcdir)/src/diagnose/causes.mk: $(srcdir)/src/diagnose/causes.sh $(srcdir)/src/facts/causes.def
	$(AM_V_GEN)sh $(srcdir)/src/diagnose/causes.sh
EXTRA_DIST += src/diagnose/causes.sh

src_libod_a_SOURCES += $(OD_DIAGNOSERS) \
    src/diagnose/claims.c src/diagnose/claims.h \
    src/diagnose/decide.c src/diagnose/decide.h \
    src/diagnose/lost.c src/diagnose/lost.h \
    src/diagnose/diagnose.c src/diagnose/diagnose.h \
    src/diagnose/finding.c src/diagnose/finding.h \
    src/diagnose/growth.c src/diagnose/growth.h \
    src/diagnose/host.c src/diagnose/host.h \
    src/diagnose/kept.c src/diagnose/kept.h \
    src/diagnose/odds.c src/diagnose/odds.h \
    src/diagnose/registry.c \
    src/diagnose/rows.c src/diagnose/rows.h \
    src/diagnose/cause_facts.c src/diagnose/host_facts.c src/diagnose/own_limit.c \
    src/diagnose/device_facts.c src/diagnose/batch_facts.c src/diagnose/taker.h \
    src/diagnose/single.c src/diagnose/single.h \
    src/diagnose/shares.c src/diagnose/shares.h \
    src/diagnose/clue.c src/diagnose/clue.h src/diagnose/signs.def
nodist_src_libod_a_SOURCES += src/diagnose/registry.inc

BUILT_SOURCES += src/diagnose/registry.inc
src/diagnose/registry.inc: $(top_srcdir)/src/diagnose/causes.mk
	$(registry) $(notdir $(OD_DIAGNOSERS:.c=)) $(registry_end)
