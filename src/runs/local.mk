src_libod_a_SOURCES += \
    src/runs/diff.c src/runs/diff.h \
    src/runs/diff_figures.c \
    src/runs/diff_outline.c \
    src/runs/fail_on.c src/runs/fail_on.h \
    src/runs/fleet.c src/runs/fleet.h \
    src/runs/fleet_days.c src/runs/fleet_days.h \
    src/runs/fleet_digest.c \
    src/runs/fleet_figures.c \
    src/runs/fleet_metrics.c \
    src/runs/fleet_outline.c \
    src/runs/fleet_time.c src/runs/fleet_time.h \
    src/runs/fleet_parts.h \
    src/runs/fields_runs.def src/runs/json_out.c \
    src/runs/json_in.c src/runs/json_in.h \
    src/runs/names.c src/runs/names.h \
    src/runs/peaks.c \
    src/runs/run.c src/runs/run.h
nodist_src_libod_a_SOURCES += src/runs/names_lists.inc
BUILT_SOURCES += src/runs/names_lists.inc
EXTRA_DIST += src/runs/names.words
src/runs/names_lists.inc: $(top_srcdir)/src/runs/names.words $(phrases_awk)
	$(phrases)
