#include "facts/setting_number.h"

#include <math.h>

/* Units of sizes, each 1024 times the one before. */
static const char letters[] = "bkmgt";

struct od_setting_number od_setting_number_read(struct od_view text)
{
    struct od_setting_number number = {.unit = text};
    struct od_view digits = od_num_take_text(&number.unit);
    (void)od_num_parse_double(digits, &number.value);
    number.known = digits.n > 0 && number.unit.n <= 4;
    number.fraction = od_view_find_char(digits, '.', 0) != OD_VIEW_NONE && number.value <= 1;
    return number;
}

struct od_setting_number od_setting_number_in(struct od_setting_number number, const char *unit)
{
    if (number.unit.n == 0 && unit) {
        number.unit = od_view_of(unit);
        number.bare = true;
    }
    return number;
}

const char *od_setting_number_amount(const struct od_setting_number *number, double bytes, bool up,
                                     struct od_arena *arena)
{
    static const double least = 4, even = 256, plain = 1e9, nearly = 0.05;
    char letter = number->unit.n > 0 ? number->unit.p[0] : number->value > plain ? 'b' : '\0';
    const char *at = letter ? strchr(letters, od_lower(letter)) : NULL;
    double unit = 1;
    if (!at)
        return NULL;
    for (const char *l = letters; l < at; l++)
        unit *= 1024;
    double part = fmod(bytes / unit, 1);
    bool whole = part <= 0 || (!up && part >= 1 - nearly);
    if (bytes < least * unit && !whole && at - letters > 2 && !number->bare) {
        letter = (char)(od_is_upper(letter) ? od_upper(at[-1]) : at[-1]);
        unit /= 1024;
    }
    double step = at == letters ? pow(10, floor(log10(bytes)) - 1) : bytes / unit > 1024 ? even : 1;
    double steps = bytes / unit / step, n = (up ? ceil(steps) : floor(steps + nearly)) * step;
    if (n <= 0) /* less than one of the unit */
        return NULL;
    if (number->bare || at == letters)
        return od_arena_printf(arena, "%.0f", n);
    return od_arena_printf(arena, "%.0f%c%.*s", n, letter, (int)number->unit.n - 1,
                           number->unit.p + 1);
}

double od_setting_number_bytes(const struct od_setting_number *number)
{
    if (!number->known || number->fraction || number->unit.n == 0)
        return number->known ? number->value : 0;
    const char *at = strchr(letters, od_lower(number->unit.p[0]));
    double bytes = number->value;
    for (const char *l = letters; at && l < at; l++)
        bytes *= 1024;
    return at ? bytes : 0;
}

double od_setting_value(struct od_view value, const char *unit)
{
    struct od_setting_number number = od_setting_number_read(value);
    od_view_skip_blanks(&number.unit);
    if (number.unit.n == 0 && unit)
        number.unit = od_view_of(unit);
    return od_setting_number_bytes(&number);
}

const char *od_setting_number_text(const struct od_setting_number *number, double value,
                                   struct od_arena *arena)
{
    int n = (int)number->unit.n;
    return od_arena_printf(arena, "%.0f%.*s", value, n, number->unit.p);
}

const char *od_setting_number_times(const struct od_setting_number *number, double times,
                                    struct od_arena *arena)
{
    double to = floor(number->value * times), bytes = times * od_setting_number_bytes(number);
    if (to < number->value * times && number->unit.n > 0 && bytes >= 1)
        return od_setting_number_amount(number, bytes, false, arena);
    if (number->value <= 1 && to < 1)
        return NULL;
    return od_setting_number_text(number, to < 1 ? 1 : to, arena);
}
