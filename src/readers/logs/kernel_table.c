#include "readers/logs/kernel_table.h"

#include "base/map.h"
#include "readers/measures/table_tools.h"

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

/* "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name" */
static bool take_header(struct od_kernel_table *table, struct od_view line)
{
    size_t at = od_view_find(line, OD_VIEW(" pid "), 0);
    struct od_table_cells words;
    struct od_kernel_table seen = {0};
    if (at == OD_VIEW_NONE || !od_view_has(line, OD_VIEW(" total_vm ")))
        return false;
    od_table_words(od_view_from(line, at + 5), &words);
    if (words.n == 0 || !od_view_eq_str(words.items[0], "]"))
        return false;
    while (seen.numbers + 1 < words.n && seen.numbers < COLUMNS) {
        struct od_view word = words.items[seen.numbers + 1];
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
    seen.tasks = table->tasks;
    seen.headed = true;
    *table = seen;
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

/* Reads the numbers of the words, of which a negative one counts as 0; returns how many there
 * are. */
static unsigned read_numbers(const struct od_table_cells *words, unsigned most,
                             uint64_t values[static COLUMNS], int *ret_last)
{
    unsigned n = 0;
    for (; n < most && n + 1 < words->n; n++) {
        struct od_view word = words->items[n];
        bool negative = od_view_take(&word, OD_VIEW("-"));
        if (!od_num_parse_u64(word, &values[n]))
            break;
        *ret_last = values[n] > SCORE_ADJ ? 0 : negative ? -(int)values[n] : (int)values[n];
        values[n] = negative ? 0 : values[n];
    }
    return n;
}

static bool take_row(struct od_kernel_table *table, struct od_view row)
{
    struct od_kernel_task task = {0};
    struct od_table_cells words;
    uint64_t values[COLUMNS];
    if (!take_pid(&row, &task.pid))
        return false;
    od_table_words(row, &words);
    unsigned n =
        read_numbers(&words, table->headed ? table->numbers : COLUMNS, values, &task.score_adj);
    if (table->headed ? n != table->numbers : n < FIXED || values[TGID] != task.pid)
        return false;
    struct od_view name = od_view_trim(od_view_from(row, (size_t)(words.items[n].p - row.p)));
    task.name_n = name.n < OD_KERNEL_NAME ? name.n : OD_KERNEL_NAME;
    task.total_vm = values[table->headed ? table->total_vm : TOTAL_VM];
    task.rss = values[table->headed ? table->rss : RSS];
    task.swap = table->headed && table->swap > 0 ? values[table->swap] : 0;
    memcpy(task.name, name.p, task.name_n);
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
