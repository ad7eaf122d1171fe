#include "host/cgroup.h"

#include "host/kernel_file.h"

#include <unistd.h>

enum { FILE_MOST = 1 << 20 };

/* File names and words of cgroup version 1 or 2. Each word is the first of a file's row. */
struct names {
    const char *limit, *in_use, *peak;
    const char *kills, *kills_word;
    const char *full, *full_word;
    const char *cache_word; /* a word of memory.stat */
};

static const struct names names_of[] = {
    [1] = {"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.max_usage_in_bytes",
           "memory.oom_control", "oom_kill", "memory.failcnt", NULL, "total_inactive_file"},
    [2] = {"memory.max", "memory.current", "memory.peak", "memory.events", "oom_kill",
           "memory.events", "oom", "inactive_file"}};

struct hierarchy {
    const char *folder; /* the folder with the group's files */
    size_t top;         /* length of the mount point at the start of folder */
    int version;
};

/* Reads the number in a file, or in its row that starts with word. Unknown for "max". */
static struct od_count number_in(const char *file, const char *word)
{
    struct od_buf text = {0};
    struct od_count count = {0};
    struct od_view rest, line;
    (void)od_kernel_file_read(file, FILE_MOST, &text);
    rest = od_buf_view(&text);
    while (!count.known && od_view_cut(&rest, '\n', &line)) {
        if (word && !(od_view_take(&line, od_view_of(word)) && od_view_take(&line, OD_VIEW(" "))))
            continue;
        uint64_t n;
        if (od_num_parse_u64(od_view_trim(line), &n))
            count = od_count_of(n);
        else if (!word)
            break;
    }
    od_buf_done(&text);
    return count;
}

static bool has_word(struct od_view list, char between, const char *word)
{
    struct od_view one;
    while (od_view_cut(&list, between, &one))
        if (od_view_eq_str(one, word))
            return true;
    return false;
}

/* Finds the group's path in /proc/self/cgroup: "0::/path" (version 2), "4:memory:/path" (1). */
static bool find_group(struct od_view table, int version, struct od_view *ret_path)
{
    struct od_view line, number, controllers;
    while (od_view_cut(&table, '\n', &line)) {
        if (!od_view_cut(&line, ':', &number) || !od_view_cut(&line, ':', &controllers))
            continue;
        if (version == 2 ? controllers.n == 0 : has_word(controllers, ',', "memory")) {
            *ret_path = line;
            return true;
        }
    }
    return false;
}

/* A row of mountinfo: id parent device ROOT POINT options [optional]... - TYPE source OPTIONS */
static bool find_mount(struct od_view table, int version, struct od_view *ret_root,
                       struct od_view *ret_point)
{
    struct od_view line, word;
    while (od_view_cut(&table, '\n', &line)) {
        bool ok = true;
        for (int i = 0; ok && i < 3; i++)
            ok = od_view_cut(&line, ' ', &word);
        ok = ok && od_view_cut(&line, ' ', ret_root) && od_view_cut(&line, ' ', ret_point);
        size_t dash = od_view_find(line, OD_VIEW(" - "), 0);
        if (!ok || dash == OD_VIEW_NONE)
            continue;
        struct od_view type, source, rest = od_view_from(line, dash + 3);
        ok = od_view_cut(&rest, ' ', &type) && od_view_cut(&rest, ' ', &source);
        if (ok && (version == 2 ? od_view_eq_str(type, "cgroup2")
                                : od_view_eq_str(type, "cgroup") && has_word(rest, ',', "memory")))
            return true;
    }
    return false;
}

/* In a container the mount may start at the group itself, or at a group that is invisible here. */
static const char *folder_of(struct hierarchy *h, const char *top, struct od_view root,
                             struct od_view path, struct od_arena *arena)
{
    if (!od_view_eq_str(root, "/"))
        (void)od_view_take(&path, root);
    h->top = strlen(top);
    const char *folder = od_arena_printf(
        arena, "%s%s%.*s", top, path.n > 0 && path.p[0] == '/' ? "" : "/", (int)path.n, path.p);
    return access(folder, F_OK) == 0 ? folder : top;
}

static bool find_hierarchy(struct hierarchy *h, const char *root, const char **ret_path,
                           struct od_arena *arena)
{
    struct od_buf groups = {0}, mounts = {0};
    struct od_view path, from, point;
    (void)od_kernel_file_read(od_arena_printf(arena, "%s/proc/self/cgroup", root), FILE_MOST,
                              &groups);
    (void)od_kernel_file_read(od_arena_printf(arena, "%s/proc/self/mountinfo", root), FILE_MOST,
                              &mounts);
    bool found = false;
    for (int version = 2; !found && version > 0; version--) {
        if (!find_group(od_buf_view(&groups), version, &path) ||
            !find_mount(od_buf_view(&mounts), version, &from, &point))
            continue;
        const char *top = od_arena_printf(arena, "%s%.*s", root, (int)point.n, point.p);
        h->version = version;
        h->folder = folder_of(h, top, from, path, arena);
        *ret_path = od_arena_str(arena, path);
        const char *kills = od_arena_printf(arena, "%s/%s", h->folder, names_of[version].kills);
        /* both versions may be mounted, but only one of them manages memory */
        found = access(kills, R_OK) == 0;
    }
    od_buf_done(&groups);
    od_buf_done(&mounts);
    return found;
}

static struct od_count read_of(const char *folder, const char *file, const char *word,
                               struct od_arena *arena)
{
    return number_in(od_arena_printf(arena, "%s/%s", folder, file), word);
}

/* without a limit the kernel prints a number near 2^63 */
static struct od_count limit_of(const char *folder, int version, struct od_arena *arena)
{
    const uint64_t none = UINT64_C(1) << 60;
    struct od_count limit = read_of(folder, names_of[version].limit, NULL, arena);
    return limit.known && limit.n < none ? limit : (struct od_count){0};
}

static void look_at(struct od_cgroup *group, const char *folder, struct od_arena *arena)
{
    const struct names *names = &names_of[group->version];
    group->in_use = read_of(folder, names->in_use, NULL, arena);
    group->peak = read_of(folder, names->peak, NULL, arena);
    group->full = read_of(folder, names->full, names->full_word, arena);
    group->cache = read_of(folder, "memory.stat", names->cache_word, arena);
}

struct od_cgroup od_cgroup_read(const char *root, struct od_arena *arena)
{
    struct od_cgroup group = {0};
    struct hierarchy h = {0};
    if (!find_hierarchy(&h, root, &group.path, arena))
        return group;
    group.version = h.version;
    group.kills =
        read_of(h.folder, names_of[h.version].kills, names_of[h.version].kills_word, arena);
    look_at(&group, h.folder, arena);
    char *at = od_arena_str(arena, od_view_of(h.folder));
    for (size_t n = strlen(at); n >= h.top; n--) {
        if (at[n] != '\0' && at[n] != '/')
            continue;
        at[n] = '\0';
        struct od_count limit = limit_of(at, h.version, arena);
        if (limit.known && (!group.limit.known || limit.n < group.limit.n)) {
            group.limit = limit;
            group.limited = od_arena_str(arena, n > h.top ? od_view_of(at + h.top) : OD_VIEW("/"));
            look_at(&group, at, arena);
        }
    }
    return group;
}
