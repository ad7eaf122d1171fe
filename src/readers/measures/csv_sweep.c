#include "readers/measures/csv_sweep.h"

/* More devices than that are in few machines. */
enum { DEVICES_USUAL = 8 };

void od_csv_sweep_keep(struct od_csv_sweep *sweep, const struct od_line *line)
{
    struct od_line *kept = &sweep->lines[sweep->n];
    char *text = sweep->texts[sweep->n];
    *kept = *line;
    kept->text = od_view_head(line->text, OD_CSV_SWEEP_TEXT);
    kept->stamp = (struct od_view){0};
    memcpy(text, kept->text.p, kept->text.n);
    kept->text.p = text;
    sweep->n++;
}

enum od_csv_first od_csv_sweep_add(struct od_csv_sweep *sweep, const struct od_line *line,
                                   uint64_t number)
{
    if (sweep->first != OD_CSV_UNTOLD)
        return sweep->first;
    bool runs = sweep->n == 0 || number == sweep->last + 1;
    if (!runs)
        sweep->first = number <= sweep->last ? OD_CSV_DEVICE : OD_CSV_COUNT;
    else if (number >= OD_CSV_SWEEP_DEVICES)
        sweep->first = OD_CSV_COUNT;
    sweep->last = number;
    od_csv_sweep_keep(sweep, line);
    return sweep->first;
}

enum od_csv_first od_csv_sweep_guess(const struct od_csv_sweep *sweep)
{
    return sweep->n > DEVICES_USUAL ? OD_CSV_COUNT : OD_CSV_DEVICE;
}
