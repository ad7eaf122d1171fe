#include "base/seconds.h"

/* A word with its length. Comparing the length first rejects most other words. */
#define WORD(text)            \
    {                         \
        text, sizeof text - 1 \
    }

static const struct {
    struct od_view text;
    double seconds;
} units[] = {
    {WORD("s"), 1},       {WORD("sec"), 1},          {WORD("secs"), 1},     {WORD("second"), 1},
    {WORD("seconds"), 1}, {WORD("ms"), 1e-3},        {WORD("msec"), 1e-3},  {WORD("us"), 1e-6},
    {WORD("usec"), 1e-6}, {WORD("\xc2\xb5s"), 1e-6}, {WORD("ns"), 1e-9},    {WORD("m"), 60},
    {WORD("min"), 60},    {WORD("mins"), 60},        {WORD("minutes"), 60}, {WORD("h"), 3600},
    {WORD("hr"), 3600},   {WORD("hrs"), 3600},       {WORD("hours"), 3600}, {WORD("hour"), 3600},
    {WORD("d"), 86400},   {WORD("day"), 86400},      {WORD("days"), 86400}, {WORD("minute"), 60},
    {WORD("S"), 1},
};

static const struct od_view steps[] = {WORD("it"),         WORD("It"),      WORD("its"),
                                       WORD("iter"),       WORD("iters"),   WORD("iteration"),
                                       WORD("iterations"), WORD("step"),    WORD("steps"),
                                       WORD("batch"),      WORD("batches"), WORD("ba")};

/* Compares the first byte first, because it differs for most words. */
static bool is_word(struct od_view word, struct od_view known)
{
    return word.n == known.n && word.p[0] == known.p[0] && memcmp(word.p, known.p, word.n) == 0;
}

static bool is_step(struct od_view word)
{
    size_t i = 0;
    while (i < OD_COUNT_OF(steps) && !is_word(word, steps[i]))
        i++;
    return i < OD_COUNT_OF(steps);
}

static bool unit_of(struct od_view word, double *ret_seconds)
{
    for (size_t i = 0; i < OD_COUNT_OF(units); i++) {
        if (is_word(word, units[i].text)) {
            *ret_seconds = units[i].seconds;
            return true;
        }
    }
    return false;
}

static bool finish(double seconds, double *ret_seconds)
{
    if (!(seconds >= 0 && seconds < 1e12))
        return false;
    *ret_seconds = seconds;
    return true;
}

static bool read_unit(struct od_view unit, struct od_seconds_form *form)
{
    size_t slash = od_view_find_char(unit, '/', 0);
    form->scale = 1;
    form->rate = false;
    if (slash == OD_VIEW_NONE)
        return unit.n == 0 || unit_of(unit, &form->scale);
    struct od_view over = od_view_head(unit, slash), under = od_view_from(unit, slash + 1);
    form->rate = !unit_of(over, &form->scale);
    return form->rate ? is_step(over) && unit_of(under, &form->scale) : is_step(under);
}

bool od_seconds_read(struct od_view text, const struct od_seconds_form *form, double *ret_seconds)
{
    double value;
    if (!od_num_parse_double(od_view_head(text, form->number), &value) || value < 0 ||
        (form->rate && !(value > 0)))
        return false;
    return finish(form->rate ? form->scale / value : value * form->scale, ret_seconds);
}

bool od_seconds_parse_unit(struct od_view number, struct od_view unit, double *ret_seconds)
{
    struct od_seconds_form form = {.number = number.n};
    return read_unit(unit, &form) && od_seconds_read(number, &form, ret_seconds);
}

static struct od_view take_number(struct od_view *text)
{
    size_t n = 0;
    while (n < text->n &&
           (od_is_digit(text->p[n]) || text->p[n] == '.' || text->p[n] == ',' ||
            (n > 0 && text->p[n] == 'e' && n + 2 < text->n &&
             (text->p[n + 1] == '-' || text->p[n + 1] == '+')) ||
            (n > 0 && text->p[n - 1] == 'e' && (text->p[n] == '-' || text->p[n] == '+'))))
        n++;
    struct od_view number = od_view_head(*text, n);
    *text = od_view_from(*text, n);
    return number;
}

static struct od_view take_word(struct od_view *text)
{
    size_t n = 0;
    od_view_skip_blanks(text);
    while (n < text->n && !od_is_digit(text->p[n]) && text->p[n] != ' ' && text->p[n] != ',')
        n++;
    struct od_view word = od_view_head(*text, n);
    *text = od_view_from(*text, n);
    return word;
}

/* Parses "1:02:03", "02:03", "02:03.5". */
static bool parse_clock(struct od_view text, double *ret_seconds)
{
    double total = 0;
    struct od_view part;
    int parts = 0;
    while (od_view_cut(&text, ':', &part)) {
        double value;
        if (part.n == 0 || !od_is_digit(part.p[0]) || !od_num_parse_double(part, &value) ||
            ++parts > 3)
            return false;
        total = total * 60 + value;
    }
    return parts > 1 && finish(total, ret_seconds);
}

bool od_seconds_form_of(struct od_view text, struct od_view unit, struct od_seconds_form *ret_form)
{
    ret_form->number = text.n;
    if (unit.n > 0)
        return read_unit(unit, ret_form);
    ret_form->number = take_number(&text).n;
    struct od_view word = take_word(&text);
    return ret_form->number > 0 && text.n == 0 && read_unit(word, ret_form);
}

bool od_seconds_parse(struct od_view text, double *ret_seconds)
{
    double total = 0, part;
    int parts = 0;
    text = od_view_trim(text);
    while (text.n > 0 && parts < 4) {
        if (od_view_find_char(text, ':', 0) != OD_VIEW_NONE &&
            od_view_find_char(text, ' ', 0) == OD_VIEW_NONE) {
            if (!parse_clock(text, &part))
                return false;
            return finish(total + part, ret_seconds);
        }
        struct od_view number = take_number(&text);
        struct od_view unit = take_word(&text);
        bool alone = parts == 0 && text.n == 0;
        if ((unit.n == 0 && !alone) || !od_seconds_parse_unit(number, unit, &part))
            return false;
        total += part;
        parts++;
        (void)od_view_take(&text, OD_VIEW(","));
        od_view_skip_blanks(&text);
    }
    return parts > 0 && text.n == 0 && finish(total, ret_seconds);
}
