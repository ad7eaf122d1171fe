#include "fit/pending_memory.h"

#include "fit/facts.h"

#include <math.h>

enum { FLOAT_BYTES = 4, ADAM_BYTES = 8 /* Adam keeps two floats for each parameter */ };

struct coming {
    struct od_pending_memory *to;
    struct od_arena *arena;
    const struct od_case *c;
};

static void add(struct coming *coming, enum od_tri fits, const char *key, const char *text)
{
    size_t n = coming->to->n;
    if (n == OD_TO_COME_MOST)
        return;
    coming->to->list[n].fits = fits;
    coming->to->list[n].key = key;
    coming->to->list[n].text = text;
    coming->to->n++;
}

static const char *whose(const struct coming *coming, const struct od_series *s)
{
    if (od_series_metric_is_host(s->metric))
        return s->name.n > 0
                   ? od_arena_printf(coming->arena, "Host memory (%.*s)", (int)s->name.n, s->name.p)
                   : "Host memory";
    return s->device.n > 0
               ? od_arena_printf(coming->arena, "Memory of %.*s", (int)s->device.n, s->device.p)
               : "Device memory";
}

static void look_at_growth(struct coming *coming)
{
    OD_FOR_EACH (const struct od_series, s, coming->c->series) {
        double end = s->nsamples > 0 ? s->samples[s->nsamples - 1].x : 0;
        if (!s->exhausts_known || !(s->exhausts_x > end))
            continue;
        char limit[OD_BYTES_TEXT] = "its limit";
        if (s->limit_known && od_series_metric_is_bytes(s->metric))
            (void)od_bytes_print_u64((uint64_t)s->limit, limit);
        add(coming, OD_NO,
            od_arena_printf(coming->arena, "growth %d %.*s %.*s", (int)s->metric, (int)s->device.n,
                            s->device.p ? s->device.p : "", (int)s->name.n,
                            s->name.p ? s->name.p : ""),
            od_arena_printf(coming->arena,
                            "%s grows, and if it goes on so reaches %s at %s %.0f (%.0f to %.0f); "
                            "it is at %.0f now.",
                            whose(coming, s), limit, od_series_x_name(s->x), s->exhausts_x,
                            fmax(s->exhausts_lo, end), s->exhausts_hi, end));
    }
}

/* ---- memory allocated once ---- */

static struct od_count parameters_of(const struct od_case *c)
{
    for (size_t i = c->models.n; i-- > 0;) {
        const struct od_model *model = &c->models.items[i];
        if (model->trainable.known || model->parameters.known)
            return model->trainable.known ? model->trainable : model->parameters;
    }
    return od_answer_parse_parameters(od_case_setting(c, OD_SETTING_PARAMETERS));
}

/* Memory not in use at the last measurement of a metric; unknown without a limit. */
static struct od_count room_of(const struct od_case *c, bool host)
{
    struct od_count room = {0};
    OD_FOR_EACH (const struct od_series, s, c->series) {
        bool used =
            host ? s->metric == OD_SERIES_HOST_USED || s->metric == OD_SERIES_HOST_RSS
                 : s->metric == OD_SERIES_DEVICE_USED || s->metric == OD_SERIES_DEVICE_RESERVED;
        if (!used || !s->limit_known)
            continue;
        uint64_t left = s->last < s->limit ? (uint64_t)(s->limit - s->last) : 0;
        if (!room.known || left < room.n)
            room = od_count_of(left);
    }
    return room;
}

static void say_need(struct coming *coming, const char *key, const char *what, uint64_t need,
                     struct od_count room)
{
    enum od_tri fits = !room.known ? OD_CANNOT_TELL : need <= room.n ? OD_YES : OD_NO;
    const char *left = !room.known ? "how much is free is not in the log"
                                   : od_arena_printf(coming->arena, "%s are free",
                                                     od_bytes_text_u64(coming->arena, room.n));
    add(coming, fits, key,
        od_arena_printf(coming->arena, "%s up to %s, and %s%s.", what,
                        od_bytes_text_u64(coming->arena, need), left,
                        fits == OD_NO ? ": it does not fit" : ""));
}

static bool has_stepped(const struct od_case *c)
{
    for (size_t i = 0; i < c->courses.n; i++)
        if (c->courses.items[i].step.known && c->courses.items[i].step.n > 0)
            return true;
    return false;
}

static void look_at_states(struct coming *coming, struct od_count parameters)
{
    /* each rank has a part of the states */
    bool sharded = od_case_setting(coming->c, OD_SETTING_SHARDING).n > 0;
    struct od_view optimizer = od_case_setting(coming->c, OD_SETTING_OPTIMIZER);
    uint64_t need;
    if (!parameters.known || sharded || has_stepped(coming->c) ||
        !od_means(od_label_means(optimizer), OD_LABEL_MOMENTS) ||
        ckd_mul(&need, parameters.n, (uint64_t)ADAM_BYTES))
        return;
    say_need(coming, "optimizer", "The optimizer's first step makes its states:", need,
             room_of(coming->c, false));
}

static void look_at_checkpoint(struct coming *coming, struct od_count parameters)
{
    bool moments = od_means(od_label_means(od_case_setting(coming->c, OD_SETTING_OPTIMIZER)),
                            OD_LABEL_MOMENTS);
    uint64_t each = FLOAT_BYTES + (moments ? ADAM_BYTES : 0), need;
    for (size_t i = 0; i < coming->c->courses.n; i++)
        if (coming->c->courses.items[i].saved.known)
            return;
    if (!parameters.known || ckd_mul(&need, parameters.n, each))
        return;
    say_need(coming, "checkpoint",
             "The first checkpoint is a second copy in host memory where it is gathered whole:",
             need, room_of(coming->c, true));
}

static void look_at_validation(struct coming *coming)
{
    uint64_t batch, larger;
    for (size_t i = 0; i < coming->c->courses.n; i++)
        if (coming->c->courses.items[i].validated)
            return;
    if (!od_num_parse_u64(od_case_setting(coming->c, OD_SETTING_BATCH_SIZE), &batch) ||
        !od_num_parse_u64(od_case_setting(coming->c, OD_SETTING_EVAL_BATCH_SIZE), &larger) ||
        larger <= batch)
        return;
    add(coming, OD_CANNOT_TELL, "validation",
        od_arena_printf(coming->arena,
                        "Validation has not run yet, and has a batch of %" PRIu64
                        " where training has %" PRIu64 ".",
                        larger, batch));
}

const struct od_pending_memory *od_pending_memory_of(const struct od_case *c,
                                                     struct od_arena *arena)
{
    struct coming coming = {.to = OD_NEW(arena, struct od_pending_memory), .arena = arena, .c = c};
    struct od_count parameters = parameters_of(c);
    look_at_growth(&coming);
    look_at_states(&coming, parameters);
    look_at_checkpoint(&coming, parameters);
    look_at_validation(&coming);
    return coming.to;
}
