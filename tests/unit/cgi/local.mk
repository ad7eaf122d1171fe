check_PROGRAMS += tests/unit/cgi/test_cgi
TESTS += tests/unit/cgi/test_cgi
tests_unit_cgi_test_cgi_SOURCES = \
    tests/unit/cgi/suites.h \
    tests/unit/cgi/test_cgi.c \
    tests/unit/cgi/test_form.c \
    tests/unit/cgi/test_outside.c \
    tests/unit/cgi/test_wire.c \
    tests/unit/suite.h
tests_unit_cgi_test_cgi_CFLAGS = $(UNIT_CFLAGS)
tests_unit_cgi_test_cgi_LDADD = src/libcgi.a $(unit_libs)
