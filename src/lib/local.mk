src_libod_a_SOURCES += \
    src/lib/calibration.c src/lib/calibration.h \
    src/lib/keep.c src/lib/keep.h \
    src/lib/many.c src/lib/many.h \
    src/lib/models.c src/lib/models.h \
    src/lib/models_row.c \
    src/lib/oomdoctor.h \
    src/lib/packs.c src/lib/packs.h \
    src/lib/plain.c src/lib/plain.h \
    src/lib/planned.c src/lib/planned.h \
    src/lib/pictures.c src/lib/pictures.h \
    src/lib/retry.c src/lib/retry.h \
    src/lib/runs.c src/lib/runs.h \
    src/lib/sampler.c src/lib/sampler.h \
    src/lib/samples.c src/lib/samples.h \
    src/lib/session.c \
    src/lib/tools.c src/lib/tools.h \
    src/lib/trace_report.c src/lib/trace_report.h \
    src/lib/trace_writer.c src/lib/trace_writer.h \
    src/lib/watched.c src/lib/watched.h

# The library for others: liboomdoctor.a always; with --enable-shared also a shared one, of the same
# sources compiled once more, in which only what include/oomdoctor.h names is visible.
include_HEADERS = include/oomdoctor.h
lib_LIBRARIES = liboomdoctor.a
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = oomdoctor.pc
liboomdoctor_a_SOURCES = $(src_libod_a_SOURCES) src/lib/liboomdoctor.c src/lib/libplan.c \
    include/oomdoctor.h
nodist_liboomdoctor_a_SOURCES = $(nodist_src_libod_a_SOURCES) $(OD_TABLES)

EXTRA_LIBRARIES = src/libshared.a
src_libshared_a_SOURCES = $(liboomdoctor_a_SOURCES)
nodist_src_libshared_a_SOURCES = $(nodist_liboomdoctor_a_SOURCES)
src_libshared_a_CFLAGS = $(AM_CFLAGS) -fPIC -fvisibility=hidden
soname = liboomdoctor.so.0
CLEANFILES += $(soname) src/libshared.a

if SHARED
soversion_DATA = $(soname)
soversiondir = $(libdir)
install-data-hook:
	cd "$(DESTDIR)$(libdir)" && rm -f liboomdoctor.so && $(LN_S) $(soname) liboomdoctor.so
uninstall-hook:
	rm -f "$(DESTDIR)$(libdir)/liboomdoctor.so"
endif

$(soname): src/libshared.a
	$(AM_V_CCLD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(soname) -Wl,-z,relro -Wl,-z,now \
	    -Wl,--whole-archive src/libshared.a -Wl,--no-whole-archive $(OD_FOREIGN_LIBS) $(LIBS) -o $@

EXTRA_DIST += bindings/python/pyproject.toml bindings/python/oomdoctor/__init__.py \
    bindings/python/oomdoctor/py.typed

# The compiler of tables: what the program would compute at each start.
noinst_PROGRAMS += src/lib/tablec
src_lib_tablec_SOURCES = src/lib/tablec.c
nodist_src_lib_tablec_SOURCES = src/rules/shipped.c
src_lib_tablec_LDADD = src/libod.a $(OD_FOREIGN_LIBS)
CLEANFILES += src/scan/shipped_literals.c src/attribute/shipped_kernels.c
src/scan/shipped_literals.c: src/lib/tablec$(EXEEXT)
	$(AM_V_GEN)src/lib/tablec$(EXEEXT) literals > $@.tmp && mv $@.tmp $@
src/attribute/shipped_kernels.c: src/lib/tablec$(EXEEXT)
	$(AM_V_GEN)src/lib/tablec$(EXEEXT) kernels > $@.tmp && mv $@.tmp $@

# make static: the command without any shared library, to be copied to a machine as it is.
.PHONY: static
static: oomdoctor-static$(EXEEXT)
CLEANFILES += oomdoctor-static$(EXEEXT)
oomdoctor-static$(EXEEXT): oomdoctor$(EXEEXT)
	$(AM_V_CCLD)$(CC) $(CFLAGS) $(LDFLAGS) -static $(AM_CPPFLAGS) $(AM_CFLAGS) $(oomdoctor_OBJECTS) \
	    $(top_srcdir)/src/input/archive_linked.c src/libod.a src/libtables.a \
	    $$($(PKG_CONFIG) --static --libs $(OD_MODULES) | sed 's/-lgcc_s//g') $(STATIC_LIBS) $(LIBS) -o $@
