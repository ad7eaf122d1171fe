src_libod_a_SOURCES += \
    src/attribute/attribute.c src/attribute/attribute.h \
    src/attribute/batch.c src/attribute/batch.h \
    src/attribute/explain.c src/attribute/explain.h \
    src/attribute/kernels.c src/attribute/kernels.h \
    src/attribute/known.c src/attribute/known.h \
    src/attribute/near.c src/attribute/near.h \
    src/attribute/placed.c src/attribute/placed.h \
    src/attribute/role.h \
    src/attribute/sequence.c src/attribute/sequence.h \
    src/attribute/setup.c src/attribute/setup.h \
    src/attribute/tally.c src/attribute/tally.h \
    src/attribute/weights.c src/attribute/weights.h
