src_libod_a_SOURCES += \
    src/estimate/estimate.c src/estimate/estimate.h \
    src/estimate/states.c src/estimate/states.h \
    src/estimate/transformer.c src/estimate/transformer.h \
    src/estimate/words.c
