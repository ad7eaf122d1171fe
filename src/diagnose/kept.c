#include "diagnose/kept.h"

#include "failure/remarks.h"
#include "failure/software.h"

static const double as_much = 0.95;
/* relative to the first level; below it no model or data was loaded */
static const double worth = 1.5;

static bool is_level(const struct od_series *s)
{
    return s->metric == OD_SERIES_DEVICE_USED || s->metric == OD_SERIES_DEVICE_RESERVED;
}

/* The last level of the same device and measure before `line`; 0 = none. */
static double level_before(const struct od_case *c, const struct od_series *of, double *ret_first)
{
    double level = 0;
    uint64_t line = 0, first = UINT64_MAX;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        if (s->metric != of->metric || s->at.source != of->at.source ||
            !od_view_eq(s->device, of->device))
            continue;
        for (size_t k = 0; k < s->nsamples && s->samples[k].line < of->at.line; k++) {
            const struct od_point *point = &s->samples[k];
            if (point->line >= line) {
                level = point->value;
                line = point->line;
            }
            if (point->line < first) {
                *ret_first = point->value;
                first = point->line;
            }
        }
    }
    return level;
}

static const char *why_of(const struct od_software_used *stack, bool reserved)
{
    if (od_software_used_has_named(stack, "tensorflow"))
        return "TensorFlow keeps its memory pool until the process ends. del removes only a name, "
               "so the driver reports no less. Run each model in its own process to release the "
               "memory; set_memory_growth, before first use, keeps the pool as small as possible.";
    if (od_software_used_has_named(stack, "pytorch") && reserved)
        return "PyTorch caches freed blocks for its next tensors. torch.cuda.empty_cache() returns "
               "them to other programs, but does not help this one.";
    if (od_software_used_has_named(stack, "pytorch"))
        return "Something still references it: another name, the optimizer, a kept loss or output, "
               "the traceback of an exception. Objects without references are freed at once.";
    return "Something still references it, or the allocator caches freed memory until the process "
           "ends. Run each model in its own process to release all of it.";
}

static void keep(struct od_kept *kept, struct od_view release, double bytes, struct od_prov at)
{
    kept->releases[kept->nreleases++] = release;
    kept->bytes = bytes;
    kept->at = at;
}

/* Finds lines of the program that release memory between two levels of one series. */
static void look_between(const struct od_case *c, const struct od_series *s,
                         const struct od_software_used *stack, struct od_kept *kept)
{
    for (size_t i = 1; i < s->nsamples; i++) {
        const struct od_point *a = &s->samples[i - 1], *b = &s->samples[i];
        struct od_prov behind = s->at, at = s->at;
        behind.line = a->line;
        at.line = b->line;
        const struct od_evidence *said = od_remark_between(c, &behind, b->line, "frees");
        if (said && a->value > worth * s->first && b->value >= as_much * a->value &&
            b->value <= worth * a->value && kept->nreleases < OD_KEPT_RELEASES) {
            keep(kept, said->text, b->value, at);
            kept->why = why_of(stack, s->metric == OD_SERIES_DEVICE_RESERVED);
            kept->called = true;
        }
    }
}

bool od_kept_of(const struct od_case *c, const struct od_software_used *stack,
                struct od_kept *ret_kept)
{
    struct od_kept kept = {0};
    bool frees = od_remark_anywhere(c, "frees") != NULL;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        double first = 0;
        if (frees && is_level(s) && s->name.n == 0)
            look_between(c, s, stack, &kept);
        if (!is_level(s) || !od_means(od_label_means(s->name), OD_LABEL_RELEASE) ||
            kept.nreleases == OD_KEPT_RELEASES)
            continue;
        double before = level_before(c, s, &first);
        if (!(before > worth * first) || s->last < as_much * before)
            continue;
        keep(&kept, s->name, s->last, s->last_at);
        kept.why = why_of(stack, s->metric == OD_SERIES_DEVICE_RESERVED);
    }
    *ret_kept = kept;
    return kept.nreleases > 0;
}
