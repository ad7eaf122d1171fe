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
    struct od_view rest = od_view_from(line, od_view_find(line, OD_VIEW(" pid "), 0));
    struct od_table_cells words;
    if (!od_view_take(&rest, OD_VIEW(" pid ")) || !od_view_has(rest, OD_VIEW(" total_vm ")))
        return false;
    od_table_words(rest, &words);
    size_t total_vm = od_table_at(&words, OD_VIEW("total_vm")),
           rss = od_table_at(&words, OD_VIEW("rss_anon"));
    rss = rss < words.n ? rss : od_table_at(&words, OD_VIEW("rss")); /* includes files */
    size_t swap = od_table_at(&words, OD_VIEW("swapents"));
    size_t name = od_table_at(&words, OD_VIEW("name"));
    if (!od_view_eq_str(words.items[0], "]") || rss >= words.n || name > COLUMNS)
        return false;
    table->headed = true;
    table->total_vm = (unsigned)total_vm - 1; /* rows have no separate word "]" */
    table->rss = (unsigned)rss - 1;
    table->swap = swap < words.n ? (unsigned)swap - 1 : 0;
    table->numbers = (unsigned)name - 1;
    table->tasks.n = 0;
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

/* "[ 123]  1000   123    45678     9012 ... name" */
static bool take_row(struct od_kernel_table *table, struct od_view row)
{
    struct od_kernel_task task = {0};
    struct od_table_cells words;
    uint64_t values[COLUMNS];
    row = od_view_from(row, od_past_any(row, 1, " \t"));
    if (!od_num_take_u64(&row, &task.pid))
        return false;
    row = od_view_from(row, od_past_any(row, 0, " \t"));
    if (!od_view_take(&row, OD_VIEW("] ")))
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
    if (take_header(table, line))
        return true;
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
