src_libod_a_SOURCES += \
    src/plan/changes.c src/plan/changes.h \
    src/plan/compare.c src/plan/compare.h \
    src/plan/curve.c src/plan/curve.h \
    src/plan/device.c src/plan/device.h \
    src/plan/host.c src/plan/host.h \
    src/plan/knobs.c \
    src/plan/largest_batch.c src/plan/largest_batch.h \
    src/plan/loading.c src/plan/loading.h \
    src/plan/options.c src/plan/options.h \
    src/plan/options_estimate.c src/plan/options_estimate.h \
    src/plan/plan.c src/plan/plan.h \
    src/plan/recommend.c src/plan/recommend.h \
    src/plan/request.c src/plan/request.h \
    src/plan/tensor.c src/plan/tensor.h
