#include "readers/logs/torch_text.h"

static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "KB", "MB",
                                    "GB",    "TB",  "EB",  "B",   "K",   "M",   "G",   "T"};

void od_torch_squeeze(struct od_buf *to, struct od_view text, size_t most)
{
    for (size_t i = 0; i < text.n && to->n < most; i++) {
        char c = text.p[i];
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            od_buf_add_char(to, c);
    }
}

static bool is_number_part(char c)
{
    return od_is_digit(c) || c == '.' || c == ',' || c == 'e' || c == '+';
}

static struct od_bytes size_of(struct od_view number, struct od_view unit)
{
    struct od_bytes size = {0};
    while (number.n > 0 && !od_is_digit(number.p[0]))
        number = od_view_from(number, 1);
    if (number.n > 0)
        (void)od_bytes_parse_unit(number, unit, OD_UNIT_BINARY, &size);
    return size;
}

struct od_bytes od_torch_size_at(struct od_view text)
{
    size_t n = 0;
    while (n < text.n && is_number_part(text.p[n]))
        n++;
    struct od_view rest = od_view_from(text, n);
    if (n > 0 && od_is_digit(text.p[0])) {
        for (size_t i = 0; i < OD_COUNT_OF(units); i++) {
            if (od_view_starts(rest, od_view_of(units[i])))
                return size_of(od_view_head(text, n), od_view_of(units[i]));
        }
    }
    return (struct od_bytes){0};
}

struct od_bytes od_torch_size_after(struct od_view text, const char *marker)
{
    size_t at = od_view_find(text, od_view_of(marker), 0);
    if (at == OD_VIEW_NONE)
        return (struct od_bytes){0};
    return od_torch_size_at(od_view_from(text, at + od_view_of(marker).n));
}

static struct od_bytes size_ending(struct od_view head)
{
    for (size_t i = 0; i < OD_COUNT_OF(units); i++) {
        struct od_view unit = od_view_of(units[i]);
        if (!od_view_ends(head, unit))
            continue;
        size_t end = head.n - unit.n;
        size_t start = end;
        while (start > 0 && is_number_part(head.p[start - 1]))
            start--;
        return size_of((struct od_view){head.p + start, end - start}, unit);
    }
    return (struct od_bytes){0};
}

struct od_bytes od_torch_size_before(struct od_view text, const char *marker)
{
    size_t at = od_view_find(text, od_view_of(marker), 0);
    if (at == OD_VIEW_NONE)
        return (struct od_bytes){0};
    return size_ending(od_view_head(text, at));
}
