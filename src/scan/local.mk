src_libod_a_SOURCES += \
    src/scan/filter.h \
    src/scan/prove.h \
    src/scan/scan.h
