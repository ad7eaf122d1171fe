/*
 * Batch sizes that people say worked or failed: "a batch of 32 works but 48 fails", "bs=8 ok, 16
 * OOM", "reducing it from 256 to 128 fixed it". They become the settings batch_worked and
 * batch_failed.
 *
 * A sentence that supposes, asks or advises ("should work with 8", "try 16") is ignored, and so is
 * an ambiguous one, because a wrong bound is worse than none.
 */
#include "base/word_table.h"
#include "facts/setting.h"
#include "readers/reader.h"

enum { WORDS_MOST = 120, LINE_MOST = 1200 };

enum kind {
    OTHER,
    NUMBER,
    BATCH, /* what the numbers count */
    GROUP, /* the same if "size" or no noun follows; "a batch of 12 files" is something else */
    SIZE,
    LINK,  /* a word between "batch" and its number */
    WORKS, /* the number after it is what the sentence is about */
    RUNS,  /* only says that something did not fail */
    FAILS,
    FIXES,
    NOT,
    RAISES, /* "raising the batch to 96": the number was tried */
    MOST,   /* "batch_size = 86  # max": only after a comment mark */
    COMMENT,
    STILL, /* "from 2 to 1, but still" */
    MAYBE, /* a supposition, a question or advice */
    LEADS, /* "with 64, it ..." */
    FROM,
    TO,
    BREAK, /* end of a clause */
    END    /* end of a sentence */
};

struct word {
    enum kind kind;
    uint64_t n;
};

struct speech {
    struct word list[WORDS_MOST];
    size_t n;
};

/* --- words --- */

static const struct od_word_means words[] = {
#include "readers/logs/batch_words.inc"
};

/* Words of scripts without blanks; the longest match counts. */
static const struct od_word_means wide[] = {
#include "readers/logs/batch_wide.inc"
};

static enum kind kind_of(struct od_view word)
{
    /* "doesn't", "didn't", "won't" */
    bool denied = word.n > 3 && od_lower(word.p[word.n - 3]) == 'n' && word.p[word.n - 2] == '\'' &&
                  od_lower(word.p[word.n - 1]) == 't';
    return denied ? NOT : (enum kind)od_word_means(words, OD_COUNT_OF(words), word);
}

static void push(struct speech *s, enum kind kind, uint64_t n)
{
    if (s->n < WORDS_MOST)
        s->list[s->n++] = (struct word){kind, n};
}

/* Takes a whole number by itself; anything else with digits is not a number, and a number of bytes
 * counts no samples. */
static struct od_view take_number(struct od_view text, struct speech *s)
{
    static const char *const units[] = {" GB", " GiB", " MB", " MiB", " G ", NULL};
    struct od_view rest = text;
    uint64_t n;
    bool whole = od_num_take_u64(&rest, &n) && n > 0;
    size_t end = 0;
    while (end < text.n && od_is_word(text.p[end]))
        end++;
    bool part = end < text.n &&
                (text.p[end] == '.' || text.p[end] == ',' || text.p[end] == ':' ||
                 text.p[end] == '/' || text.p[end] == '%' || text.p[end] == '-') &&
                end + 1 < text.n && od_is_digit(text.p[end + 1]);
    bool other =
        (end < text.n && text.p[end] == '%') || od_view_starts_any(od_view_from(text, end), units);
    while (part && end < text.n &&
           (od_is_digit(text.p[end]) || text.p[end] == '.' || text.p[end] == ',' ||
            text.p[end] == ':'))
        end++;
    push(s, whole && !part && !other && text.n - rest.n == end ? NUMBER : OTHER, n);
    return od_view_from(text, end);
}

/* "if anyone has the same problem" addresses readers and is not a condition. */
static const char *const addressed[] = {" anyone",  " someone",  " somebody", " you have",
                                        " you get", " you face", " get ",     NULL};

static struct od_view take_word(struct od_view text, struct speech *s)
{
    size_t end = 0;
    while (end < text.n &&
           (od_is_word(text.p[end]) || (text.p[end] == '\'' && end > 0) ||
            (text.p[end] == '-' && end + 1 < text.n && od_is_letter(text.p[end + 1]))))
        end++;
    bool readers = od_view_starts_any(od_view_from(text, end), addressed);
    enum kind kind = kind_of(od_view_head(text, end));
    push(s, kind == MAYBE && readers ? OTHER : kind, 0);
    return od_view_from(text, end);
}

/* Takes a word of a script without blanks. */
static struct od_view take_wide(struct od_view text, struct speech *s)
{
    size_t best = 0;
    enum kind kind = OTHER;
    for (size_t i = 0; i < OD_COUNT_OF(wide); i++) {
        struct od_view word = od_view_of(wide[i].word);
        if (word.n > best && od_view_starts(text, word)) {
            best = word.n;
            kind = (enum kind)wide[i].means;
        }
    }
    if (best > 0)
        push(s, kind, 0);
    return od_view_from(text, best > 0 ? best : 1);
}

/* Takes punctuation: the end of a sentence or clause, or a sign between a name and its value. */
static void take_mark(struct od_view text, struct speech *s)
{
    char c = text.p[0];
    bool last = text.n == 1 || text.p[1] == ' ';
    if (c == '?')
        push(s, MAYBE, 0);
    if ((c == '.' && last) || c == '?' || c == '!')
        push(s, END, 0);
    else if ((c == ',' || c == ':') && last)
        push(s, BREAK, 0);
    else if (c == ';' || c == '(' || c == ')')
        push(s, BREAK, 0);
    else if (c == '=' && s->n > 0 && s->list[s->n - 1].kind == OTHER)
        push(s, MAYBE, 0); /* a list of settings */
    else if (c == '=' || c == ':')
        push(s, LINK, 0);
    else if (c == '#')
        push(s, COMMENT, 0);
    else if (c == '/' || c == '{' || c == '[' || c == '<')
        push(s, OTHER, 0);
}

static void listen(struct od_view text, struct speech *s)
{
    while (text.n > 0) {
        if (od_is_digit(text.p[0])) {
            text = take_number(text, s);
        } else if (od_is_word(text.p[0])) {
            text = take_word(text, s);
        } else if ((unsigned char)text.p[0] < 0x80) {
            take_mark(text, s);
            text = od_view_from(text, 1);
        } else {
            text = take_wide(text, s);
        }
    }
    push(s, END, 0);
}

/* --- sentences --- */

struct verdicts {
    uint64_t worked, failed; /* 0 = not stated */
};

static bool has(const struct word *w, size_t n, enum kind kind)
{
    for (size_t i = 0; i < n; i++)
        if (w[i].kind == kind)
            return true;
    return false;
}

/* "from 256 to 128 fixed it", "after going from 32 to 4 the error stopped" */
static bool read_change(const struct word *w, size_t n, struct verdicts *ret)
{
    for (size_t i = 0; i + 3 < n; i++) {
        if (w[i].kind != FROM || w[i + 1].kind != NUMBER || w[i + 2].kind != TO ||
            w[i + 3].kind != NUMBER || w[i + 3].n >= w[i + 1].n)
            continue;
        bool good = has(w, n, FIXES) || (has(w, n, WORKS) && !has(w, n, NOT));
        if (has(w + i, n - i, STILL)) /* both failed, and the smaller one implies the larger one */
            *ret = (struct verdicts){0, w[i + 3].n};
        else if (good)
            *ret = (struct verdicts){w[i + 3].n, w[i + 1].n};
        return true;
    }
    return false;
}

/* Does the number count the batch? It follows the word or, if the sentence has mentioned the batch,
 * starts a clause. */
static bool counts_batch(const struct word *w, size_t n, size_t i, bool spoken)
{
    size_t k = i;
    bool size = false, first = i == 0 || w[i - 1].kind == BREAK;
    if (i + 1 < n &&
        (w[i + 1].kind == BATCH || (w[i + 1].kind == GROUP && i + 2 < n && w[i + 2].kind == SIZE)))
        return true; /* "with 64 batch size" */
    while (k > 0 && (w[k - 1].kind == LINK || w[k - 1].kind == SIZE || w[k - 1].kind == TO))
        size = w[--k].kind == SIZE || size;
    if (k > 0 && w[k - 1].kind == GROUP && !size)
        return i + 1 == n || w[i + 1].kind != OTHER;
    if (k > 0 && (w[k - 1].kind == BATCH || w[k - 1].kind == GROUP))
        return true;
    bool set = k > 0 && k < i && w[k - 1].kind == BREAK; /* ", set to 4" */
    return spoken && (first || set || (k > 0 && w[k - 1].kind == LEADS));
}

/* +1 worked, -1 failed, 0 neither or both. */
static int verdict_of(const struct word *w, size_t n, bool fails_elsewhere)
{
    bool works = has(w, n, WORKS) || (has(w, n, RUNS) && !fails_elsewhere);
    bool fails = has(w, n, FAILS), negated = has(w, n, NOT);
    if (has(w, n, FIXES) && has(w, n, TO) && !negated) /* "set to 8 as a workaround" */
        return 1;
    if (works == fails) /* "runs without errors" */
        return works && negated && has(w, n, FAILS) ? 1 : 0;
    return works != negated ? 1 : -1;
}

static void note(uint64_t n, int verdict, struct verdicts *ret)
{
    if (verdict > 0 && n > ret->worked)
        ret->worked = n;
    if (verdict < 0 && (ret->failed == 0 || n < ret->failed))
        ret->failed = n;
}

/* "batch_size = 86  # max" in code; in a line that is a comment as a whole the number may count
 * something else. */
static void read_comment(const struct word *w, size_t n, struct verdicts *ret)
{
    for (size_t i = 1; i + 2 < n && w[0].kind != COMMENT; i++)
        if (w[i].kind == NUMBER && w[i + 1].kind == COMMENT && w[i + 2].kind == MOST &&
            counts_batch(w, n, i, false))
            note(w[i].n, 1, ret);
}

/* "It runs with a batch size of 64. I am attempting to raise the batch size to 96": if the run
 * failed, it failed with 96. */
static void read_raise(const struct word *w, size_t n, struct verdicts *ret)
{
    enum { APART = 6 };
    size_t raised = n;
    for (size_t i = 0; i + 1 < n; i++) {
        raised = w[i].kind == RAISES ? i : raised;
        bool to = raised < i && i - raised <= APART && w[i].kind == TO;
        if (to && w[i + 1].kind == NUMBER && has(w + raised, i - raised, GROUP) &&
            ret->worked > 0 && w[i + 1].n > ret->worked)
            note(w[i + 1].n, -1, ret);
    }
}

/* Clause by clause: one number and its verdict. "With 64, it works" has two clauses. */
static void read_clauses(const struct word *w, size_t n, struct verdicts *ret)
{
    bool spoken = false, fails = has(w, n, FAILS);
    uint64_t carried = 0;
    for (size_t start = 0, end; start < n; start = end + 1) {
        uint64_t number = 0;
        unsigned numbers = 0;
        for (end = start; end < n && w[end].kind != BREAK; end++) {
            spoken = spoken || w[end].kind == BATCH || w[end].kind == GROUP;
            if (w[end].kind == NUMBER && counts_batch(w, n, end, spoken)) {
                number = w[end].n;
                numbers++;
            }
        }
        int verdict = verdict_of(w + start, end - start, fails);
        if (numbers == 1 && verdict != 0)
            note(number, verdict, ret);
        else if (numbers == 0 && carried > 0 && verdict != 0)
            note(carried, verdict, ret);
        carried = numbers == 1 && verdict == 0 ? number : 0;
    }
}

static void read_sentence(const struct word *w, size_t n, struct verdicts *ret)
{
    if ((!has(w, n, BATCH) && !has(w, n, GROUP)) || !has(w, n, NUMBER) || has(w, n, MAYBE))
        return;
    read_comment(w, n, ret);
    if (!read_change(w, n, ret))
        read_clauses(w, n, ret);
    read_raise(w, n, ret);
}

/* --- lines --- */

static const char *const openers[] = {"batch size", "batch_size", "Batch size", "batchsize",
                                      "batch of ",  "bs=",        "bs = ",      "BATCH_SIZE",
                                      "批大小",     "批次大小",   "批量大小",   NULL};

static void put(enum od_setting_id id, uint64_t n, const struct od_line *line,
                const struct od_sink *sink)
{
    char text[24];
    size_t at = sizeof text;
    for (uint64_t rest = n; rest > 0 && at > 0; rest /= 10)
        text[--at] = (char)('0' + rest % 10);
    struct od_event event = {.kind = OD_EV_SETTING,
                             .at = line->at,
                             .line = line,
                             .excerpt = od_view_trim(line->text),
                             .rule = "batch_words"};
    od_event_set_text(&event, OD_F_NAME, od_view_of(od_setting_name(id)));
    od_event_set_text(&event, OD_F_VALUE, (struct od_view){text + at, sizeof text - at});
    od_sink_put(sink, &event);
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    (void)state;
    struct speech speech = {0};
    struct verdicts said = {0};
    if (line->text.n > LINE_MOST)
        return OD_TAKE_NONE;
    listen(line->text, &speech);
    for (size_t start = 0, i = 0; i < speech.n; i++) {
        if (speech.list[i].kind != END)
            continue;
        read_sentence(speech.list + start, i - start, &said);
        start = i + 1;
    }
    if (said.failed > 0 && said.worked >= said.failed)
        return OD_TAKE_NONE;
    if (said.worked > 0)
        put(OD_SETTING_BATCH_WORKED, said.worked, line, sink);
    if (said.failed > 0)
        put(OD_SETTING_BATCH_FAILED, said.failed, line, sink);
    return said.worked > 0 || said.failed > 0 ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_batch_words = {
    .name = "batch_words",
    .literals = openers,
    .state_size = 1, /* no state is kept */
    .line = read_line,
};
