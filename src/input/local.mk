src_libod_a_SOURCES += \
    src/input/input.h \
    src/input/unwrap.h
