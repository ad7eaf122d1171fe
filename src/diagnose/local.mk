# One word a diagnosis: the file <word>.c defines od_diagnoser_<word>.
OD_DIAGNOSERS = \
    survived \
    not_memory \
    fragmented \
    driver_refused \
    other_tenant \
    capped \
    dataset_on_device \
    evaluation_accumulates \
    batch_too_large \
    model_too_large \
    input_too_large \
    accidental_shape \
    device_leak \
    graph_growth \
    model_reload \
    workspace \
    compile_plan \
    dataset_in_host_memory \
    group_limit \
    host_exhausted \
    host_leak \
    host_other_tenant \
    kv_cache \
    runtime_limit \
    shm_too_small \
    workers_host_memory

src_libod_a_SOURCES += \
    src/diagnose/accidental_shape.c \
    src/diagnose/batch_too_large.c \
    src/diagnose/capped.c \
    src/diagnose/compile_plan.c \
    src/diagnose/decide.c src/diagnose/decide.h \
    src/diagnose/lost.c src/diagnose/lost.h \
    src/diagnose/dataset_in_host_memory.c \
    src/diagnose/dataset_on_device.c \
    src/diagnose/device_leak.c \
    src/diagnose/diagnose.c src/diagnose/diagnose.h \
    src/diagnose/driver_refused.c \
    src/diagnose/evaluation_accumulates.c \
    src/diagnose/finding.c src/diagnose/finding.h \
    src/diagnose/fragmented.c \
    src/diagnose/graph_growth.c \
    src/diagnose/group_limit.c \
    src/diagnose/growth.c src/diagnose/growth.h \
    src/diagnose/host.c src/diagnose/host.h \
    src/diagnose/host_exhausted.c \
    src/diagnose/host_leak.c \
    src/diagnose/host_other_tenant.c \
    src/diagnose/input_too_large.c \
    src/diagnose/kv_cache.c \
    src/diagnose/kept.c src/diagnose/kept.h \
    src/diagnose/model_reload.c \
    src/diagnose/model_too_large.c \
    src/diagnose/not_memory.c \
    src/diagnose/other_tenant.c \
    src/diagnose/odds.c src/diagnose/odds.h \
    src/diagnose/registry.c \
    src/diagnose/runtime_limit.c src/diagnose/runtime_limit.h \
    src/diagnose/shares.c src/diagnose/shares.h \
    src/diagnose/shm_too_small.c \
    src/diagnose/clue.c src/diagnose/clue.h src/diagnose/weights.def \
    src/diagnose/survived.c \
    src/diagnose/workers_host_memory.c \
    src/diagnose/workspace.c
nodist_src_libod_a_SOURCES += src/diagnose/registry.inc

BUILT_SOURCES += src/diagnose/registry.inc
src/diagnose/registry.inc: $(top_srcdir)/src/diagnose/local.mk
	$(registry) $(OD_DIAGNOSERS) $(registry_end)
