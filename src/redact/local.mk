src_libod_a_SOURCES += \
    src/redact/cut_words.c src/redact/cut_words.h \
    src/redact/everyday.c \
    src/redact/find_path.c \
    src/redact/find_place.c \
    src/redact/find_rows.c \
    src/redact/find_secret.c \
    src/redact/find_value.c \
    src/redact/forms.c src/redact/forms.h \
    src/redact/found.h \
    src/redact/layers.c src/redact/layers.h \
    src/redact/letters.c \
    src/redact/places.c \
    src/redact/redact.c src/redact/redact.h \
    src/redact/search.c src/redact/search.h \
    src/redact/words.c src/redact/words.h
nodist_src_libod_a_SOURCES += src/redact/everyday.inc src/redact/forms.inc src/redact/place_words.inc src/redact/places.inc src/redact/words.inc

BUILT_SOURCES += src/redact/everyday.inc src/redact/forms.inc src/redact/place_words.inc src/redact/places.inc src/redact/words.inc
EXTRA_DIST += src/redact/forms.tsv src/redact/places.awk rules/words/everyday.txt rules/words/places.yaml src/redact/words.tsv
places = $(top_srcdir)/src/redact/places.awk $(top_srcdir)/rules/words/places.yaml
src/redact/places.inc: $(places)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(places) > $@.tmp && mv $@.tmp $@
src/redact/place_words.inc: $(places)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -v words=1 -f $(places) > $@.tmp && mv $@.tmp $@
src/redact/everyday.inc: $(top_srcdir)/rules/words/everyday.txt
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) \
	    '/^#/ { next } \
	     { gsub(/ /, "\n"); n = split($$0 "\n", c, ""); \
	       for (i = 1; i <= n; i++) printf c[i] == "\n" ? "10,\n" : "\047" c[i] "\047,"; }' \
	    $(top_srcdir)/rules/words/everyday.txt > $@.tmp && mv $@.tmp $@
src/redact/forms.inc: $(top_srcdir)/src/redact/forms.tsv
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -F '\t' \
	    '!/^#/ { printf "    {\"%s\", OD_REDACT_%s, %s},\n", $$2, toupper($$1), $$3 == "digit" ? "true" : "false" }' \
	    $(top_srcdir)/src/redact/forms.tsv > $@.tmp && mv $@.tmp $@
src/redact/words.inc: $(top_srcdir)/src/redact/words.tsv
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -F '\t' \
	    '/^#/ { next } \
	     { n = split($$2, word, " "); role = toupper($$1); if (role == "DOMAIN") role = "DOMAIN_"; \
	       for (i = 1; i <= n; i++) printf "    {\"%s\", OD_ROLE_%s},\n", word[i], role }' \
	    $(top_srcdir)/src/redact/words.tsv > $@.tmp && mv $@.tmp $@
