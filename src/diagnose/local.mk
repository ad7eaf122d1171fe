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
    by_kind

src_libod_a_SOURCES += \
    src/diagnose/accidental_shape.c \
    src/diagnose/batch_too_large.c \
    src/diagnose/by_kind.c \
    src/diagnose/capped.c \
    src/diagnose/cause.c \
    src/diagnose/compile_plan.c \
    src/diagnose/dataset_on_device.c \
    src/diagnose/device_leak.c \
    src/diagnose/diagnose.c src/diagnose/diagnose.h \
    src/diagnose/driver_refused.c \
    src/diagnose/evaluation_accumulates.c \
    src/diagnose/fragmented.c \
    src/diagnose/graph_growth.c \
    src/diagnose/input_too_large.c \
    src/diagnose/model_reload.c \
    src/diagnose/model_too_large.c \
    src/diagnose/not_memory.c \
    src/diagnose/other_tenant.c \
    src/diagnose/outcome.c src/diagnose/outcome.h \
    src/diagnose/registry.c \
    src/diagnose/remedies.c src/diagnose/remedies.h \
    src/diagnose/scene.c src/diagnose/scene.h \
    src/diagnose/shape_hint.c src/diagnose/shape_hint.h \
    src/diagnose/survived.c \
    src/diagnose/timeline.c src/diagnose/timeline.h \
    src/diagnose/who.c src/diagnose/who.h \
    src/diagnose/workspace.c
nodist_src_libod_a_SOURCES += src/diagnose/registry.inc

BUILT_SOURCES += src/diagnose/registry.inc
src/diagnose/registry.inc: $(top_srcdir)/src/diagnose/local.mk
	$(registry) $(OD_DIAGNOSERS) $(registry_end)
