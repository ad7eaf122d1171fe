src_libod_a_SOURCES += \
    src/lib/oomdoctor.h \
    src/lib/packs.c src/lib/packs.h \
    src/lib/session.c
