# Files of a folder, named from the top: a new one needs no word here.
yaml_of = $(patsubst $(top_srcdir)/%,%,$(sort $(wildcard $(top_srcdir)/rules/$(1)*.yaml)))

# The packs we ship: proved, and compiled into the program, when the project is built.
OD_PACKS = $(call yaml_of)

# The advice, one file a cause; all causes of the contract must be here.
OD_ADVICE = $(call yaml_of,advice/)

# The causes, one file a cause.
OD_CAUSES = $(call yaml_of,causes/)

# Answers to general questions, one file a topic.
OD_TOPICS = $(call yaml_of,topics/)

# What must hold of a sentence before it is printed.
OD_INVARIANTS = rules/words/invariants.yaml
# The lexicon of failure sentences.
OD_WORDS = rules/words/failure.yaml
# What other texts of a log mean, one file a subject.
OD_MEANINGS = \
    rules/words/claims.yaml \
    rules/words/frames.yaml \
    rules/words/labels.yaml \
    rules/words/numbers.yaml \
    rules/words/objects.yaml \
    rules/words/ops.yaml \
    rules/words/said.yaml \
    rules/words/sizes.yaml \
    rules/words/values.yaml
# The catalogue of software, one file a sort.
OD_SOFTWARE = $(call yaml_of,software/)

src_libod_a_SOURCES += \
    src/rules/advice.c src/rules/advice.h \
    src/rules/emit.c src/rules/emit.h \
    src/rules/enforcers.c src/rules/enforcers.h \
    src/rules/invariants.h src/rules/load_invariant.c src/rules/relations.def \
    src/rules/load.c src/rules/load.h \
    src/rules/load_advice.c \
    src/rules/cause_rows.h src/rules/load_cause.c \
    src/rules/load_fields.c \
    src/rules/load_file.c \
    src/rules/load_meanings.c \
    src/rules/load_rule.c \
    src/rules/load_topic.c src/rules/topics.h \
    src/rules/load_words.c \
    src/rules/load_software.c src/rules/knobs.def \
    src/rules/loader.c src/rules/loader.h \
    src/rules/match.h \
    src/rules/pack.h \
    src/rules/pattern_digits.c \
    src/rules/regex.c src/rules/regex.h \
    src/rules/ruleset.c src/rules/ruleset.h \
    src/rules/sample_words.c \
    src/rules/slots.c src/rules/slots.h \
    src/rules/set_sentence.c src/rules/set_sentence.h \
    src/rules/software.c src/rules/software.h \
    src/rules/set_amount.c src/rules/set_amount.h \
    src/rules/start_value.c src/rules/start_value.h \
    src/rules/value.c src/rules/value.h \
    src/rules/facts.def \
    src/rules/when.c src/rules/when.h \
    src/rules/when_load.c \
    src/rules/words.h

# Who acts when memory runs out.
nodist_src_libod_a_SOURCES += src/rules/enforcers.inc
BUILT_SOURCES += src/rules/enforcers.inc
EXTRA_DIST += rules/words/enforcers.yaml src/rules/enforcers.awk
src/rules/enforcers.inc: $(top_srcdir)/rules/words/enforcers.yaml $(top_srcdir)/src/rules/enforcers.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(top_srcdir)/src/rules/enforcers.awk \
	    $(top_srcdir)/rules/words/enforcers.yaml > $@.tmp && mv $@.tmp $@

packsdir = $(pkgdatadir)/rules
dist_packs_DATA = $(OD_PACKS)
advicedir = $(packsdir)/advice
dist_advice_DATA = $(OD_ADVICE)
EXTRA_DIST += $(OD_WORDS) $(OD_MEANINGS) $(OD_CAUSES) $(OD_TOPICS) $(OD_INVARIANTS)
softwaredir = $(packsdir)/software
dist_software_DATA = $(OD_SOFTWARE)

# The compiler of packs stands on a high floor (it proves them), so its source is in cli/.
noinst_PROGRAMS += src/rules/rulec
src_rules_rulec_SOURCES = src/cli/rulec.c
src_rules_rulec_LDADD = src/libod.a $(OD_FOREIGN_LIBS)

# Not among BUILT_SOURCES: its maker needs the library first.
CLEANFILES += src/rules/shipped.c
src/rules/shipped.c: src/rules/rulec$(EXEEXT) $(OD_PACKS) $(OD_ADVICE) $(OD_CAUSES) $(OD_TOPICS) $(OD_INVARIANTS) $(OD_WORDS) \
    $(OD_MEANINGS) $(OD_SOFTWARE)
	$(AM_V_GEN)$(OD_RUN) src/rules/rulec$(EXEEXT) --root $(srcdir) -o $@.tmp --words $(OD_WORDS) $(OD_PACKS) \
	    --meanings $(OD_MEANINGS) --advice $(OD_ADVICE) --causes $(OD_CAUSES) --topics $(OD_TOPICS) --invariants $(OD_INVARIANTS) --software $(OD_SOFTWARE) && mv $@.tmp $@
