src_libod_a_SOURCES += \
    src/scan/candidates.c src/scan/candidates.h \
    src/scan/filter.h \
    src/scan/prove.h \
    src/scan/scan.c src/scan/scan.h
