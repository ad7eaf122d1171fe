# One word a reader: the file <word>.c defines od_reader_<word>.
OD_READERS =

src_libod_a_SOURCES += \
    src/readers/reader.h \
    src/readers/registry.c
nodist_src_libod_a_SOURCES = src/readers/registry.inc

BUILT_SOURCES += src/readers/registry.inc
src/readers/registry.inc: $(top_srcdir)/src/readers/local.mk
	$(registry) $(OD_READERS) $(registry_end)
