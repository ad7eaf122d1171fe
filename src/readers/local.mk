# One word a reader: the file <word>.c defines od_reader_<word>.
OD_READERS = bfc keras_summary kernel_oom lightning_table module_tree torch_oom torchinfo \
    torchsummary

src_libod_a_SOURCES += \
    src/readers/bfc_announce.c \
    src/readers/bfc_build.c src/readers/bfc_build.h \
    src/readers/bfc_line.c src/readers/bfc_line.h \
    src/readers/bfc_pool.c src/readers/bfc_pool.h \
    src/readers/bfc.c \
    src/readers/bfc_order.c src/readers/bfc_order.h \
    src/readers/bfc_path.c \
    src/readers/bfc_plan.c src/readers/bfc_plan.h \
    src/readers/bfc_row.c src/readers/bfc_row.h \
    src/readers/bfc_sums.c src/readers/bfc_sums.h \
    src/readers/keras_row.c src/readers/keras_row.h \
    src/readers/keras_summary.c \
    src/readers/kernel_line.c src/readers/kernel_line.h \
    src/readers/kernel_oom.c \
    src/readers/kernel_table.c src/readers/kernel_table.h \
    src/readers/lightning_table.c \
    src/readers/model_draft.c src/readers/model_draft.h \
    src/readers/model_text.c src/readers/model_text.h \
    src/readers/module_args.c src/readers/module_args.h \
    src/readers/module_tree.c \
    src/readers/reader.h \
    src/readers/registry.c \
    src/readers/torch_oom.c \
    src/readers/torchinfo.c \
    src/readers/torchsummary.c
nodist_src_libod_a_SOURCES = src/readers/registry.inc

BUILT_SOURCES += src/readers/registry.inc
src/readers/registry.inc: $(top_srcdir)/src/readers/local.mk
	$(registry) $(OD_READERS) $(registry_end)
