#include "plan/request.h"

#include "base/suggest.h"
#include "base/version.h"
#include "estimate/objective.h"

/* Upper limits of values. Larger ones are typing errors. Products of some values fit 64 bits. */
enum { COUNT_MOST = 1 << 30, PARALLEL_MOST = 1 << 20, EDGE_MOST = 1 << 20, TARGETS_MOST = 64 };

struct setting {
    struct od_plan_request *request;
    void *field; /* the member of the request to set, if the knob sets no other */
    uint64_t least, most;
    struct od_arena *arena;
    struct od_view value;
    const char *why; /* describes the valid values */
};

typedef bool set_fn(struct setting *s);

static bool read_count(struct setting *s, uint64_t least, uint64_t most, uint64_t *ret_n)
{
    uint64_t n;
    if (od_num_parse_u64(s->value, &n) && n >= least && n <= most) {
        *ret_n = n;
        return true;
    }
    s->why = od_arena_printf(s->arena, "a whole number from %llu to %llu",
                             (unsigned long long)least, (unsigned long long)most);
    return false;
}

static bool take_count(struct setting *s)
{
    return read_count(s, s->least, s->most, s->field);
}

/* Reads a number of parameters as in a model's name: "7B", "350M". */
static bool read_params(struct setting *s, uint64_t *ret_n)
{
    enum { MOST = 100000 }; /* the maximum, in billions */
    static const char letters[] = "kmbt";
    struct od_view number = od_view_head(s->value, s->value.n > 0 ? s->value.n - 1 : 0);
    const char *letter = s->value.n > 0 ? strchr(letters, od_lower(s->value.p[number.n])) : NULL;
    double n, unit = 1;
    for (const char *c = letters; letter && c <= letter; c++)
        unit *= 1000;
    bool ok =
        letter && *letter && od_num_parse_double(number, &n) && n > 0 && n * unit <= MOST * 1e9;
    if (ok)
        *ret_n = (uint64_t)(n * unit + 0.5);
    return ok;
}

static bool set_params(struct setting *s)
{
    uint64_t n;
    if (!read_params(s, &n) && !read_count(s, 0, (uint64_t)1 << 50, &n))
        return false;
    s->request->params = od_count_of(n);
    return true;
}

static bool take_known(struct setting *s)
{
    uint64_t n;
    if (!read_count(s, s->least, s->most, &n))
        return false;
    *(struct od_count *)s->field = od_count_of(n);
    return true;
}

static bool take_yes(struct setting *s)
{
    static const char *const yes[] = {"", "yes", "true", "on", "1", NULL};
    static const char *const no[] = {"no", "false", "off", "0", NULL};
    bool said = od_view_eq_any(s->value, yes);
    if (said || od_view_eq_any(s->value, no)) {
        *(bool *)s->field = said;
        return true;
    }
    s->why = "yes or no";
    return false;
}

static bool take_size(struct setting *s)
{
    struct od_bytes bytes;
    if (od_bytes_parse(s->value, OD_UNIT_BINARY, &bytes)) {
        *(struct od_bytes *)s->field = od_bytes_exact(bytes.n);
        return true;
    }
    s->why = "a size: 64GiB, 512MB, 137438953472";
    return false;
}

/* Reads "3,224,224,float32": dimensions, then the type. */
static bool take_tensor(struct setting *s)
{
    size_t comma = s->value.n;
    while (comma > 0 && s->value.p[comma - 1] != ',')
        comma--;
    struct od_plan_tensor tensor = {0};
    struct od_bytes bytes = {0};
    if (comma > 1) {
        tensor.dtype = od_dtype_parse(od_view_trim(od_view_from(s->value, comma)));
        if (od_shape_parse(od_view_head(s->value, comma - 1), &tensor.shape))
            bytes = od_shape_bytes(&tensor.shape, tensor.dtype);
    }
    s->why = "dimensions and a type: 3,224,224,float32";
    if (!bytes.known || bytes.n == 0 || bytes.n >= (uint64_t)1 << 50)
        return false;
    *(struct od_plan_tensor *)s->field = tensor;
    return true;
}

static bool set_framework(struct setting *s)
{
    s->why = "pytorch, tensorflow or jax";
    s->request->framework_given = od_framework_find(s->value, &s->request->workload.framework);
    return s->request->framework_given;
}

static bool set_precision(struct setting *s)
{
    s->why = "float32, tf32, amp_fp16, amp_bf16, fp16, bf16, fp16_true, bf16_true or fp8";
    s->request->precision_given = od_precision_find(s->value, &s->request->workload.precision);
    return s->request->precision_given;
}

static bool set_optimizer(struct setting *s)
{
    s->why = "sgd, momentum, nesterov, adam, adamw, amsgrad, adafactor, adam8bit, lion, rmsprop, "
             "adagrad or muon, with -fused after it (one kernel per step) or paged_ before it";
    enum { ENDS = sizeof "-fused" - 1 };
    bool fused =
        od_view_ends(s->value, OD_VIEW("-fused")) || od_view_ends(s->value, OD_VIEW("_fused"));
    struct od_view name = {s->value.p, s->value.n - (fused ? ENDS : 0)};
    s->request->workload.fused_step = fused;
    s->request->workload.paged_states = od_view_take(&name, OD_VIEW("paged_"));
    s->request->optimizer_given = od_optimizer_find(name, &s->request->workload.optimizer);
    return s->request->optimizer_given;
}

static bool set_checkpointing(struct setting *s)
{
    s->why = "none, selective, full or every:K";
    struct od_workload *w = &s->request->workload;
    return od_checkpointing_find(s->value, &w->checkpointing, &w->checkpoint_every) &&
           w->checkpoint_every <= COUNT_MOST;
}

static bool set_image(struct setting *s)
{
    struct od_view text = s->value;
    uint64_t h, w;
    s->why = "HxW, as 224x224";
    if (!od_num_take_u64(&text, &h))
        return false;
    w = h;
    if (text.n > 0 && (!(od_view_take(&text, OD_VIEW("x")) || od_view_take(&text, OD_VIEW(","))) ||
                       !od_num_take_u64(&text, &w)))
        return false;
    if (text.n > 0 || h == 0 || w == 0 || h > EDGE_MOST || w > EDGE_MOST)
        return false;
    s->request->workload.image_h = h;
    s->request->workload.image_w = w;
    return true;
}

static bool set_zero(struct setting *s)
{
    uint64_t stage;
    if (!read_count(s, 0, 3, &stage))
        return false;
    s->request->workload.zero_stage = (unsigned)stage;
    return true;
}

static bool set_offload(struct setting *s)
{
    struct od_workload *w = &s->request->workload;
    struct od_view rest = s->value, word;
    bool optimizer = false, params = false;
    s->why = "optimizer, params, both (optimizer,params) or none";
    while (od_view_cut(&rest, ',', &word)) {
        if (od_view_eq_str(word, "optimizer"))
            optimizer = true;
        else if (od_view_eq_str(word, "params"))
            params = true;
        else if (!od_view_eq_str(word, "none"))
            return false;
    }
    w->offload_optimizer = optimizer;
    w->offload_params = params;
    return true;
}

static bool set_lora_targets(struct setting *s)
{
    const char **targets = OD_NEW_N(s->arena, TARGETS_MOST, const char *);
    struct od_view rest = s->value, word;
    size_t n = 0;
    s->why = "names of layers between commas: q_proj,v_proj";
    while (od_view_cut(&rest, ',', &word)) {
        word = od_view_trim(word);
        if (word.n == 0 || n == TARGETS_MOST)
            return false;
        targets[n++] = od_arena_str(s->arena, word);
    }
    s->request->workload.lora_targets = targets;
    s->request->workload.nlora_targets = n;
    return n > 0;
}

static bool set_quantize(struct setting *s)
{
    static const char *const four[] = {"4", "4bit", "int4", "nf4", "NF4", NULL};
    static const char *const eight[] = {"8", "8bit", "int8", NULL};
    bool narrow = od_view_eq_any(s->value, four), half = od_view_eq_any(s->value, eight);
    s->why = "8 or 4 (0: not at all), or how a named model is stored (Q4_K_M, AWQ, FP8)";
    s->request->workload.quantize_bits = narrow ? 4 : half ? 8 : 0;
    return narrow || half || od_view_eq(s->value, OD_VIEW("0"));
}

static enum od_tri is_before(struct od_view version, const char *release)
{
    enum od_tri since = od_version_at_least(version, release);
    return since == OD_CANNOT_TELL ? since : since == OD_NO ? OD_YES : OD_NO;
}

/* PyTorch before 2.0 has no fused attention, transformers before 4.36 does not use it unless it is
 * requested, and before 4.45 generate() makes the logits of the whole prompt. */
static bool set_program(struct od_workload *w, struct od_view name, struct od_view value)
{
    double rate;
    enum od_tri old = OD_CANNOT_TELL;
    bool version = value.n > 0 && od_is_digit(value.p[0]);
    if (od_view_eq_str(name, "attention")) {
        bool eager = od_view_eq_str(value, "eager");
        w->attention = eager ? OD_ATTENTION_EAGER : OD_ATTENTION_FUSED;
        return eager || od_view_eq_str(value, "sdpa") || od_view_eq_str(value, "flash");
    }
    if (od_view_eq_str(name, "lora_dropout") && od_num_parse_double(value, &rate) && rate >= 0) {
        w->adapter_dropout = rate > 0 ? OD_YES : OD_NO;
        return rate < 1;
    }
    if (!version)
        return false;
    if (od_view_eq_str(name, "bitsandbytes"))
        w->keeps_packed = is_before(value, "0.43.2");
    else if (od_view_eq_str(name, "trl")) /* fixed by TRL's pull request 4577 */
        w->widens = is_before(value, "0.26");
    else if (od_view_eq_str(name, "torch"))
        w->zeroes_gradients = old = is_before(value, "2.0"),
        w->reshards = od_version_at_least(value, "2.1");
    else if (!od_view_eq_str(name, "transformers"))
        return false;
    else {
        w->any_program = false;
        w->all_logits = is_before(value, "4.45");
        old = is_before(value, "4.36");
    }
    if (w->attention == OD_ATTENTION_UNKNOWN && old == OD_YES)
        w->attention = OD_ATTENTION_EAGER;
    return true;
}

/* Reads versions and choices of libraries: "bitsandbytes=0.45,attention=sdpa". */
static bool set_with(struct setting *s)
{
    struct od_view rest = s->value, word, name;
    s->why = "bitsandbytes=, torch=, transformers= or trl=VERSION, attention=eager, sdpa or flash, "
             "lora_dropout=RATE, with commas between them";
    while (od_view_cut(&rest, ',', &word)) {
        if (!od_view_cut(&word, '=', &name) ||
            !set_program(&s->request->workload, od_view_trim(name), od_view_trim(word)))
            return false;
    }
    return true;
}

/* Accepts the types of llama.cpp; blocks of 32 values have a scale and so take more bytes. */
static bool set_kv_dtype(struct setting *s)
{
    static const struct {
        const char *name;
        double bytes;
    } types[] = {
        {"float32", 4},      {"f32", 4},          {"float16", 2},      {"f16", 2},
        {"bfloat16", 2},     {"bf16", 2},         {"fp8", 1},          {"int8", 1},
        {"fp8_e4m3", 1},     {"fp8_e5m2", 1},     {"q8_0", 34 / 32.0}, {"q5_1", 24 / 32.0},
        {"q5_0", 22 / 32.0}, {"q4_1", 20 / 32.0}, {"q4_0", 18 / 32.0}, {"iq4_nl", 18 / 32.0},
        {"int4", 18 / 32.0}};
    s->why = "float16, bfloat16, float32, fp8, int8, q8_0, q5_1, q5_0, q4_1, q4_0 or iq4_nl";
    for (size_t i = 0; i < OD_COUNT_OF(types); i++)
        if (od_view_eq_str(s->value, types[i].name)) {
            s->request->workload.kv_bytes = types[i].bytes;
            return true;
        }
    return false;
}

static bool take_share(struct setting *s)
{
    s->why = "a share of the device: 0.9";
    double share;
    if (!od_num_parse_double(s->value, &share) || !(share > 0 && share <= 1))
        return false;
    *(double *)s->field = share;
    return true;
}

static bool set_objective(struct setting *s)
{
    s->why = "sft, dpo, kto, orpo, simpo, cpo, grpo, rloo, gkd or ppo";
    s->request->workload.objective = od_objective_find(s->value);
    return s->request->workload.objective != NULL;
}

/* Removes the number of devices: "2x" of "2xA100". Keeps it if the text is a device's name. */
static struct od_view take_devices(struct od_view text, struct od_arena *arena, uint64_t *ret_n)
{
    struct od_plan_device whole;
    struct od_view rest = text;
    uint64_t n;
    *ret_n = 0;
    if (od_plan_device_find(od_arena_str(arena, text), arena, &whole) ||
        !od_num_take_u64(&rest, &n) || n == 0 || n > PARALLEL_MOST)
        return text;
    rest = od_view_trim(rest);
    if (!od_view_take(&rest, OD_VIEW("x")))
        return text;
    *ret_n = n;
    return od_view_trim(rest);
}

static bool set_device(struct setting *s)
{
    enum { LEAST = 1000000 }; /* a smaller number of bytes probably lacks its unit */
    uint64_t bare;
    s->why = "a device (a100-40gb, rtx3090, 2xA100, ...) or a size (24GB, 23.7GiB)";
    struct od_view name = take_devices(s->value, s->arena, &s->request->devices);
    bool number = od_num_parse_u64(name, &bare) && bare < LEAST;
    if (number) { /* the number is part of the name: "4090" */
        name = od_view_of(od_arena_printf(s->arena, "rtx%" PRIu64, bare));
        s->why = od_arena_printf(s->arena, "a size with its unit (%" PRIu64 "GB?)", bare);
    }
    if (!od_plan_device_find(od_arena_str(s->arena, name), s->arena, &s->request->device)) {
        const char *near = od_plan_device_suggest(name);
        if (near && !number)
            s->why =
                od_arena_printf(s->arena, "a device (did you mean %s?) or a size (24GB)", near);
        return false;
    }
    s->request->workload.hopper = s->request->device.hopper;
    s->request->workload.no_bitsandbytes = s->request->device.no_bitsandbytes;
    return true;
}

static bool set_metric(struct setting *s)
{
    s->why = "allocated, reserved or device";
    return od_metric_find(s->value, &s->request->workload.metric);
}

/* Reads MEAN:MAX, which sets the sequence length too: "3234:4096". */
const char *od_lengths_words(struct od_view text, struct od_arena *arena)
{
    uint64_t n, sum = 0, most = 0, count = 0;
    struct od_view line;
    while (od_view_cut(&text, '\n', &line)) {
        if (!od_num_parse_u64(od_view_trim(line), &n) || n > COUNT_MOST)
            continue;
        sum += n;
        most = n > most ? n : most;
        count++;
    }
    return sum >= count && count > 0
               ? od_arena_printf(arena, "%" PRIu64 ":%" PRIu64, sum / count, most)
               : NULL;
}

static bool set_lengths(struct setting *s)
{
    struct od_workload *w = &s->request->workload;
    struct od_view mean, most = s->value;
    bool packed = od_view_eq_str(s->value, "packed");
    s->why =
        "fixed, packed, varied, MEAN:MAX such as 900:4096, or a file with a length on each line";
    w->lengths = packed || od_view_eq_str(s->value, "fixed") ? OD_LENGTHS_FIXED : OD_LENGTHS_VARIED;
    if (w->lengths == OD_LENGTHS_FIXED || od_view_eq_str(s->value, "varied"))
        return true;
    return od_view_cut(&most, ':', &mean) && od_num_parse_u64(mean, &w->mean_length) &&
           od_num_parse_u64(most, &w->sequence) && w->mean_length > 0 &&
           w->sequence <= COUNT_MOST && w->mean_length <= w->sequence;
}

static bool set_start_method(struct setting *s)
{
    bool spawn = od_view_eq_str(s->value, "spawn") || od_view_eq_str(s->value, "forkserver");
    s->why = "fork or spawn";
    s->request->spawn = spawn;
    return spawn || od_view_eq_str(s->value, "fork");
}

#define ROW(name, argument, help) {name, (argument) != NULL},
static const struct {
    const char *name;
    bool takes_value;
} knobs[] = {OD_KNOBS(ROW)};

/* A knob that sets one member. The member's type determines how the value is read. */
#define INTO(name, from, to)                                                           \
    {                                                                                  \
        .set = _Generic(((struct od_plan_request *)NULL)->name, bool                   \
                        : take_yes, uint64_t                                           \
                        : take_count, double                                           \
                        : take_share, struct od_count                                  \
                        : take_known, struct od_bytes                                  \
                        : take_size, struct od_plan_tensor                             \
                        : take_tensor),                                                \
        .field = offsetof(struct od_plan_request, name), .least = (from), .most = (to) \
    }

/* In the order of OD_KNOBS. */
static const struct {
    set_fn *set;
    size_t field;
    uint64_t least, most;
} setters[] = {
    {.set = set_framework},
    INTO(workload.batch, 1, COUNT_MOST),
    {.set = set_precision},
    {.set = set_optimizer},
    {.set = set_checkpointing},
    {.set = set_objective},
    INTO(engine, 0, 0),
    INTO(workload.accumulation, 1, PARALLEL_MOST),
    INTO(workload.keeps_gradients, 0, 0),
    INTO(workload.sequence, 1, COUNT_MOST),
    {.set = set_lengths},
    {.set = set_image},
    INTO(workload.world_size, 1, PARALLEL_MOST),
    {.set = set_zero},
    INTO(workload.fsdp, 0, 0),
    INTO(workload.tensor_parallel, 1, PARALLEL_MOST),
    INTO(workload.pipeline_parallel, 1, PARALLEL_MOST),
    INTO(workload.sequence_parallel, 0, 0),
    INTO(workload.expert_parallel, 1, PARALLEL_MOST),
    {.set = set_offload},
    INTO(workload.offload_activations, 0, 0),
    INTO(workload.lora_rank, 0, 1 << 16),
    {.set = set_lora_targets},
    {.set = set_quantize},
    {.set = set_with},
    INTO(workload.compile, 0, 0),
    INTO(workload.chunked_loss, 0, 0),
    INTO(workload.optimizer_in_backward, 0, 0),
    INTO(workload.inference, 0, 0),
    INTO(workload.prompt, 1, COUNT_MOST),
    /* the batch of a server is its number of running sequences, as in vLLM */
    INTO(workload.batch, 1, COUNT_MOST),
    INTO(workload.mean_sequence, 1, COUNT_MOST),
    INTO(workload.kv_block, 1, 1 << 16),
    {.set = set_kv_dtype},
    INTO(workload.chunk, 1, COUNT_MOST),
    INTO(workload.device_blocks, 0, COUNT_MOST),
    INTO(utilization, 0, 0),
    INTO(static_share, 0, 0),
    INTO(free_share, 0, 0),
    {.set = set_device},
    {.set = set_metric},
    {.set = set_params},
    INTO(activations, 0, (uint64_t)1 << 50),
    INTO(workers, 0, 1 << 16),
    INTO(prefetch, 0, 1 << 16),
    INTO(sample, 0, 0),
    INTO(dataset, 0, 0),
    {.set = set_start_method},
    INTO(python_objects, 0, 0),
    INTO(pin_memory, 0, 0),
    INTO(cpus, 1, 1 << 16),
    INTO(ram, 0, 0),
    INTO(shm, 0, 0),
};
_Static_assert(OD_COUNT_OF(setters) == OD_COUNT_OF(knobs), "a setter for each knob");

static size_t find(const char *name)
{
    size_t i = 0;
    while (i < OD_COUNT_OF(knobs) && strcmp(knobs[i].name, name) != 0)
        i++;
    return i;
}

const char *od_knob_suggest(const char *name)
{
    const char *names[OD_COUNT_OF(knobs)];
    for (size_t i = 0; i < OD_COUNT_OF(knobs); i++)
        names[i] = knobs[i].name;
    return od_suggest(name, names, OD_COUNT_OF(knobs));
}

enum od_knob_result od_knob_set(struct od_plan_request *request, const char *name,
                                const char *value, struct od_arena *arena, const char **ret_why)
{
    size_t i = find(name);
    if (i == OD_COUNT_OF(knobs))
        return OD_KNOB_UNKNOWN;
    struct od_plan_request next = *request;
    struct setting s = {.request = &next,
                        .field = (char *)&next + setters[i].field,
                        .least = setters[i].least,
                        .most = setters[i].most,
                        .arena = arena,
                        .value = od_view_trim(od_view_of(value))};
    if ((knobs[i].takes_value && s.value.n == 0) || !setters[i].set(&s)) {
        *ret_why = s.why ? s.why : "a value";
        return OD_KNOB_BAD;
    }
    next.said[i] = s.value.n > 0 ? od_arena_str(arena, s.value) : "yes";
    *request = next;
    return OD_KNOB_SET;
}

const char *od_knob_said(const struct od_plan_request *request, const char *name)
{
    size_t i = find(name);
    return i < OD_COUNT_OF(knobs) ? request->said[i] : NULL;
}
