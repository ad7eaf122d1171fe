#include "failure/namesakes.h"

size_t od_namesakes_of(const struct od_incident *incident, struct od_namesakes *list, size_t most,
                       double *ret_sum)
{
    size_t n = 0;
    *ret_sum = 0;
    OD_FOR_EACH (const struct od_tenant, other, incident->others) {
        size_t k = 0;
        if (!other->bytes.known)
            continue;
        *ret_sum += (double)other->bytes.n;
        while (k < n && !od_view_eq(list[k].name, other->name))
            k++;
        if (k == most)
            continue;
        if (k == n)
            list[n++] = (struct od_namesakes){.name = other->name};
        list[k].bytes += (double)other->bytes.n;
        list[k].count++;
    }
    return n;
}

struct od_namesakes od_namesakes_alike(const struct od_incident *incident)
{
    static const double part = 0.125; /* of the victim: what is smaller only waits or watches */
    const struct od_process *victim = &incident->process;
    double own = (double)victim->rss.n;
    struct od_namesakes large = {victim->name, own, 1}, parts = large;
    OD_FOR_EACH (const struct od_tenant, other, incident->others) {
        double bytes = (double)other->bytes.n;
        if (victim->name.n == 0 || !od_view_eq(other->name, victim->name) || !other->bytes.known ||
            !victim->rss.known || bytes < part * own)
            continue;
        parts.count++; /* workers may be smaller than the process that gives them their work */
        parts.bytes += bytes;
        large.count += bytes >= own / 2;
        large.bytes += bytes >= own / 2 ? bytes : 0;
    }
    return parts.bytes - own >= 0.75 * own && victim->rss.known ? parts : large;
}

bool od_namesakes_most(const struct od_incident *incident, struct od_namesakes *ret_most)
{
    enum { NAMES = 64 };
    static const double more = 1.5;
    struct od_namesakes list[NAMES];
    double sum;
    size_t n = od_namesakes_of(incident, list, NAMES, &sum);
    const struct od_namesakes *most = NULL;
    for (size_t i = 0; i < n; i++)
        if (list[i].name.n > 0 && (!most || list[i].bytes > most->bytes))
            most = &list[i];
    double own = incident->process.rss.known ? (double)incident->process.rss.n : 0;
    for (size_t i = 0; most && i < n; i++) /* its kin hold with it */
        if (od_view_eq(list[i].name, incident->process.name))
            own += list[i].bytes;
    if (!most || !incident->process.rss.known || most->bytes < more * own ||
        od_view_eq(most->name, incident->process.name))
        return false;
    *ret_most = *most;
    return true;
}

bool od_namesakes_none(const struct od_incident *incident)
{
    enum { NAMES = 64 };
    static const double part = 0.25; /* of what the process that failed holds */
    struct od_namesakes list[NAMES];
    double sum, own = incident->process.rss.known ? (double)incident->process.rss.n : 0;
    size_t n = od_namesakes_of(incident, list, NAMES, &sum);
    for (size_t i = 0; i < n; i++)
        if (od_view_eq(list[i].name, incident->process.name) ||
            (list[i].count > 1 && list[i].bytes > part * own))
            return false;
    return n > 0 && own > 0 && incident->process.name.n > 0;
}

bool od_namesakes_small_victim(const struct od_incident *incident)
{
    enum { PARTS = 16 };                                /* of the machine */
    static const uint64_t little = UINT64_C(192) << 20; /* machines have gigabytes */
    const struct od_bytes *rss = &incident->process.rss;
    uint64_t most = incident->capacity.known ? incident->capacity.lo / PARTS : little;
    return incident->kind == OD_INC_HOST_OOM_KILL && incident->others.n == 0 && rss->known &&
           rss->hi < most;
}
