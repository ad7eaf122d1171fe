#include "failure/closure.h"

static void take_own(struct od_closure *c, const struct od_incident *incident)
{
    struct od_bytes in_use = incident->in_use, reserved = incident->reserved;
    if (!reserved.known || !in_use.known) {
        c->own = reserved.known ? reserved : in_use;
        return;
    }
    c->own = reserved;
    c->pieces = od_bytes_sub(reserved, in_use);
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
                                         const struct od_closure *c, struct od_bytes sum)
{
    struct od_bytes all = od_bytes_add(od_bytes_add(sum, c->own), incident->free);
    const struct od_tenant *self = NULL;
    if (od_bytes_less(incident->capacity, all) != OD_YES)
        return NULL;
    OD_FOR_EACH (const struct od_tenant, t, incident->others)
        if (t->bytes.known && t->bytes.hi >= c->own.lo && (!self || t->bytes.n < self->bytes.n))
            self = t;
    return self;
}

static void take_named(struct od_closure *c, const struct od_incident *incident)
{
    if (incident->others.n == 0 || !c->own.known)
        return;
    struct od_bytes sum = sum_of_others(incident);
    const struct od_tenant *self = find_self(incident, c, sum);
    c->named = self ? od_bytes_sub(sum, self->bytes) : sum;
    if (self && incident->others.n == 1)
        c->named = od_bytes_exact(0);
}

static void take_outside(struct od_closure *c, const struct od_incident *incident)
{
    c->beside = od_bytes_sub(incident->held, c->own);
    if (incident->capacity.known && incident->free.known && c->own.known)
        c->outside = od_bytes_sub(od_bytes_sub(incident->capacity, incident->free), c->own);
}

static bool contradicts(const struct od_incident *incident, const struct od_closure *c)
{
    return od_bytes_less(incident->capacity, incident->free) == OD_YES ||
           od_bytes_less(incident->capacity, c->own) == OD_YES ||
           od_bytes_less(incident->capacity, incident->in_use) == OD_YES;
}

static bool is_tenant(const struct od_closure *c, const struct od_incident *incident)
{
    struct od_bytes could_have = od_bytes_add(incident->free, c->named);
    return od_bytes_less(incident->free, incident->requested) == OD_YES && could_have.known &&
           could_have.lo >= incident->requested.hi;
}

struct od_closure od_closure_of(const struct od_incident *incident)
{
    struct od_closure c = {0};
    c.too_large = od_bytes_less(incident->capacity, incident->requested) == OD_YES ||
                  od_bytes_less(incident->limit, incident->requested) == OD_YES;
    if (incident->kind != OD_INC_DEVICE_ALLOC_FAILED &&
        incident->kind != OD_INC_DEVICE_CONTEXT_FAILED)
        return c;
    take_own(&c, incident);
    c.conflict = contradicts(incident, &c);
    if (c.conflict) {
        c.pieces = (struct od_bytes){0};
        return c;
    }
    take_named(&c, incident);
    take_outside(&c, incident);
    c.named_share = share_of(c.named, incident->capacity);
    c.outside_share = share_of(c.outside, incident->capacity);
    c.tenant = is_tenant(&c, incident);
    c.in_pieces = c.pieces.known && incident->requested.known &&
                  c.pieces.lo >= incident->requested.hi && !c.too_large;
    return c;
}
