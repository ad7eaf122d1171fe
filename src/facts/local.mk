src_libod_a_SOURCES += \
    src/facts/accelerator.c src/facts/accelerator.h \
    src/facts/amount.c src/facts/amount.h \
    src/facts/argv.c src/facts/argv.h \
    src/facts/around.c src/facts/around.h \
    src/facts/assigned.c src/facts/assigned.h \
    src/facts/bounds.c src/facts/bounds.h \
    src/facts/cause.c src/facts/cause.h src/facts/causes.def \
    src/facts/certainty.c src/facts/certainty.h \
    src/facts/claim.c src/facts/claim.h \
    src/facts/dump.c src/facts/dump.h \
    src/facts/event.c src/facts/event.h src/facts/event_fields.def src/facts/event_kinds.def \
    src/facts/excerpt.c src/facts/excerpt.h \
    src/facts/line.c src/facts/line.h \
    src/facts/meaning.c src/facts/meaning.h src/facts/meanings.def src/facts/objects.def \
    src/facts/mention.c src/facts/mention.h src/facts/mention_choice.c src/facts/mention_parts.h \
    src/facts/model.c src/facts/model.h src/facts/layers.def \
    src/facts/module_count.c src/facts/module_count.h \
    src/facts/number.c src/facts/number.h \
    src/facts/place.h \
    src/facts/phases.def \
    src/facts/products.def \
    src/facts/prov.c src/facts/prov.h \
    src/facts/segment.c src/facts/segment.h src/facts/segment.def \
    src/facts/setting.c src/facts/setting.h src/facts/settings.def \
    src/facts/setting_number.c src/facts/setting_number.h \
    src/facts/shape.c src/facts/shape.h \
    src/facts/statement.c src/facts/statement.h \
    src/facts/trace.c src/facts/trace.h src/facts/trace.def \
    src/facts/words.c src/facts/words.h src/facts/words.def
OD_FACT_TABLES = src/facts/accelerators.inc src/facts/layers.inc src/facts/mention_lists.inc src/facts/segment_lists.inc \
    src/facts/claim_lists.inc src/facts/number_lists.inc
nodist_src_libod_a_SOURCES = $(OD_FACT_TABLES)

BUILT_SOURCES += $(OD_FACT_TABLES)
EXTRA_DIST += src/facts/accelerators.tsv src/facts/layers.words src/facts/mention.words src/facts/segment.words src/facts/claim.words \
    src/facts/number.words
src/facts/claim_lists.inc: $(top_srcdir)/src/facts/claim.words $(phrases_awk)
	$(phrases)
src/facts/number_lists.inc: $(top_srcdir)/src/facts/number.words $(phrases_awk)
	$(phrases)
src/facts/mention_lists.inc: $(top_srcdir)/src/facts/mention.words $(phrases_awk)
	$(phrases)
src/facts/segment_lists.inc: $(top_srcdir)/src/facts/segment.words $(phrases_awk)
	$(phrases)
src/facts/layers.inc: $(top_srcdir)/src/facts/layers.words
	$(word_table)
src/facts/accelerators.inc: $(top_srcdir)/src/facts/accelerators.tsv $(top_srcdir)/src/facts/local.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -F '\t' \
	    '!/^#/ { split($$1, n, " "); \
	         part = $$4 ~ /^(mig|mig-share|tpu|metal)$$/ || $$1 ~ /-laptop|^mx/; \
	         printf "    {\"%s\", \"%s\", %s, %s, %d, %d},\n", n[1], $$1, $$2, $$3, part, $$5 == "usual" }' \
	    $(top_srcdir)/src/facts/accelerators.tsv > $@.tmp && mv $@.tmp $@
