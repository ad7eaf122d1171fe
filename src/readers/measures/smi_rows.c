#include "readers/measures/smi_rows.h"

#include "base/daytime.h"

/* few machines have more devices */
enum { SIZES_MAX = 3, SAME_SUM = 100 /* equal within one part in that many */ };

struct sizes {
    uint64_t bytes[SIZES_MAX];
    size_t n;
};

static const struct od_table bare = {.by = {",", 1}};

/* Reads the kinds of its cells; all sizes are in_use for now. */
static bool read_row(struct od_table *t, struct od_view text, struct sizes *ret_sizes)
{
    struct od_table_cells row;
    uint64_t number;
    od_table_cut(&bare, text, &row);
    memset(t, 0, offsetof(struct od_table, columns));
    t->by = bare.by;
    t->smi = true;
    t->cells = row.n;
    ret_sizes->n = 0;
    for (size_t i = 0; i < row.n && i < OD_TABLE_CELLS; i++) {
        struct od_table_column column = {.at = i};
        struct od_view cell = row.items[i];
        double seconds;
        if (od_view_ends(cell, OD_VIEW(" MiB"))) {
            if (ret_sizes->n == SIZES_MAX || !od_num_parse_u64(od_view_head(cell, cell.n - 4),
                                                               &ret_sizes->bytes[ret_sizes->n++]))
                return false;
            column.field = OD_F_IN_USE;
            column.space = "device";
        } else if (i == 0 && od_daytime_parse(cell, &seconds))
            column.field = OD_F_ELAPSED;
        else if (i <= 1 && od_num_parse_u64(cell, &number) && number < OD_SMI_DEVICES)
            column.field = OD_F_DEVICE;
        else if (od_view_has(cell, OD_VIEW(": ")))
            return false; /* "error: out of memory, free: 1,024 MiB" */
        if (column.field != OD_F_NONE)
            t->columns[t->n++] = column;
    }
    return ret_sizes->n > 0 && t->cells > 1;
}

bool od_smi_row_is(struct od_view text)
{
    struct od_table t;
    struct sizes sizes;
    return od_view_has(text, OD_VIEW(" MiB")) && read_row(&t, text, &sizes);
}

/* Do both rows have cells of the same kinds? */
static bool is_alike(const struct od_table *a, const struct od_table *b)
{
    bool alike = a->cells == b->cells && a->n == b->n;
    for (size_t i = 0; alike && i < a->n; i++)
        alike = a->columns[i].at == b->columns[i].at && a->columns[i].field == b->columns[i].field;
    return alike;
}

/* Decides which size is which from their first and current values. Of two, one is in use (the
 * smaller at first); the other is the total, which does not change, or the free memory, which
 * changes in the opposite direction. Of three, the largest is the total; `nvidia-smi` documents the
 * order "total, free, used". False until the changes decide it. */
static bool name_sizes(const struct sizes *first, const struct sizes *now,
                       enum od_field fields[SIZES_MAX])
{
    const uint64_t *a = first->bytes, *b = now->bytes;
    size_t whole = 0;
    fields[0] = fields[1] = fields[2] = OD_F_IN_USE;
    if (now->n < 2)
        return true;
    for (size_t i = 1; i < now->n; i++)
        whole = b[i] > b[whole] ? i : whole;
    if (now->n == SIZES_MAX) {
        size_t one = whole == 0 ? 1 : 0, other = 3 - whole - one;
        bool used_last = whole == 0 || a[other] <= a[one];
        fields[whole] = OD_F_CAPACITY;
        fields[used_last ? one : other] = OD_F_FREE;
        return true;
    }
    size_t used = a[0] <= a[1] ? 0 : 1, rest = 1 - used;
    bool moved = a[used] != b[used], stayed = a[rest] == b[rest];
    uint64_t before = a[0] + a[1], sum = b[0] + b[1];
    bool shared = (before < sum ? sum - before : before - sum) <= sum / SAME_SUM;
    fields[rest] = moved && stayed ? OD_F_CAPACITY : moved && shared ? OD_F_FREE : OD_F_NONE;
    return moved;
}

static void keep(struct od_smi_rows *rows, const struct od_line *line)
{
    struct od_line *kept = &rows->lines[rows->n];
    char *text = rows->texts[rows->n++];
    *kept = *line;
    kept->text = (struct od_view){text, line->text.n};
    kept->stamp = (struct od_view){0};
    memcpy(text, line->text.p, line->text.n);
}

bool od_smi_rows_keep(struct od_smi_rows *rows, const struct od_line *line, bool *ret_told)
{
    struct od_table one, before;
    struct sizes first, now;
    enum od_field fields[SIZES_MAX];
    if (line->text.n > OD_SMI_TEXT || !od_view_has(line->text, OD_VIEW(" MiB")) ||
        !read_row(&one, line->text, &now))
        return false;
    if (rows->n > 0 &&
        (!read_row(&before, rows->lines[0].text, &first) || !is_alike(&one, &before)))
        rows->n = 0;
    keep(rows, line);
    *ret_told = rows->n > 1 && (name_sizes(&first, &now, fields) || rows->n == OD_SMI_ROWS_MAX);
    return true;
}

bool od_smi_rows_open(const struct od_smi_rows *rows, struct od_table *t)
{
    struct od_table row;
    struct sizes before, now;
    enum od_field fields[SIZES_MAX];
    bool told = false, good = rows->n > 1 && read_row(t, rows->lines[0].text, &before);
    for (size_t i = 1; i < rows->n && good && !told; i++)
        told = read_row(&row, rows->lines[i].text, &now) && name_sizes(&before, &now, fields);
    if (!good)
        return false;
    for (size_t i = 0, seen = 0; i < t->n; i++)
        if (t->columns[i].field == OD_F_IN_USE)
            t->columns[i].field = fields[seen++];
    t->open = true;
    return true;
}
