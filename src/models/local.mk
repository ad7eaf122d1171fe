# One word a reader of printed models: printed/<word>.c defines od_reader_<word>.
OD_MODEL_READERS = keras_summary lightning_table megatron_args module_tree printed_config torchinfo torchsummary
# One word a reader of whole files: <word>.c defines od_file_reader_<word>.
OD_FILE_READERS = gguf graph_export graph_json keras_json hf_config safetensors weights_index model_yaml onnx tf_memory_dump torch_profile torch_snapshot

include src/models/sources.mk
$(srcdir)/src/models/sources.mk: $(srcdir)/src/readers/sources.sh $(srcdir)/src/models/local.mk
	$(AM_V_GEN)sh $(srcdir)/src/readers/sources.sh
src_libod_a_SOURCES += $(OD_MODELS_SOURCES)

nodist_src_libod_a_SOURCES += src/models/file_registry.inc
BUILT_SOURCES += src/models/file_registry.inc
src/models/file_registry.inc: $(top_srcdir)/src/models/local.mk
	$(registry) $(OD_FILE_READERS) $(registry_end)

nodist_src_libod_a_SOURCES += src/models/printed/module_tree_words.inc
BUILT_SOURCES += src/models/printed/module_tree_words.inc
EXTRA_DIST += src/models/printed/module_tree.words
src/models/printed/module_tree_words.inc: $(top_srcdir)/src/models/printed/module_tree.words $(phrases_awk)
	$(phrases)

nodist_src_libod_a_SOURCES += src/models/public_models.inc
BUILT_SOURCES += src/models/public_models.inc
EXTRA_DIST += src/models/public_models.tsv
src/models/public_models.inc: $(top_srcdir)/src/models/public_models.tsv
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -F '\t' \
	    '!/^#/ { gsub(/"/, "\\\""); printf "    {\"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$4 }' \
	    $(top_srcdir)/src/models/public_models.tsv > $@.tmp && mv $@.tmp $@

nodist_src_libod_a_SOURCES += src/models/architectures.inc
BUILT_SOURCES += src/models/architectures.inc
EXTRA_DIST += src/models/architectures.tsv
src/models/architectures.inc: $(top_srcdir)/src/models/architectures.tsv
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -F '\t' \
	    '!/^#/ { printf "    {\"%s\", \"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$3, $$4 }' \
	    $(top_srcdir)/src/models/architectures.tsv > $@.tmp && mv $@.tmp $@

nodist_src_libod_a_SOURCES += src/models/public_vision.inc
BUILT_SOURCES += src/models/public_vision.inc
EXTRA_DIST += src/models/public_vision.tsv src/models/public_vision.awk
src/models/public_vision.inc: $(top_srcdir)/src/models/public_vision.tsv \
    $(top_srcdir)/src/models/public_vision.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	    $(AWK) -F '\t' -f $(top_srcdir)/src/models/public_vision.awk \
	    $(top_srcdir)/src/models/public_vision.tsv > $@.tmp && mv $@.tmp $@
