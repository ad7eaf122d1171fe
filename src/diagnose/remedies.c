#include "diagnose/remedies.h"

#include "base/bytes.h"
#include "base/num.h"
#include "diagnose/who.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- versions --- */

/* The next number of a version; false when there is none. */
static bool take_part(struct od_view *version, uint64_t *ret_part)
{
    if (version->n > 0 && version->p[0] == '.')
        *version = od_view_from(*version, 1);
    return od_num_take_u64(version, ret_part);
}

enum od_tri od_version_at_least(struct od_view version, const char *wanted)
{
    struct od_view want = od_view_of(wanted);
    uint64_t have_part, want_part;
    if (version.n > 0 && (version.p[0] == 'v' || version.p[0] == 'V'))
        version = od_view_from(version, 1);
    if (version.n == 0 || version.p[0] < '0' || version.p[0] > '9')
        return OD_CANNOT_TELL;
    while (take_part(&want, &want_part)) {
        if (!take_part(&version, &have_part))
            return want_part == 0 ? OD_YES : OD_CANNOT_TELL;
        if (have_part != want_part)
            return have_part > want_part ? OD_YES : OD_NO;
    }
    return OD_YES;
}

const char *od_how_needs(const struct od_advice_how *how, struct od_arena *arena)
{
    /* Versions of Keras' advice are TensorFlow's. */
    const char *title =
        od_who_title(strcmp(how->framework, "keras") == 0 ? "tensorflow" : how->framework);
    if (how->since && how->before)
        return od_arena_printf(arena, "%s %s or newer, before %s", title, how->since, how->before);
    if (how->since)
        return od_arena_printf(arena, "%s %s or newer", title, how->since);
    return how->before ? od_arena_printf(arena, "%s before %s", title, how->before) : NULL;
}

/* "{batch:16}" */
struct slot {
    const char *begin, *end; /* in the code; end is behind the brace */
    struct od_view name, usual;
};

static bool find_slot(const char *code, struct slot *ret_slot)
{
    for (const char *p = strchr(code, '{'); p; p = strchr(p + 1, '{')) {
        struct od_view name = {p + 1, strspn(p + 1, "abcdefghijklmnopqrstuvwxyz")};
        const char *colon = p + 1 + name.n;
        struct od_view usual = {colon + 1, *colon == ':' ? strspn(colon + 1, "0123456789") : 0};
        if (name.n == 0 || usual.n == 0 || usual.p[usual.n] != '}')
            continue;
        *ret_slot = (struct slot){p, usual.p + usual.n + 1, name, usual};
        return true;
    }
    return false;
}

static const struct od_number *number_of(const struct od_finding *finding, struct od_view name)
{
    for (size_t i = 0; i < finding->nnumbers; i++) {
        if (od_view_eq_str(name, finding->numbers[i].name))
            return &finding->numbers[i];
    }
    return NULL;
}

static double bytes_of(const struct od_finding *finding, const char *name)
{
    const struct od_number *number = number_of(finding, od_view_of(name));
    return number ? number->value : 0;
}

/* What to ask for: a fifth more than the limit, and than what all had and one asked for on top.
 * What one process had is no measure: its group may hold many. */
static struct od_count gib_of(const struct od_finding *finding)
{
    static const double gib = 1024.0 * 1024 * 1024, most = 8192;
    double limit = bytes_of(finding, "limit_bytes");
    double in_use = bytes_of(finding, "in_use_bytes");
    double wanted = in_use > 0 ? in_use + bytes_of(finding, "requested_bytes") : 0;
    double asked = (wanted > limit ? wanted : limit) * 1.2 / gib;
    if (asked <= 0 || asked > most)
        return (struct od_count){0};
    uint64_t whole = (uint64_t)asked;
    return od_count_of(whole + ((double)whole < asked));
}

static struct od_count value_of(const struct od_how_values *values, struct od_view name,
                                bool accumulates)
{
    char full[64];
    const struct od_finding *finding = values->finding;
    if (od_view_eq_str(name, "batch"))
        return accumulates && values->part.known ? values->part : values->batch;
    if (od_view_eq_str(name, "accumulation"))
        return values->accumulation;
    if (od_view_eq_str(name, "gib"))
        return finding ? gib_of(finding) : (struct od_count){0};
    (void)snprintf(full, sizeof full, "%.*s_count", (int)name.n, name.p);
    const struct od_number *number = finding ? number_of(finding, od_view_of(full)) : NULL;
    return number ? od_count_of((uint64_t)number->value) : (struct od_count){0};
}

const char *od_how_code(const struct od_advice_how *how, const struct od_how_values *values,
                        struct od_arena *arena)
{
    struct slot slot;
    struct od_buf text = {0};
    const char *rest = how->code;
    bool accumulates = rest && strstr(rest, "{accumulation:");
    if (!rest || !find_slot(rest, &slot))
        return rest;
    for (; find_slot(rest, &slot); rest = slot.end) {
        struct od_count value = value_of(values, slot.name, accumulates);
        od_buf_add(&text, (struct od_view){rest, (size_t)(slot.begin - rest)});
        if (value.known)
            od_buf_printf(&text, "%" PRIu64, value.n);
        else
            od_buf_add(&text, slot.usual);
    }
    od_buf_add_str(&text, rest);
    const char *filled = od_arena_str(arena, od_buf_view(&text));
    od_buf_done(&text);
    return filled;
}

/* --- settings that are on already --- */

struct alias {
    const char *name;
    const char *also;
};

static const struct alias aliases[] = {
    {"precision", "mixed_precision"},
    {"precision", "dtype"},
    {"precision", "torch_dtype"},
    {"precision", "fp16"},
    {"precision", "bf16"},
    {"precision", "amp"},
    {"allocator_options", "gpu_allocator"},
    {"allocator_options", "TF_GPU_ALLOCATOR"},
    {"allocator_options", "PYTORCH_CUDA_ALLOC_CONF"},
    {"checkpointing", "gradient_checkpointing"},
    {"checkpointing", "activation_checkpointing"},
    {"sharding", "zero_stage"},
    {"allow_growth", "memory_growth"},
    {"batch_size", "per_device_train_batch_size"},
    {"batch_size", "train_batch_size"},
    {"batch_size", "micro_batch_size"},
    {"workers", "num_workers"},
    {"workers", "dataloader_num_workers"},
    {"optimizer", "optim"},
};

static bool is_called(struct od_view name, const char *wanted)
{
    if (od_view_eq_str(name, wanted))
        return true;
    for (size_t i = 0; i < OD_COUNT_OF(aliases); i++) {
        if (strcmp(aliases[i].name, wanted) == 0 && od_view_eq_str(name, aliases[i].also))
            return true;
    }
    return false;
}

static bool has_folded(struct od_view text, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; n > 0 && i + n <= text.n; i++) {
        if (strncasecmp(text.p + i, part, n) == 0)
            return true;
    }
    return false;
}

static bool is_truth(struct od_view value)
{
    static const char *const words[] = {"true", "1", "on", "yes"};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        if (value.n == strlen(words[i]) && strncasecmp(value.p, words[i], value.n) == 0)
            return true;
    }
    return false;
}

/* "=1" is the whole value; else a part of it, or of the name of a switch that is on (fp16: true).
 */
static bool shows(const struct od_setting *setting, const struct od_advice_setting *wanted)
{
    if (!is_called(setting->name, wanted->name))
        return false;
    if (wanted->value[0] == '=')
        return od_view_eq_str(setting->value, wanted->value + 1);
    return has_folded(setting->value, wanted->value) ||
           (is_truth(setting->value) && has_folded(setting->name, wanted->value));
}

/* Is the last word of a setting of that name?  What was changed later is off again. */
static bool is_last(const struct od_case *c, size_t at)
{
    for (size_t i = at + 1; i < c->settings.n; i++) {
        if (od_view_eq(c->settings.items[i].name, c->settings.items[at].name))
            return false;
    }
    return true;
}

static bool is_on(const struct od_case *c, const struct od_advice_how *how)
{
    for (size_t i = 0; i < how->nunless; i++) {
        for (size_t k = 0; k < c->settings.n; k++) {
            if (shows(&c->settings.items[k], &how->unless[i]) && is_last(c, k))
                return true;
        }
    }
    return false;
}

/* --- slots --- */

static void print_number(const struct od_number *number, struct od_view name, struct od_buf *to)
{
    char text[OD_BYTES_TEXT];
    double largest = 9007199254740992.0; /* exact up to here */
    uint64_t n = number->value >= 0 && number->value <= largest ? (uint64_t)number->value : 0;
    if (od_view_ends(name, OD_VIEW("_bytes")))
        od_buf_add_str(to, od_bytes_print_u64(n, text));
    else
        od_buf_printf(to, "%llu", (unsigned long long)n);
}

/* Fills into `to`; false at a number that the finding lacks. */
static bool fill(struct od_view rest, const struct od_finding *finding, struct od_buf *to)
{
    for (;;) {
        size_t start = od_view_find_char(rest, '{', 0);
        size_t end = start == OD_VIEW_NONE ? start : od_view_find_char(rest, '}', start);
        if (end == OD_VIEW_NONE)
            break;
        struct od_view name = {rest.p + start + 1, end - start - 1};
        const struct od_number *number = number_of(finding, name);
        if (!number)
            return false;
        od_buf_add(to, od_view_head(rest, start));
        print_number(number, name, to);
        rest = od_view_from(rest, end + 1);
    }
    od_buf_add(to, rest);
    return true;
}

/* The first line of a text whose slots {name} the finding has numbers for, filled in: bytes for
 * people, counts as digits. NULL when there is none. */
static const char *fill_slots(const char *text, const struct od_finding *finding,
                              struct od_arena *arena)
{
    struct od_view rest = od_view_of(text), line;
    const char *filled = NULL;
    while (!filled && od_view_cut(&rest, '\n', &line)) {
        struct od_buf out = {0};
        if (fill(line, finding, &out))
            filled = od_arena_str(arena, od_buf_view(&out));
        od_buf_done(&out);
    }
    return filled;
}

/* --- selection --- */

enum { REMEDIES_MAX = 48 };

struct selection {
    const struct od_case *c;
    struct od_arena *arena;
    struct od_who who;
    struct od_remedy *list; /* REMEDIES_MAX */
    size_t n;
};

/* Does a way apply? What it needs and the log does not say is put down. */
static bool applies(const struct selection *s, const struct od_advice_how *how,
                    struct od_remedy_how *ret_how)
{
    if (!od_who_has(&s->who, how->framework) || is_on(s->c, how))
        return false;
    struct od_view version = od_who_version(s->c, &s->who, how->framework);
    enum od_tri new_enough = how->since ? od_version_at_least(version, how->since) : OD_YES;
    enum od_tri too_new = how->before ? od_version_at_least(version, how->before) : OD_NO;
    if (new_enough == OD_NO || too_new == OD_YES)
        return false;
    bool told = new_enough == OD_YES && too_new == OD_NO;
    *ret_how =
        (struct od_remedy_how){.advice = how, .needs = told ? NULL : od_how_needs(how, s->arena)};
    return true;
}

static bool is_listed(const struct selection *s, const char *id)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->list[i].advice->id, id) == 0)
            return true;
    }
    return false;
}

/* Ways in their order: through the trainer that runs the steps; then, where nothing tells the
 * framework or the platform, one that needs none, which is as good as any and surer. */
enum way_order { THROUGH_TRAINER, SURE, GUESSED, WAY_ORDER_END };

static enum way_order order_of(const struct od_who *who, const char *framework)
{
    if (od_who_drives(who, framework))
        return THROUGH_TRAINER;
    bool told = who->frameworks || od_who_is_neutral(framework);
    return told && !od_who_is_guess(who, framework) ? SURE : GUESSED;
}

static bool is_one_of(const struct od_advice_remedy *advice, const char *const *ids)
{
    for (; *ids; ids++)
        if (strcmp(advice->id, *ids) == 0)
            return true;
    return false;
}

/* The steps that a program remembers are no data set that could be read in pieces, and no other
 * memory has their length. */
static bool is_of_what_is_kept(const struct od_advice_remedy *advice,
                               const struct od_finding *finding)
{
    static const char *const data[] = {"stream_dataset", "fewer_workers", "memory_map", NULL};
    static const char *const special[] = {"smaller_buffer", "offload_less", NULL};
    bool first = finding->first && strcmp(finding->first, advice->id) == 0;
    bool remembers = finding->first && strcmp(finding->first, special[0]) == 0;
    if (is_one_of(advice, special) && !first)
        return false;
    return !remembers || !is_one_of(advice, data);
}

static void add_remedy(struct selection *s, const struct od_advice_remedy *advice,
                       const struct od_finding *finding)
{
    /* For no other failure than that of a bucket, or of a piece too large. */
    static const char *const measured[] = {"smaller_buckets", "smaller_pieces", NULL};
    bool vain = finding->vain && strcmp(finding->vain, advice->id) == 0;
    if (s->n == REMEDIES_MAX || vain || is_listed(s, advice->id) ||
        !is_of_what_is_kept(advice, finding))
        return;
    struct od_remedy remedy = {.advice = advice, .finding = finding};
    struct od_remedy_how *how = OD_NEW_N(s->arena, advice->nhow + 1, struct od_remedy_how);
    for (enum way_order turn = THROUGH_TRAINER; turn < WAY_ORDER_END; turn++) {
        for (size_t i = 0; i < advice->nhow; i++) {
            if (order_of(&s->who, advice->how[i].framework) == turn)
                remedy.nhow += applies(s, &advice->how[i], &how[remedy.nhow]);
        }
    }
    if (remedy.nhow == 0)
        return;
    remedy.how = how;
    if (advice->figures)
        remedy.figures = fill_slots(advice->figures, finding, s->arena);
    if (!remedy.figures && is_one_of(advice, measured))
        return;
    s->list[s->n++] = remedy;
}

/* What a validation gathers is no remedy for what grows in training, and the other way round; and
 * where weights did not fit as they were loaded, gradients and states were not there yet. */
static bool is_of_phase(const struct od_advice_remedy *advice, const struct od_finding *finding)
{
    static const char *const validation[] = {"drop_results", "inference_mode", "smaller_validation",
                                             NULL};
    static const char *const training[] = {"adapters", "smaller_optimizer", "mixed_precision",
                                           NULL};
    switch (finding->grows_in) {
    case OD_SERIES_PHASE_TRAIN:
        return !is_one_of(advice, validation);
    case OD_SERIES_PHASE_VALIDATION:
        return is_one_of(advice, validation);
    case OD_SERIES_PHASE_LOAD:
        return !is_one_of(advice, training);
    case OD_SERIES_PHASE_NONE:
    case OD_SERIES_PHASE_CHECKPOINT:
        break;
    }
    return true;
}

/* In the order of the advice; what fits the phase that grows comes first. */
static void add_remedies(struct selection *s, const struct od_advice *advice,
                         const struct od_finding *finding)
{
    for (size_t i = 0; finding->first && i < advice->nremedies; i++) {
        if (strcmp(advice->remedies[i].id, finding->first) == 0)
            add_remedy(s, &advice->remedies[i], finding);
    }
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < advice->nremedies; i++) {
            if (is_of_phase(&advice->remedies[i], finding) == (turn == 0))
                add_remedy(s, &advice->remedies[i], finding);
        }
    }
}

/* Where the batch is not the cause, something else comes first. */
static void put_batch_behind(struct selection *s, enum od_cause cause)
{
    bool wrong = s->n > 1 && cause != OD_CAUSE_BATCH_TOO_LARGE &&
                 strcmp(s->list[0].advice->id, "reduce_batch") == 0;
    if (!wrong)
        return;
    struct od_remedy first = s->list[0];
    s->list[0] = s->list[1];
    s->list[1] = first;
}

static void add_vain(struct selection *s, const struct od_advice *advice,
                     struct od_remedies *remedies)
{
    const struct od_advice_vain **vain =
        OD_NEW_N(s->arena, advice->nvain + 1, const struct od_advice_vain *);
    for (size_t i = 0; i < advice->nvain; i++) {
        if (od_who_has(&s->who, advice->vain[i].framework))
            vain[remedies->nvain++] = &advice->vain[i];
    }
    remedies->vain = vain;
}

static bool needs_advice(const struct od_diagnosis *diagnosis)
{
    return diagnosis->findings.n > 0 && diagnosis->outcome != OD_OUTCOME_OTHER_FAILURE &&
           diagnosis->outcome != OD_OUTCOME_NO_FAILURE;
}

const struct od_remedies *od_remedies_select(const struct od_case *c,
                                             const struct od_diagnosis *diagnosis,
                                             const struct od_advice *const *advice,
                                             struct od_arena *arena)
{
    static const double least = 0.3;
    if (!advice || !needs_advice(diagnosis))
        return NULL;
    struct selection s = {.c = c, .arena = arena, .who = od_who_of(c, diagnosis)};
    struct od_remedies *remedies = OD_NEW(arena, struct od_remedies);
    s.list = OD_NEW_N(arena, REMEDIES_MAX, struct od_remedy);
    for (size_t i = 0; i < diagnosis->findings.n; i++) {
        const struct od_finding *finding = &diagnosis->findings.items[i];
        const struct od_advice *of = od_advice_find(advice, od_cause_name(finding->cause));
        if (!of || (i > 0 && finding->probability < least))
            continue;
        add_remedies(&s, of, finding);
        if (i == 0)
            add_vain(&s, of, remedies);
    }
    put_batch_behind(&s, diagnosis->findings.items[0].cause);
    remedies->list = s.list;
    remedies->n = s.n;
    return remedies;
}
