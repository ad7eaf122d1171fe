/* Who holds how much of the memory that ran short, side by side, and what was asked for. */
#include "report/outline_picture.h"

#include "report/headline.h"
#include "report/words.h"

#include <math.h>

/* Of the whole: a rest below the first is rounding, a part below the second cannot be seen. */
static const double worth_a_part = 0.005, unseen = 0.002;

struct builder {
    struct od_outline *outline;
    struct od_bar *bar;
    double width; /* bytes that the bar is wide */
    double taken; /* by the parts so far, free ones left out */
};

static void add(struct builder *b, const char *what, double bytes, enum od_fill fill)
{
    struct od_arena *arena = b->outline->arena;
    if (bytes < unseen * b->width || bytes <= 0)
        return;
    if (fill != OD_FILL_FREE)
        b->taken += bytes;
    const char *label =
        od_arena_printf(arena, "%s %s", what, od_words_short(arena, (uint64_t)bytes));
    od_doc_bar_part(b->outline->doc, b->bar,
                    &(struct od_bar_part){
                        .label = od_view_of(label), .fill = fill, .length = bytes / b->width});
}

/* "GPU 0, 9.63 GiB" */
static const char *title_of(const struct od_outline *outline, const char *name, double bytes,
                            const char *word)
{
    return od_arena_printf(outline->arena, "%s, %s%s", name,
                           od_words_short(outline->arena, (uint64_t)bytes), word);
}

static const char *device_name(const struct od_outline *outline)
{
    const struct od_incident *incident = outline->incident;
    if (incident && incident->device.n > 0)
        return od_words_device(outline->arena, incident->device);
    return outline->allocator && outline->allocator->device.n > 0
               ? od_words_device(outline->arena, outline->allocator->device)
           : incident && od_incident_kind_is_kill(incident->kind) ? "The machine"
                                                                  : "The device";
}

static struct od_bytes request_of(const struct od_outline *outline)
{
    return outline->incident ? od_headline_request(outline->incident) : (struct od_bytes){0};
}

/* Starts a bar. Its width is the memory, or the used part plus the request where that is more. */
static struct builder start(struct od_outline *outline, const char *title, double whole,
                            double taken, double request)
{
    static const double most = 2; /* times the memory: a longer request ends in an arrow */
    double need = fmax(whole, taken + request);
    struct od_section *section = od_doc_section(outline->doc, NULL);
    section->picture = true;
    struct builder b = {.outline = outline,
                        .bar = od_doc_bar(outline->doc, section),
                        .width = fmin(need, most * whole)};
    b.bar->title = title;
    b.bar->whole = whole / b.width;
    return b;
}

static void ask(struct builder *b, double bytes, double at)
{
    struct od_arena *arena = b->outline->arena;
    if (bytes <= 0)
        return;
    bool over = at + bytes > b->bar->whole * b->width;
    double length = fmin(bytes / b->width, 2);
    b->bar->request = (struct od_mark){
        .label = od_arena_printf(arena, "request %s", od_words_short(arena, (uint64_t)bytes)),
        .tone = over ? OD_BAD : OD_PLAIN,
        .start = at / b->width,
        .length = at + bytes > b->width * 1.0001 ? fmax(length, 1.001 - at / b->width) : length};
}

/* --- an allocator's dump --- */

/* What the step made is USED, which is 0. */
static const enum od_fill fill_of[OD_ROLES] = {
    [OD_ROLE_UNKNOWN] = OD_FILL_HELD,   [OD_ROLE_WORKSPACE] = OD_FILL_HELD,
    [OD_ROLE_WEIGHTS] = OD_FILL_BASE,   [OD_ROLE_GRADIENTS] = OD_FILL_BASE,
    [OD_ROLE_OPTIMIZER] = OD_FILL_BASE, [OD_ROLE_BUFFERS] = OD_FILL_BASE,
    [OD_ROLE_CONSTANT] = OD_FILL_BASE,  [OD_ROLE_FIXED] = OD_FILL_BASE,
};

static void add_in_use(struct builder *b, const struct od_allocator *a, uint64_t in_use)
{
    struct od_role_rows rows;
    if (!od_outline_roles(b->outline, a, in_use, &rows)) {
        add(b, "in use", (double)in_use, OD_FILL_USED);
        return;
    }
    for (size_t i = 0; i < rows.n; i++)
        add(b, rows.list[i].what, (double)rows.list[i].bytes, fill_of[rows.list[i].role]);
}

/* Of the memory that the allocator had not taken, the part that the driver refused to give. */
static double refused_of(const struct od_outline *outline, double untaken, double request)
{
    if (outline->diagnosis->failure->verdict != OD_VERDICT_DEVICE_REFUSED)
        return 0;
    return fmin(untaken, fmax((double)outline->c->driver_refused_largest.n, request));
}

static bool add_dump(struct od_outline *outline)
{
    const struct od_allocator *a = outline->allocator;
    bool whole = a && a->has_chunks && a->chunks_complete;
    if (!a || !a->limit.known || (!whole && !a->in_use.known))
        return false;
    uint64_t in_use = whole ? a->in_use_bytes : a->in_use.n;
    uint64_t pool = whole ? in_use + a->free_bytes : a->pool.known ? a->pool.n : in_use;
    if (in_use == 0 || pool < in_use || pool > a->limit.n)
        return false;
    struct od_bytes need = a->need.known ? a->need : request_of(outline);
    double request = need.known ? (double)need.n : 0;
    struct builder b = start(
        outline, title_of(outline, device_name(outline), (double)a->limit.n, " for the allocator"),
        (double)a->limit.n, (double)in_use, request);
    add_in_use(&b, a, in_use);
    if (whole && a->largest_free_bytes < a->free_bytes)
        add(&b,
            od_arena_printf(outline->arena, "free (largest block %s)",
                            od_words_short(outline->arena, a->largest_free_bytes)),
            (double)a->free_bytes, OD_FILL_FREE);
    else
        add(&b, whole ? "free" : "free in the pool", (double)(pool - in_use), OD_FILL_FREE);
    double rest = (double)(a->limit.n - pool), refused = refused_of(outline, rest, request);
    add(&b, "refused by the driver", refused, OD_FILL_OTHERS);
    add(&b, refused > 0 ? "never asked for" : "not reserved", rest - refused, OD_FILL_FREE);
    ask(&b, request, (double)in_use);
    return true;
}

/* --- what a message says of its device --- */

static double known(struct od_bytes bytes)
{
    return bytes.known ? (double)bytes.n : 0;
}

/* "process 43872" where it is one */
static const char *others_name(const struct od_outline *outline)
{
    const struct od_incident *incident = outline->incident;
    if (incident->others.n != 1)
        return "other processes";
    const struct od_tenant *other = &incident->others.items[0];
    if (other->name.n > 0)
        return od_arena_str(outline->arena, other->name);
    return other->pid.known
               ? od_arena_printf(outline->arena, "PID %llu", (unsigned long long)other->pid.n)
               : "another process";
}

static bool add_device(struct od_outline *outline)
{
    const struct od_incident *incident = outline->incident;
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_account *account = &failure->account;
    if (!incident || incident != failure->incident || account->conflict ||
        !incident->capacity.known || (!account->own.known && !incident->free.known))
        return false;
    double whole = known(incident->capacity), own = known(account->own);
    double pieces = fmin(known(account->pieces), own), free = known(incident->free);
    double named = known(account->named), beside = known(account->beside);
    double ranks = known(account->ranks), rest = whole - own - free - named - beside - ranks;
    if (rest < -0.02 * whole)
        return false;
    double request = known(od_headline_request(incident));
    struct builder b = start(outline, title_of(outline, device_name(outline), whole, ""), whole,
                             whole - free, request);
    const char *name = od_words_producer(outline->arena, incident->producer);
    add(&b, name, own - pieces, OD_FILL_USED);
    add(&b, "reserved, unused", pieces, OD_FILL_BASE);
    add(&b, "libraries of this process", beside, OD_FILL_HELD);
    add(&b, "other ranks of this run", ranks, OD_FILL_BASE);
    add(&b, others_name(outline), named, OD_FILL_OTHERS);
    if (rest > worth_a_part * whole && !account->own.known)
        add(&b, "in use", rest, OD_FILL_USED);
    else if (rest > worth_a_part * whole)
        add(&b, incident->free.known ? "other processes, contexts" : "unknown", rest,
            OD_FILL_OTHERS);
    add(&b, "free", free, OD_FILL_FREE);
    ask(&b, request, whole - free);
    return true;
}

/* --- a killed process and the other processes --- */

enum { NAMES_MOST = 3 };

const char *od_outline_held_words(struct od_arena *arena, const struct od_held *held)
{
    const char *name = held->kind == OD_HELD_FILES         ? "files in memory"
                       : held->kind == OD_HELD_SLAB        ? "kernel objects (slab)"
                       : held->kind == OD_HELD_PAGE_TABLES ? "page tables"
                       : held->kind == OD_HELD_CACHE       ? "page cache"
                       : held->kind == OD_HELD_UNEXPLAINED ? "memory of no process"
                       : held->name.n > 0                  ? od_arena_str(arena, held->name)
                                                           : "other processes";
    return held->count.n > 1
               ? od_arena_printf(arena, "%s × %s", od_words_count(arena, held->count.n), name)
               : name;
}

/* The largest holdings; what processes hold is anonymous memory, which has no part of its own. */
static void add_holdings(struct builder *b, const struct od_account *account)
{
    bool taken[OD_HOLDINGS_SHOWN] = {false};
    for (size_t shown = 0; shown < NAMES_MOST; shown++) {
        size_t best = account->n;
        for (size_t i = 0; i < account->n; i++) {
            const struct od_held *held = &account->holdings[i];
            if (!taken[i] && held->kind != OD_HELD_ANON &&
                (best == account->n || known(held->bytes) > known(account->holdings[best].bytes)))
                best = i;
        }
        if (best == account->n || known(account->holdings[best].bytes) < worth_a_part * b->width)
            return;
        taken[best] = true;
        add(b, od_outline_held_words(b->outline->arena, &account->holdings[best]),
            known(account->holdings[best].bytes), shown % 2 == 0 ? OD_FILL_OTHERS : OD_FILL_BASE);
    }
}

static bool add_kill(struct od_outline *outline)
{
    const struct od_incident *incident = outline->incident;
    const struct od_account *account = &outline->diagnosis->failure->account;
    if (!incident || incident != outline->diagnosis->failure->incident ||
        !od_incident_kind_is_guard(incident->kind) || !account->victim.bytes.known)
        return false;
    struct od_bytes limit = incident->limit.known ? incident->limit : incident->capacity;
    double whole = known(limit), mine = known(account->victim.bytes);
    double sum = 0;
    for (size_t i = 0; i < account->n; i++)
        if (account->holdings[i].kind != OD_HELD_ANON &&
            account->holdings[i].kind != OD_HELD_UNEXPLAINED)
            sum += known(account->holdings[i].bytes);
    /* Resident pages that are shared count once for each process: no bar where they do not fit. */
    if (!(whole > 0) || mine + sum > 1.02 * whole)
        return false;
    struct builder b = start(
        outline, title_of(outline, incident->limit.known ? "Limit" : "The machine", whole, ""),
        whole, 0, 0);
    const char *name = incident->process.name.n > 0
                           ? od_arena_str(outline->arena, incident->process.name)
                           : "the process";
    add(&b, od_arena_printf(outline->arena, "%s (killed)", name), mine, OD_FILL_USED);
    add_holdings(&b, account);
    double rest = whole - b.taken;
    if (rest > worth_a_part * whole)
        add(&b, "others, caches, free", rest, OD_FILL_FREE);
    return true;
}

/* --- a need that was computed before anything was taken --- */

static bool add_need(struct od_outline *outline)
{
    const struct od_incident *incident = outline->incident;
    if (!incident || (incident->kind != OD_INC_DEVICE_COMPILE_OOM &&
                      incident->kind != OD_INC_KV_CACHE_TOO_SMALL))
        return false;
    struct od_bytes room = incident->limit.known  ? incident->limit
                           : incident->free.known ? incident->free
                                                  : incident->capacity;
    double need = known(od_headline_request(incident)), whole = known(room);
    if (!(need > 0) || !(whole > 0))
        return false;
    const char *what = incident->kind == OD_INC_KV_CACHE_TOO_SMALL ? "Left for the KV cache"
                                                                   : device_name(outline);
    struct builder b = start(outline, what, whole, 0, need);
    add(&b, "available", whole, OD_FILL_FREE);
    ask(&b, need, 0);
    return true;
}

bool od_outline_bar(struct od_outline *outline)
{
    return add_need(outline) || add_kill(outline) || add_dump(outline) || add_device(outline);
}
