# One word a reader: the file <word>.c defines od_reader_<word>. marks stands before those that
# measure: of one line, it speaks first.
OD_READERS = batch_words bfc checkpoints marks columns data_words deepspeed_memory earlyoom found_words heap_gc keras_summary kernel_oom limit_block lightning_table megatron_args memory_csv memory_print module_tree nvidia_smi printed_config prose sacct sequel settings torch_oom torch_summary torchinfo torchsummary traceback_end xla_buffers
# One word a reader of whole files: <word>.c defines od_file_reader_<word>.
OD_FILE_READERS = gguf graph_json keras_json hf_config safetensors model_yaml onnx tf_memory_dump torch_profile torch_snapshot

src_libod_a_SOURCES += \
    src/readers/logs/batch_words.c \
    src/readers/logs/bfc.c \
    src/readers/logs/bfc_announce.c \
    src/readers/logs/bfc_build.c src/readers/logs/bfc_build.h \
    src/readers/logs/bfc_line.c src/readers/logs/bfc_line.h \
    src/readers/logs/bfc_order.c src/readers/logs/bfc_order.h \
    src/readers/logs/bfc_path.c \
    src/readers/logs/bfc_plan.c src/readers/logs/bfc_plan.h \
    src/readers/logs/bfc_pool.c src/readers/logs/bfc_pool.h \
    src/readers/logs/bfc_row.c src/readers/logs/bfc_row.h \
    src/readers/logs/bfc_streak.c src/readers/logs/bfc_streak.h \
    src/readers/logs/bfc_sums.c src/readers/logs/bfc_sums.h \
    src/readers/logs/checkpoint_words.c src/readers/logs/checkpoint_words.h \
    src/readers/logs/checkpoints.c \
    src/readers/measures/columns.c \
    src/readers/measures/columns_tools.c src/readers/measures/columns_tools.h \
    src/readers/measures/csv_column.c src/readers/measures/csv_column.h \
    src/readers/measures/csv_sweep.c src/readers/measures/csv_sweep.h \
    src/readers/logs/data_words.c \
    src/readers/measures/deepspeed_memory.c \
    src/readers/measures/heap_gc.c \
    src/readers/logs/earlyoom.c \
    src/readers/logs/found_words.c \
    src/readers/file_reader.c src/readers/file_reader.h \
    src/readers/file_registry.c \
    src/readers/models/keras_json.c src/readers/models/keras_json.h \
    src/readers/models/keras_layers.c \
    src/readers/models/keras_row.c src/readers/models/keras_row.h \
    src/readers/models/keras_summary.c \
    src/readers/files/gguf.c \
    src/readers/files/graph_json.c \
    src/readers/files/graph_autocast.c src/readers/files/graph_step.c src/readers/files/graph_step.h \
    src/readers/models/hf_config.c src/readers/models/hf_config.h \
    src/readers/models/hf_blocks.c src/readers/models/hf_blocks.h \
    src/readers/models/hf_family.c src/readers/models/hf_family.h \
    src/readers/models/hf_keys.c src/readers/models/hf_keys.h \
    src/readers/logs/kernel_line.c src/readers/logs/kernel_line.h \
    src/readers/logs/kernel_oom.c \
    src/readers/logs/kernel_table.c src/readers/logs/kernel_table.h \
    src/readers/models/lightning_table.c \
    src/readers/logs/limit_block.c \
    src/readers/logs/marks.c \
    src/readers/measures/measure.c src/readers/measures/measure.h \
    src/readers/models/megatron_args.c \
    src/readers/measures/memory_csv.c \
    src/readers/measures/memory_line.c src/readers/measures/memory_line.h \
    src/readers/measures/memory_place.c src/readers/measures/memory_place.h \
    src/readers/measures/memory_print.c \
    src/readers/measures/memory_words.c src/readers/measures/memory_words.h \
    src/readers/models/model_draft.c src/readers/models/model_draft.h \
    src/readers/models/model_text.c src/readers/models/model_text.h \
    src/readers/models/model_yaml.c \
    src/readers/models/module_args.c src/readers/models/module_args.h \
    src/readers/models/module_tree.c \
    src/readers/measures/nvidia_smi.c \
    src/readers/files/onnx.c src/readers/files/onnx.h \
    src/readers/files/onnx_node.c \
    src/readers/files/onnx_rows.c \
    src/readers/files/pickle.c src/readers/files/pickle.h \
    src/readers/files/pickle_value.c \
    src/readers/models/printed_config.c \
    src/readers/files/protobuf.c src/readers/files/protobuf.h \
    src/readers/logs/prose.c \
    src/readers/logs/sacct.c \
    src/readers/models/public_models.c src/readers/models/public_models.h \
    src/readers/models/public_vision.c src/readers/models/public_vision.h \
    src/readers/reader.h \
    src/readers/reading.c src/readers/reading.h \
    src/readers/registry.c \
    src/readers/files/safetensors.c \
    src/readers/logs/sentence.c src/readers/logs/sentence.h \
    src/readers/logs/sentence_lines.c src/readers/logs/sentence_lines.h \
    src/readers/logs/sentence_parts.h \
    src/readers/logs/sentence_place.c \
    src/readers/logs/sentence_refusal.c \
    src/readers/logs/sentence_sizes.c \
    src/readers/logs/sentence_stated.c \
    src/readers/logs/sentence_tokens.c src/readers/logs/sentence_tokens.h \
    src/readers/logs/sequel.c \
    src/readers/files/tf_memory_dump.c \
    src/readers/files/torch_field.c \
    src/readers/logs/setting_line.c src/readers/logs/setting_line.h \
    src/readers/logs/setting_value.c src/readers/logs/setting_value.h \
    src/readers/logs/setting_words.c src/readers/logs/setting_words.h \
    src/readers/logs/settings.c src/readers/logs/setting_keys.def \
    src/readers/logs/torch_find.c src/readers/logs/torch_find.h \
    src/readers/files/torch_frames.c \
    src/readers/logs/torch_oom.c \
    src/readers/files/torch_profile.c \
    src/readers/files/torch_snapshot.c src/readers/files/torch_snapshot.h \
    src/readers/models/torch_summary.c \
    src/readers/logs/torch_text.c src/readers/logs/torch_text.h \
    src/readers/files/torch_history.c \
    src/readers/files/torch_trace.c \
    src/readers/models/torchinfo.c \
    src/readers/models/torchsummary.c \
    src/readers/logs/traceback_end.c \
    src/readers/logs/xla_buffers.c \
    src/readers/logs/xla_words.c src/readers/logs/xla_words.h
nodist_src_libod_a_SOURCES += src/readers/registry.inc src/readers/file_registry.inc

BUILT_SOURCES += src/readers/registry.inc src/readers/file_registry.inc

# Written by meaning, searched by first letter; rows of one letter keep their order.
nodist_src_libod_a_SOURCES += src/readers/logs/setting_keys.inc src/readers/logs/settings_starts.inc
BUILT_SOURCES += src/readers/logs/setting_keys.inc src/readers/logs/settings_starts.inc
src/readers/logs/setting_keys.inc: $(top_srcdir)/src/readers/logs/setting_keys.def
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed -n '/^OD_SETTING_KEY("/p' \
	    $(top_srcdir)/src/readers/logs/setting_keys.def | LC_ALL=C sort -s -k 1.17,1.17 > $@.tmp && mv $@.tmp $@
src/readers/logs/settings_starts.inc: src/readers/logs/setting_keys.inc $(top_srcdir)/src/readers/logs/settings_starts.awk
	$(AM_V_GEN)awk -F '"' -f $(top_srcdir)/src/readers/logs/settings_starts.awk \
	    src/readers/logs/setting_keys.inc > $@.tmp && mv $@.tmp $@
EXTRA_DIST += src/readers/logs/settings_starts.awk
src/readers/registry.inc: $(top_srcdir)/src/readers/local.mk
	$(registry) $(OD_READERS) $(registry_end)
src/readers/file_registry.inc: $(top_srcdir)/src/readers/local.mk
	$(registry) $(OD_FILE_READERS) $(registry_end)

nodist_src_libod_a_SOURCES += src/readers/models/public_models.inc
BUILT_SOURCES += src/readers/models/public_models.inc
EXTRA_DIST += src/readers/models/public_models.tsv
src/readers/models/public_models.inc: $(top_srcdir)/src/readers/models/public_models.tsv
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -F '\t' \
	    '!/^#/ { gsub(/"/, "\\\""); printf "    {\"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$4 }' \
	    $(top_srcdir)/src/readers/models/public_models.tsv > $@.tmp && mv $@.tmp $@

nodist_src_libod_a_SOURCES += src/readers/models/public_vision.inc
BUILT_SOURCES += src/readers/models/public_vision.inc
EXTRA_DIST += src/readers/models/public_vision.tsv src/readers/models/public_vision.awk
src/readers/models/public_vision.inc: $(top_srcdir)/src/readers/models/public_vision.tsv \
    $(top_srcdir)/src/readers/models/public_vision.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	    $(AWK) -F '\t' -f $(top_srcdir)/src/readers/models/public_vision.awk \
	    $(top_srcdir)/src/readers/models/public_vision.tsv > $@.tmp && mv $@.tmp $@

# Words, sorted.
nodist_src_libod_a_SOURCES += src/readers/measures/memory_words.inc \
    src/readers/logs/marks_words.inc \
    src/readers/logs/batch_words.inc \
    src/readers/logs/batch_wide.inc \
    src/readers/logs/checkpoint_words.inc \
    src/readers/logs/found_words.inc
BUILT_SOURCES += src/readers/measures/memory_words.inc \
    src/readers/logs/marks_words.inc \
    src/readers/logs/batch_words.inc \
    src/readers/logs/batch_wide.inc \
    src/readers/logs/checkpoint_words.inc \
    src/readers/logs/found_words.inc
EXTRA_DIST += src/readers/measures/memory.words \
    src/readers/logs/marks.words \
    src/readers/logs/batch.words \
    src/readers/logs/batch_wide.words \
    src/readers/logs/checkpoint.words \
    src/readers/logs/found.words src/readers/logs/found_words.awk
src/readers/measures/memory_words.inc: $(top_srcdir)/src/readers/measures/memory.words
	$(word_table)
src/readers/logs/marks_words.inc: $(top_srcdir)/src/readers/logs/marks.words
	$(word_table)
src/readers/logs/batch_words.inc: $(top_srcdir)/src/readers/logs/batch.words
	$(word_table)
src/readers/logs/batch_wide.inc: $(top_srcdir)/src/readers/logs/batch_wide.words
	$(word_table)
src/readers/logs/checkpoint_words.inc: $(top_srcdir)/src/readers/logs/checkpoint.words
	$(word_table)
src/readers/logs/found_words.inc: $(top_srcdir)/src/readers/logs/found.words \
    $(top_srcdir)/src/readers/logs/found_words.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && LC_ALL=C $(AWK) -f $(top_srcdir)/src/readers/logs/found_words.awk \
	    $(top_srcdir)/src/readers/logs/found.words > $@.tmp && mv $@.tmp $@
