src_libod_a_SOURCES += \
    src/facts/around.c src/facts/around.h \
    src/facts/certainty.c src/facts/certainty.h \
    src/facts/dump.c src/facts/dump.h \
    src/facts/event.c src/facts/event.h \
    src/facts/line.h \
    src/facts/model.c src/facts/model.h \
    src/facts/place.h \
    src/facts/prov.h \
    src/facts/shape.c src/facts/shape.h
