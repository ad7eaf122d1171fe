/*
 * Memory over time described by people, each size after its time: "after 1 hour it uses 2 GB of
 * RAM, after 2 hours 4.1 GB", "After 10 minutes: 900 MB", "day 3: 1.2 GB"; and sequences of sizes,
 * "RSS: 120 MB -> 240 MB -> 380 MB". A line with only one size must not have other words.
 */
#include "base/seconds.h"
#include "readers/measures/measure.h"
#include "readers/measures/memory_words.h"
#include "readers/reader.h"

#include "readers/measures/memory_told_lists.inc"

enum { TOLD_MAX = 40, LEAST = 3, LINE_MAX_BYTES = 1000 };

struct told {
    struct od_bytes bytes;
    bool timed;
    double seconds;
};

struct course {
    struct told list[TOLD_MAX];
    size_t n;
    unsigned words; /* words for memory */
    bool foreign;   /* has words that do not belong to a description of this kind */
    bool parted;    /* separated by a sign from the last size */
};

static bool is_unit(struct od_view word, bool joined)
{
    bool letter = joined && word.n == 1 && memchr("MG", word.p[0], 2);
    return letter || (word.n > 0 && od_memory_is_unit(word));
}

/* Other words that a sentence of this kind may have. */
static bool is_glue(struct od_view word)
{
    return od_view_eq_any(word, glue);
}

/* "day 3": a unit of time before its number. */
static double unit_before(struct od_view word)
{
    double seconds = 0;
    struct od_view small = word;
    char text[8];
    for (size_t i = 0; i < small.n && i < sizeof text; i++)
        text[i] = od_lower(small.p[i]);
    small.p = text;
    if (word.n >= sizeof text || word.n < 3)
        return 0;
    if (od_view_eq_str(small, "week"))
        return 7 * 86400;
    return od_seconds_parse_unit(OD_VIEW("1"), small, &seconds) ? seconds : 0;
}

/* "154 MB after 24 h", "149mb @ startup": the time of the preceding size. */
static void take_behind(struct course *c, struct told *next)
{
    struct told *last = c->n > 0 && !c->parted ? &c->list[c->n - 1] : NULL;
    if (!last || last->timed)
        return;
    last->timed = true;
    last->seconds = next->seconds;
    *next = (struct told){0};
}

/* The next number: a size, a time, or neither. */
static void take_number(struct course *c, struct od_view *text, struct od_view before,
                        struct told *next)
{
    struct od_view number = od_num_take_text(text), rest = *text;
    double value, each = unit_before(before);
    od_view_skip_blanks(&rest);
    bool joined = rest.n == text->n;
    struct od_view word = od_view_take_letters(&rest);
    struct od_bytes bytes;
    if (is_unit(word, joined) && od_bytes_parse_unit(number, word, OD_UNIT_BINARY, &bytes)) {
        next->bytes = bytes;
        if (c->n < TOLD_MAX)
            c->list[c->n++] = *next;
        *next = (struct told){0};
        c->parted = false;
        *text = rest;
    } else if (word.n > 0 && od_seconds_parse_unit(number, word, &next->seconds)) {
        next->timed = true;
        take_behind(c, next);
        *text = rest;
    } else if (each > 0 && od_num_parse_double(number, &value)) {
        next->seconds = value * each;
        next->timed = true;
    } else
        c->foreign = true;
}

static void read_course(struct od_view text, struct course *c)
{
    struct told next = {0};
    struct od_view word = {0};
    while (text.n > 0) {
        bool change = text.n > 1 && memchr("+-", text.p[0], 2) && od_is_digit(text.p[1]);
        if (change) { /* "(+12.1 MB)" is a difference */
            text = od_view_from(text, 1);
            (void)od_num_take_text(&text);
        } else if (od_is_digit(text.p[0])) {
            take_number(c, &text, word, &next);
            word = (struct od_view){0};
        } else if (od_is_letter(text.p[0])) {
            word = od_view_take_letters(&text);
            unsigned means = od_memory_word(word);
            c->words |= means;
            bool start = od_view_eq_str(word, "startup");
            c->foreign = c->foreign || (!is_glue(word) && !start && (means & OD_MW_UNKNOWN));
            if (start)
                take_behind(c, &next);
            if (od_view_eq_any(word, (const char *const[]){"a", "an", "one", NULL})) {
                struct od_view rest = text;
                od_view_skip_blanks(&rest);
                next.timed =
                    od_seconds_parse_unit(OD_VIEW("1"), od_view_take_letters(&rest), &next.seconds);
            }
        } else {
            c->parted = c->parted || !memchr(" @", text.p[0], 2);
            text = od_view_from(text, 1);
        }
    }
}

/* True if every size has a time, in ascending order, or none has a time (a sequence). */
static bool is_course(const struct course *c)
{
    const unsigned memory = OD_MW_MEMORY | OD_MW_RSS | OD_MW_RAM | OD_MW_DEVICE;
    size_t first = c->n > 1 && !c->list[0].timed && c->list[1].timed, timed = 0;
    for (size_t i = first; i < c->n; i++) {
        bool later = i == first || c->list[i].seconds > c->list[i - 1].seconds;
        timed += c->list[i].timed && later;
    }
    if (c->n == 1)
        return timed == 1 && !c->foreign;
    bool row = timed == 0 && !(c->words & OD_MW_FREE); /* "unable to allocate ...; 1.51 GB free" */
    return c->n >= LEAST && (c->words & memory) && (row || timed + first == c->n);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct course c = {0};
    (void)state;
    if (line->text.n > LINE_MAX_BYTES)
        return OD_TAKE_NONE;
    read_course(line->text, &c);
    if (!is_course(&c))
        return OD_TAKE_NONE;
    const char *space = c.words & OD_MW_DEVICE                           ? "device"
                        : c.words & (OD_MW_RAM | OD_MW_RSS | OD_MW_FREE) ? "host"
                                                                         : "unknown";
    enum od_field field = c.words & OD_MW_RSS    ? OD_F_RSS
                          : c.words & OD_MW_FREE ? OD_F_FREE
                                                 : OD_F_IN_USE;
    for (size_t i = 0; i < c.n; i++) {
        struct od_event event;
        od_measure_begin(&event, "memory_told", line, space);
        od_event_set_known(&event, field, c.list[i].bytes);
        if (c.list[i].timed || c.list[c.n - 1].timed)
            od_event_set_number(&event, OD_F_ELAPSED, c.list[i].seconds);
        else
            od_event_set_count(&event, OD_F_STEP, i + 1);
        od_sink_put(sink, &event);
    }
    return OD_TAKE_ALL;
}

/* Does no number in it have a unit? */
static bool is_silent(struct od_view text)
{
    while (text.n > 0) {
        bool number = od_num_take_text(&text).n > 0;
        struct od_view rest = text;
        od_view_skip_blanks(&rest);
        bool joined = rest.n == text.n;
        if (number && is_unit(od_view_take_letters(&rest), joined))
            return false;
        text = number ? text : od_view_from(text, 1);
    }
    return true;
}

const struct od_reader od_reader_memory_told = {
    .name = "memory_told",
    .literals = openers,
    .numbered = numbered,
    .silent = is_silent,
    .line = take_line,
};
