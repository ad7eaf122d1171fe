src_cgi_sources = \
    src/cgi/body.c src/cgi/body.h \
    src/cgi/form.c src/cgi/form.h \
    src/cgi/outside.c src/cgi/outside.h \
    src/cgi/page.c src/cgi/page.h \
    src/cgi/page_ask.c \
    src/cgi/request.c src/cgi/request.h \
    src/cgi/slots.c src/cgi/slots.h \
    src/cgi/wire.c src/cgi/wire.h \
    src/cgi/work.c src/cgi/work.h

# A library of its own, for the tests: nothing but the door needs it.
noinst_LIBRARIES += src/libcgi.a
src_libcgi_a_SOURCES = $(src_cgi_sources)

cgidir = $(libexecdir)/oomdoctor
cgi_PROGRAMS = oomdoctor.cgi
oomdoctor_cgi_SOURCES = src/cgi/main.c
oomdoctor_cgi_LDADD = src/libcgi.a src/libod.a $(OD_LIBS)

cgi_page_incs = src/cgi/page_css.inc src/cgi/page_js.inc
cgi_example_incs = \
    src/cgi/example_kernel.inc \
    src/cgi/example_leak.inc \
    src/cgi/example_model.inc \
    src/cgi/example_pod.inc \
    src/cgi/example_torch.inc \
    src/cgi/example_unet.inc
nodist_src_libcgi_a_SOURCES = $(cgi_page_incs) $(cgi_example_incs)
BUILT_SOURCES += $(cgi_page_incs) $(cgi_example_incs)
EXTRA_DIST += src/cgi/page.css src/cgi/page.js

src/cgi/page_css.inc: $(top_srcdir)/src/cgi/page.css
	$(as_bytes)
src/cgi/page_js.inc: $(top_srcdir)/src/cgi/page.js
	$(as_bytes)
src/cgi/example_kernel.inc: $(top_srcdir)/samples/workers-fill-the-machine.log
	$(as_bytes)
src/cgi/example_leak.inc: $(top_srcdir)/samples/leak-killed-by-slurm.log
	$(as_bytes)
src/cgi/example_model.inc: $(top_srcdir)/samples/models/torchinfo-tides.txt
	$(as_bytes)
src/cgi/example_pod.inc: $(top_srcdir)/samples/pod-killed.txt
	$(as_bytes)
src/cgi/example_torch.inc: $(top_srcdir)/samples/torch-batch-too-large.log
	$(as_bytes)
src/cgi/example_unet.inc: $(top_srcdir)/samples/unet-fragmented.log
	$(as_bytes)
