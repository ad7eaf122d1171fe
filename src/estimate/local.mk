src_libod_a_SOURCES += \
    src/estimate/conv_input.c src/estimate/conv_input.h \
    src/estimate/device.c src/estimate/device.h \
    src/estimate/estimate.c src/estimate/estimate.h \
    src/estimate/ops.c src/estimate/ops.h \
    src/estimate/parameters.c src/estimate/parameters.h \
    src/estimate/peak.c src/estimate/peak.h \
    src/estimate/saved.c src/estimate/saved.h \
    src/estimate/states.c src/estimate/states.h \
    src/estimate/transformer.c src/estimate/transformer.h \
    src/estimate/transformer_block.c src/estimate/transformer_block.h \
    src/estimate/transformer_lora.c \
    src/estimate/transformer_moments.c \
    src/estimate/transformer_params.c src/estimate/transformer_params.h \
    src/estimate/transformer_run.h \
    src/estimate/walk.c src/estimate/walk.h \
    src/estimate/words.c

# The catalogue of devices as a table. Its compiler cannot link the library, which has the table.
noinst_PROGRAMS += src/estimate/devicec
src_estimate_devicec_SOURCES = src/cli/devicec.c \
    src/base/arena.c src/base/buf.c src/base/bytes.c src/base/diag.c src/base/mem.c \
    src/base/num.c src/base/text.c src/base/vec.c src/base/view.c \
    src/base/yaml.c
src_estimate_devicec_LDADD = $(OD_LIBS)

EXTRA_DIST += rules/hardware.yaml
CLEANFILES += src/estimate/devices.inc
src/estimate/devices.inc: src/estimate/devicec$(EXEEXT) rules/hardware.yaml
	$(AM_V_GEN)src/estimate/devicec$(EXEEXT) -o $@.tmp $(srcdir)/rules/hardware.yaml && \
	    mv $@.tmp $@
src/estimate/device.$(OBJEXT): src/estimate/devices.inc
