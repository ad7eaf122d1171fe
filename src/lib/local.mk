src_libod_a_SOURCES += \
    src/lib/keep.c src/lib/keep.h \
    src/lib/models.c src/lib/models.h \
    src/lib/oomdoctor.h \
    src/lib/packs.c src/lib/packs.h \
    src/lib/pictures.c src/lib/pictures.h \
    src/lib/runs.c src/lib/runs.h \
    src/lib/session.c \
    src/lib/tools.c src/lib/tools.h \
    src/lib/watched.c src/lib/watched.h
