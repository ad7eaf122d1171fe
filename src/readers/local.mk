# make looks for files that came or went only where this file has changed (sources.sh), so change it then.
# One word a reader: the file <word>.c defines od_reader_<word>. marks is offered a line before the
# readers of measures.
OD_READERS = bfc claims marks tried_fixes kernel_oom tables repeated settings

include src/readers/sources.mk
$(srcdir)/src/readers/sources.mk: $(srcdir)/src/readers/sources.sh $(srcdir)/src/readers/local.mk
	$(AM_V_GEN)sh $(srcdir)/src/readers/sources.sh
EXTRA_DIST += src/readers/sources.sh
src_libod_a_SOURCES += $(OD_READERS_SOURCES)

# Written by meaning, searched by first letter; rows of one letter keep their order.
nodist_src_libod_a_SOURCES += src/readers/logs/setting_keys.inc src/readers/logs/settings_starts.inc
BUILT_SOURCES += src/readers/logs/setting_keys.inc src/readers/logs/settings_starts.inc
settings_awk = $(top_srcdir)/src/readers/logs/settings_starts.awk
src/readers/logs/setting_keys.inc: $(top_srcdir)/src/readers/logs/setting_keys.def $(settings_awk)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -F '"' -f $(settings_awk) $< | LC_ALL=C sort -s -t '"' -k 1.4,1.5 > $@.tmp && mv $@.tmp $@
src/readers/logs/settings_starts.inc: src/readers/logs/setting_keys.inc
	$(AM_V_GEN)$(AWK) -v starts=1 -f $(settings_awk) $< > $@.tmp && mv $@.tmp $@
EXTRA_DIST += src/readers/logs/settings_starts.awk

# What speaks for and against a failure's being stated, sorted.
nodist_src_libod_a_SOURCES += src/readers/logs/sentence_weights.inc
BUILT_SOURCES += src/readers/logs/sentence_weights.inc
EXTRA_DIST += src/readers/logs/sentence_weights.tsv
src/readers/logs/sentence_weights.inc: $(top_srcdir)/src/readers/logs/sentence_weights.tsv
	$(AM_V_GEN)$(MKDIR_P) $(@D) && LC_ALL=C sort $(top_srcdir)/src/readers/logs/sentence_weights.tsv | $(AWK) -F '\t' \
	    '!/^## / { gsub(/["\\]/, "\\\\&", $$1); printf "    {\"%s\", sizeof \"%s\" - 1, %s},\n", $$1, $$1, $$2 }' > $@.tmp && mv $@.tmp $@

# Words, sorted.
OD_WORD_TABLES = src/readers/measures/memory_words.inc \
    src/readers/logs/marks_words.inc \
    src/readers/logs/tried_fixes.inc \
    src/readers/logs/setting_value_words.inc \
    src/readers/measures/table_words.inc \
    src/readers/measures/table_tools.inc \
    src/readers/measures/repeated_lists.inc \
    src/readers/measures/tables_lists.inc \
    src/readers/measures/record_lists.inc \
    src/readers/measures/table_column_lists.inc \
    src/readers/logs/settings_lists.inc \
    src/readers/logs/setting_line_lists.inc \
    src/readers/logs/sentence_stated_lists.inc \
    src/readers/logs/bfc_lists.inc \
    src/readers/logs/kernel_oom_lists.inc \
    src/readers/logs/marks_lists.inc \
    src/readers/logs/claims_lists.inc \
    src/readers/logs/sentence_report_lists.inc \
    src/readers/logs/sentence_sizes_lists.inc \
    src/readers/logs/setting_around.inc
nodist_src_libod_a_SOURCES += $(OD_WORD_TABLES)
BUILT_SOURCES += $(OD_WORD_TABLES)
EXTRA_DIST += src/readers/measures/memory.words \
    src/readers/logs/marks.words \
    src/readers/logs/found.words \
    src/readers/logs/setting_value.words \
    src/readers/measures/table.words \
    src/readers/measures/table.tools \
    src/readers/measures/table_tools.awk \
    src/readers/measures/repeated.words \
    src/readers/measures/tables.words \
    src/readers/measures/record.words \
    src/readers/measures/table_column.words \
    src/readers/logs/settings.words \
    src/readers/logs/setting_line.words \
    src/readers/logs/sentence_stated.words \
    src/readers/logs/bfc.words \
    src/readers/logs/kernel_oom.words \
    src/readers/logs/marks_lists.words \
    src/readers/logs/claims.words \
    src/readers/logs/sentence_report.words \
    src/readers/logs/sentence_sizes.words \
    src/readers/logs/setting_around.words
src/readers/measures/memory_words.inc: $(top_srcdir)/src/readers/measures/memory.words
	$(word_table)
src/readers/logs/marks_words.inc: $(top_srcdir)/src/readers/logs/marks.words
	$(word_table)
src/readers/logs/tried_fixes.inc: $(top_srcdir)/src/readers/logs/found.words $(phrases_awk)
	$(phrases)
src/readers/logs/setting_value_words.inc: $(top_srcdir)/src/readers/logs/setting_value.words $(phrases_awk)
	$(phrases)
src/readers/measures/table_words.inc: $(top_srcdir)/src/readers/measures/table.words
	$(word_table)
tools_awk = $(top_srcdir)/src/readers/measures/table_tools.awk
src/readers/measures/table_tools.inc: $(top_srcdir)/src/readers/measures/table.tools $(tools_awk)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(tools_awk) $< > $@.tmp && mv $@.tmp $@
src/readers/logs/setting_around.inc: $(top_srcdir)/src/readers/logs/setting_around.words
	$(word_table)
src/readers/measures/repeated_lists.inc: $(top_srcdir)/src/readers/measures/repeated.words $(phrases_awk)
	$(phrases)
src/readers/measures/record_lists.inc: $(top_srcdir)/src/readers/measures/record.words $(phrases_awk)
	$(phrases)
src/readers/measures/tables_lists.inc: $(top_srcdir)/src/readers/measures/tables.words $(phrases_awk)
	$(phrases)
src/readers/measures/table_column_lists.inc: $(top_srcdir)/src/readers/measures/table_column.words $(phrases_awk)
	$(phrases)
src/readers/logs/settings_lists.inc: $(top_srcdir)/src/readers/logs/settings.words $(phrases_awk)
	$(phrases)
src/readers/logs/sentence_stated_lists.inc: $(top_srcdir)/src/readers/logs/sentence_stated.words $(phrases_awk)
	$(phrases)
src/readers/logs/setting_line_lists.inc: $(top_srcdir)/src/readers/logs/setting_line.words $(phrases_awk)
	$(phrases)
src/readers/logs/bfc_lists.inc: $(top_srcdir)/src/readers/logs/bfc.words $(phrases_awk)
	$(phrases)
src/readers/logs/kernel_oom_lists.inc: $(top_srcdir)/src/readers/logs/kernel_oom.words $(phrases_awk)
	$(phrases)
src/readers/logs/marks_lists.inc: $(top_srcdir)/src/readers/logs/marks_lists.words $(phrases_awk)
	$(phrases)
src/readers/logs/claims_lists.inc: $(top_srcdir)/src/readers/logs/claims.words $(phrases_awk)
	$(phrases)
src/readers/logs/sentence_report_lists.inc: $(top_srcdir)/src/readers/logs/sentence_report.words $(phrases_awk)
	$(phrases)
src/readers/logs/sentence_sizes_lists.inc: $(top_srcdir)/src/readers/logs/sentence_sizes.words $(phrases_awk)
	$(phrases)
