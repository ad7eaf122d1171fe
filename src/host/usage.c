#include "host/usage.h"

#include "host/kernel_file.h"

#include <dirent.h>
#include <signal.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 16, KIB = 1024 };

struct process {
    uint64_t pid, parent, pages, ticks;
    bool below;
};

typedef OD_VEC(struct process) process_list;

/* Parses /proc/PID/stat: "12 (na) me) S 7 ...". The name may contain any character. Field 4 is the
 * parent, 14 and 15 the time in user and kernel mode, 24 resident pages. */
static bool parse_stat(struct od_view text, struct process *process)
{
    enum { PARENT = 1, USER = 11, KERNEL, PAGES = 21 }; /* indices of the fields after the name */
    uint64_t ticks = 0;
    struct od_view word;
    size_t name = text.n;
    if (!od_num_take_u64(&text, &process->pid))
        return false;
    for (name = text.n; name > 0 && text.p[name - 1] != ')'; name--)
        ;
    text = od_view_from(text, name + 1);
    for (int i = 0; i <= PAGES; i++) {
        if (!od_view_cut(&text, ' ', &word))
            return false;
        if (i == PARENT && !od_num_parse_u64(word, &process->parent))
            return false;
        if ((i == USER || i == KERNEL) && od_num_parse_u64(word, &ticks))
            process->ticks += ticks;
    }
    return od_num_parse_u64(word, &process->pages);
}

static bool read_file(const char *root, const char *name, const char *file, struct od_buf *text)
{
    struct od_buf path = {0};
    od_buf_printf(&path, "%s/proc/%s%s", root, name, file);
    text->n = 0;
    bool ok = od_kernel_file_read(od_buf_str(&path), FILE_MOST, text);
    od_buf_done(&path);
    return ok;
}

static void list_processes(const char *root, process_list *list)
{
    struct od_buf text = {0};
    od_buf_printf(&text, "%s/proc", root);
    DIR *folder = opendir(od_buf_str(&text));
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        struct process process = {0};
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            read_file(root, entry->d_name, "/stat", &text) &&
            parse_stat(od_buf_view(&text), &process))
            od_vec_push(list, process);
    }
    if (folder)
        (void)closedir(folder);
    od_buf_done(&text);
}

static int by_pid(const void *a, const void *b)
{
    const struct process *x = a, *y = b;
    return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static const struct process *find(const process_list *list, uint64_t pid)
{
    const struct process key = {.pid = pid};
    return bsearch(&key, list->items, list->n, sizeof key, by_pid);
}

/* Is the process below top? A parent that started after the list was read is missing from it; the
 * process then counts as not below. */
static bool is_below(const process_list *list, const struct process *process, uint64_t top)
{
    size_t steps = 0; /* a limit, because reused PIDs may form a circle */
    while (process && process->parent != top && steps++ < list->n)
        process = find(list, process->parent);
    return process && process->parent == top;
}

static void find_tree(const char *root, pid_t top, process_list *list)
{
    list_processes(root, list);
    if (list->n > 0)
        qsort(list->items, list->n, sizeof *list->items, by_pid);
    for (size_t i = 0; i < list->n; i++)
        list->items[i].below = is_below(list, &list->items[i], (uint64_t)top);
}

struct od_usage_tree od_usage_below(const char *root, pid_t top)
{
    struct od_usage_tree tree = {0};
    process_list list = {0};
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    find_tree(root, top, &list);
    for (size_t i = 0; i < list.n; i++) {
        if (!list.items[i].below)
            continue;
        tree.processes++;
        tree.rss += list.items[i].pages * page;
        tree.ticks += list.items[i].ticks;
    }
    od_vec_done(&list);
    return tree;
}

void od_usage_signal(pid_t top, int number)
{
    process_list list = {0};
    find_tree("", top, &list);
    (void)kill(top, number);
    for (size_t i = 0; i < list.n; i++)
        if (list.items[i].below)
            (void)kill((pid_t)list.items[i].pid, number);
    od_vec_done(&list);
}

/* The number of a row "Name:    123 kB", in bytes. */
static struct od_count row_of(struct od_view text, struct od_view name)
{
    struct od_view line;
    uint64_t n;
    while (od_view_cut(&text, '\n', &line)) {
        if (!od_view_take(&line, name))
            continue;
        od_view_skip_blanks(&line);
        return od_num_take_u64(&line, &n) ? od_count_of(n * KIB) : (struct od_count){0};
    }
    return (struct od_count){0};
}

void od_usage_add_proportional(const char *root, pid_t top, struct od_usage_tree *tree)
{
    process_list list = {0};
    struct od_buf text = {0};
    char number[21];
    find_tree(root, top, &list);
    tree->proportional = od_count_of(0);
    for (size_t i = 0; i < list.n && tree->proportional.known; i++) {
        if (!list.items[i].below || list.items[i].pages == 0)
            continue;
        const char *name = od_num_print_u64(list.items[i].pid, number);
        (void)read_file(root, name, "/smaps_rollup", &text);
        struct od_count part = row_of(od_buf_view(&text), OD_VIEW("Pss:"));
        tree->proportional.known = part.known;
        tree->proportional.n += part.n;
    }
    od_buf_done(&text);
    od_vec_done(&list);
}

struct od_usage_part od_usage_machine(const char *root)
{
    struct od_usage_part part = {0};
    struct od_buf text = {0};
    (void)read_file(root, "meminfo", "", &text);
    struct od_count whole = row_of(od_buf_view(&text), OD_VIEW("MemTotal:"));
    struct od_count left = row_of(od_buf_view(&text), OD_VIEW("MemAvailable:"));
    if (whole.known && left.known && left.n <= whole.n)
        part = (struct od_usage_part){.used = od_count_of(whole.n - left.n), .whole = whole};
    od_buf_done(&text);
    return part;
}

struct od_usage_part od_usage_files(const char *root, const char *folder)
{
    struct od_usage_part part = {0};
    struct od_buf path = {0};
    struct statvfs system;
    od_buf_printf(&path, "%s%s", root, folder);
    if (statvfs(od_buf_str(&path), &system) == 0 && system.f_bfree <= system.f_blocks)
        part = (struct od_usage_part){
            .used = od_count_of((system.f_blocks - system.f_bfree) * system.f_frsize),
            .whole = od_count_of(system.f_blocks * system.f_frsize)};
    od_buf_done(&path);
    return part;
}

static size_t add_folder(const char *root, struct od_view path, struct od_usage_folder *to)
{
    if (path.n >= sizeof to->path)
        return 0;
    *to = (struct od_usage_folder){0};
    memcpy(to->path, path.p, path.n);
    to->before = od_usage_files(root, to->path).used.n;
    return 1;
}

size_t od_usage_folders(const char *root, struct od_usage_folder folders[OD_FOLDERS_MOST])
{
    struct od_buf text = {0};
    struct od_view rest, line, word, shm = OD_VIEW("/dev/shm");
    size_t n = add_folder(root, shm, &folders[0]);
    (void)read_file(root, "self", "/mounts", &text);
    for (rest = od_buf_view(&text); n < OD_FOLDERS_MOST && od_view_cut(&rest, '\n', &line);)
        if (od_view_cut(&line, ' ', &word) && od_view_cut(&line, ' ', &word) &&
            od_view_starts(line, OD_VIEW("tmpfs ")) && !od_view_eq(word, shm))
            n += add_folder(root, word, &folders[n]);
    od_buf_done(&text);
    return n;
}
