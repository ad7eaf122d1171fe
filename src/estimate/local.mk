src_libod_a_SOURCES += \
    src/estimate/block.c src/estimate/block.h \
    src/estimate/conv_input.c src/estimate/conv_input.h \
    src/estimate/estimate.c src/estimate/estimate.h \
    src/estimate/ops.c src/estimate/ops.h \
    src/estimate/parameters.c src/estimate/parameters.h \
    src/estimate/peak.c src/estimate/peak.h \
    src/estimate/module_count.c src/estimate/module_count.h \
    src/estimate/unroll.c src/estimate/unroll.h \
    src/estimate/resize.c src/estimate/resize.h \
    src/estimate/buffers.c src/estimate/buffers.h \
    src/estimate/checkpoint.c src/estimate/checkpoint.h \
    src/estimate/recurrent.c src/estimate/recurrent.h \
    src/estimate/recognise.c src/estimate/recognise.h \
    src/estimate/saved.c src/estimate/saved.h \
    src/estimate/states.c src/estimate/states.h \
    src/estimate/transformer.c src/estimate/transformer.h \
    src/estimate/transformer_block.c src/estimate/transformer_block.h \
    src/estimate/transformer_lora.c \
    src/estimate/transformer_moments.c \
    src/estimate/transformer_params.c src/estimate/transformer_params.h \
    src/estimate/transformer_run.h \
    src/estimate/walk.c src/estimate/walk.h \
    src/estimate/words.c
