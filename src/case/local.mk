src_libod_a_SOURCES += \
    src/case/allocator.c src/case/allocator.h \
    src/case/allocator_checks.c \
    src/case/allocator_parts.h \
    src/case/allocator_sums.c \
    src/case/allocator_tiling.c \
    src/case/builder.c src/case/builder.h \
    src/case/case.h \
    src/case/conflicts.c src/case/conflict_pairs.def src/case/incident_sizes.def \
    src/case/cures.c \
    src/case/run_state.c src/case/run_state.h \
    src/case/device.c src/case/device.h \
    src/case/incident_merge.c \
    src/case/incident_consequences.c \
    src/case/forecast.c \
    src/case/frames.c \
    src/case/incident_kind.c src/case/incident_kinds.def \
    src/case/incidents.c \
    src/case/line_clock.c src/case/line_clock.h \
    src/case/case_copy.c \
    src/case/listed.c \
    src/case/dump_to_incident.c \
    src/case/models.c \
    src/case/run_events.c \
    src/case/occupancy.c \
    src/case/reported.c \
    src/case/series_key.c src/case/series_key.h \
    src/case/series.c src/case/series.h \
    src/case/series_builder.c src/case/series_builder.h \
    src/case/series_fold.c src/case/series_fold.h \
    src/case/series_sampling.c src/case/series_sampling.h \
    src/case/settings.c \
    src/case/signs.c \
    src/case/memory_state.c \
    src/case/trend.c src/case/trend.h \
    src/case/trend_stairs.c
