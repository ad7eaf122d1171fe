#include "readers/logs/kernel_table.h"

#include "base/map.h"

enum { COLUMNS = 16, PREFIX = 256, SCORE_ADJ = 1000 };

/* columns: uid tgid total_vm rss ... */
enum { TGID = 1, TOTAL_VM = 2, RSS = 3, FIXED = 4 };

void od_kernel_table_clear(struct od_kernel_table *table)
{
    table->headed = false;
    table->tasks.n = 0;
}

void od_kernel_table_done(struct od_kernel_table *table)
{
    od_vec_done(&table->tasks);
}

static bool next_word(struct od_view *text, struct od_view *ret_word)
{
    od_view_skip_blanks(text);
    return od_view_cut(text, ' ', ret_word) && ret_word->n > 0;
}

static bool take_header(struct od_kernel_table *table, struct od_view line)
{
    size_t at = od_view_find(line, OD_VIEW(" pid "), 0);
    if (at == OD_VIEW_NONE || !od_view_has(line, OD_VIEW(" total_vm ")))
        return false;
    struct od_view rest = od_view_trim(od_view_from(line, at + 5)), word;
    od_view_skip_blanks(&rest);
    if (!od_view_take(&rest, OD_VIEW("]")))
        return false;
    struct od_kernel_table seen = {0};
    while (next_word(&rest, &word) && seen.numbers < COLUMNS) {
        if (od_view_eq_str(word, "name"))
            break;
        if (od_view_eq_str(word, "total_vm"))
            seen.total_vm = seen.numbers;
        if (od_view_eq_str(word, "rss") || od_view_eq_str(word, "rss_anon"))
            seen.rss = seen.numbers; /* pages of files are counted by themselves */
        if (od_view_eq_str(word, "swapents"))
            seen.swap = seen.numbers;
        seen.numbers++;
    }
    if (seen.total_vm == 0 || seen.rss == 0)
        return false;
    table->total_vm = seen.total_vm;
    table->rss = seen.rss;
    table->swap = seen.swap;
    table->numbers = seen.numbers;
    table->headed = true;
    return true;
}

/* "[ 123]" at the start of *text. */
static bool take_pid(struct od_view *text, uint64_t *ret_pid)
{
    struct od_view rest = *text;
    if (!od_view_take(&rest, OD_VIEW("[")))
        return false;
    od_view_skip_blanks(&rest);
    if (!od_num_take_u64(&rest, ret_pid))
        return false;
    od_view_skip_blanks(&rest);
    if (!od_view_take(&rest, OD_VIEW("] ")))
        return false;
    *text = rest;
    return true;
}

/* Reads at most `most` numbers, each followed by a blank; returns their number. */
static unsigned take_numbers(struct od_view *text, unsigned most, uint64_t values[static COLUMNS],
                             int *ret_last)
{
    unsigned n = 0;
    while (n < most) {
        struct od_view rest = *text, sign;
        od_view_skip_blanks(&rest);
        sign = rest;
        (void)od_view_take(&rest, OD_VIEW("-"));
        uint64_t value;
        if (!od_num_take_u64(&rest, &value) || !od_view_starts(rest, OD_VIEW(" ")))
            break;
        *ret_last = value > SCORE_ADJ ? 0 : sign.p[0] == '-' ? -(int)value : (int)value;
        values[n++] = sign.p[0] == '-' ? 0 : value;
        *text = rest;
    }
    return n;
}

static bool take_row(struct od_kernel_table *table, struct od_view row)
{
    struct od_kernel_task task = {0};
    uint64_t values[COLUMNS];
    if (!take_pid(&row, &task.pid))
        return false;
    unsigned n =
        take_numbers(&row, table->headed ? table->numbers : COLUMNS, values, &task.score_adj);
    if (table->headed ? n != table->numbers : n < FIXED || values[TGID] != task.pid)
        return false;
    struct od_view name = od_view_head(od_view_trim(row), OD_KERNEL_NAME);
    if (name.n == 0)
        return false;
    task.total_vm = values[table->headed ? table->total_vm : TOTAL_VM];
    task.rss = values[table->headed ? table->rss : RSS];
    task.swap = table->headed && table->swap > 0 ? values[table->swap] : 0;
    task.name_n = name.n;
    memcpy(task.name, name.p, name.n);
    if (table->tasks.n < OD_KERNEL_TASKS)
        od_vec_push(&table->tasks, task);
    return true;
}

bool od_kernel_table_take(struct od_kernel_table *table, struct od_view line)
{
    if (take_header(table, line)) {
        table->tasks.n = 0;
        return true;
    }
    struct od_view head = od_view_head(line, PREFIX);
    for (size_t at = 0; (at = od_view_find_char(head, '[', at)) != OD_VIEW_NONE; at++) {
        if (take_row(table, od_view_from(line, at)))
            return true;
    }
    return false;
}

const struct od_kernel_task *od_kernel_table_find(const struct od_kernel_table *table, uint64_t pid)
{
    for (size_t i = 0; i < table->tasks.n; i++) {
        if (table->tasks.items[i].pid == pid)
            return &table->tasks.items[i];
    }
    return NULL;
}

static uint64_t held(const struct od_kernel_name *name)
{
    return name->rss + name->swap;
}

static int by_held(const void *left, const void *right)
{
    uint64_t l = held(left), r = held(right);
    return l == r ? 0 : l > r ? -1 : 1;
}

size_t od_kernel_table_names(const struct od_kernel_table *table, uint64_t pid, size_t n,
                             struct od_kernel_name *ret_names, struct od_kernel_name *ret_rest)
{
    OD_VEC(struct od_kernel_name) names = {0};
    struct od_map by_name = {0};
    OD_FOR_EACH (const struct od_kernel_task, task, table->tasks) {
        struct od_view name = {task->name, task->name_n};
        if (task->pid == pid)
            continue;
        uint64_t *at = od_map_at(&by_name, name);
        if (*at == 0) {
            od_vec_push(&names, ((struct od_kernel_name){.name = name}));
            *at = names.n;
        }
        struct od_kernel_name *sum = &names.items[*at - 1];
        if (sum->count++ == 0 || task->rss < sum->least)
            sum->least = task->rss;
        sum->pid = task->pid;
        sum->score_adj = task->score_adj;
        sum->rss += task->rss;
        sum->swap += task->swap;
    }
    if (names.n > 0)
        qsort(names.items, names.n, sizeof *names.items, by_held);
    *ret_rest = (struct od_kernel_name){0};
    size_t shown = 0;
    for (size_t i = 0; i < names.n; i++) {
        if (shown < n && held(&names.items[i]) > 0) {
            ret_names[shown++] = names.items[i];
            continue;
        }
        ret_rest->count += names.items[i].count;
        ret_rest->rss += names.items[i].rss;
        ret_rest->swap += names.items[i].swap;
    }
    od_map_done(&by_name);
    od_vec_done(&names);
    return shown;
}
