src_libod_a_SOURCES += \
    src/redact/find_name.c \
    src/redact/find_place.c \
    src/redact/find_token.c \
    src/redact/found.h \
    src/redact/letters.c \
    src/redact/redact.c src/redact/redact.h
