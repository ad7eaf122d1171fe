/* A bar of who holds the memory that ran out, with the request. */
#include "report/outline_parts.h"

#include "report/words.h"

#include <math.h>

/* Shares of the whole: a smaller rest is rounding; a smaller part is invisible. */
static const double worth_a_part = 0.005, unseen = 0.002;

struct builder {
    struct od_outline *outline;
    struct od_bar *bar;
    double width; /* bytes that the bar is wide */
    double taken; /* sum of the parts so far without free ones */
};

static double known(struct od_bytes bytes)
{
    return bytes.known ? (double)bytes.n : 0;
}

static struct od_bytes exactly(double bytes)
{
    return od_bytes_exact(bytes > 0 ? (uint64_t)bytes : 0);
}

static void add(struct builder *b, const char *what, struct od_bytes amount, enum od_fill fill)
{
    struct od_arena *arena = b->outline->arena;
    double bytes = known(amount);
    if (bytes < unseen * b->width || bytes <= 0)
        return;
    if (fill != OD_FILL_FREE)
        b->taken += bytes;
    const char *label = od_arena_printf(arena, "%s %s", what, od_bytes_text(arena, amount));
    od_doc_bar_part(b->bar, &(struct od_bar_part){.label = od_view_of(label),
                                                  .fill = fill,
                                                  .length = bytes / b->width});
}

/* "GPU 0, 9.63 GiB" */
static const char *title_of(const struct od_outline *outline, const char *name,
                            struct od_bytes bytes, const char *word)
{
    return od_arena_printf(outline->arena, "%s, %s%s", name, od_bytes_text(outline->arena, bytes),
                           word);
}

static const char *device_name(const struct od_outline *outline)
{
    const struct od_incident *incident = outline->incident;
    if (incident && incident->device.n > 0)
        return od_words_device(outline->arena, incident->device);
    return outline->allocator && outline->allocator->device.n > 0
               ? od_words_device(outline->arena, outline->allocator->device)
               : "The device";
}

static struct od_bytes request_of(const struct od_outline *outline)
{
    return outline->incident ? od_headline_request(outline->incident) : (struct od_bytes){0};
}

/* Starts a bar. Its width is the memory, or the used part plus the request if that is larger. */
static struct builder start(struct od_outline *outline, const char *title, double whole,
                            double taken, double request)
{
    static const double most = 2; /* relative to the memory: a longer request ends in an arrow */
    double need = fmax(whole, taken + request);
    struct od_section *section = od_doc_section(outline->doc, NULL);
    section->picture = true;
    struct builder b = {
        .outline = outline, .bar = od_doc_bar(section), .width = fmin(need, most * whole)};
    b.bar->title = title;
    b.bar->whole = whole / b.width;
    return b;
}

static void ask(struct builder *b, struct od_bytes request, double at)
{
    struct od_arena *arena = b->outline->arena;
    double bytes = known(request);
    if (bytes <= 0)
        return;
    bool over = at + bytes > b->bar->whole * b->width;
    double length = fmin(bytes / b->width, 2);
    b->bar->request = (struct od_mark){
        .label = od_arena_printf(arena, "request %s", od_bytes_text(arena, request)),
        .tone = over ? OD_BAD : OD_PLAIN,
        .start = at / b->width,
        .length = at + bytes > b->width * 1.0001 ? fmax(length, 1.001 - at / b->width) : length};
}

/* --- an allocator's dump --- */

static const enum od_fill fill_of[OD_ROLES] = {
#define OD_ROLE_WORDS(constant, words, share, fill) [OD_ROLE_##constant] = OD_FILL_##fill,
#include "report/words.def"
};

static void add_in_use(struct builder *b, const struct od_allocator *a, uint64_t in_use)
{
    struct od_role_rows rows;
    if (!od_outline_roles(b->outline, a, in_use, &rows)) {
        add(b, "in use", od_bytes_exact(in_use), OD_FILL_USED);
        return;
    }
    for (size_t i = 0; i < rows.n; i++)
        add(b, rows.list[i].what, od_bytes_exact(rows.list[i].bytes), fill_of[rows.list[i].role]);
}

/* The part of the memory outside of the allocator that the driver refused to give. */
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
        outline,
        title_of(outline, device_name(outline), od_bytes_exact(a->limit.n), " for the allocator"),
        (double)a->limit.n, (double)in_use, request);
    add_in_use(&b, a, in_use);
    if (whole && a->largest_free_bytes < a->free_bytes)
        add(&b,
            od_arena_printf(outline->arena, "free (largest block %s)",
                            od_bytes_text_u64(outline->arena, a->largest_free_bytes)),
            od_bytes_exact(a->free_bytes), OD_FILL_FREE);
    else
        add(&b, whole ? "free" : "free in the pool", od_bytes_exact(pool - in_use), OD_FILL_FREE);
    double rest = (double)(a->limit.n - pool), refused = refused_of(outline, rest, request);
    add(&b, "refused by the driver", exactly(refused), OD_FILL_OTHERS);
    add(&b, refused > 0 ? "never asked for" : "not reserved", exactly(rest - refused),
        OD_FILL_FREE);
    ask(&b, need, (double)in_use);
    return true;
}

enum {
    HOLDERS_MOST = 4
}; /* drawn separately on one screen; all are drawn if the account is complete */

static const struct {
    const char *what;
    enum od_fill fill;
} looks[OD_HELD_KINDS] = {
#define OD_HELD_WORDS(constant, words, fill) [OD_HELD_##constant] = {words, OD_FILL_##fill},
#include "report/words.def"
};

/* Is only the free amount known? */
static bool is_one_amount(const struct od_account *account)
{
    return !account->own.known && !account->victim.bytes.known && account->n == 0;
}

/* A label for the part of the limit that no line explains. */
static const char *rest_words(const struct od_account *account, double bytes)
{
    if (is_one_amount(account))
        return "in use";
    if (account->own.known && bytes < worth_a_part * (double)account->limit.bytes.n)
        return "not counted";
    if (account->scope == OD_SCOPE_DEVICE)
        return account->outside.known ? "other processes, contexts" : "unknown";
    if (account->rest.known) /* the kernel lists everything except processes itself */
        return looks[OD_HELD_ANON].what;
    return account->free.known ? "others, caches" : "others, caches, free";
}

const char *od_outline_held_words(const struct od_outline *outline, const struct od_held *held)
{
    struct od_arena *arena = outline->arena;
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_incident *incident = failure->incident;
    const char *name = held->name.n > 0 ? od_arena_str(arena, held->name) : looks[held->kind].what;
    if (held->kind == OD_HELD_OWN && failure->account.scope == OD_SCOPE_DEVICE)
        return od_words_producer(arena, incident->producer);
    if (held->kind == OD_HELD_OWN)
        return od_arena_printf(arena,
                               od_incident_kind_is_kill(incident->kind) ? "%s (killed)%s" : "%s%s",
                               name, failure->account.heap.known ? " beside its heap" : "");
    if (held->kind == OD_HELD_REST)
        return rest_words(&failure->account, known(held->bytes));
    if (held->pid.known && held->name.n == 0)
        return od_arena_printf(arena, "PID %llu", (unsigned long long)held->pid.n);
    return held->count.n > 1
               ? od_arena_printf(arena, "%s × %s", od_words_count(arena, held->count.n), name)
               : name;
}

/* One part as drawn; on a shared device all processes are one part. */
struct drawn {
    struct od_held held;
    size_t larger; /* number of larger parts */
};

/* together: all processes as one part, if each counts the pages that they share; NULL = drawn
 * separately */
static size_t draw(const struct od_parts *parts, const struct od_held *together,
                   struct drawn *drawn)
{
    size_t n = 0;
    if (together)
        drawn[n++].held = (struct od_held){.kind = OD_HELD_OWN, .bytes = together->bytes};
    for (size_t i = 0; i < parts->n; i++) {
        const struct od_held *held = &parts->list[i];
        if (together && (held->kind == OD_HELD_OWN || held->kind == OD_HELD_PROCESSES))
            continue;
        bool tenant = held->kind == OD_HELD_OTHERS || held->kind == OD_HELD_RANKS;
        size_t at = tenant ? 0 : n;
        while (at < n && drawn[at].held.kind != held->kind)
            at++;
        if (at == n)
            drawn[n++] = (struct drawn){.held = *held};
        else
            drawn[at].held = (struct od_held){
                .kind = held->kind, .bytes = od_bytes_add(drawn[at].held.bytes, held->bytes)};
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            drawn[i].larger += drawn[k].held.kind < OD_HELD_REST &&
                               drawn[k].held.kind != OD_HELD_OWN &&
                               (drawn[k].held.bytes.n > drawn[i].held.bytes.n ||
                                (drawn[k].held.bytes.n == drawn[i].held.bytes.n && k < i));
    return n;
}

static void add_parts(struct builder *b, const struct od_account *account,
                      const struct od_parts *parts, const struct od_held *together)
{
    bool device = account->scope == OD_SCOPE_DEVICE;
    struct drawn drawn[OD_COUNT_OF(parts->list)] = {0};
    size_t n = draw(parts, together, drawn);
    double rest = 0; /* sum of the parts that are not drawn separately */
    for (size_t i = 0; i < n; i++) {
        const struct od_held *held = &drawn[i].held;
        if (held->kind == OD_HELD_OWN ||
            (held->kind < OD_HELD_REST && (b->outline->all || drawn[i].larger < HOLDERS_MOST) &&
             (device || known(held->bytes) >= worth_a_part * b->width)))
            add(b, together && i == 0 ? "the processes" : od_outline_held_words(b->outline, held),
                held->bytes, looks[held->kind].fill);
        else if (held->kind != OD_HELD_FREE)
            rest += known(held->bytes);
    }
    if (together)
        rest = known(parts->limit) - b->taken - known(account->free);
    if (rest > worth_a_part * b->width)
        add(b, rest_words(account, rest), exactly(rest),
            is_one_amount(account)          ? OD_FILL_USED
            : device || account->free.known ? OD_FILL_OTHERS
                                            : OD_FILL_FREE);
    add(b, looks[OD_HELD_FREE].what, account->free, OD_FILL_FREE);
}

static bool add_account(struct od_outline *outline)
{
    static const double most = 0.05; /* share of the limit that may be counted twice */
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_account *account = &failure->account;
    const struct od_incident *incident = outline->incident;
    const struct od_parts *parts = &failure->parts;
    bool device = account->scope == OD_SCOPE_DEVICE;
    double whole = known(parts->limit);
    const struct od_held *together = NULL;
    for (size_t i = 0; outline->all && i < account->n && known(parts->shared) > most * whole; i++)
        together = account->holdings[i].kind == OD_HELD_ANON ? &account->holdings[i] : together;
    if (!parts->limit.known || incident != failure->incident ||
        (known(parts->shared) > most * whole && !together))
        return false;
    double request = known(od_headline_request(incident)), used = whole - known(account->free);
    const char *name = device                               ? device_name(outline)
                       : account->scope == OD_SCOPE_MACHINE ? "The machine"
                       : account->scope == OD_SCOPE_SHM     ? "/dev/shm"
                       : account->scope == OD_SCOPE_RUNTIME ? "Heap"
                                                            : "Limit";
    struct builder b =
        start(outline, title_of(outline, name, parts->limit, ""), whole, used, request);
    add_parts(&b, account, parts, together);
    ask(&b, od_headline_request(incident), used);
    return true;
}

/* --- memory that a compiler or server computed before it allocated any --- */

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
    add(&b, "available", room, OD_FILL_FREE);
    ask(&b, od_headline_request(incident), 0);
    return true;
}

bool od_outline_bar(struct od_outline *outline)
{
    return add_need(outline) || add_dump(outline) || add_account(outline);
}
