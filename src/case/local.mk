src_libod_a_SOURCES += \
    src/case/allocator.c src/case/allocator.h \
    src/case/allocator_checks.c \
    src/case/allocator_counts.c \
    src/case/allocator_parts.h \
    src/case/allocator_sums.c \
    src/case/allocator_tiling.c \
    src/case/allocator_verdict.c \
    src/case/builder.c src/case/builder.h \
    src/case/case.h \
    src/case/conflicts.c \
    src/case/course.c src/case/course.h \
    src/case/device.c src/case/device.h \
    src/case/drafts.c \
    src/case/echoes.c \
    src/case/forecast.c \
    src/case/frames.c \
    src/case/incident_kind.c \
    src/case/incidents.c \
    src/case/keep.c \
    src/case/line_clock.c src/case/line_clock.h \
    src/case/links.c \
    src/case/models.c \
    src/case/moments.c \
    src/case/occupancy.c \
    src/case/reported.c \
    src/case/route.c src/case/route.h \
    src/case/series.c src/case/series.h \
    src/case/series_draft.c src/case/series_draft.h \
    src/case/series_fold.c src/case/series_fold.h \
    src/case/series_thin.c src/case/series_thin.h \
    src/case/settings.c \
    src/case/signs.c \
    src/case/states.c \
    src/case/trend.c src/case/trend.h \
    src/case/trend_courses.c src/case/trend_courses.h \
    src/case/trend_stairs.c src/case/trend_stairs.h
