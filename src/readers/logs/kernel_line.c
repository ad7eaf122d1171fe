#include "readers/logs/kernel_line.h"

/* The kernel prints a limit of at least this much if there is none. */
static const uint64_t no_limit = UINT64_C(1) << 60;

/* Finds the text after the first marker; false if it is missing. */
static bool find_after(struct od_view text, struct od_view marker, struct od_view *ret_rest)
{
    size_t at = od_view_find(text, marker, 0);
    if (at == OD_VIEW_NONE)
        return false;
    *ret_rest = od_view_from(text, at + marker.n);
    return true;
}

/* "1024kB" at the start of text; unknown if it is missing or too large. */
static struct od_bytes take_kib(struct od_view *text)
{
    struct od_view rest = *text;
    uint64_t n;
    if (!od_num_take_u64(&rest, &n) || !od_view_take(&rest, OD_VIEW("kB")) || ckd_mul(&n, n, 1024U))
        return (struct od_bytes){0};
    *text = rest;
    return od_bytes_exact(n);
}

static struct od_bytes kib_after(struct od_view text, struct od_view marker)
{
    struct od_view rest;
    return find_after(text, marker, &rest) ? take_kib(&rest) : (struct od_bytes){0};
}

static struct od_bytes first_known(struct od_bytes a, struct od_bytes b)
{
    return a.known ? a : b;
}

/* End of a process name, which may contain anything: before a text that only follows names. */
static size_t name_end(struct od_view text)
{
    static const struct od_view followers[] = {
        {") total-vm:", 11}, {") vsz:", 6}, {"), UID ", 7}, {") score ", 8}, {") or a child", 12}};
    for (size_t i = 0; i < OD_COUNT_OF(followers); i++) {
        size_t at = od_view_find(text, followers[i], 0);
        if (at != OD_VIEW_NONE)
            return at;
    }
    const char *last = od_find_last(text.p, ')', text.n);
    return last ? (size_t)(last - text.p) : OD_VIEW_NONE;
}

/* "123 (name)", "123, UID 500, (name)" */
static bool take_process(struct od_view *text, struct od_kernel_victim *victim)
{
    struct od_view rest = *text;
    uint64_t uid;
    if (!od_num_take_u64(&rest, &victim->pid))
        return false;
    if (od_view_take(&rest, OD_VIEW(", UID ")) &&
        (!od_num_take_u64(&rest, &uid) || !od_view_take(&rest, OD_VIEW(","))))
        return false;
    if (!od_view_take(&rest, OD_VIEW(" (")))
        return false;
    size_t end = name_end(rest);
    if (end == OD_VIEW_NONE || end == 0)
        return false;
    victim->name = od_view_head(rest, end);
    *text = od_view_from(rest, end + 1);
    return true;
}

static enum od_kernel_reason reason_of(struct od_view head)
{
    /* the second form is how PBS quotes the kernel's line */
    if (od_view_has(head, OD_VIEW("emory cgroup out of memory")) ||
        od_view_has(head, OD_VIEW("group memory limit exceeded")))
        return OD_KERNEL_GROUP;
    if (od_view_has(head, OD_VIEW("Out of memory")) || od_view_has(head, OD_VIEW("Out of Memory")))
        return OD_KERNEL_MACHINE;
    return OD_KERNEL_UNSAID;
}

static bool find_killer_word(struct od_view line, struct od_view *ret_head,
                             struct od_view *ret_rest, bool *ret_done)
{
    static const struct {
        struct od_view word;
        bool done;
    } words[] = {{{"Killed process ", 15}, true},
                 {{"Kill process ", 13}, false},
                 {{"oom_reaper: reaped process ", 27}, true}};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        size_t at = od_view_find(line, words[i].word, 0);
        if (at == OD_VIEW_NONE)
            continue;
        *ret_head = od_view_head(line, at);
        *ret_rest = od_view_from(line, at + words[i].word.n);
        *ret_done = words[i].done;
        return true;
    }
    return false;
}

bool od_kernel_victim_parse(struct od_view line, struct od_kernel_victim *ret_victim)
{
    struct od_kernel_victim victim = {0};
    struct od_view head, rest;
    if (!find_killer_word(line, &head, &rest, &victim.done) || !take_process(&rest, &victim))
        return false;
    victim.reason = reason_of(head);
    /* memory left after the reaper is not the victim's */
    if (od_view_starts(rest, OD_VIEW(", now "))) {
        *ret_victim = victim;
        return true;
    }
    victim.virtual = first_known(kib_after(rest, OD_VIEW("total-vm:")),
                                 kib_after(rest, OD_VIEW("vsz:")));
    victim.rss = kib_after(rest, OD_VIEW("anon-rss:"));
    /* without the killer's own words it may be prose */
    bool sized = victim.virtual.known || victim.rss.known;
    bool scored = od_view_starts(rest, OD_VIEW(" score "));
    if (victim.reason == OD_KERNEL_UNSAID && !sized && !scored)
        return false;
    *ret_victim = victim;
    return true;
}

/* The value of ",key=", up to the next comma. */
static struct od_view value_of(struct od_view text, struct od_view key)
{
    struct od_view rest, value = {0};
    if (find_after(text, key, &rest))
        (void)od_view_cut(&rest, ',', &value);
    return value;
}

/* Reads ",task=NAME,pid=N,uid=N"; the name may contain commas. */
static bool find_task(struct od_view text, struct od_kernel_victim *victim)
{
    struct od_view rest;
    if (!find_after(text, OD_VIEW(",task="), &rest))
        return false;
    size_t pid = OD_VIEW_NONE;
    for (size_t at = 0; (at = od_view_find(rest, OD_VIEW(",pid="), at)) != OD_VIEW_NONE; at++)
        pid = at;
    if (pid == OD_VIEW_NONE)
        return false;
    victim->name = od_view_head(rest, pid);
    rest = od_view_from(rest, pid + 5);
    return od_num_take_u64(&rest, &victim->pid);
}

bool od_kernel_constraint_parse(struct od_view line, struct od_kernel_victim *ret_victim)
{
    struct od_kernel_victim victim = {.reason = OD_KERNEL_MACHINE};
    struct od_view rest;
    if (!find_after(line, OD_VIEW("oom-kill:constraint=CONSTRAINT_"), &rest))
        return false;
    if (od_view_starts(rest, OD_VIEW("MEMCG"))) {
        victim.reason = OD_KERNEL_GROUP;
        victim.group = value_of(rest, OD_VIEW(",oom_memcg="));
    } else if (!od_view_starts(rest, OD_VIEW("NONE"))) { /* CPUSET, MEMORY_POLICY */
        victim.reason = OD_KERNEL_GROUP;
        victim.group = od_view_from(rest, od_view_find(rest, OD_VIEW("mems_allowed="), 0));
        victim.group = od_view_head(victim.group, od_view_find_char(victim.group, ',', 0));
    }
    if (!find_task(rest, &victim)) {
        victim.pid = 0;
        victim.name = (struct od_view){0};
    }
    *ret_victim = victim;
    return true;
}

bool od_kernel_group_parse(struct od_view line, struct od_view *ret_group)
{
    struct od_view rest;
    bool stats = find_after(line, OD_VIEW("emory cgroup stats for "), &rest);
    if (!stats && !find_after(line, OD_VIEW(" killed as a result of limit of "), &rest) &&
        !find_after(line, OD_VIEW("emory limit reached of cgroup "), &rest))
        return false;
    /* statistics follow after a colon, in cgroup v1 on the same line */
    size_t colon = od_view_find(rest, OD_VIEW(": "), 0);
    rest = od_view_trim(od_view_head(rest, stats && colon != OD_VIEW_NONE ? colon : rest.n));
    if (stats && od_view_ends(rest, OD_VIEW(":")))
        rest.n--;
    *ret_group = rest;
    return rest.n > 0 && !(stats && od_view_find_char(rest, ' ', 0) != OD_VIEW_NONE); /* prose */
}

/* Is it a stack frame "name+0x12/0x34" or "name from caller+0x12", not "? name+0x12"? */
static bool is_frame(struct od_view line, struct od_view name)
{
    size_t at = od_view_find(line, name, 0);
    if (at == OD_VIEW_NONE || od_view_ends(od_view_head(line, at), OD_VIEW("? ")))
        return false;
    struct od_view rest = od_view_from(line, at + name.n);
    return od_view_starts(rest, OD_VIEW("+0x")) || od_view_starts(rest, OD_VIEW(" from "));
}

bool od_kernel_frame_parse(struct od_view line, enum od_kernel_reason *ret_reason)
{
    bool group = is_frame(line, OD_VIEW("mem_cgroup_out_of_memory"));
    *ret_reason = group ? OD_KERNEL_GROUP : OD_KERNEL_UNSAID;
    return group || is_frame(line, OD_VIEW("oom_kill_process"));
}

bool od_kernel_limit_parse(struct od_view line, struct od_bytes *ret_limit,
                           struct od_bytes *ret_used)
{
    struct od_view rest;
    if (!find_after(line, OD_VIEW("memory: usage "), &rest) &&
        !find_after(line, OD_VIEW("memory+swap: usage "), &rest))
        return false;
    *ret_used = take_kib(&rest);
    if (!ret_used->known || !od_view_take(&rest, OD_VIEW(", limit ")))
        return false;
    struct od_bytes limit = take_kib(&rest);
    *ret_limit = limit.n < no_limit ? limit : (struct od_bytes){0};
    return true;
}

bool od_kernel_ram_parse(struct od_view line, uint64_t *ret_pages)
{
    size_t at = od_view_find(line, OD_VIEW(" pages RAM"), 0);
    if (at == OD_VIEW_NONE)
        at = od_view_find(line, OD_VIEW(" pages of RAM"), 0);
    if (at == OD_VIEW_NONE)
        return false;
    size_t start = od_back(line, at, od_is_digit);
    return od_num_parse_u64(od_view_part(line, start, at), ret_pages);
}

bool od_kernel_zone_parse(struct od_view line, uint64_t *ret_bytes)
{
    struct od_view rest;
    if (!find_after(line, OD_VIEW(" free:"), &rest))
        return false;
    struct od_bytes free = take_kib(&rest);
    if (!free.known ||
        (!od_view_starts(rest, OD_VIEW(" min:")) && !od_view_starts(rest, OD_VIEW(" boost:"))))
        return false;
    *ret_bytes = free.n;
    return true;
}

bool od_kernel_pieces_parse(struct od_view line, uint64_t *ret_bytes)
{
    struct od_view rest;
    uint64_t count, kib, largest = 0;
    if (!od_view_has(line, OD_VIEW("*4kB")) || !find_after(line, OD_VIEW(": "), &rest))
        return false;
    while (od_num_take_u64(&rest, &count) && od_view_take(&rest, OD_VIEW("*")) &&
           od_num_take_u64(&rest, &kib) && od_view_take(&rest, OD_VIEW("kB"))) {
        largest = count > 0 ? kib : largest;
        rest = od_view_from(rest, od_until_any(rest, 0, "=0123456789"));
    }
    return od_view_starts(rest, OD_VIEW("=")) && !ckd_mul(ret_bytes, largest, 1024u);
}

bool od_kernel_trigger_parse(struct od_view line, struct od_view *ret_name, uint64_t *ret_pages)
{
    enum { ORDERS = 12 };
    uint64_t order;
    struct od_view after;
    bool ordered = find_after(line, OD_VIEW("order="), &after) && od_num_take_u64(&after, &order);
    *ret_pages = ordered && order > 0 && order < ORDERS ? UINT64_C(1) << order : 0;
    size_t end = od_view_find(line, OD_VIEW(" invoked oom-killer:"), 0);
    if (end == OD_VIEW_NONE || end == 0)
        return false;
    struct od_view name = od_view_head(line, end);
    for (size_t i = name.n; i > 1; i--) /* after "[  12.3] " or "kernel: " */
        if (name.p[i - 1] == ' ' && (name.p[i - 2] == ']' || name.p[i - 2] == ':')) {
            name = od_view_from(name, i);
            break;
        }
    *ret_name = od_view_trim(name);
    return ret_name->n > 0;
}

static bool take_swap(struct od_view line, struct od_view marker, struct od_bytes *to, bool *going)
{
    struct od_view rest;
    if (!find_after(line, marker, &rest))
        return false;
    od_view_skip_blanks(&rest);
    if (!od_view_take(&rest, OD_VIEW("=")))
        return false;
    od_view_skip_blanks(&rest);
    if (od_view_take(&rest, OD_VIEW("-"))) {
        *going = true;
        return true;
    }
    *to = take_kib(&rest);
    return to->known;
}

bool od_kernel_swap_parse(struct od_view line, struct od_kernel_swap *swap)
{
    return take_swap(line, OD_VIEW("Total swap"), &swap->total, &swap->going) ||
           take_swap(line, OD_VIEW("Free swap"), &swap->free, &swap->going);
}

struct part_word {
    struct od_view word;
    enum od_kernel_part part;
};

static void add_part(struct od_kernel_parts *parts, enum od_kernel_part part, uint64_t n)
{
    if (ckd_add(&parts->of[part], parts->of[part], n))
        return;
    parts->known |= 1U << part;
}

/* "word:123" in the line, after a blank or at its start; false if the number's unit is not
 * `unit`. */
static bool find_part(struct od_view line, struct od_view word, struct od_view unit,
                      uint64_t *ret_n)
{
    for (size_t at = 0; (at = od_view_find(line, word, at)) != OD_VIEW_NONE; at++) {
        struct od_view rest = od_view_from(line, at + word.n);
        bool whole = at == 0 || line.p[at - 1] == ' ' || line.p[at - 1] == '\t';
        if (whole && od_view_take(&rest, OD_VIEW(":")) && od_num_take_u64(&rest, ret_n) &&
            od_view_take(&rest, unit) && (rest.n == 0 || rest.p[0] == ' '))
            return true;
    }
    return false;
}

static bool take_parts(struct od_view line, const struct part_word *words, size_t n,
                       struct od_view unit, struct od_kernel_parts *parts)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        uint64_t value;
        if (!find_part(line, words[i].word, unit, &value) ||
            (unit.n > 0 && ckd_mul(&value, value, 1024U)))
            continue;
        add_part(parts, words[i].part, value);
        any = true;
    }
    return any;
}

/* "Node 0 hugepages_total=1024 hugepages_free=0 hugepages_surp=0 hugepages_size=2048kB", in pages
 * of 4 KiB */
static bool take_huge(struct od_view line, struct od_kernel_parts *parts)
{
    struct od_view rest = line;
    uint64_t pages, kib;
    if (!find_after(line, OD_VIEW("hugepages_total="), &rest) || !od_num_take_u64(&rest, &pages) ||
        !find_after(rest, OD_VIEW("hugepages_size="), &rest) || !od_num_take_u64(&rest, &kib) ||
        !od_view_take(&rest, OD_VIEW("kB")) || ckd_mul(&pages, pages, kib / 4))
        return false;
    add_part(parts, OD_KERNEL_HUGE, pages);
    return true;
}

bool od_kernel_machine_parse(struct od_view line, struct od_kernel_parts *parts)
{
    static const struct part_word words[] = {
        {{"active_anon", 11}, OD_KERNEL_ANON},
        {{"inactive_anon", 13}, OD_KERNEL_ANON},
        {{"active_file", 11}, OD_KERNEL_FILE},
        {{"inactive_file", 13}, OD_KERNEL_FILE},
        {{"shmem", 5}, OD_KERNEL_SHMEM},
        {{"slab_reclaimable", 16}, OD_KERNEL_SLAB},
        {{"slab_unreclaimable", 18}, OD_KERNEL_SLAB},
        {{"pagetables", 10}, OD_KERNEL_TABLES},
    };
    const unsigned by_node = 1U << OD_KERNEL_PARTS;
    struct od_kernel_parts node = {0};
    if (take_parts(line, words, OD_COUNT_OF(words), (struct od_view){0}, parts) ||
        take_huge(line, parts))
        return true;
    if ((parts->known != 0 && !(parts->known & by_node)) ||
        !take_parts(line, words, OD_COUNT_OF(words), OD_VIEW("kB"), &node))
        return false;
    for (unsigned part = 0; part < OD_KERNEL_PARTS; part++)
        if (node.known >> part & 1)
            add_part(parts, part, node.of[part] / 4096);
    parts->known |= by_node;
    return true;
}

bool od_kernel_stats_parse(struct od_view line, struct od_kernel_parts *parts)
{
    static const struct part_word lines[] = {
        {{"anon", 4}, OD_KERNEL_ANON},          {{"rss", 3}, OD_KERNEL_ANON},
        {{"file", 4}, OD_KERNEL_FILE},          {{"cache", 5}, OD_KERNEL_FILE},
        {{"shmem", 5}, OD_KERNEL_SHMEM},        {{"slab", 4}, OD_KERNEL_SLAB},
        {{"pagetables", 10}, OD_KERNEL_TABLES},
    };
    static const struct part_word row[] = {
        {{"cache", 5}, OD_KERNEL_FILE},         {{"rss", 3}, OD_KERNEL_ANON},
        {{"inactive_anon", 13}, OD_KERNEL_LRU}, {{"active_anon", 11}, OD_KERNEL_LRU},
        {{"shmem", 5}, OD_KERNEL_SHMEM},
    };
    if (take_parts(line, row, OD_COUNT_OF(row), OD_VIEW("KB"), parts))
        return true;
    struct od_view text = od_view_trim(line), number = od_view_last_word(text);
    struct od_view word = od_view_last_word(od_view_trim(od_view_head(text, text.n - number.n)));
    uint64_t value;
    if (od_num_digits(number) < number.n || !od_num_parse_u64(number, &value))
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(lines); i++) {
        if (!od_view_eq(word, lines[i].word))
            continue;
        add_part(parts, lines[i].part, value);
        return true;
    }
    return false;
}
