src_libod_a_SOURCES += \
    src/attribute/attribute.c src/attribute/attribute.h
