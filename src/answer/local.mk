src_libod_a_SOURCES += \
    src/answer/actions.c src/answer/actions.h \
    src/answer/answer.c src/answer/answer.h \
    src/answer/dataset.c \
    src/answer/host_answer.c src/answer/host_answer.h \
    src/answer/host_facts.c src/answer/host_parts.h \
    src/answer/options.c src/answer/options.h \
    src/answer/phases.c src/answer/phases.h \
    src/answer/phases_moments.c \
    src/answer/words.c src/answer/words.def src/answer/words.h \
    src/answer/workers.c src/answer/workers.h

# The sentences of words.c.
nodist_src_libod_a_SOURCES += src/answer/words.inc
BUILT_SOURCES += src/answer/words.inc
EXTRA_DIST += rules/words/answers.yaml
src/answer/words.inc: $(top_srcdir)/rules/words/answers.yaml $(top_srcdir)/src/rules/texts.awk $(top_srcdir)/src/answer/words.def \
    $(top_srcdir)/src/rules/facts.def
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(top_srcdir)/src/rules/texts.awk \
	    $(top_srcdir)/src/rules/facts.def $(top_srcdir)/src/answer/words.def $(top_srcdir)/rules/words/answers.yaml > $@.tmp && mv $@.tmp $@
