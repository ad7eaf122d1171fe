# One word an output format: od_format_<word>, in <word>.c, json.c (jsonl) or ci_json.c (gitlab, sarif).
OD_FORMATS = text html markdown json jsonl brief github gitlab junit sarif

src_libod_a_SOURCES += \
    src/report/brief.c \
    src/report/doc.c src/report/doc.h \
    src/report/documented.c \
    src/report/doc_redact.c \
    src/report/doc_stated.c \
    src/report/figure.c src/report/figure.h \
    src/report/figure_batch.c \
    src/report/figure_bins.c \
    src/report/figure_holders.c \
    src/report/figure_map.c \
    src/report/figure_parts.h \
    src/report/figure_plan.c \
    src/report/figure_series.c \
    src/report/figure_workers.c \
    src/report/github.c \
    src/report/ci_json.c \
    src/report/headline.c src/report/headline.def \
    src/report/html.c \
    src/report/html_parts.c src/report/html_parts.h \
    src/report/json.c \
    src/report/json_parts.h \
    src/report/json_write.c src/report/json_write.h \
    src/report/junit.c \
    src/report/markdown.c \
    src/report/other.h \
    src/report/outline.c src/report/outline.h src/report/outline.def \
    src/report/outline_advice.c \
    src/report/outline_answer.c \
    src/report/outline_evidence.c \
    src/report/outline_holding.c \
    src/report/outline_memory.c \
    src/report/outline_more.c \
    src/report/outline_new.c \
    src/report/outline_numbers.c \
    src/report/outline_others.c \
    src/report/outline_parts.h \
    src/report/outline_bar.c \
    src/report/outline_course.c \
    src/report/outline_series.c \
    src/report/outline_stated.c \
    src/report/outline_strip.c \
    src/report/outline_trust.c \
    src/report/outline_why.c \
    src/report/page.c src/report/page.h \
    src/report/plan.h \
    src/report/plan_outline.c \
    src/report/plan_parts.c \
    src/report/record.h src/report/fields.def \
    src/report/fields_start.def src/report/fields_end.def src/report/fields_put.def src/report/fields_ci.def \
    src/report/fields_plan.def src/report/fields_tensor.def src/report/fields_written.def \
    src/report/annotation.c src/report/annotation.h \
    src/report/render.c \
    src/report/rows.c src/report/rows.h \
    src/report/report.h \
    src/report/gnuplot_script.c src/report/gnuplot_script.h \
    src/report/tensor_report.c \
    src/report/text.c \
    src/report/text_picture.c \
    src/report/text_table.c \
    src/report/words.c src/report/words.h src/report/words.def
OD_SCHEMAS = report plan diff fleet tensor model graph
schema_incs = src/report/schemas.inc
page_incs = src/report/page_css.inc src/report/page_js.inc
nodist_src_libod_a_SOURCES += src/report/registry.inc $(schema_incs) $(page_incs)

BUILT_SOURCES += src/report/registry.inc $(schema_incs) $(page_incs)
src/report/registry.inc: $(top_srcdir)/src/report/local.mk
	$(registry) $(OD_FORMATS) $(registry_end)

# What a schema takes from our tables: "@causes@", and the fields of a record (schema.awk).
schema_tables = $(top_srcdir)/src/facts/causes.def $(top_srcdir)/src/report/fields.def \
    $(top_srcdir)/src/report/fields_written.def $(top_srcdir)/src/report/fields_plan.def \
    $(top_srcdir)/src/report/fields_tensor.def $(top_srcdir)/src/runs/fields_runs.def
filled_in = $(AWK) -f $(top_srcdir)/src/report/schema.awk $(schema_tables)

# Bytes rather than a literal: compilers need not take literals of that length.
as_bytes = $(AM_V_GEN)$(MKDIR_P) $(@D) && od -An -v -tx1 $< \
    | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g' > $@.tmp && mv $@.tmp $@
EXTRA_DIST += $(OD_SCHEMAS:%=src/report/schema_%.json) src/report/page.css src/report/page.js \
    src/report/schema.awk
$(schema_incs): $(OD_SCHEMAS:%=$(top_srcdir)/src/report/schema_%.json) $(schema_tables) \
    $(top_srcdir)/src/report/schema.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for name in $(OD_SCHEMAS); do \
	    echo "{\"$$name\", (const char[]){"; \
	    $(filled_in) $(top_srcdir)/src/report/schema_$$name.json | od -An -v -tx1 \
	        | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; echo "0}},"; done > $@.tmp && mv $@.tmp $@
src/report/page_css.inc: $(top_srcdir)/src/report/page.css
	$(as_bytes)
src/report/page_js.inc: $(top_srcdir)/src/report/page.js
	$(as_bytes)

# The sentences of headline.c.
nodist_src_libod_a_SOURCES += src/report/headlines.inc
BUILT_SOURCES += src/report/headlines.inc
EXTRA_DIST += rules/words/headlines.yaml src/rules/texts.awk
src/report/headlines.inc: $(top_srcdir)/rules/words/headlines.yaml $(top_srcdir)/src/rules/texts.awk $(top_srcdir)/src/report/headline.def \
    $(top_srcdir)/src/rules/facts.def
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(top_srcdir)/src/rules/texts.awk \
	    $(top_srcdir)/src/rules/facts.def $(top_srcdir)/src/report/headline.def $(top_srcdir)/rules/words/headlines.yaml > $@.tmp && mv $@.tmp $@

# The scripts of the figures.
nodist_src_libod_a_SOURCES += src/report/figures.inc
BUILT_SOURCES += src/report/figures.inc
EXTRA_DIST += src/report/figures.gp src/report/figures.awk
src/report/figures.inc: $(top_srcdir)/src/report/figures.gp $(top_srcdir)/src/report/figures.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(top_srcdir)/src/report/figures.awk \
	    $(top_srcdir)/src/report/figures.gp > $@.tmp && mv $@.tmp $@
