/*
 * DeepSpeed's see_memory_usage(): what moment it is, and below it what is in use then. MA is
 * allocated, CA what the allocator has reserved; its GB are binary.
 *
 *   [utils.py:785:see_memory_usage] After creating fp16 partitions: 1
 *   [utils.py:786:see_memory_usage] MA 2.61 GB  Max_MA 5.2 GB  CA 5.3 GB  Max_CA 5 GB
 *   [utils.py:793:see_memory_usage] CPU Virtual Memory:  used = 21.3 GB, percent = 24.1%
 *
 * Without the moment the numbers of a run's preparation look like growth. The lines are shared:
 * rules read the state of memory from them.
 */
#include "readers/measures/measure.h"
#include "readers/reader.h"

enum { MOMENT_MAX = 80, FOREIGN_MAX = 5 };

static const char *const literals[] = {"see_memory_usage]", " Max_MA ",
                                       "CPU Virtual Memory:", NULL};

struct moment {
    bool open;
    char text[MOMENT_MAX];
    size_t n;
};

/* Which of them it is, as "before forward 3" says, makes no other moment. */
static struct od_view without_number(struct od_view text)
{
    size_t n = text.n;
    while (n > 0 && (od_is_digit(text.p[n - 1]) || strchr(" :=#,.", text.p[n - 1])))
        n--;
    return od_view_head(text, n);
}

static void keep_moment(struct moment *moment, struct od_view text)
{
    text = without_number(od_view_head(text, MOMENT_MAX));
    if (text.n > 0)
        memcpy(moment->text, text.p, text.n);
    moment->n = text.n;
    moment->open = true;
}

/* "Max_MA 6.02 GB": the size behind the word; unknown where there is none. */
static struct od_bytes size_behind(struct od_view text, struct od_view word)
{
    struct od_bytes size = {0};
    struct od_view number, unit;
    size_t at = od_view_find(text, word, 0);
    if (at == OD_VIEW_NONE)
        return size;
    struct od_view rest = od_view_from(text, at + word.n);
    od_view_skip_blanks(&rest);
    if (!od_view_cut(&rest, ' ', &number))
        return size;
    for (unit = od_view_head(rest, 0); unit.n < rest.n && od_is_letter(rest.p[unit.n]);)
        unit.n++;
    if (unit.n == 0 || !od_bytes_parse_unit(number, unit, OD_UNIT_BINARY, &size))
        return (struct od_bytes){0};
    return size;
}

/* "percent = 24.1%" */
static void take_share(struct od_view text, struct od_event *event)
{
    static const struct od_view word = {"percent = ", 10};
    struct od_view number;
    double percent;
    size_t at = od_view_find(text, word, 0);
    struct od_view rest =
        at == OD_VIEW_NONE ? od_view_head(text, 0) : od_view_from(text, at + word.n);
    if (od_view_cut(&rest, '%', &number) && od_num_parse_double(number, &percent) && percent > 0 &&
        percent <= 100)
        od_event_set_number(event, OD_F_SHARE, percent / 100);
}

static bool measure(struct od_view text, const struct od_line *line, struct od_event *ret_event)
{
    bool device = od_view_has(text, OD_VIEW(" Max_MA "));
    struct od_event event;
    od_measure_begin(&event, "deepspeed_memory", line, device ? "device" : "host");
    struct od_view used = device ? OD_VIEW("MA ") : OD_VIEW("used =");
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("deepspeed"));
    od_event_set_known(&event, OD_F_IN_USE, size_behind(text, used));
    if (device) {
        od_event_set_known(&event, OD_F_PEAK, size_behind(text, OD_VIEW(" Max_MA ")));
        od_event_set_known(&event, OD_F_RESERVED, size_behind(text, OD_VIEW(" CA ")));
    } else {
        take_share(text, &event);
    }
    *ret_event = event;
    return od_event_get(&event, OD_F_IN_USE) != NULL;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    static const struct od_view caller = {"see_memory_usage]", 17};
    struct moment *moment = state;
    struct od_event event;
    struct od_view text = line->text;
    size_t at = od_view_find(text, caller, 0);
    if (at != OD_VIEW_NONE)
        text = od_view_trim(od_view_from(text, at + caller.n));
    bool numbers =
        od_view_has(text, OD_VIEW(" Max_MA ")) || od_view_has(text, OD_VIEW("CPU Virtual Memory:"));
    if (at != OD_VIEW_NONE && !numbers) {
        keep_moment(moment, text);
        return OD_TAKE_SHARE;
    }
    if (!numbers || !measure(text, line, &event))
        return OD_TAKE_NONE;
    if (moment->n > 0)
        od_event_set_text(&event, OD_F_NAME, (struct od_view){moment->text, moment->n});
    od_sink_put(sink, &event);
    return OD_TAKE_SHARE;
}

static bool is_open(const void *state)
{
    return ((const struct moment *)state)->open;
}

const struct od_reader od_reader_deepspeed_memory = {
    .name = "deepspeed_memory",
    .literals = literals,
    .state_size = sizeof(struct moment),
    .foreign_max = FOREIGN_MAX,
    .line = take_line,
    .is_open = is_open,
};
