# The packs we ship: proved, and compiled into the program, when the project is built.
OD_PACKS = \
    rules/accelerators.yaml \
    rules/ci.yaml \
    rules/cloud.yaml \
    rules/dask.yaml \
    rules/data.yaml \
    rules/devices.yaml \
    rules/docker.yaml \
    rules/earlyoom.yaml \
    rules/engines.yaml \
    rules/errors.yaml \
    rules/failures.yaml \
    rules/flux.yaml \
    rules/general.yaml \
    rules/gpu_libs.yaml \
    rules/hints.yaml \
    rules/host.yaml \
    rules/htcondor.yaml \
    rules/jax.yaml \
    rules/jobs.yaml \
    rules/kubernetes.yaml \
    rules/limits.yaml \
    rules/linux.yaml \
    rules/llamacpp.yaml \
    rules/lsf.yaml \
    rules/macos.yaml \
    rules/measured.yaml \
    rules/measured_device.yaml \
    rules/measured_host.yaml \
    rules/measured_peak.yaml \
    rules/ollama.yaml \
    rules/onnxruntime.yaml \
    rules/parameters.yaml \
    rules/pbs.yaml \
    rules/people.yaml \
    rules/pool.yaml \
    rules/programs.yaml \
    rules/python.yaml \
    rules/pytorch.yaml \
    rules/ray.yaml \
    rules/run.yaml \
    rules/run_training.yaml \
    rules/settings_config.yaml \
    rules/settings_model.yaml \
    rules/sge.yaml \
    rules/sglang.yaml \
    rules/shell.yaml \
    rules/slurm.yaml \
    rules/spark.yaml \
    rules/systemd.yaml \
    rules/tensorflow.yaml \
    rules/vllm.yaml \
    rules/watched.yaml

# The advice, one file a cause; all causes of the contract must be here.
OD_ADVICE = \
    rules/advice/accidental_shape.yaml \
    rules/advice/batch_too_large.yaml \
    rules/advice/capped.yaml \
    rules/advice/compile_plan.yaml \
    rules/advice/dataset_in_host_memory.yaml \
    rules/advice/dataset_on_device.yaml \
    rules/advice/device_leak.yaml \
    rules/advice/driver_refused.yaml \
    rules/advice/evaluation_accumulates.yaml \
    rules/advice/fragmented.yaml \
    rules/advice/graph_growth.yaml \
    rules/advice/group_limit.yaml \
    rules/advice/host_exhausted.yaml \
    rules/advice/host_leak.yaml \
    rules/advice/host_other_tenant.yaml \
    rules/advice/input_too_large.yaml \
    rules/advice/kv_cache.yaml \
    rules/advice/model_reload.yaml \
    rules/advice/model_too_large.yaml \
    rules/advice/not_memory.yaml \
    rules/advice/other_tenant.yaml \
    rules/advice/runtime_limit.yaml \
    rules/advice/settings.yaml \
    rules/advice/shm_too_small.yaml \
    rules/advice/survived.yaml \
    rules/advice/workers_host_memory.yaml \
    rules/advice/workspace.yaml

# The lexicon of failure sentences.
OD_WORDS = rules/words/failure.yaml
# What other texts of a log mean, one file a subject.
OD_MEANINGS = \
    rules/words/frames.yaml \
    rules/words/labels.yaml \
    rules/words/ops.yaml \
    rules/words/said.yaml
# The catalogue of software, one file a sort.
OD_SOFTWARE = \
    rules/software/arrays.yaml \
    rules/software/compilers.yaml \
    rules/software/databases.yaml \
    rules/software/guis.yaml \
    rules/software/libraries.yaml \
    rules/software/orchestrators.yaml \
    rules/software/platforms.yaml \
    rules/software/runtimes.yaml \
    rules/software/schedulers.yaml \
    rules/software/servers.yaml \
    rules/software/simulators.yaml \
    rules/software/tools.yaml \
    rules/software/trainers.yaml

src_libod_a_SOURCES += \
    src/rules/advice.c src/rules/advice.h \
    src/rules/emit.c src/rules/emit.h \
    src/rules/emit_advice.c \
    src/rules/emit_words.c \
    src/rules/emit_software.c \
    src/rules/load.c src/rules/load.h \
    src/rules/load_advice.c \
    src/rules/load_fields.c \
    src/rules/load_file.c \
    src/rules/load_meanings.c \
    src/rules/load_rule.c \
    src/rules/load_words.c \
    src/rules/load_software.c \
    src/rules/loader.c src/rules/loader.h \
    src/rules/match.h \
    src/rules/pack.h \
    src/rules/pattern_digits.c \
    src/rules/regex.c src/rules/regex.h \
    src/rules/ruleset.c src/rules/ruleset.h \
    src/rules/software.c src/rules/software.h \
    src/rules/value.c src/rules/value.h \
    src/rules/words.h

packsdir = $(pkgdatadir)/rules
dist_packs_DATA = $(OD_PACKS)
advicedir = $(packsdir)/advice
dist_advice_DATA = $(OD_ADVICE)
EXTRA_DIST += $(OD_WORDS) $(OD_MEANINGS)
softwaredir = $(packsdir)/software
dist_software_DATA = $(OD_SOFTWARE)

# The compiler of packs stands on a high floor (it proves them), so its source is in cli/.
noinst_PROGRAMS += src/rules/rulec
src_rules_rulec_SOURCES = src/cli/rulec.c
src_rules_rulec_LDADD = src/libod.a $(OD_LIBS)

# Not among BUILT_SOURCES: its maker needs the library first.
CLEANFILES += src/rules/shipped.c
src/rules/shipped.c: src/rules/rulec$(EXEEXT) $(OD_PACKS) $(OD_ADVICE) $(OD_WORDS) $(OD_MEANINGS) \
    $(OD_SOFTWARE)
	$(AM_V_GEN)src/rules/rulec$(EXEEXT) --root $(srcdir) -o $@.tmp --words $(OD_WORDS) $(OD_PACKS) \
	    --meanings $(OD_MEANINGS) --advice $(OD_ADVICE) --software $(OD_SOFTWARE) && mv $@.tmp $@
