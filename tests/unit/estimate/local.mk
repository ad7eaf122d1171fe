check_PROGRAMS += tests/unit/estimate/test_estimate
TESTS += tests/unit/estimate/test_estimate
tests_unit_estimate_test_estimate_SOURCES = \
    tests/unit/estimate/model_file.c \
    tests/unit/estimate/model_file.h \
    tests/unit/estimate/layers.c tests/unit/estimate/layers.h \
    tests/unit/estimate/suites.h \
    tests/unit/estimate/random_trace.h \
    tests/unit/estimate/test_bfc_sim.c \
    tests/unit/estimate/test_cache.c \
    tests/unit/estimate/test_directions.c \
    tests/unit/estimate/test_estimate.c \
    tests/unit/estimate/test_keras_json.c \
    tests/unit/estimate/test_layered.c \
    tests/unit/estimate/test_model_files.c \
    tests/unit/estimate/test_peak.c \
    tests/unit/estimate/test_public_models.c \
    tests/unit/estimate/test_public_vision.c \
    tests/unit/estimate/test_recorded.c \
    tests/unit/estimate/test_replay.c \
    tests/unit/estimate/test_saved.c \
    tests/unit/estimate/test_states.c \
    tests/unit/estimate/test_torch_sim.c \
    tests/unit/estimate/test_trace.c \
    tests/unit/estimate/test_traced.c \
    tests/unit/estimate/test_transformer.c \
    tests/unit/estimate/test_transformer_params.c \
    tests/unit/suite.h
tests_unit_estimate_test_estimate_CFLAGS = $(UNIT_CFLAGS)
tests_unit_estimate_test_estimate_LDADD = $(unit_libs)
