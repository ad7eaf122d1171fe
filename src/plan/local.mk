src_libod_a_SOURCES += \
    src/plan/changes.c src/plan/changes.h \
    src/plan/compare.c src/plan/compare.h \
    src/plan/curve.c src/plan/curve.h \
    src/plan/device.c src/plan/device.h \
    src/plan/host.c src/plan/host.h \
    src/plan/knobs.c \
    src/plan/largest_batch.c src/plan/largest_batch.h \
    src/plan/loading.c src/plan/loading.h \
    src/plan/options.c src/plan/options.h \
    src/plan/options_estimate.c src/plan/options_estimate.h \
    src/plan/plan.c src/plan/plan.h \
    src/plan/recipe.c src/plan/recipe.h \
    src/plan/recipe_text.c \
    src/plan/recommend.c src/plan/recommend.h \
    src/plan/request.c src/plan/request.h \
    src/plan/tensor.c src/plan/tensor.h

# What the settings of programs mean.
nodist_src_libod_a_SOURCES += src/plan/recipes.inc
BUILT_SOURCES += src/plan/recipes.inc
EXTRA_DIST += rules/words/recipes.yaml src/plan/recipes.awk
src/plan/recipes.inc: $(top_srcdir)/rules/words/recipes.yaml $(top_srcdir)/src/plan/recipes.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(top_srcdir)/src/plan/recipes.awk \
	    $(top_srcdir)/rules/words/recipes.yaml > $@.tmp && mv $@.tmp $@
