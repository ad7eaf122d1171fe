src_libod_a_SOURCES += \
    src/estimate/adapters.c src/estimate/adapters.h \
    src/estimate/bfc_sim.c src/estimate/bfc_sim.h \
    src/estimate/breakdown.c \
    src/estimate/block.c src/estimate/block.h \
    src/estimate/conv_input.c src/estimate/conv_input.h \
    src/estimate/conv_weights.c src/estimate/conv_weights.h \
    src/estimate/counts.c src/estimate/counts.h \
    src/estimate/estimate.c src/estimate/estimate.h \
    src/estimate/first_input.c src/estimate/first_input.h \
    src/estimate/free_set.c src/estimate/free_set.h \
    src/estimate/graph.c src/estimate/graph.h \
    src/estimate/graph_backward.c \
    src/estimate/graph_cpu.c \
    src/estimate/graph_build.c src/estimate/graph_build.h \
    src/estimate/graph_forward.c \
    src/estimate/graph_ops.c \
    src/estimate/graph_parts.h \
    src/estimate/graph_recurrent.c \
    src/estimate/known_nets.c src/estimate/known_nets.h \
    src/estimate/ops.c src/estimate/ops.h \
    src/estimate/parameters.c src/estimate/parameters.h \
    src/estimate/peak.c src/estimate/peak.h \
    src/estimate/pieces.c src/estimate/pieces.h \
    src/estimate/pipeline.c src/estimate/pipeline.h \
    src/estimate/objective.c src/estimate/objective.h src/estimate/objectives.def src/estimate/optimizers.def \
    src/estimate/nets.def src/estimate/net_parts.def \
    src/estimate/precisions.def src/estimate/spellings.def \
    src/estimate/factors.def src/estimate/odds.def src/estimate/widths.def \
    src/estimate/measured.c src/estimate/measured.h \
    src/estimate/unroll.c src/estimate/unroll.h \
    src/estimate/unroll_parts.h \
    src/estimate/unroll_sizes.c \
    src/estimate/recorded.c src/estimate/recorded.h \
    src/estimate/range.c src/estimate/range.h \
    src/estimate/resize.c src/estimate/resize.h \
    src/estimate/buffers.c src/estimate/buffers.h \
    src/estimate/checkpoint.c src/estimate/checkpoint.h \
    src/estimate/recurrent.c src/estimate/recurrent.h \
    src/estimate/recognise.c src/estimate/recognise.h \
    src/estimate/replay.c src/estimate/replay.h src/estimate/replay_parts.h \
    src/estimate/replay_moment.c src/estimate/replay_variants.c \
    src/estimate/resolve.c src/estimate/resolve.h \
    src/estimate/saved.c src/estimate/saved.h \
    src/estimate/saved_unprinted.c \
    src/estimate/saved_steps.c \
    src/estimate/saved_sum.c src/estimate/saved_sum.h \
    src/estimate/states.c src/estimate/states.h \
    src/estimate/torch_sim.c src/estimate/torch_sim.h \
    src/estimate/trace.c src/estimate/trace.h \
    src/estimate/traced.c src/estimate/traced.h \
    src/estimate/transformer.c src/estimate/transformer.h \
    src/estimate/transformer_extra.c \
    src/estimate/transformer_block.c src/estimate/transformer_block.h \
    src/estimate/transformer_cache.c \
    src/estimate/transformer_factors.c \
    src/estimate/transformer_held.c \
    src/estimate/transformer_lora.c \
    src/estimate/transformer_moments.c \
    src/estimate/transformer_params.c src/estimate/transformer_params.h \
    src/estimate/transformer_run.h \
    src/estimate/walk.c src/estimate/walk.h \
    src/estimate/words.c

# Words, sorted.
nodist_src_libod_a_SOURCES += src/estimate/adapter_words.inc
BUILT_SOURCES += src/estimate/adapter_words.inc
EXTRA_DIST += src/estimate/adapters.words
src/estimate/adapter_words.inc: $(top_srcdir)/src/estimate/adapters.words
	$(word_table)
