/*
 * Phases of a run besides training, in the messages of any program: validation, saving, loading a
 * model, reading data. A line of this kind becomes a sample that only has its phase (and the name
 * "done" if the phase is over, "checkpoint" if one is loaded), so that growth between two
 * measurements can be assigned to it. It proves neither progress nor an end.
 */
#include "base/word_table.h"
#include "readers/measures/measure.h"
#include "readers/reader.h"

#include "readers/logs/marks_lists.inc"

enum { LINE_MAX_BYTES = 600, HEADLINE_BYTES = 60 };

/* Meanings of words; a line's phase is one that all its words allow. */
enum {
    VALIDATION = 1 << 0,
    SAVING = 1 << 1,
    LOADING = 1 << 2,
    MODEL = 1 << 3,     /* something that is saved or loaded */
    METRIC = 1 << 4,    /* follows a short word for validation */
    SHORT = 1 << 5,     /* means validation only if a metric or a sign follows */
    SOMETHING = 1 << 6, /* the line is about code or errors, so it marks no phase */
    DATA = 1 << 7,      /* something that is read */
    PREPARED = 1 << 8,  /* about prepared data, which is no validation */
    READING = 1 << 9,   /* reading, which does not load a model */
    OVER = 1 << 10,     /* the phase is over */
    RESTORE = 1 << 12,  /* restoring something saved before */
    OPTION = 1 << 11,   /* after a short word: eval_batches and val_split are options, not phases */
};

static const struct od_word_means words[] = {
#include "readers/logs/marks_words.inc"
};

static unsigned meaning(struct od_view word)
{
    return od_word_means(words, OD_COUNT_OF(words), word);
}

/* Does the short word mean validation: "val_loss", "Test:", "val loss 0.3", but neither "test set"
 * nor "model.eval()"? */
static bool tells(struct od_view rest)
{
    if (rest.n == 0)
        return false;
    bool joined = rest.p[0] == '_' || rest.p[0] == '/';
    size_t at = od_past_any(rest, joined, " ");
    unsigned next = meaning(od_view_part(rest, at, od_past(rest, at, od_is_letter)));
    if (joined)
        return (next & (OPTION | PREPARED)) == 0;
    if (od_view_starts_any(rest, counts)) /* "[val] step 3/50" */
        return true;
    return rest.p[0] == ':' || (at > 0 && (next & METRIC) != 0);
}

static unsigned all_meanings(struct od_view text)
{
    unsigned all = 0;
    for (size_t at = 0; at < text.n;) {
        size_t end = od_past(text, at, od_is_letter);
        if (end == at) {
            at++;
            continue;
        }
        unsigned means = meaning(od_view_part(text, at, end));
        if (means == SHORT)
            means = tells(od_view_from(text, end)) ? VALIDATION : 0;
        all |= means;
        at = end;
    }
    return all;
}

/* Does a validation begin: "Validating ...", "***** Running evaluation" at the start of a line or
 * after a logger's prefix? */
static bool is_under_way(struct od_view text)
{
    if (od_view_has_any(text, started))
        return true;
    for (size_t at = 0; at < text.n; at++) {
        struct od_view rest = od_view_from(text, at);
        size_t front = od_back_any(text, at, " ");
        if (!od_is_letter(text.p[at]) || (front > 0 && !strchr("]:>-*)#=[", text.p[front - 1])))
            continue;
        if (od_view_starts_any(rest, fronts))
            return true;
    }
    return false;
}

/* Is it the line of a call in a traceback? A file name may contain the name of a phase. */
static bool is_call(struct od_view text)
{
    return od_view_has(text, OD_VIEW("File \"")) && od_view_has(text, OD_VIEW("\", line "));
}

static const char *phase_of(unsigned all, struct od_view text)
{
    /* a list of settings contains names of phases */
    if ((all & SOMETHING) != 0 || is_call(text) || (all && od_view_has_any(text, settings)) ||
        od_view_has(text, OD_VIEW("Error")) || od_view_has(text, OD_VIEW("error in ")) ||
        od_view_has(text, OD_VIEW("ut of memory")))
        return NULL;
    if ((all & (LOADING | READING)) != 0 && (all & DATA) != 0 && (all & MODEL) == 0)
        return "data";
    if ((all & PREPARED) != 0)
        return NULL;
    if ((all & SAVING) != 0 && (all & MODEL) != 0)
        return "checkpoint";
    if ((all & LOADING) != 0)
        return (all & MODEL) != 0 ? "load" : NULL;
    return (all & VALIDATION) != 0 ? "validation" : NULL;
}

/* Is it a heading such as "Epoch 3/80" or "=== epoch 3 ==="? */
static bool is_headline(struct od_view text, uint64_t *ret_epoch)
{
    static const struct od_view names[] = {{"Epoch", 5}, {"epoch", 5}, {"EPOCH", 5}};
    while (text.n > 0 && !od_is_letter(text.p[0]) && !od_is_digit(text.p[0]))
        text = od_view_from(text, 1);
    bool named = false;
    for (size_t i = 0; i < OD_COUNT_OF(names) && !named; i++)
        named = od_view_take(&text, names[i]);
    if (!named || text.n > HEADLINE_BYTES)
        return false;
    text = od_view_from(text, od_past_any(text, 0, " :[#="));
    return od_num_take_u64(&text, ret_epoch) && (text.n == 0 || text.p[0] != '.');
}

/* A line without words of this kind, whatever its digits; only a heading's number matters. */
static bool is_silent(struct od_view text)
{
    uint64_t epoch;
    struct od_view head = od_view_head(text, LINE_MAX_BYTES);
    return !phase_of(all_meanings(head), head) && text.n <= LINE_MAX_BYTES &&
           !is_headline(text, &epoch);
}

/* The meanings of a line's words. */
struct meanings {
    const char *phase;
    unsigned all;
};

static struct meanings meanings_of(const struct od_line *line)
{
    void **kept = od_line_kept(line, words);
    if (kept && *kept)
        return *(const struct meanings *)*kept;
    struct od_view text = od_view_head(line->text, LINE_MAX_BYTES);
    unsigned all = all_meanings(text);
    struct meanings meant = {phase_of(all, text), all};
    if (kept) {
        *kept = OD_NEW(line->memory->arena, struct meanings);
        *(struct meanings *)*kept = meant;
    }
    return meant;
}

static enum od_take line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    (void)state;
    struct od_view text = od_view_head(line->text, LINE_MAX_BYTES);
    struct meanings meant = meanings_of(line);
    const char *phase = meant.phase;
    unsigned all = meant.all;
    uint64_t epoch;
    bool headline = !phase && is_headline(line->text, &epoch);
    if (!phase && !headline)
        return OD_TAKE_NONE;
    struct od_event event;
    od_measure_begin(&event, "marks", line, NULL);
    if (headline)
        od_event_set_count(&event, OD_F_EPOCH, epoch);
    else
        od_event_set_text(&event, OD_F_PHASE, od_view_of(phase));
    if (phase && (all & (OVER | RESTORE)) != 0)
        od_event_set_text(&event, OD_F_NAME, od_view_of(all & OVER ? "done" : "checkpoint"));
    else if (phase && strcmp(phase, "validation") == 0 && is_under_way(text))
        od_event_set_text(&event, OD_F_NAME, OD_VIEW("begins"));
    od_sink_put(sink, &event);
    return OD_TAKE_SHARE;
}

const struct od_reader od_reader_marks = {
    .name = "marks",
    .literals = openers,
    .numbered = numbered_openers,
    .silent = is_silent,
    .line = line,
};
