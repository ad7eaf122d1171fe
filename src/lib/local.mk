src_libod_a_SOURCES += \
    src/lib/oomdoctor.h
