src_libod_a_SOURCES += \
    src/scan/readers.c src/scan/readers.h \
    src/scan/candidates.c src/scan/candidates.h \
    src/scan/filter.c src/scan/filter.h \
    src/scan/filter_index.c src/scan/filter_index.h \
    src/scan/line_plan.c src/scan/line_plan.h \
    src/scan/line_trace.c src/scan/line_trace.h \
    src/scan/line_shapes.c src/scan/line_shapes.h \
    src/scan/blocks.c src/scan/blocks.h \
    src/scan/block_lines.c src/scan/block_lines.h \
    src/scan/literals.c src/scan/literals.h \
    src/scan/people.c src/scan/people.h \
    src/scan/prove.c src/scan/prove.h \
    src/scan/prove_words.c \
    src/scan/scan.c src/scan/scan.h \
    src/scan/shell_trace.c src/scan/shell_trace.h \
    src/scan/signs.c src/scan/signs.h \
    src/scan/mentions.c src/scan/mentions.h \
    src/scan/broken_prefix.c src/scan/broken_prefix.h
nodist_src_libod_a_SOURCES += src/scan/readers.inc src/scan/memory_lists.inc
BUILT_SOURCES += src/scan/readers.inc src/scan/memory_lists.inc
EXTRA_DIST += src/scan/memory.words
src/scan/memory_lists.inc: $(top_srcdir)/src/scan/memory.words $(phrases_awk)
	$(phrases)
src/scan/readers.inc: $(top_srcdir)/src/readers/local.mk $(top_srcdir)/src/models/local.mk
	$(registry) $(OD_READERS) $(OD_MODEL_READERS) $(registry_end)
