src_libod_a_SOURCES += \
    src/lib/calibration.c src/lib/calibration.h \
    src/lib/fleet_tables.c src/lib/fleet_tables.h \
    src/lib/follow.c src/lib/follow.h \
    src/lib/keep.c src/lib/keep.h \
    src/lib/script.c src/lib/script.h \
    src/lib/many.c src/lib/many.h \
    src/lib/models.c src/lib/models.h src/lib/stored.def \
    src/lib/models_row.c \
    src/lib/oomdoctor.h \
    src/lib/packs.c src/lib/packs.h \
    src/lib/plain.c src/lib/plain.h \
    src/lib/planned.c src/lib/planned.h \
    src/lib/recipes.c src/lib/recipes.h \
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

# The library for others: an archive and, unless --disable-shared, a shared library of the same objects,
# in which only what include/oomdoctor.h names is visible.
include_HEADERS = include/oomdoctor.h
lib_LIBRARIES = liboomdoctor.a
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = oomdoctor.pc
liboomdoctor_a_SOURCES = $(src_libod_a_SOURCES) src/lib/liboomdoctor.c src/lib/libplan.c \
    include/oomdoctor.h
nodist_liboomdoctor_a_SOURCES = $(nodist_src_libod_a_SOURCES) $(OD_TABLES)

soname = liboomdoctor.so.0
CLEANFILES += $(soname)

if SHARED
soversion_DATA = $(soname)
soversiondir = $(libdir)
install-data-hook:
	cd "$(DESTDIR)$(libdir)" && rm -f liboomdoctor.so && $(LN_S) $(soname) liboomdoctor.so
uninstall-hook:
	rm -f "$(DESTDIR)$(libdir)/liboomdoctor.so"
endif

$(soname): liboomdoctor.a
	$(AM_V_CCLD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(soname) -Wl,-z,relro -Wl,-z,now \
	    -Wl,--whole-archive liboomdoctor.a -Wl,--no-whole-archive $(OD_FOREIGN_LIBS) $(LIBS) -o $@

EXTRA_DIST += $(python_package:%=bindings/python/oomdoctor/%)
python_package = __init__.py __main__.py _command.py _explain.py _numbers.py auto.py callbacks.py pytest_plugin.py py.typed

# The compiler of tables: what the program would compute at each start.
noinst_PROGRAMS += src/lib/tablec
src_lib_tablec_SOURCES = src/lib/tablec.c
nodist_src_lib_tablec_SOURCES = src/rules/shipped.c
src_lib_tablec_LDADD = src/libod.a $(OD_FOREIGN_LIBS)
CLEANFILES += src/scan/shipped_literals.c src/attribute/shipped_kernels.c
src/scan/shipped_literals.c: src/lib/tablec$(EXEEXT)
	$(AM_V_GEN)$(OD_RUN) src/lib/tablec$(EXEEXT) literals > $@.tmp && mv $@.tmp $@
src/attribute/shipped_kernels.c: src/lib/tablec$(EXEEXT)
	$(AM_V_GEN)$(OD_RUN) src/lib/tablec$(EXEEXT) kernels > $@.tmp && mv $@.tmp $@

# make static: the command and its page without any shared library, to be copied to a machine as they are.
# pkg-config names libraries that libarchive's unused parts call, too (libacl, liblz4): those that have no
# archive here are left out, and the linker says what it then lacks.
.PHONY: static
static: oomdoctor-static$(EXEEXT) oomdoctor-static.cgi$(EXEEXT)
CLEANFILES += oomdoctor-static$(EXEEXT) oomdoctor-static.cgi$(EXEEXT)
static_objects = $(top_srcdir)/src/input/archive_linked.c src/libod.a src/libtables.a
static_link = for word in $$($(PKG_CONFIG) --static --libs $(OD_MODULES)); do \
        case $$word in \
        -lgcc_s) continue ;; \
        -l*) [ "$$($(CC) -print-file-name=lib$${word\#-l}.a)" != "lib$${word\#-l}.a" ] || continue ;; \
        esac; \
        libraries="$$libraries $$word"; \
    done; \
    $(CC) $(CFLAGS) $(LDFLAGS) -static $(AM_CPPFLAGS) $(AM_CFLAGS) -o $@
# The page's server speaks no TLS: empty functions take the place of GnuTLS, which has no archive on Debian.
if LINK_MICROHTTPD
static_server = $(top_srcdir)/src/cli/page_server_linked.c src/cli/no_tls.c
static_server_libs = -lmicrohttpd -lpthread
CLEANFILES += src/cli/no_tls.c
src/cli/no_tls.c:
	$(AM_V_GEN)$(NM) -u "$$($(CC) -print-file-name=libmicrohttpd.a)" \
	    | sed -n 's/^ *U \(gnutls_[a-z0-9_]*\)$$/int \1(void);int \1(void) { return 0; }/p' \
	    | LC_ALL=C sort -u > $@.tmp && mv $@.tmp $@
endif
static_libs = $$libraries $(STATIC_LIBS) $(LIBS)
oomdoctor-static$(EXEEXT): oomdoctor$(EXEEXT) $(static_server)
	$(AM_V_CCLD)$(static_link) $(oomdoctor_OBJECTS) $(static_server) $(static_objects) $(static_server_libs) \
	    $(static_libs)
oomdoctor-static.cgi$(EXEEXT): oomdoctor.cgi$(EXEEXT)
	$(AM_V_CCLD)$(static_link) $(oomdoctor_cgi_OBJECTS) src/libcgi.a $(static_objects) $(static_libs)
