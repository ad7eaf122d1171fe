src_libod_a_SOURCES += \
    src/fit/belief.c src/fit/belief.h \
    src/fit/blocks.h \
    src/fit/blocks_name.c \
    src/fit/by_arena.c \
    src/fit/by_blocks.c \
    src/fit/by_estimate.c \
    src/fit/by_states.c \
    src/fit/by_table.c \
    src/fit/facts.c src/fit/facts.h \
    src/fit/fit.c src/fit/fit.h \
    src/fit/loader.c src/fit/loader.h \
    src/fit/network_by_sizes.c \
    src/fit/rebuild.h \
    src/fit/rebuild_kernels.c \
    src/fit/rebuild_maps.c \
    src/fit/rebuild_recurrent.c \
    src/fit/rebuild_rows.c \
    src/fit/network_by_layers.c \
    src/fit/product.c src/fit/product.h \
    src/fit/request_of.c \
    src/fit/stated.c \
    src/fit/pending_memory.c src/fit/pending_memory.h \
    src/fit/trials.c \
    src/fit/workload_of.c
