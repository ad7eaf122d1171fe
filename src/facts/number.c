#include "facts/number.h"

#include "base/named_number.h"
#include "facts/number_lists.inc"

bool od_number_begins(struct od_view text, size_t at)
{
    if (!od_is_digit(text.p[at]))
        return false;
    if (at == 0)
        return true;
    char before = text.p[at - 1];
    bool ratio = before == '/' && at > 1 && od_is_letter(text.p[at - 2]); /* "937 MiB/953 MiB" */
    return !od_is_alnum(before) && (ratio || !strchr("._/#\\", before)) &&
           !(before == '-' && at > 1 && od_is_name(text.p[at - 2])) &&
           !(before == ':' && at > 1 && od_is_digit(text.p[at - 2]));
}

size_t od_number_digits_end(struct od_view text, size_t at)
{
    while (at < text.n &&
           (od_is_digit(text.p[at]) ||
            (strchr(".,_", text.p[at]) && at + 1 < text.n && od_is_digit(text.p[at + 1]))))
        at++;
    return at;
}

static struct od_bytes bytes_of(struct od_view digits, struct od_view unit)
{
    struct od_bytes bytes = {0};
    bool card = digits.n > 3 && (od_view_eq_str(unit, "Ti") || od_view_eq_str(unit, "T"));
    if (card) /* Ti in "RTX 3090Ti" is no unit */
        return bytes;
    bool word = unit.n > 1 || (unit.n == 1 && strchr("KMGTkmgt", unit.p[0]));
    return word && od_bytes_parse_unit(digits, unit, OD_UNIT_BINARY, &bytes) ? bytes
                                                                             : (struct od_bytes){0};
}

struct od_bytes od_number_in_unit(struct od_view digits, struct od_view unit)
{
    return unit.n > 1 ? bytes_of(digits, unit) : (struct od_bytes){0};
}

bool od_number_take(struct od_view text, size_t at, struct od_number *ret_number)
{
    size_t end = od_number_digits_end(text, at);
    struct od_view digits = {text.p + at, end - at};
    struct od_view unit = od_word_at(text, end);
    *ret_number =
        (struct od_number){.start = at, .digits_end = end, .end = end, .glued = unit.n > 0};
    if (unit.n > 0) {
        struct od_number_name name;
        struct od_view option = {digits.p, digits.n + unit.n};
        if (unit.n > 1 || !od_number_name(text, at, &name) || !name.flag ||
            !od_bytes_parse_option(option, (struct od_view){0}, &ret_number->bytes)) /* "-o 300m" */
            ret_number->bytes = bytes_of(digits, unit);
        bool letter = unit.n == 1 && strchr("kKMmgt", unit.p[0]);
        ret_number->end = end + unit.n;
        return ret_number->bytes.known || letter;
    }
    if (end < text.n && strchr("%~:/", text.p[end]) &&
        (strchr("%~", text.p[end]) || (end + 1 < text.n && od_is_digit(text.p[end + 1])))) {
        struct od_number whole;
        ret_number->share = text.p[end] == '%';
        return text.p[end] == '/' && od_number_take(text, end + 1, &whole) &&
               whole.bytes.known; /* "500/2000 MB" */
    }
    if (end < text.n && text.p[end] == ' ') {
        unit = od_word_at(text, end + 1);
        ret_number->bytes = od_number_in_unit(digits, unit);
        ret_number->end = ret_number->bytes.known ? end + 1 + unit.n : end;
    }
    return end >= text.n || !od_is_word(text.p[end]);
}

struct od_view od_joined_before(struct od_view text, size_t end, size_t *ret_start)
{
    *ret_start = od_back(text, end, od_is_name);
    return od_view_part(text, *ret_start, end);
}

struct od_view od_name_bare(struct od_view name)
{
    name = od_view_from(name, od_past_any(name, 0, "-%"));
    name.n = od_back_any(name, name.n, "=:,");
    size_t colon = od_view_find_char(name, ':', 0);
    return colon == OD_VIEW_NONE ? name : od_view_from(name, colon + 1);
}

struct od_view od_unit_in(struct od_view name)
{
    for (size_t n = 2; n <= 3 && n < name.n; n++) {
        struct od_view unit = od_view_from(name, name.n - n);
        char before = unit.p[-1];
        bool begins = !od_is_letter(before) || (od_is_upper(unit.p[0]) && !od_is_upper(before));
        if (begins && od_number_in_unit(OD_VIEW("1"), unit).known)
            return unit;
    }
    return (struct od_view){0};
}

struct od_view od_unit_in_brackets(struct od_view text, size_t *end)
{
    size_t start, close = *end - (*end > 0);
    struct od_view unit = od_joined_before(text, close, &start);
    bool found = start > 0 && strchr(")]", text.p[close]) && strchr("([", text.p[start - 1]) &&
                 od_number_in_unit(OD_VIEW("1"), unit).known;
    *end = found ? start - 1 : *end;
    return found ? unit : (struct od_view){0};
}

bool od_number_or_share_next(struct od_view text, size_t *at, struct od_number *ret_number)
{
    while (*at < text.n) {
        size_t i = *at, start;
        struct od_view flag = {0};
        if (od_is_digit(text.p[i]) && i > 1 && od_is_letter(text.p[i - 1]))
            flag = od_joined_before(text, i, &start);
        bool glued = flag.n > 1 && flag.p[0] == '-';
        bool begins = od_number_begins(text, i) || glued;
        bool good = begins && od_number_take(text, i, ret_number);
        *at = begins && ret_number->end > i ? ret_number->end : i + 1;
        if (good || (begins && ret_number->share))
            return true;
    }
    return false;
}

bool od_number_next(struct od_view text, size_t *at, struct od_number *ret_number)
{
    while (od_number_or_share_next(text, at, ret_number))
        if (!ret_number->share)
            return true;
    return false;
}

bool od_number_name(struct od_view text, size_t number, struct od_number_name *ret_name)
{
    number -= od_number_some(text, number);
    size_t at = od_back_any(text, od_back_any(text, number, "\"'`"), " \t");
    bool sign = at > 0 && strchr("=:|", text.p[at - 1]); /* also a cell of a table */
    at = od_back_any(text, at - sign, " \t");
    if (sign)
        at = od_back_any(text, at, "\"'`]"); /* before the sign of x["name"] = 1 */
    struct od_number_name found = {.sign = sign};
    struct od_view name = found.name = od_joined_before(text, at, &found.start);
    if (at > 1 && text.p[at - 1] == '@' && text.p[at - 2] == '-') /* "samtools sort -@ 8" */
        found =
            (struct od_number_name){.name = {text.p + at - 2, 2}, .start = at - 2, .flag = true};
    name = found.name;
    bool of_java = found.start > 3 && strncmp(text.p + found.start - 4, "-XX:", 4) == 0;
    found.flag = found.flag || of_java ||
                 (name.n > 1 && name.p[0] == '-' &&
                  od_is_letter(name.p[name.p[1] == '-' && name.n > 2 ? 2 : 1]));
    if (name.n == 0 || (!sign && !found.flag) || od_is_digit(name.p[0]))
        return false;
    *ret_name = found;
    return true;
}

struct od_view od_word_at(struct od_view text, size_t start)
{
    size_t end = start;
    while (end < text.n && (od_is_letter(text.p[end]) || text.p[end] == '-'))
        end++;
    return (struct od_view){text.p + start, end - start};
}

/* Is it the same amount in bytes, "76897616" of "76897616/73.3mb"? A tenth is more than rounding
 * and units of 1000 change. */
static bool is_in_bytes(struct od_view digits, const struct od_bytes *amount,
                        struct od_bytes *ret_bytes)
{
    uint64_t n;
    bool same = od_num_parse_u64(digits, &n) && n >= amount->lo - amount->lo / 10 &&
                n - n / 11 <= amount->hi;
    *ret_bytes = same ? od_bytes_exact(n) : *ret_bytes;
    return same;
}

bool od_number_take_whole(struct od_view text, struct od_number *number, struct od_bytes *ret_of)
{
    struct od_number whole;
    for (size_t i = 0; joints[i]; i++) {
        struct od_view rest = od_view_from(text, number->end + number->share);
        size_t at = number->end + number->share + strlen(joints[i]);
        if (!od_view_starts(rest, od_view_of(joints[i])) || at >= text.n ||
            !od_is_digit(text.p[at]) || !od_number_take(text, at, &whole) || !whole.bytes.known)
            continue;
        struct od_view digits = {text.p + number->start, number->digits_end - number->start};
        struct od_view unit =
            od_view_trim((struct od_view){text.p + whole.digits_end, whole.end - whole.digits_end});
        bool unitless = !number->bytes.known && !number->share;
        bool repeated = unitless && is_in_bytes(digits, &whole.bytes, &number->bytes);
        if (unitless && !repeated &&
            !od_bytes_parse_unit(digits, unit, OD_UNIT_BINARY, &number->bytes))
            return false;
        *ret_of = repeated ? (struct od_bytes){0} : whole.bytes;
        number->end = whole.end;
        return true;
    }
    return false;
}

bool od_is_shortened(struct od_view front)
{
    return od_view_eq_any(od_view_from(front, od_back(front, front.n, od_is_letter)), shortened);
}

/* --- numbers with their names in the cells of a result --- */

/* Cuts at "|" and its likeness in boxes; more than two cells = 3. */
static size_t cut_cells(struct od_view line, struct od_view cells[2])
{
    static const struct od_view bar = {"\u2502", 3};
    size_t n = 0;
    while (line.n > 0) {
        size_t wide = od_view_find(line, bar, 0), plain = od_view_find_char(line, '|', 0);
        size_t end = wide < plain ? wide : plain;
        struct od_view cell = od_view_trim(od_view_head(line, end));
        line = od_view_from(line, end == OD_VIEW_NONE ? line.n : end + (wide < plain ? bar.n : 1));
        if (cell.n > 0 && n == 2)
            return 3;
        if (cell.n > 0)
            cells[n++] = cell;
    }
    return n;
}

/* "threads" of "current_setting('threads')", "work_mem", "@@tmp_table_size"; otherwise empty. */
static struct od_view name_in(struct od_view cell)
{
    size_t quote = od_view_find_char(cell, '\'', 0);
    struct od_view name = quote == OD_VIEW_NONE ? cell : od_view_from(cell, quote + 1);
    bool marked = quote != OD_VIEW_NONE || od_view_take(&name, OD_VIEW("@@"));
    size_t n = od_past(name, 0, od_is_name);
    bool whole = quote == OD_VIEW_NONE ? n == name.n : n < name.n && name.p[n] == '\'';
    name = od_view_head(name, n);
    marked = marked || od_view_find_char(name, '_', 0) != OD_VIEW_NONE;
    return whole && marked && n > 0 && od_is_letter(name.p[0]) ? name : (struct od_view){0};
}

static bool is_number(struct od_view cell)
{
    struct od_number number;
    return od_number_begins(cell, 0) && od_number_take(cell, 0, &number) && number.end == cell.n;
}

struct od_view od_number_row(struct od_view line, struct od_view *head, struct od_arena *arena)
{
    struct od_view cells[2], name = *head, value;
    size_t n = cut_cells(line, cells),
           blanks = n == 1 ? od_view_find(cells[0], OD_VIEW("  "), 0) : 0;
    if (n == 0 || n > 2 || strchr("-+=", cells[0].p[0])) /* a border */
        return line;
    value = cells[n - 1];
    if (n == 2 || blanks != OD_VIEW_NONE)
        name = name_in(n == 2 ? cells[0] : od_view_head(cells[0], blanks));
    if (n == 1 && blanks != OD_VIEW_NONE)
        value = od_view_last_word(cells[0]);
    if (name.n > 0 && is_number(value)) {
        *head = (struct od_view){0};
        return od_view_of(
            od_arena_printf(arena, "%.*s = %.*s", (int)name.n, name.p, (int)value.n, value.p));
    }
    bool type = n == 1 && od_view_find_char(cells[0], ' ', 0) == OD_VIEW_NONE; /* "int64" */
    name = n == 1 ? name_in(cells[0]) : (struct od_view){0};
    *head = name.n > 0 || !type ? name : *head;
    return line;
}

const char *od_number_unit_of_machine(double whole)
{
    static const struct {
        double from, below;
        const char *unit;
    } wholes[] = {
        {4, 512, "GiB"}, {8192, 1 << 20, "MiB"}, {8 << 20, 4.3e9, "KiB"}, {1.7e10, 4.4e12, "B"}};
    for (size_t i = 0; i < OD_COUNT_OF(wholes); i++)
        if (whole >= wholes[i].from && whole < wholes[i].below)
            return wholes[i].unit;
    return NULL;
}
