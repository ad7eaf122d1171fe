check_PROGRAMS += tests/unit/readers/test_readers
TESTS += tests/unit/readers/test_readers
tests_unit_readers_test_readers_SOURCES = \
    tests/unit/fields.c \
    tests/unit/fields.h \
    tests/unit/readers/dump_writer.c \
    tests/unit/readers/dump_writer.h \
    tests/unit/readers/events.c \
    tests/unit/readers/events.h \
    tests/unit/readers/feed.c \
    tests/unit/readers/feed.h \
    tests/unit/readers/listen.c \
    tests/unit/readers/listen.h tests/unit/readers/offered.h \
    tests/unit/readers/model_feed.c \
    tests/unit/readers/model_feed.h \
    tests/unit/readers/suites.h \
    tests/unit/readers/test_tried_fixes.c \
    tests/unit/readers/test_bfc_dump.c \
    tests/unit/readers/test_bfc_line.c \
    tests/unit/readers/test_bfc_mixed.c \
    tests/unit/readers/test_tables_of_tools.c \
    tests/unit/readers/test_keras_summary.c \
    tests/unit/readers/test_kernel_oom.c \
    tests/unit/readers/test_lightning_table.c \
    tests/unit/readers/test_marks.c \
    tests/unit/readers/test_megatron_args.c \
    tests/unit/readers/test_tables.c \
    tests/unit/readers/test_repeated.c \
    tests/unit/readers/test_module_tree.c \
    tests/unit/readers/test_pickle.c \
    tests/unit/readers/test_printed_config.c \
    tests/unit/readers/test_readers.c \
    tests/unit/readers/test_reading.c \
    tests/unit/readers/ \
    tests/unit/readers/test_settings.c \
    tests/unit/readers/test_torchinfo.c \
    tests/unit/readers/test_torchsummary.c \
    tests/unit/suite.h
tests_unit_readers_test_readers_CFLAGS = $(UNIT_CFLAGS)
tests_unit_readers_test_readers_LDADD = $(unit_libs)

# Memory dump files are written by protobuf-c from its own description of them, and read by us.
if HAVE_PROTOBUF_C
check_PROGRAMS += tests/unit/readers/test_memory_dump
TESTS += tests/unit/readers/test_memory_dump
tests_unit_readers_test_memory_dump_SOURCES = \
    tests/unit/readers/test_memory_dump.c \
    tests/unit/suite.h
nodist_tests_unit_readers_test_memory_dump_SOURCES = \
    tests/unit/readers/memory_dump.pb-c.c tests/unit/readers/memory_dump.pb-c.h
# What protoc-c writes is not ours to mend.
tests_unit_readers_test_memory_dump_CFLAGS = $(UNIT_CFLAGS) $(PROTOBUF_C_CFLAGS) -Wno-cast-qual
tests_unit_readers_test_memory_dump_LDADD = $(unit_libs) $(PROTOBUF_C_LIBS)

CLEANFILES += tests/unit/readers/memory_dump.pb-c.c tests/unit/readers/memory_dump.pb-c.h
tests/unit/readers/memory_dump.pb-c.c: $(srcdir)/tests/unit/readers/memory_dump.proto
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(PROTOC_C) -I$(srcdir)/tests/unit/readers \
	    --c_out=$(@D) $(srcdir)/tests/unit/readers/memory_dump.proto
tests/unit/readers/memory_dump.pb-c.h: tests/unit/readers/memory_dump.pb-c.c
tests/unit/readers/test_memory_dump-test_memory_dump.$(OBJEXT): \
    tests/unit/readers/memory_dump.pb-c.h
else
TESTS += tests/unit/readers/no_memory_dump
endif
dist_check_SCRIPTS += tests/unit/readers/no_memory_dump
EXTRA_DIST += tests/unit/readers/memory_dump.proto
