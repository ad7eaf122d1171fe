src_libod_a_SOURCES += \
    src/plan/answer.c src/plan/answer.h \
    src/plan/answer_actions.c src/plan/answer_actions.h \
    src/plan/answer_arena.c \
    src/plan/answer_blocks.c src/plan/answer_blocks.h src/plan/answer_blocks_name.c \
    src/plan/answer_dataset.c src/plan/answer_estimate.c \
    src/plan/answer_facts.c src/plan/answer_facts.h \
    src/plan/answer_fit.c src/plan/answer_fit.h \
    src/plan/answer_known.c src/plan/answer_known.h src/plan/answer_known_kernels.c \
    src/plan/answer_named.c \
    src/plan/answer_options.c src/plan/answer_options.h \
    src/plan/answer_pricing.h \
    src/plan/answer_rebuilt.c \
    src/plan/answer_room.c \
    src/plan/answer_transformer.c \
    src/plan/answer_states.c src/plan/answer_table.c src/plan/answer_trials.c \
    src/plan/answer_workload.c \
    src/plan/changes.c src/plan/changes.h \
    src/plan/curve.c src/plan/curve.h \
    src/plan/device.c src/plan/device.h \
    src/plan/host.c src/plan/host.h \
    src/plan/host_answer.c src/plan/host_answer.h \
    src/plan/knobs.c \
    src/plan/largest_batch.c src/plan/largest_batch.h \
    src/plan/loading.c src/plan/loading.h \
    src/plan/options.c src/plan/options.h \
    src/plan/options_estimate.c src/plan/options_estimate.h \
    src/plan/phases.c src/plan/phases.h \
    src/plan/phases_moments.c src/plan/phases_moments.h \
    src/plan/plan.c src/plan/plan.h \
    src/plan/rebuild.h src/plan/rebuild_kernels.c src/plan/rebuild_maps.c \
    src/plan/rebuild_recurrent.c src/plan/rebuild_rows.c \
    src/plan/recommend.c src/plan/recommend.h \
    src/plan/request.c src/plan/request.h \
    src/plan/tensor.c src/plan/tensor.h
