src_libod_a_SOURCES += \
    src/failure/account.c src/failure/account.h \
    src/failure/alike.c src/failure/alike.h \
    src/failure/assertion.c src/failure/assertion.h \
    src/failure/bound.c src/failure/bound.h \
    src/failure/failure.c src/failure/failure.h \
    src/failure/found.c src/failure/found.h \
    src/failure/growth.c src/failure/growth.h \
    src/failure/growth_until.c \
    src/failure/level.c src/failure/level.h \
    src/failure/networks.c src/failure/networks.h \
    src/failure/outcome.c src/failure/outcome.h src/failure/verdicts.def \
    src/failure/phase.c src/failure/phase.h \
    src/failure/profile.c src/failure/aliases.def src/failure/profile.h \
    src/failure/shape_hint.c src/failure/shape_hint.h \
    src/failure/software.c src/failure/software.h \
    src/failure/timeline.c src/failure/timeline.h \
    src/failure/remarks.c src/failure/remarks.h \
    src/failure/tried.c src/failure/tried.h \
    src/failure/use.c src/failure/use.h
nodist_src_libod_a_SOURCES += src/failure/networks_lists.inc
BUILT_SOURCES += src/failure/networks_lists.inc
EXTRA_DIST += src/failure/networks.words
src/failure/networks_lists.inc: $(top_srcdir)/src/failure/networks.words $(phrases_awk)
	$(phrases)
