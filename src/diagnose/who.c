#include "diagnose/who.h"

#include "base/num.h"
#include "diagnose/scene.h"

#include <string.h>

enum sort { ALWAYS, OWN, SERVICE, FRAMEWORK, SERVER, ADDON, KIT, PLATFORM, VENDOR };

struct row {
    const char *name;
    const char *title;
    enum sort sort;
    const char *over;     /* the framework below it */
    const char *marks[4]; /* words of a log that show it */
};

/* An add-on is worn by many runs that do not name it: its advice applies where the framework below
 * is known. A server of models and a kit for one sort of models are advised only where they are
 * seen; a program of one's own that reads data, only where nothing says that it was a server or
 * another program. Devices are NVIDIA's where nothing says that they are another's. */
static const struct row rows[] = {
    {"any", "", ALWAYS, NULL, {NULL}},
    {"python", "Python", OWN, NULL, {NULL}},
    {"program", "", OWN, NULL, {NULL}},
    {"service", "", SERVICE, NULL, {NULL}},
    {"linux", "Linux", ALWAYS, NULL, {NULL}},
    {"shell", "", ALWAYS, NULL, {NULL}},
    {"other", "", ALWAYS, NULL, {NULL}},
    {"tensorflow", "TensorFlow", FRAMEWORK, NULL, {"tensorflow", "Tensorflow", "TensorFlow"}},
    {"keras", "Keras", FRAMEWORK, "tensorflow", {"keras", "Keras"}},
    {"pytorch", "PyTorch", FRAMEWORK, NULL, {"torch", "PyTorch"}},
    {"jax", "JAX", FRAMEWORK, NULL, {"jaxlib", "jax/", "jax."}},
    {"onnxruntime", "ONNX Runtime", FRAMEWORK, NULL, {"onnxruntime"}},
    {"tensorrt", "TensorRT", FRAMEWORK, NULL, {"[TRT]", "nvinfer1"}},
    {"openvino", "OpenVINO", FRAMEWORK, NULL, {"/intel_gpu/", "[GPU] Exceeded max size"}},
    {"mxnet", "MXNet", FRAMEWORK, NULL, {"mxnet"}},
    {"paddle", "Paddle", FRAMEWORK, NULL, {"paddle"}},
    {"cupy", "CuPy", FRAMEWORK, NULL, {"cupy"}},
    {"numba", "Numba", FRAMEWORK, NULL, {"numba"}},
    {"rmm", "RMM", FRAMEWORK, NULL, {"/raft/", "/cuml/"}},
    {"caffe", "Caffe", FRAMEWORK, NULL, {NULL}},
    {"xgboost", "XGBoost", FRAMEWORK, NULL, {"xgboost"}},
    {"lightgbm", "LightGBM", FRAMEWORK, NULL, {"lightgbm"}},
    {"catboost", "CatBoost", FRAMEWORK, NULL, {"catboost"}},
    {"vllm", "vLLM", SERVER, NULL, {"vllm", "EngineCore"}},
    {"sglang", "SGLang", SERVER, NULL, {"sglang"}},
    {"llamacpp",
     "llama.cpp",
     SERVER,
     NULL,
     {"llama.cpp", "ggml_", "llama_", "Model loading was stopped"}}, /* LM Studio */
    {"ollama", "Ollama", SERVER, NULL, {"ollama"}},
    {"tgi",
     "text-generation-inference",
     SERVER,
     NULL,
     {"text_generation_server", "text_generation_launcher", "prefill tokens"}},
    {"deepspeed", "DeepSpeed", ADDON, "pytorch", {"deepspeed"}},
    {"megatron", "Megatron", ADDON, "pytorch", {"megatron"}},
    {"lightning", "Lightning", ADDON, "pytorch", {"lightning"}},
    {"huggingface", "Hugging Face", ADDON, "pytorch", {"transformers/", "accelerate"}},
    {"ultralytics",
     "Ultralytics",
     KIT,
     "pytorch",
     {"ultralytics", "Ultralytics", "engine/trainer: task="}},
    {"ray", "Ray", PLATFORM, NULL, {"ray::"}},
    {"dask", "Dask", PLATFORM, NULL, {"distributed.nanny", "distributed.worker"}},
    {"spark", "Spark", PLATFORM, NULL, {"spark"}},
    {"yarn", "YARN", PLATFORM, NULL, {NULL}},
    {"slurm", "Slurm", PLATFORM, NULL, {"slurm", "/job_"}},
    {"lsf", "LSF", PLATFORM, NULL, {"TERM_MEMLIMIT"}},
    {"pbs", "PBS", PLATFORM, NULL, {NULL}},
    {"sge", "Grid Engine", PLATFORM, NULL, {NULL}},
    {"kubernetes", "Kubernetes", PLATFORM, NULL, {"kubepods", "OOMKilled"}},
    {"docker", "Docker", PLATFORM, NULL, {"docker"}},
    {"htcondor",
     "HTCondor",
     PLATFORM,
     NULL,
     {"condor", "gone over memory limit", "gone over cgroup memory limit", "request_memory"}},
    {"systemd", "systemd", PLATFORM, NULL, {".service"}},
    {"earlyoom", "earlyoom", PLATFORM, NULL, {NULL}},
    {"windows", "Windows", PLATFORM, NULL, {"paging file"}},
    {"nvidia", "Linux", VENDOR, NULL, {NULL}},
    {"amd", "Linux, AMD", VENDOR, NULL, {"HIP out of memory", "HIP error", "ROCm", "rocm"}},
};

_Static_assert(OD_COUNT_OF(rows) <= 64, "a bit each");

static size_t row_of(struct od_view name)
{
    size_t i = 0;
    while (i < OD_COUNT_OF(rows) && !od_view_eq_str(name, rows[i].name))
        i++;
    return i;
}

static void see(struct od_who *who, size_t i)
{
    if (i >= OD_COUNT_OF(rows) || rows[i].sort < FRAMEWORK)
        return;
    who->seen |= UINT64_C(1) << i;
    if (rows[i].sort == PLATFORM)
        who->platforms = true;
    else if (rows[i].sort != VENDOR)
        who->frameworks = true;
    who->library |= rows[i].sort == FRAMEWORK || rows[i].sort == ADDON || rows[i].sort == KIT;
    size_t over = rows[i].over ? row_of(od_view_of(rows[i].over)) : OD_COUNT_OF(rows);
    if (over < OD_COUNT_OF(rows))
        who->seen |= UINT64_C(1) << over;
}

/* JAX is built from sources that TensorFlow's name stands in. */
static bool is_built_into_jax(struct od_view text)
{
    return od_view_has(text, OD_VIEW("external/org_tensorflow/"));
}

static void look_for_marks(struct od_who *who, struct od_view text)
{
    bool jax = is_built_into_jax(text);
    if (jax)
        see(who, row_of(OD_VIEW("jax")));
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        if (jax && strcmp(rows[i].name, "tensorflow") == 0)
            continue;
        for (size_t k = 0; k < OD_COUNT_OF(rows[i].marks) && rows[i].marks[k]; k++) {
            if (od_view_has(text, od_view_of(rows[i].marks[k])))
                see(who, i);
        }
    }
}

/* A trainer of an add-on, in a traceback or in what it prints as it begins. */
static void look_for_trainers(struct od_who *who, struct od_view text)
{
    static const struct {
        const char *mark, *name;
    } trainers[] = {
        {"transformers/trainer.py", "huggingface"},
        {"Instantaneous batch size per device", "huggingface"},
        {"Batch size per device = ", "huggingface"}, /* Unsloth's banner */
        {"lightning/pytorch/trainer/", "lightning"},
        {"pytorch_lightning/trainer/", "lightning"},
        {"GPU available: ", "lightning"},
        {"deepspeed/runtime/", "deepspeed"},
        {"during map operation", "huggingface"},
        {"ultralytics/engine/", "ultralytics"},
        {"engine/trainer: task=", "ultralytics"},
    };
    for (size_t i = 0; i < OD_COUNT_OF(trainers); i++)
        if (od_view_has(text, od_view_of(trainers[i].mark)))
            who->drives |= UINT64_C(1) << row_of(od_view_of(trainers[i].name));
}

/* The libraries that a traceback goes through. */
static void look_at_frames(struct od_who *who, const struct od_incident *incident)
{
    for (size_t i = 0; i < incident->nframes; i++) {
        struct od_view file = incident->frames[i].file;
        if (od_view_has(file, OD_VIEW("-packages")))
            look_for_marks(who, file);
    }
}

static void look_at_incident(struct od_who *who, const struct od_incident *incident)
{
    see(who, row_of(incident->producer));
    look_for_marks(who, incident->group);
    if (!who->frameworks)
        look_at_frames(who, incident);
    for (size_t i = 0; i < incident->nframes; i++)
        look_for_trainers(who, incident->frames[i].file);
    for (size_t i = 0; i < incident->evidence.n; i++) {
        look_for_marks(who, incident->evidence.items[i].text);
        look_for_trainers(who, incident->evidence.items[i].text);
    }
}

/* A dump of its own, without a log around it: its kind tells. */
static void look_at_pools(struct od_who *who, const struct od_case *c)
{
    for (size_t i = 0; i < c->allocators.n; i++) {
        const struct od_dump *dump = &c->allocators.items[i]->dump;
        if (dump->family == OD_FAMILY_TORCH)
            see(who, row_of(OD_VIEW("pytorch")));
        else if (od_view_ends(dump->allocator, OD_VIEW("_bfc")))
            see(who, row_of(OD_VIEW("tensorflow")));
    }
}

/* Programs that people run their own work in, as kernels name them. */
static bool is_interpreter(struct od_view process)
{
    static const char *const starts[] = {"python",   "ipython",   "jupyter",    "pt_",    "torch",
                                         "ray",      "train",     "julia",      "MATLAB", "octave",
                                         "rsession", "deepspeed", "accelerate", NULL};
    return od_view_starts_any(process, starts) || od_view_eq_str(process, "R") ||
           od_view_has(process, OD_VIEW("train"));
}

/* Who names a task or a container where others name a program. */
static bool names_no_program(struct od_view producer)
{
    static const char *const producers[] = {"ray", "dask", "spark", "kubernetes", NULL};
    return od_view_eq_any(producer, producers);
}

/* A daemon or another tool was killed: nothing of a training run is in sight. */
static bool is_service(const struct od_who *who, const struct od_diagnosis *diagnosis)
{
    if (who->frameworks || !diagnosis->failure || names_no_program(diagnosis->failure->producer))
        return false;
    struct od_view process = diagnosis->failure->process.name;
    return process.n > 0 && !is_interpreter(process);
}

/* Who starts text-generation-inference programs with neither of the libraries it is made of. */
static void forget_what_a_server_stands_on(struct od_who *who)
{
    uint64_t server = UINT64_C(1) << row_of(OD_VIEW("tgi"));
    if ((who->seen & server) == 0)
        return;
    who->seen &= ~(UINT64_C(1) << row_of(OD_VIEW("pytorch")));
    who->seen &= ~(UINT64_C(1) << row_of(OD_VIEW("huggingface")));
    who->library = false;
}

struct od_who od_who_of(const struct od_case *c, const struct od_diagnosis *diagnosis)
{
    struct od_who who = {0};
    if (diagnosis->failure)
        look_at_incident(&who, diagnosis->failure);
    see(&who, row_of(od_case_setting(c, "framework")));
    for (size_t i = 0; i < c->settings.n; i++) {
        look_for_marks(&who, c->settings.items[i].said.text);
        look_for_trainers(&who, c->settings.items[i].said.text);
    }
    for (size_t i = 0; i < c->incidents.n; i++) {
        if (&c->incidents.items[i] != diagnosis->failure)
            look_at_incident(&who, &c->incidents.items[i]);
    }
    for (size_t i = 0; !who.frameworks && i < c->moments.n; i++)
        look_for_marks(&who, c->moments.items[i].said.text);
    for (size_t i = 0; !who.frameworks && i < c->devices.n; i++)
        look_for_marks(&who, c->devices.items[i].said.text);
    if (!who.frameworks)
        look_at_pools(&who, c);
    who.service = is_service(&who, diagnosis);
    forget_what_a_server_stands_on(&who);
    return who;
}

static bool has_bit(const struct od_who *who, size_t i)
{
    return (who->seen >> i & 1) != 0;
}

bool od_who_drives(const struct od_who *who, const char *framework)
{
    size_t i = row_of(od_view_of(framework));
    return i < OD_COUNT_OF(rows) && (who->drives >> i & 1) != 0;
}

bool od_who_has(const struct od_who *who, const char *framework)
{
    size_t i = row_of(od_view_of(framework));
    enum sort sort = i < OD_COUNT_OF(rows) ? rows[i].sort : ALWAYS;
    if (sort == ALWAYS || has_bit(who, i))
        return true;
    if (sort == VENDOR)
        return strcmp(framework, "nvidia") == 0 && !has_bit(who, row_of(OD_VIEW("amd")));
    if (sort == SERVICE || sort == SERVER || sort == KIT)
        return sort == SERVICE && who->service;
    if (sort == OWN)
        return !who->service && (!who->frameworks || who->library);
    bool known = sort == PLATFORM ? who->platforms : who->frameworks || who->service;
    if (!known)
        return true;
    bool worn = sort == ADDON || strcmp(framework, "keras") == 0;
    return worn && has_bit(who, row_of(od_view_of(rows[i].over)));
}

bool od_who_is_neutral(const char *framework)
{
    size_t i = row_of(od_view_of(framework));
    return i < OD_COUNT_OF(rows) && (rows[i].sort < FRAMEWORK || rows[i].sort >= PLATFORM);
}

bool od_who_is_guess(const struct od_who *who, const char *framework)
{
    size_t i = row_of(od_view_of(framework));
    return i < OD_COUNT_OF(rows) && rows[i].sort == PLATFORM && !who->platforms;
}

/* Does a line about a version name another framework? "python 3.9, torch 1.10" names two. */
static bool names(struct od_view text, const struct row *row)
{
    for (size_t k = 0; k < OD_COUNT_OF(row->marks) && row->marks[k]; k++) {
        if (od_view_has(text, od_view_of(row->marks[k])))
            return true;
    }
    return false;
}

static bool names_any(struct od_view text)
{
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        if ((rows[i].sort == FRAMEWORK || rows[i].sort == SERVER) && names(text, &rows[i]))
            return true;
    }
    return false;
}

/* Is no framework but this one (and what it stands on) seen? */
static bool is_alone(const struct od_who *who, size_t row)
{
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        bool library = rows[i].sort == FRAMEWORK || rows[i].sort == SERVER;
        bool other = library && i != row && has_bit(who, i);
        if (other && !(rows[i].over && row_of(od_view_of(rows[i].over)) == row))
            return false;
    }
    return has_bit(who, row);
}

/* TensorFlow before 2 prints its graph's nodes and errors in words of its own. */
static bool words_of_sessions(const struct od_case *c)
{
    static const char *const words[] = {"[[Node: ", "(see above for traceback)",
                                        "See logs for memory state", NULL};
    for (size_t i = 0; i < c->incidents.n; i++)
        if (od_incident_says(&c->incidents.items[i], words))
            return true;
    return false;
}

struct od_view od_who_version(const struct od_case *c, const struct od_who *who,
                              const char *framework)
{
    /* Keras came with TensorFlow; its advice counts TensorFlow's versions. */
    size_t row = row_of(od_view_of(strcmp(framework, "keras") == 0 ? "tensorflow" : framework));
    if (row == OD_COUNT_OF(rows) || rows[row].sort < FRAMEWORK)
        return (struct od_view){0};
    for (size_t i = c->settings.n; i-- > 0;) {
        const struct od_setting *setting = &c->settings.items[i];
        if (!od_view_eq_str(setting->name, "framework_version"))
            continue;
        bool named = names_any(setting->said.text);
        if (named ? names(setting->said.text, &rows[row]) : is_alone(who, row))
            return setting->value;
    }
    if (strcmp(rows[row].name, "tensorflow") == 0 && words_of_sessions(c))
        return OD_VIEW("1");
    return (struct od_view){0};
}

const char *od_who_word(const char *framework)
{
    size_t i = row_of(od_view_of(framework));
    bool inner = i < OD_COUNT_OF(rows) && (rows[i].sort == OWN || rows[i].sort == SERVICE);
    if (i < OD_COUNT_OF(rows) && rows[i].sort == VENDOR)
        return "linux";
    if (strcmp(framework, "tgi") == 0)
        return "huggingface"; /* whose server it is */
    return inner && rows[i].title[0] == '\0' ? "any" : framework;
}

const char *od_who_title(const char *framework)
{
    size_t i = row_of(od_view_of(framework));
    return i < OD_COUNT_OF(rows) ? rows[i].title : framework;
}
