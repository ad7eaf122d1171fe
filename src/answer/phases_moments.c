/*
 * Memory of each part of a step, from values printed at named moments ("after forward: 5.1 GB",
 * "before backward", "post_forward"): what each moment added to the one before it, up to the
 * highest moment, or to the last one before the device failed. The rows sum to the value printed
 * there.
 *
 * A backward pass releases the activations and leaves gradients; zeroing releases gradients. Other
 * decreases release the last gain first. Gains that recur with each step are growth.
 */
#include "answer/phases.h"

#include <math.h>

enum {
    PARTS_MAX = 16,
    NAME_MAX_BYTES = 40,
    MOMENTS_MAX = 1 << 16 /* a long log repeats its first steps */
};

static const double least_share = 0.005; /* share of the peak; less is noise in the measurements */

/* What has just been done, by the name of a moment. */
enum deed { DEED_OTHER, DEED_LOAD, DEED_FORWARD, DEED_BACKWARD, DEED_STEP, DEED_ZERO };

struct moment {
    const struct od_series *series;
    double value;
    uint64_t line;
};

struct part {
    enum deed deed;
    struct od_view name; /* as printed; empty = the default name for the deed */
    double bytes;
    unsigned times;      /* number of times that it gained memory */
    uint64_t line;       /* line of its last gain */
    struct od_view said; /* text of the moment in that line */
    bool growth, validates;
};

struct parts {
    struct part items[PARTS_MAX];
    size_t n;
};

struct walk {
    struct parts now;
    double gradients; /* bytes of one step; 0 = no gradients seen */
    double level;
    bool began, forwards;
};

static enum deed deed_of(struct od_view name)
{
    static const enum od_label_meaning meanings[] = {[DEED_ZERO] = OD_LABEL_ZEROING,
                                                     [DEED_BACKWARD] = OD_LABEL_BACKWARD,
                                                     [DEED_FORWARD] = OD_LABEL_FORWARD,
                                                     [DEED_STEP] = OD_LABEL_UPDATE,
                                                     [DEED_LOAD] = OD_LABEL_LOAD};
    uint64_t means = od_label_means(name);
    for (enum deed deed = DEED_OTHER + 1; deed < OD_COUNT_OF(meanings); deed++)
        if (od_means(means, meanings[deed]))
            return deed;
    return DEED_OTHER;
}

/* Is the part a validation? Validations repeat, and the memory that each one keeps is a part by
 * itself. */
static bool is_validation(const struct od_series *s)
{
    return s->phase == OD_SERIES_PHASE_VALIDATION || od_view_eq_str(s->name, "validation");
}

/* --- memory gained and released --- */

static struct part *part_of(struct walk *w, enum deed deed, struct od_view name, bool growth)
{
    struct parts *parts = &w->now;
    for (size_t i = 0; i < parts->n; i++)
        if (parts->items[i].growth == growth &&
            (growth || (parts->items[i].deed == deed && od_view_eq(parts->items[i].name, name))))
            return &parts->items[i];
    if (parts->n == PARTS_MAX) /* one row is for the remainder */
        return &parts->items[PARTS_MAX - 1];
    parts->items[parts->n] = (struct part){.deed = deed, .name = name, .growth = growth};
    return &parts->items[parts->n++];
}

static void gain(struct part *part, double bytes, const struct moment *m)
{
    part->bytes += bytes;
    part->times++;
    part->validates = is_validation(m->series);
    part->line = m->line;
    part->said = m->series->name;
}

/* Takes up to `bytes` from the parts of that deed, the last gain first. Returns the bytes that it
 * could not take. */
static double take(struct walk *w, enum deed deed, bool any, double bytes)
{
    for (size_t i = w->now.n; i-- > 0 && bytes > 0;) {
        struct part *part = &w->now.items[i];
        if (!any && part->deed != deed)
            continue;
        double taken = fmin(part->bytes, bytes);
        part->bytes -= taken;
        bytes -= taken;
    }
    return bytes;
}

static void give_back(struct walk *w, enum deed first, double bytes)
{
    bytes = take(w, first, false, bytes);
    bytes = take(w, DEED_FORWARD, false, bytes);
    (void)take(w, DEED_OTHER, true, bytes);
}

static double held(const struct walk *w, enum deed deed)
{
    double bytes = 0;
    for (size_t i = 0; i < w->now.n; i++)
        bytes += w->now.items[i].deed == deed ? w->now.items[i].bytes : 0;
    return bytes;
}

static const struct od_view nameless = {0};

/* A backward pass releases the activations. Memory above the level before the activations is
 * gradients, at most as many as after the first step. */
static void pass_back(struct walk *w, const struct moment *m, double change)
{
    double freed = held(w, DEED_FORWARD), made = freed + change;
    (void)take(w, DEED_FORWARD, false, freed);
    if (made <= 0) {
        give_back(w, DEED_OTHER, -made);
        return;
    }
    double room = w->gradients > 0 ? fmax(w->gradients - held(w, DEED_BACKWARD), 0) : made;
    double gradients = fmin(made, room);
    if (gradients > 0)
        gain(part_of(w, DEED_BACKWARD, nameless, false), gradients, m);
    if (made > gradients)
        gain(part_of(w, DEED_OTHER, nameless, true), made - gradients, m);
    w->gradients = fmax(w->gradients, held(w, DEED_BACKWARD));
}

static void add_gain(struct walk *w, const struct moment *m, enum deed deed, double change)
{
    bool own = deed == DEED_OTHER || deed == DEED_ZERO || (deed == DEED_BACKWARD && !w->forwards);
    size_t before = w->now.n;
    struct part *part =
        part_of(w, own ? DEED_OTHER : deed, own ? m->series->name : nameless, false);
    bool again = before == w->now.n && deed != DEED_FORWARD && !is_validation(m->series);
    gain(again ? part_of(w, DEED_OTHER, nameless, true) : part, change, m);
}

static void step_on(struct walk *w, const struct moment *m)
{
    enum deed deed = deed_of(m->series->name);
    double change = m->value - w->level;
    if (!w->began)
        gain(part_of(w, deed == DEED_LOAD ? deed : DEED_OTHER,
                     deed == DEED_LOAD ? nameless : m->series->name, false),
             m->value, m);
    else if (deed == DEED_BACKWARD && w->forwards)
        pass_back(w, m, change);
    else if (change > 0)
        add_gain(w, m, deed, change);
    else if (change < 0)
        give_back(w, deed == DEED_ZERO || deed == DEED_STEP ? DEED_BACKWARD : DEED_OTHER, -change);
    w->forwards |= deed == DEED_FORWARD;
    w->level = m->value;
    w->began = true;
}

/* --- the moments of one measurement --- */

typedef OD_VEC(struct moment) moment_list;

static bool is_wanted(const struct od_series *s, bool host)
{
    bool metric = host ? s->metric == OD_SERIES_HOST_RSS || s->metric == OD_SERIES_HOST_USED
                       : s->metric == OD_SERIES_DEVICE_USED;
    bool phase = host && (is_validation(s) || od_view_eq_str(s->name, "train"));
    return metric && (phase || od_means(od_label_means(s->name), OD_LABEL_MOMENT));
}

static int by_line(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

/* Collects the moments of the first measurement that has at least two. */
static void gather(const struct od_case *c, bool host, moment_list *ret_moments)
{
    for (size_t i = 0; i < c->series.n; i++) {
        const struct od_series *first = &c->series.items[i];
        size_t names = 0;
        if (!is_wanted(first, host))
            continue;
        ret_moments->n = 0;
        for (size_t j = i; j < c->series.n; j++) {
            const struct od_series *s = &c->series.items[j];
            if (!is_wanted(s, host) || !od_series_is_same(first, s))
                continue;
            names++;
            for (size_t k = 0; k < s->nsamples && ret_moments->n < MOMENTS_MAX; k++)
                od_vec_push(ret_moments,
                            ((struct moment){s, s->samples[k].value, s->samples[k].line}));
        }
        if (names > 1)
            break;
        ret_moments->n = 0;
    }
    if (ret_moments->n > 1)
        qsort(ret_moments->items, ret_moments->n, sizeof *ret_moments->items, by_line);
}

static struct od_view name_of(const struct part *part)
{
    static const char *const names[] = {[DEED_OTHER] = "between measurements",
                                        [DEED_LOAD] = "model",
                                        [DEED_FORWARD] = "forward pass",
                                        [DEED_BACKWARD] = "gradients",
                                        [DEED_STEP] = "optimizer",
                                        [DEED_ZERO] = "gradients set to zero"};
    if (part->growth)
        return OD_VIEW("growth from step to step");
    return part->name.n > 0 ? od_view_head(part->name, NAME_MAX_BYTES)
                            : od_view_of(names[part->deed]);
}

/* " (640 samples of 2.75 MiB)": the memory that one validation keeps, if the log states its
 * episodes and the classes and queries of each. */
static const char *samples_words(const struct od_case *c, uint64_t bytes, struct od_arena *arena)
{
    static const enum od_setting_id factors[] = {OD_SETTING_EPISODES, OD_SETTING_N_WAY,
                                                 OD_SETTING_N_QUERY};
    uint64_t samples = 1, n;
    for (size_t i = 0; i < OD_COUNT_OF(factors); i++)
        if (!od_num_parse_u64(od_case_setting(c, factors[i]), &n) || n == 0 ||
            ckd_mul(&samples, samples, n))
            return "";
    return od_arena_printf(arena, " (%llu samples of %s)", (unsigned long long)samples,
                           od_bytes_text_u64(arena, bytes / samples));
}

static void write_rows(const struct od_case *c, const struct parts *parts, double level,
                       struct od_phases *phases, struct od_arena *arena)
{
    for (size_t i = 0; i < parts->n && phases->n < OD_PHASES_MAX; i++) {
        const struct part *part = &parts->items[i];
        if (part->bytes < least_share * level)
            continue;
        struct od_view name = name_of(part);
        struct od_view said = od_view_head(part->said, NAME_MAX_BYTES);
        struct od_bytes bytes = od_bytes_exact((uint64_t)part->bytes);
        const char *line = od_arena_printf(arena, "line %llu", (unsigned long long)part->line);
        if (part->times > 1 && !part->growth && part->deed == DEED_OTHER)
            line = od_arena_printf(
                arena, "%u times %s%s, last in %s", part->times,
                od_bytes_text_u64(arena, bytes.n / part->times),
                part->validates ? samples_words(c, bytes.n / part->times, arena) : "", line);
        bool again = said.n == 0 || od_view_eq(name, said);
        phases->rows[phases->n++] = (struct od_phase_row){
            .name = name,
            .bytes = bytes,
            .basis = again ? line : od_arena_printf(arena, "%.*s, %s", (int)said.n, said.p, line)};
    }
}

/* The failure, if more memory of the device's allocator was in use then than at the moments. */
static const struct od_incident *failure_after(const struct od_phases_question *q,
                                               const struct moment *last)
{
    const struct od_incident *inc = q->diagnosis->failure->run.ended;
    bool later = inc && inc->at.source == last->series->at.source && inc->at.line > last->line;
    return later && inc->in_use.known && (double)inc->in_use.n >= last->value ? inc : NULL;
}

/* The highest series printed near the moments. */
static const struct od_series *peak_of(const struct od_case *c, const struct od_series *like)
{
    const struct od_series *best = NULL;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        bool same = s->metric == OD_SERIES_DEVICE_PEAK && od_view_eq(s->device, like->device) &&
                    od_view_eq(s->producer, like->producer) && s->rank.n == like->rank.n &&
                    s->at.source == like->at.source;
        if (same && (!best || s->max > best->max))
            best = s;
    }
    return best;
}

static void set_total(struct od_phases *phases, double bytes, const char *basis)
{
    if (phases->total.known)
        return;
    phases->total = od_bytes_exact((uint64_t)bytes);
    phases->total_basis = basis;
}

bool od_phases_draw_moments(const struct od_phases_question *question, bool host,
                            struct od_phases *phases, struct od_arena *arena)
{
    moment_list moments = {0};
    gather(question->c, host, &moments);
    if (moments.n < 2) {
        od_vec_done(&moments);
        return false;
    }
    const struct moment *last = &moments.items[moments.n - 1];
    const struct od_incident *failed = host ? NULL : failure_after(question, last);
    struct walk w = {0};
    struct parts at_peak = {0};
    double peak = -1;
    for (size_t i = 0; i < moments.n; i++) {
        step_on(&w, &moments.items[i]);
        if (failed || w.level > peak) {
            peak = w.level;
            at_peak = w.now;
        }
    }
    write_rows(question->c, &at_peak, peak, phases, arena);
    const struct od_series *top = host ? NULL : peak_of(question->c, last->series);
    if (failed)
        set_total(phases, (double)failed->in_use.n,
                  od_arena_printf(arena, "allocated when it failed, line %llu",
                                  (unsigned long long)failed->at.line));
    else if (top && top->max > peak)
        set_total(phases, top->max, "the printed peak; the phases stay below it");
    else
        set_total(phases, peak, "the highest printed value");
    od_vec_done(&moments);
    return true;
}
