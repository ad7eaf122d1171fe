/*
 * The Linux kernel's out-of-memory report (mm/oom_kill.c, mm/memcontrol.c, mm/show_mem.c), from "X
 * invoked oom-killer" over Mem-Info and the table of tasks to "Killed process". X only requested
 * memory; the victim is named below. A report may be truncated at both ends and interleaved with
 * other lines; the same kill is often logged twice (dmesg and syslog in one file).
 */
#include "facts/amount.h"
#include "readers/logs/kernel_line.h"
#include "readers/logs/kernel_table.h"
#include "readers/reader.h"

#include "readers/logs/kernel_oom_lists.inc"

enum {
    PAGE = 4096,
    QUIET_MAX = 400, /* lines without the kernel's words that end a report */
    KILLS_MAX = 64,  /* number of kills stored to recognize repeats */
    NAMES = 16,      /* names whose processes are summed; all others are summed together */
    GROUP_MAX = 1024
};

struct report {
    bool open, invoked, reported, mem_info;
    bool stats; /* below the heading of a group's statistics */
    bool swapoff;
    struct kills *kills;
    struct od_kept_line kept; /* names the victim or starts the report */
    enum od_kernel_reason reason;
    struct od_buf group;
    struct od_bytes limit, used; /* of the group */
    struct od_kernel_swap swap;
    struct od_kernel_parts machine, group_parts;
    uint64_t ram_pages, free;
    uint64_t pieces;         /* pages that had to lie together; 0 = any would do */
    struct od_bytes largest; /* free in one piece */
    bool ram_known, free_known;
    bool chosen; /* the victim is named but not reported dead yet */
    struct od_kernel_victim victim;
    struct od_buf name, trigger;
    struct od_kernel_table table;
};

struct kill {
    uint32_t source;
    uint64_t pid;
    struct od_bytes virtual;
    size_t name_n;
    char name[OD_KERNEL_NAME];
};

/* Kills reported in all lanes. */
struct kills {
    struct kill kills[KILLS_MAX];
    size_t nkills; /* number of all kills; the last KILLS_MAX are stored */
};

static bool same_kill(const struct kill *kill, const struct od_kernel_victim *victim)
{
    struct od_view name = od_view_head(victim->name, OD_KERNEL_NAME);
    if (kill->pid != victim->pid || !od_view_eq((struct od_view){kill->name, kill->name_n}, name))
        return false;
    return od_bytes_same(kill->virtual, victim->virtual) != OD_NO;
}

/* Stores a kill; false if it was known. */
static bool is_news(struct kills *s, const struct od_kernel_victim *victim, uint32_t source)
{
    size_t n = s->nkills < KILLS_MAX ? s->nkills : KILLS_MAX;
    for (size_t i = 0; i < n; i++) {
        if (same_kill(&s->kills[i], victim))
            return false;
    }
    struct kill *kill = &s->kills[s->nkills++ % KILLS_MAX];
    struct od_view name = od_view_head(victim->name, OD_KERNEL_NAME);
    *kill = (struct kill){
        .source = source, .pid = victim->pid, .virtual = victim->virtual, .name_n = name.n};
    memcpy(kill->name, name.p, name.n);
    return true;
}

/* Page size, 16 or 64 KiB on some machines: the victim's size is printed in pages and in kB. */
static uint64_t page_bytes(const struct report *r)
{
    const struct od_kernel_task *task = od_kernel_table_find(&r->table, r->victim.pid);
    if (!task || task->total_vm == 0 || !r->victim.virtual.known)
        return PAGE;
    uint64_t page = r->victim.virtual.n / task->total_vm;
    return page == 4 * PAGE || page == 16 * PAGE ? page : PAGE;
}

static struct od_bytes pages(uint64_t n, uint64_t page)
{
    return ckd_mul(&n, n, page) ? (struct od_bytes){0} : od_bytes_exact(n);
}

static void set_said(struct od_event *event, enum od_field field, struct od_view text)
{
    if (text.n > 0)
        od_event_set_text(event, field, text);
}

static struct od_event event_of(const struct report *r, enum od_event_kind kind)
{
    struct od_event event = {.kind = kind,
                             .at = r->kept.line.at,
                             .line = &r->kept.line,
                             .excerpt = od_view_trim(r->kept.line.text),
                             .rule = "kernel_oom"};
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("linux"));
    return event;
}

static void emit_victim(const struct report *r, struct od_event *event)
{
    struct od_bytes rss = r->victim.rss;
    struct od_bytes virtual = r->victim.virtual;
    const struct od_kernel_task *task = od_kernel_table_find(&r->table, r->victim.pid);
    if (task && !rss.known)
        rss = pages(task->rss, PAGE);
    if (task && !virtual.known)
        virtual = pages(task->total_vm, PAGE);
    od_event_set_count(event, OD_F_PID, r->victim.pid);
    set_said(event, OD_F_PROCESS, r->victim.name);
    od_event_set_known(event, OD_F_RSS, rss);
    od_event_set_known(event, OD_F_VIRTUAL, virtual);
    if (task && task->score_adj != 0)
        od_event_set_number(event, OD_F_SCORE_ADJ, task->score_adj);
}

static void emit_holding(const struct report *r, const struct od_sink *sink,
                         enum od_holding_kind kind, struct od_bytes bytes)
{
    if (!bytes.known || bytes.n == 0)
        return;
    struct od_event event = event_of(r, OD_EV_HOLDING);
    od_event_set_text(&event, OD_F_NAME, od_view_of(od_holding_kind_name(kind)));
    od_event_set_bytes(&event, OD_F_IN_USE, bytes);
    od_sink_put(sink, &event);
}

/* Emits the victim as the table counts it: all resident pages, and the part that is in swap. */
static void emit_own(const struct report *r, const struct od_sink *sink)
{
    const struct od_kernel_task *task = od_kernel_table_find(&r->table, r->victim.pid);
    if (!task || task->rss == 0)
        return;
    struct od_event event = event_of(r, OD_EV_HOLDING);
    od_event_set_text(&event, OD_F_NAME, od_view_of(od_holding_kind_name(OD_HELD_OWN)));
    od_event_set_known(&event, OD_F_IN_USE, pages(task->rss, page_bytes(r)));
    if (r->table.swap > 0)
        od_event_set_known(&event, OD_F_SWAP, pages(task->swap, page_bytes(r)));
    od_sink_put(sink, &event);
}

/* Emits the whole list of processes, summed by name. */
static void emit_names(const struct report *r, const struct od_sink *sink)
{
    struct od_kernel_name names[NAMES], rest;
    size_t n = od_kernel_table_names(&r->table, r->victim.pid, NAMES, names, &rest);
    uint64_t page = page_bytes(r);
    for (size_t i = 0; i <= n; i++) {
        const struct od_kernel_name *name = i < n ? &names[i] : &rest;
        if (name->count == 0 || name->rss + name->swap == 0)
            continue;
        struct od_event event = event_of(r, OD_EV_HOLDING);
        od_event_set_text(&event, OD_F_NAME, od_view_of(od_holding_kind_name(OD_HELD_PROCESSES)));
        set_said(&event, OD_F_PROCESS, name->name);
        od_event_set_count(&event, OD_F_COUNT, name->count);
        if (name->count == 1 && i < n)
            od_event_set_count(&event, OD_F_PID, name->pid);
        if (name->score_adj != 0 && i < n)
            od_event_set_number(&event, OD_F_SCORE_ADJ, name->score_adj);
        od_event_set_known(&event, OD_F_IN_USE, pages(name->rss, page));
        if (name->count > 1 && i < n)
            od_event_set_known(&event, OD_F_SMALLEST, pages(name->least, page));
        if (r->table.swap > 0)
            od_event_set_known(&event, OD_F_SWAP, pages(name->swap, page));
        od_sink_put(sink, &event);
    }
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Old kernels do not count a group's files in memory; they are the swappable pages that belong to
 * no process. */
static struct od_bytes files_of_group(const struct od_kernel_parts *p)
{
    if (p->known >> OD_KERNEL_SHMEM & 1)
        return od_bytes_exact(p->of[OD_KERNEL_SHMEM]);
    if ((p->known >> OD_KERNEL_LRU & 1) == 0 || (p->known >> OD_KERNEL_ANON & 1) == 0)
        return (struct od_bytes){0};
    return od_bytes_exact(less(p->of[OD_KERNEL_LRU], p->of[OD_KERNEL_ANON]));
}

/* Emits parts in bytes; files in memory are counted once. */
static void emit_parts(const struct report *r, const struct od_sink *sink)
{
    bool group = r->reason == OD_KERNEL_GROUP;
    const struct od_kernel_parts *p = group ? &r->group_parts : &r->machine;
    bool by_node = p->known >> OD_KERNEL_PARTS & 1;
    uint64_t unit = group ? 1 : by_node ? PAGE : page_bytes(r);
    struct od_bytes files = group ? files_of_group(p) : pages(p->of[OD_KERNEL_SHMEM], unit);
    uint64_t shmem = files.known ? files.n / unit : 0;
    if (p->known == 0)
        return;
    emit_holding(r, sink, OD_HELD_ANON,
                 pages(group ? p->of[OD_KERNEL_ANON] : less(p->of[OD_KERNEL_ANON], shmem), unit));
    emit_holding(r, sink, OD_HELD_FILES, files);
    emit_holding(r, sink, OD_HELD_CACHE,
                 pages(group ? less(p->of[OD_KERNEL_FILE], shmem) : p->of[OD_KERNEL_FILE], unit));
    emit_holding(r, sink, OD_HELD_SLAB, pages(p->of[OD_KERNEL_SLAB], unit));
    emit_holding(r, sink, OD_HELD_HUGE, pages(p->of[OD_KERNEL_HUGE], unit));
    emit_holding(r, sink, OD_HELD_PAGE_TABLES, pages(p->of[OD_KERNEL_TABLES], unit));
}

static void set_swap(const struct report *r, struct od_event *event)
{
    bool known = r->swap.total.known && (r->swap.free.known || r->swap.going);
    if (known && !r->swap.going) {
        od_event_set_bytes(event, OD_F_SWAP, r->swap.total);
        od_event_set_bytes(event, OD_F_SWAP_FREE, r->swap.free);
    }
    if (r->swap.going || r->swapoff)
        od_event_set_text(event, OD_F_PHASE, OD_VIEW("swapoff"));
    set_said(event, OD_F_TRIGGER, od_buf_view(&r->trigger));
}

static void emit_kill(const struct report *r, const struct od_sink *sink)
{
    bool group = r->reason == OD_KERNEL_GROUP;
    struct od_event event = event_of(r, group ? OD_EV_CGROUP_KILLED : OD_EV_HOST_KILLED);
    if (r->victim.name.n > 0)
        emit_victim(r, &event);
    if (group) {
        set_said(&event, OD_F_GROUP, od_buf_view(&r->group));
        od_event_set_known(&event, OD_F_LIMIT, r->limit);
        if (od_bytes_less(r->limit, r->used) == OD_YES) /* otherwise all of the limit is in use */
            od_event_set_bytes(&event, OD_F_IN_USE, r->used);
    }
    if (r->ram_known && !od_view_starts(od_buf_view(&r->group), OD_VIEW("mems_allowed=")))
        od_event_set_known(&event, OD_F_CAPACITY, pages(r->ram_pages, page_bytes(r)));
    if (r->free_known)
        od_event_set_bytes(&event, OD_F_FREE, od_bytes_exact(r->free));
    if (r->pieces > 0 && !group) {
        od_event_set_known(&event, OD_F_REQUESTED, pages(r->pieces, page_bytes(r)));
        od_event_set_known(&event, OD_F_LARGEST, r->largest);
    }
    set_swap(r, &event);
    od_sink_put(sink, &event);
    emit_own(r, sink);
    emit_names(r, sink);
    emit_parts(r, sink);
}

/* Is it a truncated report without victim and reason, after a kill in the same log? Most likely the
 * next process of the same group reached the same limit. */
static bool says_nothing_new(const struct report *r)
{
    const struct kills *s = r->kills;
    if (r->victim.name.n > 0 || r->reason != OD_KERNEL_UNSAID)
        return false;
    size_t n = s->nkills < KILLS_MAX ? s->nkills : KILLS_MAX;
    for (size_t i = 0; i < n; i++) {
        if (s->kills[i].source == r->kept.line.at.source)
            return true;
    }
    return false;
}

/* Emits the kill unless it was emitted. If a whole group is killed, the table belongs to the first
 * process. */
static void emit_once(struct report *r, const struct od_sink *sink)
{
    r->reported = true;
    r->chosen = false;
    if (r->victim.name.n == 0 ? !says_nothing_new(r)
                              : is_news(r->kills, &r->victim, r->kept.line.at.source))
        emit_kill(r, sink);
    od_kernel_table_clear(&r->table);
}

static void keep_text(struct od_buf *buf, struct od_view text, size_t most)
{
    buf->n = 0;
    od_buf_add(buf, od_view_head(text, most));
}

static void clear(struct report *r)
{
    r->open = r->invoked = r->reported = r->mem_info = r->chosen = r->stats = r->swapoff = false;
    r->swap = (struct od_kernel_swap){0};
    r->machine = r->group_parts = (struct od_kernel_parts){0};
    r->trigger.n = 0;
    r->reason = OD_KERNEL_UNSAID;
    r->limit = r->used = r->largest = (struct od_bytes){0};
    r->ram_known = r->free_known = false;
    r->free = r->pieces = 0;
    r->victim = (struct od_kernel_victim){0};
    r->group.n = 0;
    od_kernel_table_clear(&r->table);
}

static void flush(void *state, const struct od_sink *sink)
{
    struct report *r = state;
    if (r->open && !r->reported && (r->invoked || r->chosen))
        emit_once(r, sink);
    clear(r);
}

static bool begins(struct od_view text)
{
    return od_view_has(text, OD_VIEW("invoked oom-killer:")) ||
           od_view_has(text, OD_VIEW("oom-killer: gfp_mask="));
}

static void begin_report(struct report *r, const struct od_line *line, const struct od_sink *sink)
{
    if (r->invoked) {
        flush(r, sink);
        r->open = true;
    }
    r->invoked = true;
    struct od_view trigger;
    if (od_kernel_trigger_parse(line->text, &trigger, &r->pieces)) {
        keep_text(&r->trigger, trigger, GROUP_MAX);
        r->swapoff = od_view_eq_str(trigger, "swapoff");
    }
    od_line_keep(&r->kept, line);
}

/* After a kill, only further kills of the same group belong to its report. */
static bool is_another(const struct report *r, struct od_view text)
{
    return r->reported && od_view_has_any(text, openers) &&
           !od_view_has(text, OD_VIEW("Killed process ")) &&
           !od_view_has(text, OD_VIEW("oom_reaper: "));
}

static void take_victim(struct report *r, const struct od_kernel_victim *victim,
                        const struct od_line *line)
{
    if (victim->reason != OD_KERNEL_UNSAID &&
        r->group.n == 0) /* otherwise an earlier line gave the reason */
        r->reason = victim->reason;
    if (victim->group.n > 0)
        keep_text(&r->group, victim->group, GROUP_MAX);
    if (victim->name.n == 0)
        return;
    od_line_keep(&r->kept, line);
    keep_text(&r->name, victim->name, GROUP_MAX);
    r->victim = *victim;
    r->victim.name = od_buf_view(&r->name);
    r->victim.group = (struct od_view){0};
    r->chosen = true;
}

/* Takes lines about the victim and the reason. */
static bool take_verdict(struct report *r, const struct od_line *line, const struct od_sink *sink)
{
    struct od_kernel_victim victim;
    struct od_view group;
    enum od_kernel_reason reason;
    if (begins(line->text)) {
        begin_report(r, line, sink);
        if (od_view_has(line->text, OD_VIEW("Cgroup mem"))) /* quoted by PBS */
            r->reason = OD_KERNEL_GROUP;
    } else if (od_kernel_constraint_parse(line->text, &victim)) {
        take_victim(r, &victim, line);
    } else if (od_kernel_victim_parse(line->text, &victim)) {
        take_victim(r, &victim, line);
        if (victim.done)
            emit_once(r, sink);
    } else if (od_kernel_group_parse(line->text, &group)) {
        r->invoked = true; /* only an out-of-memory report prints this line */
        r->reason = OD_KERNEL_GROUP;
        if (r->group.n == 0)
            keep_text(&r->group, group, GROUP_MAX);
        r->stats = r->stats || od_view_has(line->text, OD_VIEW("emory cgroup stats for "));
        (void)od_kernel_stats_parse(line->text, &r->group_parts);
    } else if (od_kernel_frame_parse(line->text, &reason)) {
        r->invoked = true;
        if (reason != OD_KERNEL_UNSAID)
            r->reason = reason;
    } else {
        return false;
    }
    return true;
}

/* Zones above the first available line are missing, and an incomplete list has no sum. */
static void add_free(struct report *r, uint64_t bytes)
{
    if (ckd_add(&r->free, r->free, bytes))
        r->mem_info = false;
    r->free_known = r->mem_info;
}

/* Takes lines with numbers of the machine, the group and the tasks. */
static bool take_numbers(struct report *r, struct od_view text)
{
    struct od_bytes limit, used;
    uint64_t n;
    if (od_kernel_table_take(&r->table, text)) {
        r->stats = false;
        return true;
    }
    if (r->stats && od_kernel_stats_parse(text, &r->group_parts))
        return true;
    if (od_kernel_limit_parse(text, &limit, &used)) {
        r->reason = OD_KERNEL_GROUP;
        if (!r->limit.known && limit.known)
            r->used = used;
        if (!r->limit.known)
            r->limit = limit;
    } else if (od_kernel_ram_parse(text, &n)) {
        r->ram_pages = n;
        r->ram_known = true;
    } else if (od_kernel_zone_parse(text, &n)) {
        add_free(r, n);
    } else if (od_kernel_pieces_parse(text, &n)) {
        if (!r->largest.known || n > r->largest.n)
            r->largest = od_bytes_exact(n);
    } else if (od_view_has(text, OD_VIEW("Mem-Info:")) || od_view_has(text, OD_VIEW("Mem-info:"))) {
        r->mem_info = true;
    } else if (od_view_has(text, OD_VIEW("try_to_unuse+0x"))) {
        r->swapoff = true;
    } else if (od_kernel_swap_parse(text, &r->swap)) {
        return true;
    } else if (od_kernel_machine_parse(text, &r->machine)) {
        return true;
    } else {
        return false;
    }
    return true;
}

static void begin(const struct od_reader *reader, void *state, void *shared, struct od_arena *arena)
{
    (void)reader;
    (void)arena;
    ((struct report *)state)->kills = shared;
}

static void release(void *state)
{
    struct report *r = state;
    od_buf_done(&r->group);
    od_buf_done(&r->name);
    od_buf_done(&r->trigger);
    od_kernel_table_done(&r->table);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct report *r = state;
    if (r->open && is_another(r, line->text))
        flush(r, sink);
    bool fresh = !r->open;
    if (fresh && !od_view_has_any(line->text, openers))
        return OD_TAKE_NONE;
    if (fresh) {
        r->open = true;
        od_line_keep(&r->kept, line);
    }
    if (take_verdict(r, line, sink) || take_numbers(r, line->text))
        return OD_TAKE_ALL;
    if (fresh)
        clear(r);
    return OD_TAKE_NONE;
}

const struct od_reader od_reader_kernel_oom = {
    .name = "kernel_oom",
    .literals = openers,
    .state_size = sizeof(struct report),
    .shared_size = sizeof(struct kills),
    .age_max = QUIET_MAX,
    .begin = begin,
    .release = release,
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = flush,
};
