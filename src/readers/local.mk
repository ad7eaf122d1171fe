# One word a reader: the file <word>.c defines od_reader_<word>. marks stands before those that
# measure: of one line, it speaks first.
OD_READERS = batch_words bfc checkpoints marks columns data_words deepspeed_memory earlyoom keras_summary kernel_oom lightning_table megatron_args memory_csv memory_print module_tree npu_smi nvidia_smi printed_config prose sequel torch_oom torch_summary torchinfo torchsummary traceback_end xla_buffers
# One word a reader of whole files: <word>.c defines od_file_reader_<word>.
OD_FILE_READERS = gguf graph_json hf_config safetensors model_yaml tf_memory_dump torch_snapshot

src_libod_a_SOURCES += \
    src/readers/batch_words.c \
    src/readers/bfc.c \
    src/readers/bfc_announce.c \
    src/readers/bfc_build.c src/readers/bfc_build.h \
    src/readers/bfc_line.c src/readers/bfc_line.h \
    src/readers/bfc_order.c src/readers/bfc_order.h \
    src/readers/bfc_path.c \
    src/readers/bfc_plan.c src/readers/bfc_plan.h \
    src/readers/bfc_pool.c src/readers/bfc_pool.h \
    src/readers/bfc_row.c src/readers/bfc_row.h \
    src/readers/bfc_streak.c src/readers/bfc_streak.h \
    src/readers/bfc_sums.c src/readers/bfc_sums.h \
    src/readers/checkpoint_words.c src/readers/checkpoint_words.h \
    src/readers/checkpoints.c \
    src/readers/columns.c \
    src/readers/columns_tools.c src/readers/columns_tools.h \
    src/readers/csv_column.c src/readers/csv_column.h \
    src/readers/csv_sweep.c src/readers/csv_sweep.h \
    src/readers/data_words.c \
    src/readers/deepspeed_memory.c \
    src/readers/earlyoom.c \
    src/readers/file_reader.c src/readers/file_reader.h \
    src/readers/file_registry.c \
    src/readers/keras_row.c src/readers/keras_row.h \
    src/readers/keras_summary.c \
    src/readers/gguf.c \
    src/readers/graph_json.c \
    src/readers/graph_step.c src/readers/graph_step.h \
    src/readers/hf_config.c src/readers/hf_config.h \
    src/readers/hf_blocks.c src/readers/hf_blocks.h \
    src/readers/hf_family.c src/readers/hf_family.h \
    src/readers/hf_keys.c src/readers/hf_keys.h \
    src/readers/kernel_line.c src/readers/kernel_line.h \
    src/readers/kernel_oom.c \
    src/readers/kernel_table.c src/readers/kernel_table.h \
    src/readers/lightning_table.c \
    src/readers/marks.c \
    src/readers/measure.c src/readers/measure.h \
    src/readers/megatron_args.c \
    src/readers/memory_csv.c \
    src/readers/memory_line.c src/readers/memory_line.h \
    src/readers/memory_place.c src/readers/memory_place.h \
    src/readers/memory_print.c \
    src/readers/memory_words.c src/readers/memory_words.h \
    src/readers/model_draft.c src/readers/model_draft.h \
    src/readers/model_text.c src/readers/model_text.h \
    src/readers/model_yaml.c \
    src/readers/module_args.c src/readers/module_args.h \
    src/readers/module_tree.c \
    src/readers/npu_smi.c \
    src/readers/nvidia_smi.c \
    src/readers/pickle.c src/readers/pickle.h \
    src/readers/pickle_value.c \
    src/readers/printed_config.c \
    src/readers/protobuf.c src/readers/protobuf.h \
    src/readers/prose.c \
    src/readers/public_models.c src/readers/public_models.h \
    src/readers/public_vision.c src/readers/public_vision.h \
    src/readers/reader.h \
    src/readers/reading.c src/readers/reading.h \
    src/readers/registry.c \
    src/readers/safetensors.c \
    src/readers/sentence.c src/readers/sentence.h \
    src/readers/sentence_lines.c src/readers/sentence_lines.h \
    src/readers/sentence_parts.h \
    src/readers/sentence_place.c \
    src/readers/sentence_refusal.c \
    src/readers/sentence_sizes.c \
    src/readers/sentence_stated.c \
    src/readers/sentence_tokens.c src/readers/sentence_tokens.h \
    src/readers/sequel.c \
    src/readers/tf_memory_dump.c \
    src/readers/torch_field.c \
    src/readers/torch_find.c src/readers/torch_find.h \
    src/readers/torch_frames.c \
    src/readers/torch_oom.c \
    src/readers/torch_snapshot.c src/readers/torch_snapshot.h \
    src/readers/torch_summary.c \
    src/readers/torch_text.c src/readers/torch_text.h \
    src/readers/torch_trace.c \
    src/readers/torchinfo.c \
    src/readers/torchsummary.c \
    src/readers/traceback_end.c \
    src/readers/xla_buffers.c \
    src/readers/xla_words.c src/readers/xla_words.h
nodist_src_libod_a_SOURCES += src/readers/registry.inc src/readers/file_registry.inc

BUILT_SOURCES += src/readers/registry.inc src/readers/file_registry.inc
src/readers/registry.inc: $(top_srcdir)/src/readers/local.mk
	$(registry) $(OD_READERS) $(registry_end)
src/readers/file_registry.inc: $(top_srcdir)/src/readers/local.mk
	$(registry) $(OD_FILE_READERS) $(registry_end)

nodist_src_libod_a_SOURCES += src/readers/public_models.inc
BUILT_SOURCES += src/readers/public_models.inc
EXTRA_DIST += src/readers/public_models.tsv
src/readers/public_models.inc: $(top_srcdir)/src/readers/public_models.tsv
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -F '\t' \
	    '!/^#/ { gsub(/"/, "\\\""); printf "    {\"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$4 }' \
	    $(top_srcdir)/src/readers/public_models.tsv > $@.tmp && mv $@.tmp $@

nodist_src_libod_a_SOURCES += src/readers/public_vision.inc
BUILT_SOURCES += src/readers/public_vision.inc
EXTRA_DIST += src/readers/public_vision.tsv src/readers/public_vision.awk
src/readers/public_vision.inc: $(top_srcdir)/src/readers/public_vision.tsv \
    $(top_srcdir)/src/readers/public_vision.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	    $(AWK) -F '\t' -f $(top_srcdir)/src/readers/public_vision.awk \
	    $(top_srcdir)/src/readers/public_vision.tsv > $@.tmp && mv $@.tmp $@
