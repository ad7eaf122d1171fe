#include "diagnose/holders.h"

static void take_own(struct od_holders *h, const struct od_incident *incident)
{
    struct od_bytes in_use = incident->in_use, reserved = incident->reserved;
    if (!reserved.known || !in_use.known) {
        h->own = reserved.known ? reserved : in_use;
        return;
    }
    h->own = reserved;
    h->pieces = od_bytes_sub(reserved, in_use);
}

static double share_of(struct od_bytes part, struct od_bytes whole)
{
    return part.known && whole.known && whole.n > 0 ? (double)part.n / (double)whole.n : 0.0;
}

static struct od_bytes sum_of_others(const struct od_incident *incident)
{
    struct od_bytes sum = od_bytes_exact(0);
    for (size_t i = 0; i < incident->others.n; i++)
        if (incident->others.items[i].bytes.known)
            sum = od_bytes_add(sum, incident->others.items[i].bytes);
    return sum;
}

/* In a container a process does not know its own number and names itself among the others: then
 * what all hold, ours and what is free are more than the device has. It is the one that holds
 * least more than we know of. */
static const struct od_tenant *find_self(const struct od_incident *incident,
                                         const struct od_holders *h, struct od_bytes sum)
{
    struct od_bytes all = od_bytes_add(od_bytes_add(sum, h->own), incident->free);
    const struct od_tenant *self = NULL;
    if (od_bytes_less(incident->capacity, all) != OD_YES)
        return NULL;
    for (size_t i = 0; i < incident->others.n; i++) {
        const struct od_tenant *t = &incident->others.items[i];
        if (t->bytes.known && t->bytes.hi >= h->own.lo && (!self || t->bytes.n < self->bytes.n))
            self = t;
    }
    return self;
}

static void take_named(struct od_holders *h, const struct od_incident *incident)
{
    if (incident->others.n == 0 || !h->own.known)
        return;
    struct od_bytes sum = sum_of_others(incident);
    const struct od_tenant *self = find_self(incident, h, sum);
    h->named = self ? od_bytes_sub(sum, self->bytes) : sum;
    if (self && incident->others.n == 1)
        h->named = od_bytes_exact(0);
}

struct od_holders od_holders_of(const struct od_incident *incident)
{
    struct od_holders h = {0};
    if (incident->kind != OD_INC_DEVICE_ALLOC_FAILED &&
        incident->kind != OD_INC_DEVICE_CONTEXT_FAILED)
        return h;
    take_own(&h, incident);
    take_named(&h, incident);
    if (incident->capacity.known && incident->free.known && h.own.known)
        h.outside = od_bytes_sub(od_bytes_sub(incident->capacity, incident->free), h.own);
    h.named_share = share_of(h.named, incident->capacity);
    h.outside_share = share_of(h.outside, incident->capacity);
    return h;
}

bool od_holders_prove_others(const struct od_holders *holders, const struct od_incident *incident)
{
    struct od_bytes could_have = od_bytes_add(incident->free, holders->named);
    return od_bytes_less(incident->free, incident->requested) == OD_YES && could_have.known &&
           could_have.lo >= incident->requested.hi;
}
