#include "lib/calibration.h"

#include <errno.h>
#include <jansson.h>

static const char schema[] = "oomdoctor.calibration/1";

/* Limits of measured / planned memory; beyond them the run was not the planned one. */
static const double least = 0.4, most = 2.5;

struct factors {
    OD_VEC(double) of[OD_METRIC_DEVICE + 1];
};

static bool fail(struct od_diags *diags, const char *name, const char *why)
{
    od_diags_add(diags, &(struct od_diag){.severity = OD_ERROR, .file = name, .message = why});
    return false;
}

static double number(const json_t *line, const char *key)
{
    const json_t *value = json_object_get(line, key);
    return json_is_integer(value) ? (double)json_integer_value(value) : 0;
}

static void take(struct factors *factors, const json_t *line)
{
    const char *word = json_string_value(json_object_get(line, "metric"));
    enum od_metric metric;
    double still = number(line, "still_bytes"), planned = number(line, "planned_bytes") - still;
    double factor = planned > 0 ? (number(line, "measured_bytes") - still) / planned : 0;
    if (word && od_metric_find(od_view_of(word), &metric) && metric <= OD_METRIC_DEVICE &&
        factor >= least && factor <= most)
        od_vec_push(&factors->of[metric], factor);
}

static bool read_lines(const char *name, struct factors *factors, struct od_diags *diags)
{
    FILE *file = fopen(name, "re");
    if (!file)
        return fail(diags, name, strerror(errno));
    bool ours = true;
    while (ours) {
        json_error_t error;
        json_t *line = json_loadf(file, JSON_DISABLE_EOF_CHECK, &error);
        if (!line)
            break;
        const char *said = json_string_value(json_object_get(line, "schema"));
        ours = said && strcmp(said, schema) == 0;
        take(factors, line);
        json_decref(line);
    }
    ours = ours && feof(file) && !ferror(file);
    fclose(file);
    return ours || fail(diags, name, "no file of 'oomdoctor plan --measured LOG --calibration'");
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *of, size_t n)
{
    qsort(of, n, sizeof *of, by_size);
    return n % 2 ? of[n / 2] : (of[n / 2 - 1] + of[n / 2]) / 2;
}

bool od_calibration_read(const char *name, struct od_plan_request *request, struct od_arena *arena,
                         struct od_diags *diags)
{
    struct factors factors = {0};
    struct od_workload *w = &request->workload;
    const enum od_metric order[] = {w->metric, OD_METRIC_RESERVED, OD_METRIC_ALLOCATED,
                                    OD_METRIC_DEVICE};
    bool ok = read_lines(name, &factors, diags);
    for (size_t i = 0; ok && i < OD_COUNT_OF(order) && w->correction <= 0; i++) {
        size_t n = factors.of[order[i]].n;
        if (n == 0)
            continue;
        w->correction = median(factors.of[order[i]].items, n);
        w->corrects_context = order[i] == OD_METRIC_DEVICE;
        request->correction = od_arena_printf(
            arena,
            "corrected by %s: %zu run%s on this machine took %.3f times what was planned beside "
            "weights, gradients and states (%s)",
            name, n, n == 1 ? "" : "s", w->correction, od_metric_name(order[i]));
    }
    for (size_t i = 0; i < OD_COUNT_OF(factors.of); i++)
        od_vec_done(&factors.of[i]);
    return ok &&
           (w->correction > 0 || fail(diags, name, "there is no run to correct the plan with"));
}

bool od_calibration_add(const char *name, const struct od_plan *plan,
                        const struct od_plan_compared *compared, struct od_diags *diags)
{
    FILE *file = fopen(name, "ae");
    bool ok = file;
    for (size_t i = 0; ok && i < compared->nrows; i++) {
        const struct od_plan_compared_row *row = &compared->rows[i];
        ok = fprintf(file,
                     "{\"schema\": \"%s\", \"metric\": \"%s\", \"batch\": %" PRIu64
                     ", \"precision\": \"%s\", \"still_bytes\": %" PRIu64
                     ", \"planned_bytes\": %" PRIu64 ", \"measured_bytes\": %" PRIu64 "}\n",
                     schema, od_metric_name(row->metric), plan->request.workload.batch,
                     od_precision_name(plan->request.workload.precision), row->still.n,
                     row->planned.n, row->measured) > 0;
    }
    if (file && fclose(file) != 0)
        ok = false;
    return ok || fail(diags, name, strerror(errno));
}
