# One word a subcommand: the file cmd_<word>.c defines od_command_<word>.
OD_COMMANDS = analyze ask completion diff explain fleet mcp plan redact rules run schema serve snippet tensor watch

snippets = src/cli/snippet_jax.inc src/cli/snippet_keras.inc src/cli/snippet_pytorch.inc \
    src/cli/completion_bash.inc src/cli/completion_fish.inc src/cli/completion_zsh.inc src/cli/help_texts.inc

bin_PROGRAMS = oomdoctor
oomdoctor_SOURCES = \
    src/cli/args.c \
    src/cli/ask.c src/cli/ask.h \
    src/cli/cmd_analyze.c \
    src/cli/cmd_ask.c \
    src/cli/cmd_completion.c \
    src/cli/cmd_diff.c \
    src/cli/cmd_explain.c \
    src/cli/cmd_fleet.c \
    src/cli/cmd_mcp.c \
    src/cli/cmd_plan.c \
    src/cli/cmd_redact.c \
    src/cli/cmd_rules.c \
    src/cli/cmd_run.c \
    src/cli/cmd_schema.c \
    src/cli/cmd_serve.c \
    src/cli/cmd_snippet.c \
    src/cli/cmd_tensor.c \
    src/cli/cmd_watch.c \
    src/cli/command.h \
    src/cli/warnings.c src/cli/warnings.h \
    src/cli/gate.c src/cli/gate.h \
    src/cli/capture.c src/cli/capture.h \
    src/cli/help.c src/cli/help.h \
    src/cli/main.c \
    src/cli/mcp_tools.c src/cli/mcp_tools.h \
    src/cli/outputs.c src/cli/outputs.h \
    src/cli/page_server.c src/cli/page_server.h src/cli/page_server_calls.h \
    src/cli/plots.c src/cli/plots.h \
    src/cli/print.c \
    src/cli/progress.c src/cli/progress.h \
    src/cli/registry.c \
    src/cli/rules_trace.c src/cli/rules_trace.h \
    src/cli/search.c src/cli/search.h \
    src/cli/shown.c src/cli/shown.h
nodist_oomdoctor_SOURCES = src/cli/registry.inc $(snippets)
oomdoctor_CPPFLAGS = $(AM_CPPFLAGS) -DOD_CGI_DIR='"$(cgidir)"'
oomdoctor_CFLAGS = $(AM_CFLAGS) $(MICROHTTPD_CFLAGS)
oomdoctor_LDADD = src/libod.a $(OD_LIBS)

BUILT_SOURCES += src/cli/registry.inc $(snippets)
EXTRA_DIST += src/cli/page_server_linked.c
EXTRA_DIST += src/cli/snippet_jax.py src/cli/snippet_keras.py src/cli/snippet_pytorch.py \
    src/cli/completion.bash src/cli/completion.fish src/cli/completion.zsh src/cli/help.txt
src/cli/snippet_jax.inc: $(top_srcdir)/src/cli/snippet_jax.py
	$(as_bytes)
src/cli/snippet_keras.inc: $(top_srcdir)/src/cli/snippet_keras.py
	$(as_bytes)
src/cli/snippet_pytorch.inc: $(top_srcdir)/src/cli/snippet_pytorch.py
	$(as_bytes)
src/cli/completion_bash.inc: $(top_srcdir)/src/cli/completion.bash
	$(as_bytes)
src/cli/completion_fish.inc: $(top_srcdir)/src/cli/completion.fish
	$(as_bytes)
src/cli/completion_zsh.inc: $(top_srcdir)/src/cli/completion.zsh
	$(as_bytes)
src/cli/help_texts.inc: $(top_srcdir)/src/cli/help.txt
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) \
	    '/^#/ { next } \
	     /^= / { printf "%s#define OD_HELP_%s \"", end, $$2; end = "\"\n"; next } \
	     { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); printf "%s\\n", $$0 } \
	     END { printf "%s", end }' $< > $@.tmp && mv $@.tmp $@
src/cli/registry.inc: $(top_srcdir)/src/cli/local.mk
	$(registry) $(OD_COMMANDS) $(registry_end)
