#include "lib/samples.h"

#include "host/cgroup.h"
#include "host/child.h"

#include <time.h>

enum {
    MIB = 1 << 20,
    ROWS_MOST = 1 << 16,
    DEVICES_MS = 5000, /* nvidia-smi needs this long if each call starts the driver */
    PROPORTIONAL_MS = 20,
    PLACES_MAX = 64 /* maximum number of visible devices */
};

struct od_samples od_samples_start(const char *root, pid_t top)
{
    struct od_samples samples = {.root = root, .top = top};
    samples.nfolders = od_usage_folders(root, samples.folders);
    return samples;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static void print_part(struct od_buf *to, uint64_t seconds, const char *what, uint64_t used,
                       uint64_t whole)
{
    od_buf_printf(to,
                  "oomdoctor run: after %" PRIu64 " s: %s: in use %" PRIu64 " bytes of %" PRIu64
                  " bytes\n",
                  seconds, what, used, whole);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void print_tree(struct od_samples *samples, uint64_t seconds, struct od_buf *to)
{
    struct od_usage_tree tree = od_usage_below(samples->root, samples->top);
    if (tree.processes == 0)
        return;
    uint64_t start = now_ms();
    if (tree.processes > 1 && !samples->costly) {
        od_usage_add_proportional(samples->root, samples->top, &tree);
        samples->costly = now_ms() - start > PROPORTIONAL_MS;
    }
    od_buf_printf(to,
                  "oomdoctor run: after %" PRIu64 " s: processes %zu: resident %" PRIu64 " bytes\n",
                  seconds, tree.processes, tree.rss);
    if (tree.proportional.known)
        od_buf_printf(to,
                      "oomdoctor run: after %" PRIu64
                      " s: processes %zu: shared pages once %" PRIu64 " bytes\n",
                      seconds, tree.processes, tree.proportional.n);
    samples->largest_moved = distance(tree.rss, samples->rss);
    samples->rss = tree.rss;
}

/* ---- limits ---- */

/* Prints the control group if its limit is below the machine's memory. Files that the kernel can
 * free do not count as use. */
static bool print_group(struct od_samples *samples, uint64_t whole, uint64_t seconds,
                        struct od_buf *to)
{
    struct od_arena *arena = od_arena_new();
    struct od_cgroup group = od_cgroup_read(samples->root, arena);
    bool limited = group.limit.known && group.in_use.known && (whole == 0 || group.limit.n < whole);
    if (limited) {
        uint64_t cache = group.cache.known && group.cache.n < group.in_use.n ? group.cache.n : 0;
        uint64_t used = group.in_use.n - cache;
        print_part(to, seconds, od_arena_printf(arena, "group %s", group.limited), used,
                   group.limit.n);
        samples->largest_moved += distance(used, samples->used);
        samples->used = used;
    }
    od_arena_free(arena);
    return limited;
}

void od_samples_look(struct od_samples *samples)
{
    for (size_t i = 0; i < samples->nfolders; i++) {
        struct od_usage_folder *folder = &samples->folders[i];
        struct od_usage_part now = od_usage_files(samples->root, folder->path);
        if (now.used.n >= folder->most.used.n)
            folder->most = now;
    }
}

void od_samples_end(const struct od_samples *samples, bool refused, struct od_buf *to)
{
    /* a refused request did not fit into the rest, which may therefore be larger */
    const uint64_t left = refused ? 4 : 64;
    for (size_t i = 0; i < samples->nfolders; i++) {
        const struct od_usage_folder *folder = &samples->folders[i];
        uint64_t used = folder->most.used.n, whole = folder->most.whole.n;
        if (used > folder->before + MIB && used >= whole - whole / left)
            od_buf_printf(
                to, "oomdoctor run: %s is full: in use %" PRIu64 " bytes of %" PRIu64 " bytes\n",
                folder->path, used, whole);
    }
}

static void print_shm(const struct od_samples *samples, uint64_t seconds, struct od_buf *to)
{
    const struct od_usage_folder *shm = samples->folders;
    struct od_usage_part now = od_usage_files(samples->root, shm->path);
    if (now.used.known && distance(now.used.n, shm->before) >= MIB)
        print_part(to, seconds, shm->path, now.used.n, now.whole.n);
}

void od_samples_host(struct od_samples *samples, uint64_t seconds, struct od_buf *to)
{
    struct od_usage_part machine = od_usage_machine(samples->root);
    samples->largest_moved = 0;
    print_tree(samples, seconds, to);
    if (!print_group(samples, machine.whole.n, seconds, to) && machine.used.known)
        print_part(to, seconds, "machine", machine.used.n, machine.whole.n);
    print_shm(samples, seconds, to);
}

/* Numbers a device as the program does: the first visible device is 0. False if it is invisible. */
static bool place_of(const char *visible, uint64_t index, uint64_t *ret_place)
{
    struct od_view rest = od_view_of(visible), word;
    *ret_place = index;
    if (!visible)
        return true;
    for (uint64_t place = 0; place < PLACES_MAX && od_view_cut(&rest, ',', &word); place++) {
        uint64_t n;
        if (!od_num_parse_u64(od_view_trim(word), &n))
            return true; /* names of devices instead of numbers: the order is unknown */
        if (n == index) {
            *ret_place = place;
            return true;
        }
    }
    return false;
}

/* Parses index, used and total of a row: "0, 1021, 15109" in MiB (nvidia-smi), or
 * "card0,17163091968,10678272" with the total first (rocm-smi). */
static bool parse_row(struct od_view row, uint64_t *ret_index, uint64_t *ret_used,
                      uint64_t *ret_whole)
{
    struct od_view index, a, b;
    if (!od_view_cut(&row, ',', &index) || !od_view_cut(&row, ',', &a) ||
        !od_view_cut(&row, ',', &b))
        return false;
    bool bytes = od_view_take(&index, OD_VIEW("card"));
    bool ok = od_num_parse_u64(od_view_trim(index), ret_index) &&
              od_num_parse_u64(od_view_trim(a), bytes ? ret_whole : ret_used) &&
              od_num_parse_u64(od_view_trim(b), bytes ? ret_used : ret_whole);
    return ok && (bytes || (!ckd_mul(ret_used, *ret_used, (uint64_t)MIB) &&
                            !ckd_mul(ret_whole, *ret_whole, (uint64_t)MIB)));
}

void od_samples_print_devices(struct od_view rows, const char *visible, uint64_t seconds,
                              struct od_buf *to)
{
    enum { NAME_ROOM = 32 };
    struct od_view row;
    struct od_buf name = {0};
    uint64_t index, used, whole, place;
    while (od_view_cut(&rows, '\n', &row)) {
        if (!parse_row(row, &index, &used, &whole) || !place_of(visible, index, &place))
            continue;
        name.n = 0;
        od_buf_printf(&name, "GPU %" PRIu64, place);
        print_part(to, seconds, od_buf_str(&name), used, whole);
    }
    od_buf_done(&name);
}

/* Documented queries of the tools. */
static const char *const nvidia[] = {"nvidia-smi", "--query-gpu=index,memory.used,memory.total",
                                     "--format=csv,noheader,nounits", NULL};
static const char *const rocm[] = {"rocm-smi", "--showmeminfo", "vram", "--csv", NULL};

static bool ask(const char *const *words, struct od_buf *ret_rows)
{
    static const char *const environment[] = {
        "LC_ALL=C", "PATH=/usr/local/bin:/usr/bin:/bin:/opt/rocm/bin", NULL};
    const struct od_child child = {.argv = words,
                                   .environment = environment,
                                   .output_most = ROWS_MOST,
                                   .limit_ms = DEVICES_MS};
    struct od_child_result result = od_child_run(&child);
    bool ok = result.end == OD_CHILD_EXITED && result.status == 0;
    if (ok)
        od_buf_add(ret_rows, od_buf_view(&result.out));
    od_child_done(&result);
    return ok;
}

void od_samples_devices(struct od_samples *samples, uint64_t seconds, struct od_buf *to)
{
    struct od_buf rows = {0};
    if (samples->no_devices)
        return;
    if (ask(nvidia, &rows))
        od_samples_print_devices(od_buf_view(&rows), getenv("CUDA_VISIBLE_DEVICES"), seconds, to);
    else if (ask(rocm, &rows))
        od_samples_print_devices(od_buf_view(&rows), getenv("HIP_VISIBLE_DEVICES"), seconds, to);
    else
        samples->no_devices = true;
    od_buf_done(&rows);
}
