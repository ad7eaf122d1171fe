/*
 * Finds batch sizes that trained or failed: of programs that search for a batch size, of people who
 * run the program again in the same log, and of people's remarks.
 */
#include "fit/facts.h"

#include "facts/prov.h"
#include "plan/largest_batch.h"

static bool is_batch(const struct od_setting *setting, uint64_t *ret_batch)
{
    return setting->id == OD_SETTING_BATCH_SIZE && od_num_parse_u64(setting->value, ret_batch) &&
           *ret_batch > 0 && *ret_batch < OD_BATCH_MOST;
}

static bool is_between(const struct od_prov *at, const struct od_prov *from,
                       const struct od_prov *to)
{
    return at->source == from->source && od_prov_cmp(at, from) > 0 &&
           (!to || od_prov_cmp(at, to) < 0);
}

static bool failed_between(const struct od_case *c, const struct od_prov *from,
                           const struct od_prov *to)
{
    OD_FOR_EACH (const struct od_incident, incident, c->incidents)
        if (incident->kind != OD_INC_SOFT_WARNING && is_between(&incident->at, from, to))
            return true;
    return false;
}

static bool moved_between(const struct od_case *c, const struct od_prov *from,
                          const struct od_prov *to)
{
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events) {
        bool inside = is_between(&moment->first, from, to) || is_between(&moment->last, from, to);
        if (moment->kind == OD_EV_PROGRESS && inside)
            return true;
    }
    return false;
}

/* Where the next batch size is printed in the same source; NULL = nowhere. */
static const struct od_prov *end_of(const struct od_case *c, size_t at)
{
    uint64_t batch;
    for (size_t i = at + 1; i < c->settings.n; i++) {
        const struct od_setting *next = &c->settings.items[i];
        if (next->said.at.source == c->settings.items[at].said.at.source && is_batch(next, &batch))
            return &next->said.at;
    }
    return NULL;
}

bool od_fit_same_run(const struct od_fit_facts *facts, const struct od_prov *at)
{
    const struct od_case *c = facts->q->c;
    const struct od_prov *failure = &facts->failure->incident->at;
    const struct od_prov *first = od_prov_cmp(at, failure) < 0 ? at : failure;
    const struct od_prov *last = first == at ? failure : at;
    uint64_t batch;
    for (size_t i = 0; i < c->settings.n; i++)
        if (is_batch(&c->settings.items[i], &batch) &&
            is_between(&c->settings.items[i].said.at, first, last))
            return false;
    return at->source == failure->source;
}

/* The number of a remark (rules/people.yaml): "a batch of 32 works but 48 fails". */
static uint64_t said(const struct od_setting *setting, enum od_setting_id id)
{
    uint64_t batch;
    bool told =
        setting->id == id && od_num_parse_u64(setting->value, &batch) && batch < OD_BATCH_MOST;
    return told ? batch : 0;
}

void od_fit_remarks(struct od_fit_facts *facts)
{
    const struct od_case *c = facts->q->c;
    for (size_t i = 0; i < c->settings.n; i++) {
        uint64_t failed = said(&c->settings.items[i], OD_SETTING_BATCH_FAILED);
        if (failed == 0 || (facts->failed > 0 && failed >= facts->failed))
            continue;
        facts->failed = failed;
        facts->failed_said = &c->settings.items[i].said;
    }
    /* a batch that works on another version or device may be larger than the failed one */
    uint64_t top = facts->failed;
    if (!facts->trained && facts->batch.known && (top == 0 || facts->batch.n < top))
        top = facts->batch.n;
    for (size_t i = 0; i < c->settings.n; i++) {
        uint64_t worked = said(&c->settings.items[i], OD_SETTING_BATCH_WORKED);
        if (worked <= facts->worked || (top > 0 && worked >= top))
            continue;
        facts->worked = worked;
        facts->worked_said = &c->settings.items[i].said;
    }
}

void od_fit_trials(struct od_fit_facts *facts)
{
    const struct od_case *c = facts->q->c;
    /* trials show nothing if the failure does not depend on the batch */
    if (facts->failure->batch_independent || od_failure_is_server(facts->failure))
        return;
    for (size_t i = 0; i < c->settings.n; i++) {
        const struct od_prov *from = &c->settings.items[i].said.at;
        uint64_t batch;
        if (!is_batch(&c->settings.items[i], &batch))
            continue;
        const struct od_prov *to = end_of(c, i);
        batch = (batch + facts->shares - 1) / facts->shares;
        /* the failure itself belongs to facts->batch */
        if (is_between(&facts->failure->incident->at, from, to))
            continue;
        /* text near the failure at the end of the source may be printed late */
        bool last = !to && from->source == facts->failure->incident->at.source;
        bool smaller = facts->batch.known && batch < facts->batch.n;
        if (failed_between(c, from, to))
            facts->failed = facts->failed == 0 || batch < facts->failed ? batch : facts->failed;
        else if ((!last || smaller) && moved_between(c, from, to) && batch > facts->worked)
            facts->worked = batch;
    }
    od_fit_remarks(facts);
    /* the latest result counts: a smaller batch that failed outweighs an earlier success */
    if (facts->failed > 0 && facts->worked >= facts->failed)
        facts->worked = 0;
}
