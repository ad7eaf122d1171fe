src_libod_a_SOURCES += \
    src/rules/load.h \
    src/rules/pack.h \
    src/rules/ruleset.h
