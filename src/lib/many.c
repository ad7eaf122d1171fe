#include "lib/many.h"

#include "base/mem.h"
#include "host/worker.h"
#include "lib/runs.h"
#include "report/json_write.h"

struct parts {
    const struct od_many *many;
    struct od_diags *diags;
};

static bool add_part(struct od_fleet *fleet, const struct parts *parts, unsigned part)
{
    bool all = true;
    for (size_t i = part; i < parts->many->n; i += parts->many->jobs)
        all = od_fleet_add_file(fleet, parts->many->names[i], parts->many->session, parts->diags) &&
              all;
    return all;
}

/* In a process of its own. */
static bool work(void *self, unsigned part, struct od_buf *out)
{
    const struct parts *parts = self;
    struct od_arena *arena = od_arena_new();
    struct od_fleet *fleet = od_fleet_new(arena);
    struct od_json json = {.to = out};
    bool all = !parts->many->date || od_fleet_set_date(fleet, parts->many->date);
    all = add_part(fleet, parts, part) && all;
    od_fleet_json(fleet, &json);
    parts->many->tell(parts->diags);
    od_fleet_free(fleet);
    od_arena_free(arena);
    return all;
}

static bool take_part(struct od_fleet *fleet, struct parts *parts, struct od_worker *worker)
{
    struct od_buf json = {0};
    bool good, said = od_worker_end(worker, &json, &good);
    if (!said)
        od_diags_say(parts->diags, OD_ERROR, "a process that read logs ended early");
    bool ok = said && od_fleet_add_json(fleet, od_buf_view(&json), "a part", parts->diags);
    od_buf_done(&json);
    return ok && good;
}

bool od_fleet_add_many(struct od_fleet *fleet, const struct od_many *many, struct od_diags *diags)
{
    struct od_many mine = *many;
    struct parts parts = {.many = &mine, .diags = diags};
    mine.jobs = many->jobs < many->n ? many->jobs : (unsigned)many->n;
    if (mine.jobs <= 1)
        mine.jobs = 1;
    struct od_worker *workers = od_mem_alloc(mine.jobs, sizeof *workers);
    bool all = true;
    /* This process does the first part, and those for which there is no other. */
    for (unsigned i = 1; i < mine.jobs; i++)
        if (!od_worker_start(&workers[i], work, &parts, i))
            workers[i].pid = 0;
    all = add_part(fleet, &parts, 0);
    for (unsigned i = 1; i < mine.jobs; i++)
        all = (workers[i].pid > 0 ? take_part(fleet, &parts, &workers[i])
                                  : add_part(fleet, &parts, i)) &&
              all;
    od_mem_free(workers);
    return all;
}
