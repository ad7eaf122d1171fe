src_libod_a_SOURCES += \
    src/base/ansi.c src/base/ansi.h \
    src/base/arena.c src/base/arena.h \
    src/base/ascii.h \
    src/base/hypothetical.c src/base/hypothetical.h \
    src/base/base.h \
    src/base/buf.c src/base/buf.h \
    src/base/bytes.c src/base/bytes.h \
    src/base/code_line.c src/base/code_line.h \
    src/base/daytime.c src/base/daytime.h \
    src/base/log_prefix.c src/base/log_prefix.h \
    src/base/diag.c src/base/diag.h \
    src/base/digest.c src/base/digest.h \
    src/base/err.h \
    src/base/mask_digits.c src/base/mask_digits.h \
    src/base/index.c src/base/index.h \
    src/base/dynload.c src/base/dynload.h \
    src/base/map.c src/base/map.h \
    src/base/mem.c src/base/mem.h \
    src/base/named_number.c src/base/named_number.h \
    src/base/num.c src/base/num.h \
    src/base/phrases.c src/base/phrases.h \
    src/base/runs.h \
    src/base/seconds.c src/base/seconds.h \
    src/base/stats.c src/base/stats.h \
    src/base/trend_models.c src/base/trend_models.h \
    src/base/suggest.c src/base/suggest.h \
    src/base/text.c src/base/text.h \
    src/base/vec.c src/base/vec.h \
    src/base/word_table.c src/base/word_table.h \
    src/base/version.c src/base/version.h \
    src/base/view.c src/base/view.h \
    src/base/yaml.c src/base/yaml.h
EXTRA_DIST += src/base/phrases.awk
