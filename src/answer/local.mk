src_libod_a_SOURCES += \
    src/answer/actions.c src/answer/actions.h \
    src/answer/answer.c src/answer/answer.h \
    src/answer/dataset.c \
    src/answer/host_answer.c src/answer/host_answer.h \
    src/answer/host_facts.c src/answer/host_parts.h \
    src/answer/options.c src/answer/options.h \
    src/answer/phases.c src/answer/phases.h \
    src/answer/phases_moments.c \
    src/answer/workers.c src/answer/workers.h
