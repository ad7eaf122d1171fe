#include "failure/account.h"

#include <assert.h>

enum { OD_EVIDENCE_LINES = 8 };

static double known(struct od_bytes bytes)
{
    return bytes.known ? (double)bytes.n : 0;
}

static bool is_of_device(const struct od_incident *incident)
{
    return incident->kind == OD_INC_DEVICE_ALLOC_FAILED ||
           incident->kind == OD_INC_DEVICE_CONTEXT_FAILED;
}

static void take_own(struct od_account *a, const struct od_incident *incident)
{
    struct od_bytes in_use = incident->in_use, reserved = incident->reserved;
    a->own = reserved.known ? reserved : in_use;
    a->pieces = od_bytes_sub(reserved, in_use);
}

/* A table may list the failed process itself. Whether it does only shows if the whole device is
 * accounted for. */
static bool counts(const struct od_tenant *tenant, const struct od_incident *incident)
{
    return tenant->bytes.known &&
           (!tenant->listed || (incident->capacity.known && incident->free.known));
}

static struct od_bytes sum_of_others(const struct od_incident *incident, bool of_run)
{
    struct od_bytes sum = od_bytes_exact(0);
    OD_FOR_EACH (const struct od_tenant, other, incident->others)
        if (counts(other, incident) && other->of_run == of_run)
            sum = od_bytes_add(sum, other->bytes);
    return sum;
}

/* In a container a process does not know its own PID and lists itself among the other processes.
 * All holdings and the free memory then sum to more than the device's capacity. The entry of this
 * process is the one that exceeds our own sum by the least. */
static const struct od_tenant *find_self(const struct od_incident *incident,
                                         const struct od_account *a)
{
    struct od_bytes all =
        od_bytes_add(od_bytes_add(a->named, a->ranks), od_bytes_add(a->own, incident->free));
    const struct od_tenant *self = NULL;
    if (od_bytes_less(incident->capacity, all) != OD_YES)
        return NULL;
    OD_FOR_EACH (const struct od_tenant, t, incident->others)
        if (t->bytes.known && t->bytes.hi >= a->own.lo && !t->of_run &&
            (!self || t->bytes.n < self->bytes.n))
            self = t;
    return self;
}

static void add_tenants(struct od_account *a, const struct od_incident *incident,
                        const struct od_tenant *self)
{
    OD_FOR_EACH (const struct od_tenant, t, incident->others)
        if (counts(t, incident) && t->bytes.n > 0 && t != self && a->n < OD_HOLDINGS_SHOWN)
            a->holdings[a->n++] =
                (struct od_held){.kind = t->of_run ? OD_HELD_RANKS : OD_HELD_OTHERS,
                                 .name = t->name,
                                 .pid = t->pid,
                                 .count = od_count_of(1),
                                 .bytes = t->bytes};
}

/* Returns the entry of this process. */
static const struct od_tenant *take_named(struct od_account *a, const struct od_incident *incident)
{
    struct od_bytes held = incident->held;
    const struct od_tenant *self = NULL;
    if (incident->others.n > 0 && a->own.known) {
        a->named = sum_of_others(incident, false);
        a->ranks = sum_of_others(incident, true);
        self = find_self(incident, a);
        if (self) {
            a->named =
                incident->others.n == 1 ? od_bytes_exact(0) : od_bytes_sub(a->named, self->bytes);
            held = held.known ? held : self->bytes;
        }
    }
    a->outside_framework = od_bytes_sub(held, a->own);
    a->outside = od_bytes_sub(od_bytes_sub(incident->capacity, incident->free), incident->reserved);
    if (a->ranks.known)
        a->outside = od_bytes_sub(a->outside, a->ranks);
    return self;
}

static bool is_tenant(const struct od_account *a, const struct od_incident *incident)
{
    struct od_bytes could_have = od_bytes_add(incident->free, od_bytes_add(a->named, a->ranks));
    return od_bytes_less(incident->free, incident->requested) == OD_YES && could_have.known &&
           could_have.lo >= incident->requested.hi;
}

static void add(struct od_account *a, enum od_holding_kind kind, struct od_bytes bytes)
{
    if (bytes.known && bytes.n > 0 && a->n < OD_HOLDINGS_SHOWN)
        a->holdings[a->n++] = (struct od_held){.kind = kind, .bytes = bytes};
}

/* The sums below add plain bytes, because all of their members are of one device. */
static void check_scopes(const struct od_incident *incident)
{
#define OF(member) offsetof(struct od_incident, member)
    size_t all[] = {OF(capacity), OF(limit), OF(in_use), OF(reserved), OF(free), OF(held)};
    for (size_t i = 0; i < OD_COUNT_OF(all); i++)
        assert(od_scope_is_within(od_incident_amount(incident, all[i]).scope, OD_SCOPE_DEVICE));
}

static void account_for_device(struct od_account *a, const struct od_incident *incident)
{
    check_scopes(incident);
    a->scope = OD_SCOPE_DEVICE;
    a->limit = incident->capacity.known ? (struct od_amount){incident->capacity, OD_SCOPE_DEVICE}
                                        : (struct od_amount){incident->limit, OD_SCOPE_POOL};
    a->free = incident->free;
    take_own(a, incident);
    a->conflict = incident->contradicts;
    if (a->conflict) {
        a->pieces = (struct od_bytes){0};
        add_tenants(a, incident, NULL);
        return;
    }
    const struct od_tenant *self = take_named(a, incident);
    a->tenant = is_tenant(a, incident);
    a->in_pieces =
        a->pieces.known && incident->requested.known && a->pieces.lo >= incident->requested.hi;
    add(a, OD_HELD_PIECES, a->pieces);
    add(a, OD_HELD_OUTSIDE_FRAMEWORK, a->outside_framework);
    if (a->own.known)
        add_tenants(a, incident, self);
}

/* ---- a machine or a cgroup ---- */

static const struct od_enforcer *enforcer_of(const struct od_incident *incident,
                                             struct od_enforcer_signs signs)
{
    enum { TINY = 1 << 20 };
    struct od_view lines[OD_EVIDENCE_LINES];
    signs.kind = od_incident_kind_name(incident->kind);
    signs.producer = incident->producer;
    signs.group = incident->group;
    signs.lines = lines;
    signs.tiny = incident->requested.known && incident->requested.hi <= TINY;
    while (signs.nlines < OD_EVIDENCE_LINES && signs.nlines < incident->evidence.n) {
        lines[signs.nlines] = incident->evidence.items[signs.nlines].text;
        signs.nlines++;
    }
    return od_enforcer_find(&signs);
}

/* Did a host allocation fail at a printed limit? Then the program's own runtime refused it. */
static enum od_scope scope_of(const struct od_incident *incident,
                              const struct od_enforcer *enforcer)
{
    if (enforcer || incident->kind != OD_INC_HOST_ALLOC_FAILED)
        return enforcer ? enforcer->scope : OD_SCOPE_UNKNOWN;
    return incident->limit.known      ? OD_SCOPE_RUNTIME
           : incident->capacity.known ? OD_SCOPE_MACHINE
                                      : OD_SCOPE_UNKNOWN;
}

static bool is_of_process(const struct od_held *held)
{
    return held->kind == OD_HELD_PROCESSES;
}

double od_held_bytes(const struct od_held *held)
{
    return known(held->bytes) + known(held->swap);
}

static int by_size(const void *left, const void *right)
{
    double a = od_held_bytes(left), b = od_held_bytes(right);
    return a > b ? -1 : a < b;
}

/* The part of the limit that is neither in processes nor in memory parts nor free. Known only if
 * all parts are counted, because sums over processes count shared pages more than once. */
static struct od_bytes rest_of(const struct od_account *a)
{
    struct od_bytes rest = od_bytes_sub(a->limit.bytes, a->free);
    bool counted = false;
    for (size_t i = 0; i < a->n; i++) {
        if (is_of_process(&a->holdings[i]))
            continue;
        counted = counted || a->holdings[i].kind == OD_HELD_ANON;
        rest = od_bytes_sub(rest, a->holdings[i].bytes);
    }
    return counted ? rest : (struct od_bytes){0};
}

static void account_for_host(struct od_account *a, const struct od_incident *incident)
{
    a->scope = scope_of(incident, a->enforcer);
    a->limit.scope = a->scope;
    a->limit.bytes = a->scope == OD_SCOPE_MACHINE ? incident->capacity : incident->limit;
    a->used = incident->in_use;
    if (a->scope == OD_SCOPE_MACHINE)
        a->free = incident->free.known ? incident->free : od_bytes_sub(a->limit.bytes, a->used);
    else if (od_account_is_of_group(a)) /* a group at its limit has nothing free */
        a->free = od_bytes_exact(0);
    a->killed_by_kernel = incident->kind == OD_INC_HOST_OOM_KILL;
    a->victim = (struct od_held){.kind = OD_HELD_OWN,
                                 .name = incident->process.name,
                                 .pid = incident->process.pid,
                                 .bytes = incident->process.rss,
                                 .score_adj = incident->process.score_adj};
    if (incident->process.name.n > 0 || incident->process.rss.known)
        a->victim.count = od_count_of(1);
    a->swap = incident->swap;
    a->swap_used = od_bytes_sub(incident->swap, incident->swap_free);
    a->swapoff = incident->swapoff;
    a->conflict = incident->contradicts;
    struct od_bytes own = {0};
    OD_FOR_EACH (const struct od_held, held, incident->holdings) {
        if (held->kind == OD_HELD_OWN) {
            a->victim.swap = held->swap;
            own = held->bytes;
        } else if (a->n < OD_HOLDINGS_SHOWN - 1)
            a->holdings[a->n++] = *held;
    }
    qsort(a->holdings, a->n, sizeof *a->holdings, by_size);
    /* counted like processes of the same name: with pages of files, which the limit need not
     * count */
    for (size_t i = 0; i < a->n && own.known; i++)
        if (is_of_process(&a->holdings[i]) && od_view_eq(a->holdings[i].name, a->victim.name))
            a->victim.bytes = own;
    if (a->scope == OD_SCOPE_RUNTIME) /* resident memory outside the heap or outside the
                                         program's own count */
        a->outside_framework = od_bytes_sub(a->victim.bytes, a->used);
    add(a, OD_HELD_OUTSIDE_FRAMEWORK, a->outside_framework);
    a->rest = rest_of(a);
    add(a, OD_HELD_UNEXPLAINED, a->rest);
}

/* ---- the limit in parts ---- */

static void add_part(struct od_parts *parts, struct od_held held)
{
    if (held.bytes.known && held.bytes.n > 0)
        parts->list[parts->n++] = held;
}

/* Processes hold anonymous memory. If they are listed, it is not added again. */
static void add_holding(struct od_parts *parts, const struct od_account *a, struct od_held held)
{
    uint64_t own = a->victim.bytes.known ? a->victim.bytes.n : 0;
    if (held.kind == OD_HELD_ANON) {
        if (od_account_processes(a) > 0 || held.bytes.n <= own)
            return;
        held.bytes = od_bytes_exact(held.bytes.n - own);
    }
    add_part(parts, held);
}

/* Do processes share this memory? The heap or address space of one process is not shared. */
static bool is_shared(const struct od_account *a)
{
    return a->scope == OD_SCOPE_DEVICE || a->scope == OD_SCOPE_MACHINE ||
           a->scope == OD_SCOPE_SHM || od_account_is_of_group(a);
}

/* Adds the failed process and, as a part of its own, its heap. A limit on a heap counts only the
 * heap. */
static void add_own(struct od_parts *parts, const struct od_account *a, struct od_held own)
{
    struct od_held heap = {.kind = OD_HELD_HEAP, .bytes = a->heap};
    if (a->pieces.known && a->pieces.n <= own.bytes.n)
        own.bytes = od_bytes_exact(own.bytes.n - a->pieces.n);
    if (a->heap.known && own.bytes.known && a->heap.n <= own.bytes.n)
        own.bytes = od_bytes_exact(own.bytes.n - a->heap.n);
    else if (a->scope != OD_SCOPE_RUNTIME)
        heap.bytes = (struct od_bytes){0};
    if (a->scope != OD_SCOPE_RUNTIME)
        add_part(parts, own);
    add_part(parts, heap);
}

/* Adds the memory that nothing counts, or computes the memory that is counted twice. */
static void close_parts(struct od_parts *parts, const struct od_account *a)
{
    uint64_t sum = a->free.known ? a->free.n : 0;
    bool some = parts->n > 0 || a->own.known || (a->free.known && !od_account_is_of_group(a));
    if (a->conflict || a->limit.scope != a->scope || !some || known(a->limit.bytes) <= 0)
        return;
    for (size_t i = 0; i < parts->n; i++)
        sum += parts->list[i].bytes.n;
    parts->limit = od_bytes_exact(a->limit.bytes.n);
    if (sum > parts->limit.n)
        parts->shared = od_bytes_exact(sum - parts->limit.n);
    else
        add_part(parts, (struct od_held){.kind = OD_HELD_REST,
                                         .bytes = od_bytes_exact(parts->limit.n - sum)});
}

struct od_parts od_account_parts(const struct od_account *a)
{
    struct od_parts parts = {0};
    struct od_held own = a->victim;
    if (!is_shared(a) && !(a->scope == OD_SCOPE_RUNTIME && a->heap.known && a->nouter > 0))
        return parts;
    if (a->scope == OD_SCOPE_DEVICE)
        own = (struct od_held){.kind = OD_HELD_OWN, .bytes = a->own};
    add_own(&parts, a, own);
    for (size_t i = 0; i < a->n && a->scope != OD_SCOPE_RUNTIME; i++)
        add_holding(&parts, a, a->holdings[i]);
    close_parts(&parts, a);
    add_part(&parts, (struct od_held){.kind = OD_HELD_FREE, .bytes = a->free});
    return parts;
}

/* Constants and rounding of c10/cuda/CUDACachingAllocator: kSmallBuffer, kLargeBuffer,
 * kRoundLarge. */
uint64_t od_account_segment(const struct od_incident *incident, uint64_t request)
{
    static const uint64_t mib = 1 << 20;
    uint64_t up;
    if (!od_view_eq_str(incident->producer, "pytorch") || ckd_add(&up, request, 2 * mib - 1))
        return 0;
    return request <= mib ? 2 * mib : request < 10 * mib ? 20 * mib : up - up % (2 * mib);
}

static bool had_room(const struct od_incident *incident, const struct od_account *a)
{
    enum { FAR = 4 };
    uint64_t request = incident->requested.hi, segment = od_account_segment(incident, request);
    struct od_bytes wanted = od_bytes_add(a->own, incident->requested);
    return incident->requested.known && incident->free.known && !incident->dump &&
           incident->free.lo / FAR >= (segment > request ? segment : request) &&
           od_bytes_less(incident->largest, incident->requested) != OD_YES &&
           !(incident->limit.known && od_bytes_less(wanted, incident->limit) != OD_YES);
}

struct od_account od_account_of(const struct od_incident *incident,
                                const struct od_enforcer_signs *around)
{
    struct od_account a = {
        .request = {.bytes = incident->requested},
        .enforcer = enforcer_of(incident, around ? *around : (struct od_enforcer_signs){0})};
    if (is_of_device(incident))
        account_for_device(&a, incident);
    else
        account_for_host(&a, incident);
    a.had_room = is_of_device(incident) && !a.conflict && had_room(incident, &a);
    a.request.scope = a.scope;
    return a;
}

/* --- properties of an account --- */

double od_account_processes(const struct od_account *account)
{
    double sum = 0;
    for (size_t i = 0; i < account->n; i++)
        sum += is_of_process(&account->holdings[i]) ? od_held_bytes(&account->holdings[i]) : 0;
    return sum;
}

static struct od_held namesakes(const struct od_account *account)
{
    struct od_held sum = account->victim;
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n) {
        bool kin = sum.name.n > 0 && sum.bytes.known && od_view_eq(held->name, sum.name);
        if (!is_of_process(held) || !kin)
            continue;
        sum.count.n += held->count.n;
        sum.bytes = od_bytes_add(sum.bytes, held->bytes);
        if (held->swap.known)
            sum.swap = sum.swap.known ? od_bytes_add(sum.swap, held->swap) : held->swap;
    }
    return sum;
}

const struct od_held *od_account_largest(const struct od_account *account)
{
    static const double more = 1.5;
    const struct od_held *most = NULL;
    for (size_t i = 0; i < account->n && !most; i++)
        if (is_of_process(&account->holdings[i]) && account->holdings[i].name.n > 0)
            most = &account->holdings[i];
    struct od_held own = namesakes(account);
    bool clear = most && own.bytes.known && !od_view_eq(most->name, account->victim.name) &&
                 od_held_bytes(most) >= more * od_held_bytes(&own);
    return clear ? most : NULL;
}

bool od_account_is_one_process(const struct od_account *account)
{
    static const double part = 0.25; /* share of the memory of the failed process */
    bool listed = false;
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n) {
        if (!is_of_process(held))
            continue;
        listed = true;
        if (od_view_eq(held->name, account->victim.name) ||
            (held->count.n > 1 && held->name.n > 0 &&
             od_held_bytes(held) > part * od_held_bytes(&account->victim)))
            return false;
    }
    return listed && od_held_bytes(&account->victim) > 0 && account->victim.name.n > 0;
}

bool od_account_small_victim(const struct od_account *account)
{
    enum { PARTS = 16 }; /* a killed process with less than 1/16 of the machine is small */
    static const uint64_t little = UINT64_C(192) << 20; /* if the size of the machine is unknown */
    struct od_bytes limit = account->limit.bytes, rss = account->victim.bytes;
    uint64_t most = limit.known ? limit.lo / PARTS : little;
    return account->killed_by_kernel && rss.known && rss.hi < most &&
           (od_account_processes(account) < (double)most || od_account_largest_part(account));
}

const struct od_held *od_account_largest_part(const struct od_account *account)
{
    static const double most = 0.4; /* share of the limit */
    const struct od_held *part = NULL;
    double processes = od_account_processes(account) + od_held_bytes(&account->victim);
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n)
        if (!is_of_process(held) && held->kind != OD_HELD_ANON && held->kind != OD_HELD_CACHE &&
            (!part || od_held_bytes(held) > od_held_bytes(part)))
            part = held;
    bool fills = part && account->limit.bytes.known &&
                 od_held_bytes(part) >= most * (double)account->limit.bytes.n &&
                 od_held_bytes(part) > processes;
    return fills ? part : NULL;
}

bool od_account_is_undercounted(const struct od_account *account)
{
    static const double above = 0.95, little = 0.5; /* shares of the limit */
    struct od_bytes limit = account->limit.bytes, rss = account->victim.bytes;
    return account->scope == OD_SCOPE_RUNTIME && limit.known && rss.known && account->used.known &&
           (double)rss.lo >= above * (double)limit.lo &&
           (double)account->used.hi < little * (double)limit.lo;
}

bool od_account_is_of_group(const struct od_account *account)
{
    return account->scope == OD_SCOPE_GROUP || account->scope == OD_SCOPE_JOB;
}

bool od_account_swap_is_full(const struct od_account *account)
{
    static const double full = 0.95;
    return account->swap.known && account->swap_used.known && account->swap.n > 0 &&
           (double)account->swap_used.n >= full * (double)account->swap.n;
}

static void add_words(struct od_buf *text, const struct od_held *held)
{
    char ram[OD_BYTES_TEXT], swap[OD_BYTES_TEXT];
    static const double worth = 0.1; /* swap is printed from this share of the RAM held */
    bool swapped = known(held->swap) > worth * known(held->bytes);
    od_buf_printf(text, "%s", text->n > 0 ? ", and " : "");
    if (held->count.n > 1)
        od_buf_printf(text, "%" PRIu64 " %.*s processes held ", held->count.n, (int)held->name.n,
                      held->name.p);
    else
        od_buf_printf(text, "%.*s held ", (int)held->name.n, held->name.p);
    od_buf_printf(text, "%s", od_bytes_print(held->bytes, ram));
    if (swapped)
        od_buf_printf(text, " of RAM and %s of swap", od_bytes_print(held->swap, swap));
}

const char *od_account_words(struct od_arena *arena, const struct od_account *account)
{
    enum { MOST = 2 };
    static const double worth = 0.1; /* holdings are printed from this share of the total */
    double all = od_account_processes(account) + od_held_bytes(&account->victim);
    struct od_held kin = namesakes(account);
    struct od_buf text = {0};
    size_t shown = 0;
    bool own_shown = kin.count.n < 2;
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n) {
        if (shown >= MOST || !is_of_process(held) || held->name.n == 0 || held->bytes.n == 0)
            continue;
        bool mine = od_view_eq(held->name, account->victim.name);
        const struct od_held *sum = mine ? &kin : held;
        if (od_held_bytes(sum) < worth * all || (mine && own_shown))
            continue;
        own_shown = own_shown || mine;
        add_words(&text, sum);
        shown++;
    }
    const char *words = od_arena_str(arena, od_buf_view(&text));
    od_buf_done(&text);
    return words;
}

const char *od_account_tenants(struct od_arena *arena, const struct od_account *account)
{
    enum { MOST = 4 };
    const char *text = "", *who = "";
    size_t n = 0;
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n) {
        struct od_view name = held->name, folder;
        if (held->kind != OD_HELD_OTHERS || (name.n == 0 && !held->pid.known) || n++ >= MOST)
            continue;
        while (od_view_find_char(name, '/', 0) != OD_VIEW_NONE && od_view_cut(&name, '/', &folder))
            ;
        who = name.n > 0 ? od_arena_str(arena, name)
                         : od_arena_printf(arena, "PID %" PRIu64, held->pid.n);
        text = od_arena_printf(arena, "%s%s%s %s", text, n > 1 ? ", " : "", who,
                               od_bytes_text(arena, held->bytes));
    }
    return n > 0 ? od_arena_printf(arena, " (%s)", n == 1 ? who : text) : "";
}

bool od_account_is_other_limit(const struct od_account *account)
{
    static const uint64_t others = 1U << OD_SCOPE_ADDRESSES | 1U << OD_SCOPE_COMMIT |
                                   1U << OD_SCOPE_ARENA | 1U << OD_SCOPE_LOCKED |
                                   1U << OD_SCOPE_PIECE | 1U << OD_SCOPE_PERMISSION |
                                   1U << OD_SCOPE_PROCESS;
    return account->enforcer && account->enforcer->reached && (others >> account->scope & 1);
}
