src_libod_a_SOURCES += \
    src/diagnose/decide.c src/diagnose/decide.h \
    src/diagnose/lost.c src/diagnose/lost.h \
    src/diagnose/diagnose.c src/diagnose/diagnose.h \
    src/diagnose/finding.c src/diagnose/finding.h \
    src/diagnose/kept.c src/diagnose/kept.h \
    src/diagnose/rows.c src/diagnose/rows.h \
    src/diagnose/cause_facts.c src/diagnose/host_facts.c src/diagnose/own_limit.c \
    src/diagnose/device_facts.c src/diagnose/batch_facts.c src/diagnose/growth_facts.c src/diagnose/numbered.def \
    src/diagnose/taker.h src/diagnose/taken.def \
    src/diagnose/named_weights.c \
    src/diagnose/shares.c src/diagnose/shares.h
