# Man pages are written by hand (tests/docs/man holds them against the options), but for that of the
# facts; completions are printed by the command that was just built.
dist_man_MANS = \
    doc/man/oomdoctor.1 \
    doc/man/oomdoctor-rules.5 \
    doc/man/oomdoctor-json.5 \
    doc/man/oomdoctor.cgi.8
nodist_man_MANS = doc/man/oomdoctor-facts.5
CLEANFILES += $(nodist_man_MANS)
EXTRA_DIST += doc/man/facts.awk
doc/man/oomdoctor-facts.5: src/rules/facts.def doc/man/facts.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(top_srcdir)/doc/man/facts.awk \
	    $(top_srcdir)/src/rules/facts.def > $@.tmp && mv $@.tmp $@
EXTRA_DIST += CONTRIBUTING.md NEWS.md SECURITY.md \
    doc/after-the-crash.md doc/analyze.md doc/ci.md doc/development.md doc/fleet.md doc/graph.md doc/limits.md doc/mcp.md doc/page.md doc/plan.md doc/python.md \
    doc/report.md doc/results.md doc/run.md doc/share.md doc/watch.md doc/writing.md

# A page a cause and a program, and an index that finds among them.
EXTRA_DIST += doc/make-site
.PHONY: site
site: all
	$(top_srcdir)/doc/make-site ./oomdoctor$(EXEEXT) site

bashcompdir = $(datadir)/bash-completion/completions
zshcompdir = $(datadir)/zsh/site-functions
fishcompdir = $(datadir)/fish/vendor_completions.d
nodist_bashcomp_DATA = doc/completion/oomdoctor
nodist_zshcomp_DATA = doc/completion/_oomdoctor
nodist_fishcomp_DATA = doc/completion/oomdoctor.fish
completions = $(nodist_bashcomp_DATA) $(nodist_zshcomp_DATA) $(nodist_fishcomp_DATA)
CLEANFILES += $(completions)

complete_as = $(AM_V_GEN)$(MKDIR_P) doc/completion && $(OD_RUN) ./oomdoctor$(EXEEXT) completion
doc/completion/oomdoctor: oomdoctor$(EXEEXT)
	$(complete_as) bash > $@.tmp && mv $@.tmp $@
doc/completion/_oomdoctor: oomdoctor$(EXEEXT)
	$(complete_as) zsh > $@.tmp && mv $@.tmp $@
doc/completion/oomdoctor.fish: oomdoctor$(EXEEXT)
	$(complete_as) fish > $@.tmp && mv $@.tmp $@
