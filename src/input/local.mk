src_libod_a_SOURCES += \
    src/input/archive_calls.h \
    src/input/clock.c src/input/clock.h \
    src/input/cursor.c \
    src/input/decode.c src/input/decode.h \
    src/input/codec.c src/input/codec.h src/input/codec_kind.h \
    src/input/codec_bzip2.c \
    src/input/codec_gzip.c \
    src/input/codec_xz.c \
    src/input/codec_zstd.c \
    src/input/flow.c src/input/flow.h \
    src/input/input.c src/input/input.h \
    src/input/block_prefix.c src/input/block_prefix.h \
    src/input/lines.c src/input/lines.h \
    src/input/open.c src/input/open.h \
    src/input/packed.c src/input/packed.h \
    src/input/stream.c src/input/stream.h \
    src/input/peel.h \
    src/input/unwrap.c src/input/unwrap.h \
    src/input/unwrap_ansi.c \
    src/input/unwrap_json.c \
    src/input/unwrap_quote.c \
    src/input/unwrap_rank.c \
    src/input/unwrap_syslog.c \
    src/input/wrap.c src/input/wrap.h

# Where libraries cannot be loaded, those that unpack are linked.
if LINK_ARCHIVE
src_libod_a_SOURCES += src/input/archive_linked.c
linked_libs = $(ARCHIVE_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(ZSTD_LIBS) $(BZ2_LIBS)
else
src_libod_a_SOURCES += src/input/archive_dynamic.c
EXTRA_DIST += src/input/archive_linked.c
endif
