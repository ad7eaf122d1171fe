/*
 * What people in a thread found out: "lowering --tiles to 4 fixed it", "`--lowvram` worked for me",
 * "empty_cache() does not help", "num_workers从8改成0后可以跑", the advice of those who answer:
 * "you may try shorter clips", and the version without the fault: "fixed in 2.4.1". They
 * become the settings found_worked, found_failed, found_advised and found_released. Their value is
 * the handle: the flag, variable, name or version as written in the sentence, otherwise the knob
 * (rules/software.h) that its words mean.
 *
 * A sentence that supposes, asks or advises does not report a result, and a sentence without a
 * handle is ignored. A clause after "but" is judged by itself: "batch 8 works, but with 16 it still
 * fails" has two.
 */
#include "base/mask_digits.h"
#include "base/phrases.h"
#include "facts/number.h"
#include "facts/setting.h"
#include "readers/logs/found_name.h"
#include "readers/reader.h"

enum {
    LINE_MOST = 1200,
    LINES_BELOW = 10,
    FOREIGN_MOST = 400, /* lines of successive answers */
    REPLY_LINES = 8,    /* lines of an answer that are read regardless of their words */
    ORDER_LEAST = 16,   /* "reduce it" is too short to be useful */
    HANDLE_MOST = 72,
    SENTENCE_LEAST = 9,
    QUOTED_MOST = 150, /* longest quoted sentence; of a longer one only the clause is quoted */
    CLAUSE_MOST = 240
};

struct found {
    bool below;     /* the previous line was a heading */
    bool named;     /* the next line has to name what helped */
    bool fenced;    /* and the next line is code */
    bool replied;   /* another person answers */
    unsigned reply; /* remaining lines of the answer to read */
    unsigned left;  /* remaining lines that may still report whether a change worked */
    struct od_prov at;
    char did[CLAUSE_MOST + 1], handle[HANDLE_MOST + 1];
    struct od_prov advised_at; /* the last advice that names a setting */
    char advised[HANDLE_MOST + 1];
};

/* Lists generated from found.words; openers and headings are texts. */
#include "readers/logs/tried_fixes.inc"

/* Lists whose phrases make a line interesting. */
static const uint64_t telling = OD_LIST(GOOD) | OD_LIST(BAD) | OD_LIST(LASTING) | OD_LIST(HELPS) |
                                OD_LIST(DID) | OD_LIST(ADVISES) | OD_LIST(FINE) |
                                OD_LIST(COUNSELS) | OD_LIST(RELEASED) | OD_LIST(URGES) |
                                OD_LIST(UPDATING) | OD_LIST(EDITS);
/* Phrases that say that a setting was on in the failed run. */
static const uint64_t states = OD_LIST(IN_USE) | OD_LIST(FAILING) | OD_LIST(BROKE);
static const uint64_t about_versions = OD_LIST(RELEASED) | OD_LIST(URGES) | OD_LIST(UPDATING);

static bool has(const struct od_phrases *said, struct od_view text, unsigned list)
{
    return od_phrases_at(said, text, OD_LIST(list)) != OD_VIEW_NONE;
}

static bool asks(struct od_view text)
{
    return od_view_find_char(text, '?', 0) != OD_VIEW_NONE;
}

/* A short text between backquotes on one line, if it is neither an error nor output. */
static struct od_view quoted_of(const struct od_phrases *said, struct od_view text)
{
    size_t end = text.n > 2 && text.p[0] == '`' ? od_view_find_char(text, '`', 1) : OD_VIEW_NONE;
    if (end == OD_VIEW_NONE || end < 4 || end > HANDLE_MOST)
        return (struct od_view){0};
    struct od_view quoted = od_view_trim((struct od_view){text.p + 1, end - 1});
    return has(said, quoted, OUTPUT) ? (struct od_view){0} : quoted;
}

/* An input size such as "512x512" or "2048 tokens", and its kind; empty: none starts here. */
static struct od_view size_at(struct od_view text, const char **ret_samples)
{
    enum { DIGITS_LEAST = 2 };
    static const struct {
        const char *word, *samples;
    } counted[] = {{" tokens", "text"},   {" frames", "video"},  {" px", "images"},
                   {" pixels", "images"}, {" points", "points"}, {" nodes", "graphs"}};
    size_t n = od_num_digits(text), sides = 0;
    for (size_t i = 0; n >= DIGITS_LEAST && i < OD_COUNT_OF(counted); i++) {
        *ret_samples = counted[i].samples;
        if (od_view_starts(od_view_from(text, n), od_view_of(counted[i].word)))
            return od_view_head(text, n + strlen(counted[i].word));
    }
    while (n + DIGITS_LEAST < text.n && text.p[n] == 'x' && od_is_digit(text.p[n + 1]))
        n += 1 + od_num_digits(od_view_from(text, n + 1)), sides++;
    bool ends = n == text.n || !od_is_word(text.p[n]);
    *ret_samples = sides > 1 ? "volumes" : "images";
    return sides > 0 && ends ? od_view_head(text, n) : (struct od_view){0};
}

/* The input size that worked, in the part of the clause that says so. */
static struct od_view size_of(const struct od_phrases *said, struct od_view clause,
                              const char **ret_samples)
{
    while (clause.n > 0) {
        size_t comma = od_view_find(clause, OD_VIEW(", "), 0);
        struct od_view part = od_view_head(clause, comma == OD_VIEW_NONE ? clause.n : comma);
        bool works = has(said, part, GOOD) || od_view_ends(part, OD_VIEW(" work"));
        works = works && !has(said, part, DENIED);
        for (size_t i = 0; i < part.n && works; i++) {
            bool begins = i == 0 || !(od_is_word(part.p[i - 1]) || part.p[i - 1] == '.');
            struct od_view size =
                begins ? size_at(od_view_from(part, i), ret_samples) : (struct od_view){0};
            if (size.n > 0)
                return size;
        }
        clause = comma == OD_VIEW_NONE ? (struct od_view){0} : od_view_from(clause, comma + 2);
    }
    return clause;
}

/* The knob that the words mean; empty: none. */
static struct od_view meaning_of(const struct od_phrases *said, struct od_view text)
{
    for (unsigned i = 0; i < OD_COUNT_OF(meant); i++)
        if (has(said, text, MEANT + i))
            return od_view_of(meant[i]);
    return (struct od_view){0};
}

/* Do the words before a setting say that it was replaced: "instead of X", "from X to Y"? */
static bool is_replaced(struct od_view before)
{
    before.n = od_back_any(before, before.n, " `\"'");
    return od_view_ends_any(before, replaced);
}

/* The flag, name or quotation of a clause; empty: it has none. */
static struct od_view spelled_of(const struct od_phrases *said, struct od_view text)
{
    struct od_view old = {0};
    for (size_t i = 0; i < text.n; i++) {
        struct od_view rest = od_view_from(text, i);
        struct od_view found = quoted_of(said, rest);
        bool begins = i == 0 || !(od_is_word(text.p[i - 1]) || strchr("./-?&#:", text.p[i - 1]));
        size_t flag = begins ? od_flag_length(rest) : 0, name = begins ? od_name_length(rest) : 0;
        size_t end = found.n > 0 ? found.n + 2 : flag > 0 ? flag : name;
        if (end == 0)
            continue;
        found = found.n > 0 ? found : od_view_head(rest, end);
        bool too_long = found.n > HANDLE_MOST;
        if (!too_long && !is_replaced(od_view_head(text, i)))
            return found;
        old = old.n > 0 || too_long ? old : found;
        i += end - 1;
    }
    return old;
}

/* The length of a version that has at least that many numbers: "1.8.3", "v0.14"; 0 = none. */
static size_t version_at(struct od_view text, unsigned least)
{
    enum { NUMBERS_MOST = 3 };
    size_t n = text.n > 1 && od_lower(text.p[0]) == 'v';
    unsigned numbers = 0;
    least -= n > 0 && least > 1;
    for (size_t digits; (digits = od_num_digits(od_view_from(text, n))) > 0;) {
        n += digits, numbers++;
        if (n + 1 >= text.n || text.p[n] != '.' || !od_is_digit(text.p[n + 1]))
            break;
        n++;
    }
    struct od_view after = od_view_from(text, n);
    bool ends = after.n == 0 || !(od_is_word(after.p[0]) || strchr("%/:", after.p[0]));
    bool unit = after.n > 2 && after.p[0] == ' ' && strchr("GMKT%", after.p[1]);
    return ends && !unit && numbers >= least && numbers <= NUMBERS_MOST ? n : 0;
}

/* The version that a clause names, the first one after that place if there is one; empty: none. */
static struct od_view version_of(struct od_view text, size_t phrase)
{
    struct od_view found = {0};
    for (size_t i = 0; i < text.n; i++) {
        if (i > 0 && (od_is_of_name(text.p[i - 1]) || strchr("#/=", text.p[i - 1])))
            continue;
        struct od_view head = od_view_head(text, i);
        size_t from, blanks = i > 0 && text.p[i - 1] == ' ';
        struct od_view word = od_joined_before(text, i - blanks, &from);
        bool links = phrase != OD_VIEW_NONE && od_view_eq_any(word, version_links);
        size_t n =
            version_at(od_view_from(text, i), od_view_eq_any(word, before_version) ? 1 : 3 - links);
        if (n == 0 || (found.n > 0 && is_replaced(head)))
            continue;
        found = od_view_head(od_view_from(text, i), n);
        if (phrase == OD_VIEW_NONE || i > phrase || i + n + 1 == phrase) /* "3.1.2 or later" */
            return found;
        i += n - 1;
    }
    return found;
}

/* What was changed: as written, otherwise the knob that the words mean; empty: nothing that can be
 * set. */
static struct od_view handle_of(const struct od_phrases *said, struct od_view text)
{
    struct od_view handle = spelled_of(said, text);
    if (has(said, text, REMOVES)) /* the value of "--beam=10", "--beam 10" was there before */
        handle = od_view_head(handle, od_until_any(handle, 0, "= "));
    if (handle.n == 0)
        handle = version_of(text, od_phrases_at(said, text, about_versions));
    return handle.n > 0 ? handle : meaning_of(said, text);
}

/* Is the handle a knob that the words mean, as opposed to a written name? */
static bool is_meant(struct od_view handle)
{
    for (size_t i = 0; i < OD_COUNT_OF(meant); i++)
        if (handle.p == meant[i])
            return true;
    return false;
}

/* Is the statement at that place negated a few words before it? */
static bool is_denied(const struct od_phrases *said, struct od_view clause, size_t at)
{
    enum { WORDS_NEAR = 24 };
    size_t from = at > WORDS_NEAR ? at - WORDS_NEAR : 0;
    struct od_view near = od_view_from(od_view_head(clause, at), from);
    return has(said, near, DENIED) || od_view_has(near, OD_VIEW("n't "));
}

/* "if I set it to 4, it works" reports an observation; any other condition does not. */
static bool is_supposed(const struct od_phrases *said, struct od_view clause)
{
    return asks(clause) || has(said, clause, UNSAID) ||
           (has(said, clause, IF) && !has(said, clause, SEEN));
}

/* "if anyone has the same problem, lowering it fixed that": the clause without the address. */
static struct od_view without_address(const struct od_phrases *said, struct od_view clause)
{
    size_t at = od_phrases_at(said, clause, OD_LIST(ADDRESSED));
    size_t end = od_until_any(clause, at, ",:");
    return end >= clause.n ? clause : od_view_from(clause, end + 1);
}

/* Is something fixed that is no error: "I fixed the seed"? */
static bool mends_no_fault(const struct od_phrases *said, struct od_view clause, size_t good)
{
    static const char *const mends[] = {"ixed the ", "olved the ", NULL};
    size_t at = OD_VIEW_NONE;
    for (size_t i = 0; mends[i] && at == OD_VIEW_NONE; i++)
        at = od_view_find(clause, od_view_of(mends[i]), good);
    return at != OD_VIEW_NONE && at <= good + 3 && !has(said, od_view_from(clause, at), FAULT);
}

/* Is it a file such as "old/train.py", so another program rather than a setting? */
static bool is_path(struct od_view handle)
{
    return handle.n > 0 && handle.p[0] != '-' &&
           od_view_find_char(handle, '/', 0) != OD_VIEW_NONE &&
           od_view_find_char(handle, '=', 0) == OD_VIEW_NONE &&
           od_view_find_char(handle, ' ', 0) == OD_VIEW_NONE;
}

/* Position of the words that say that a run succeeded, which may follow a setting. */
static size_t good_at(const struct od_phrases *said, struct od_view clause)
{
    size_t at = od_phrases_at(said, clause, OD_LIST(GOOD));
    if (at != OD_VIEW_NONE || !has(said, clause, FINE) || has(said, clause, BROKE))
        return at != OD_VIEW_NONE && mends_no_fault(said, clause, at) ? OD_VIEW_NONE : at;
    struct od_view handle = handle_of(said, clause);
    bool named = handle.n > 0 && !is_path(handle) && (!is_meant(handle) || od_has_digit(clause));
    return named ? od_phrases_at(said, clause, OD_LIST(FINE)) : at;
}

static bool helps_not(const struct od_phrases *said, struct od_view clause)
{
    size_t at = od_phrases_at(said, clause, OD_LIST(HELPS));
    return at != OD_VIEW_NONE && is_denied(said, clause, at);
}

/* +1 worked, -1 failed, 0 not stated. */
static int verdict_of(const struct od_phrases *said, struct od_view clause)
{
    size_t at = good_at(said, clause);
    if (has(said, clause, BAD) || helps_not(said, clause) ||
        (at != OD_VIEW_NONE && is_denied(said, clause, at)) ||
        (has(said, clause, LASTING) && has(said, clause, FAILING)))
        return -1;
    return at != OD_VIEW_NONE ? 1 : 0;
}

static struct od_event event_of(const struct od_line *line, struct od_view sentence)
{
    return (struct od_event){.kind = OD_EV_SETTING,
                             .at = line->at,
                             .line = line,
                             .excerpt = sentence,
                             .rule = "tried_fixes"};
}

static void put_as(enum od_setting_id found, struct od_view handle, struct od_event *event,
                   const struct od_sink *sink)
{
    od_event_set_text(event, OD_F_NAME, od_view_of(od_setting_name(found)));
    od_event_set_text(event, OD_F_VALUE, handle.n > 0 ? handle : OD_VIEW("change"));
    od_sink_put(sink, event);
}

static void put(int verdict, struct od_view handle, struct od_event *event,
                const struct od_sink *sink)
{
    put_as(verdict > 0   ? OD_SETTING_FOUND_WORKED
           : verdict < 0 ? OD_SETTING_FOUND_FAILED
                         : OD_SETTING_FOUND_ADVISED,
           handle, event, sink);
}

/* --- what a person did, and says later that it worked --- */

static void copy(char *to, size_t room, struct od_view text)
{
    size_t n = text.n < room ? text.n : room - 1;
    if (n > 0)
        memcpy(to, text.p, n);
    to[n] = '\0';
}

/* Stores what was changed, as in "I changed the command to"; the new value may be on separate
 * lines. */
static void note_did(struct found *found, const struct od_phrases *said, struct od_view clause,
                     const struct od_line *line)
{
    bool did_it = od_phrases_at(said, clause, OD_LIST(DID) | OD_LIST(EDITS)) != OD_VIEW_NONE &&
                  clause.n <= CLAUSE_MOST;
    struct od_view handle =
        did_it || found->left > 0 ? handle_of(said, clause) : (struct od_view){0};
    if (is_supposed(said, clause) || has(said, clause, REFUSED) || (!did_it && handle.n == 0) ||
        is_path(handle))
        return;
    found->left = did_it ? LINES_BELOW : found->left;
    found->at = line->at;
    copy(found->did, sizeof found->did, clause);
    copy(found->handle, sizeof found->handle, handle);
}

/* "Increasing the wait time to 60s fixed it" */
static bool is_doing(struct od_view clause)
{
    char low[16];
    clause = od_view_trim(clause);
    struct od_view word = od_view_lowered(od_view_take_letters(&clause), low, sizeof low);
    return word.n > 5 && od_view_ends(word, OD_VIEW("ing")) && !od_view_eq_any(word, no_deeds);
}

/* Does the clause start with a verb of that list ("Please reduce the number of points"), and name a
 * setting or an object? */
static bool orders(const struct od_phrases *said, struct od_view clause, unsigned list, bool named)
{
    enum { POLITE_MOST = 3 };
    clause = od_view_trim(clause);
    for (unsigned i = 0; i < POLITE_MOST; i++) {
        size_t space = od_view_find_char(clause, ' ', 0);
        if (od_phrases_at(said, clause, OD_LIST(list)) == 0 && space != OD_VIEW_NONE)
            return named || od_view_starts_any(od_view_from(clause, space), objects);
        if (od_phrases_at(said, clause, OD_LIST(POLITE)) != 0 || space == OD_VIEW_NONE)
            return false;
        clause = od_view_trim(od_view_from(clause, space));
    }
    return false;
}

/* "This was fixed in 2.4.1", "please upgrade to 2.4.1", "try the latest master": the version that
 * is without the fault. Of an update that was made, the outcome counts. */
static bool put_released(const struct od_phrases *said, struct od_view clause,
                         struct od_event *event, const struct od_sink *sink)
{
    bool released = has(said, clause, RELEASED), asked = has(said, clause, URGES);
    bool urged = (asked && (has(said, clause, UNSAID) || has(said, clause, ADVISES) ||
                            orders(said, clause, URGES, true))) ||
                 (has(said, clause, UPDATING) && has(said, clause, UNSAID));
    size_t at = od_phrases_at(said, clause, about_versions);
    bool regressed = has(said, clause, REGRESSED) || (!released && has(said, clause, BROKE));
    if (at == OD_VIEW_NONE || !(released || urged) || regressed || is_denied(said, clause, at) ||
        (asks(clause) && !asked) || (!released && has(said, clause, REFUSED)))
        return false;
    struct od_view version = version_of(clause, at);
    if (version.n == 0 && has(said, clause, NEWEST))
        version = OD_VIEW("newest");
    if (version.n > 0)
        put_as(OD_SETTING_FOUND_RELEASED, version, event, sink);
    return version.n > 0;
}

/* "You may try shorter clips": an answer that names a setting, or less of something. Elsewhere it
 * speaks to the reader of a setting that it spells. */
static void put_advised(struct found *found, const struct od_phrases *said, struct od_view clause,
                        struct od_event *event, const struct od_sink *sink)
{
    struct od_view handle = handle_of(said, clause);
    bool batch = od_view_eq_str(handle, "batch"); /* the log's own batch is known */
    bool spelled = handle.n > 0 && !is_meant(handle), counsels = has(said, clause, COUNSELS);
    bool order = clause.n >= ORDER_LEAST && orders(said, clause, ORDERS, handle.n > 0);
    bool use = handle.n > 0 && orders(said, clause, USES, true);
    bool advises = has(said, clause, ADVISES) || use;
    bool named = handle.n > 0 || has(said, clause, LESSENS);
    bool tells = found->replied ? order || (advises && named)
                                : spelled && (counsels || use) && !has(said, clause, PRINTED) &&
                                      !has(said, clause, IF);
    if (spelled && (advises || counsels || asks(event->excerpt))) {
        copy(found->advised, sizeof found->advised, handle);
        found->advised_at = event->at;
    }
    if (tells && !has(said, clause, REFUSED) && (!asks(clause) || counsels) && !batch)
        put(0, handle, event, sink);
}

/* "Same error": what the advice above it names did not help. */
static struct od_view refuted_by(const struct found *found, const struct od_phrases *said,
                                 struct od_view clause, const struct od_line *line)
{
    enum { SHORT = 40 };
    bool above = found->advised_at.source == line->at.source &&
                 found->advised_at.line < line->at.line &&
                 found->advised_at.line + LINES_BELOW >= line->at.line;
    bool answers = clause.n <= SHORT && (has(said, clause, BAD) || helps_not(said, clause));
    return above && answers ? od_view_of(found->advised) : (struct od_view){0};
}

/* "It worked": about the change in this clause, or the last one. */
static bool put_did(struct found *found, const struct od_phrases *said, struct od_view clause,
                    const struct od_line *line, const struct od_sink *sink)
{
    bool here = has(said, clause, DID) || is_doing(clause);
    struct od_event event = event_of(line, od_view_trim(here ? clause : od_view_of(found->did)));
    if (!here && found->left == 0)
        return false;
    if (!here)
        event.at = found->at;
    put(1, here ? (struct od_view){0} : od_view_of(found->handle), &event, sink);
    found->left = 0;
    return true;
}

/* Emits a remark with the kind of input whose size worked: that size matters. */
static struct od_view put_size(const struct od_phrases *said, struct od_view clause,
                               const struct od_line *line, const struct od_sink *sink)
{
    const char *samples;
    struct od_view size = size_of(said, clause, &samples);
    struct od_event event = event_of(line, od_view_trim(clause));
    event.kind = OD_EV_REMARK;
    for (unsigned i = 0; size.n > 0 && i < 2; i++) {
        od_event_set_text(&event, OD_F_NAME, od_view_of(i == 0 ? samples : "input"));
        od_sink_put(sink, &event);
    }
    return size;
}

/* End of the clause and start of the next one. */
static size_t end_of_clause(struct od_view text, size_t *ret_next)
{
    size_t end = text.n;
    *ret_next = text.n;
    for (size_t i = 0; turns[i]; i++) {
        size_t at = od_view_find(text, od_view_of(turns[i]), 0);
        if (at != OD_VIEW_NONE && at > 0 && at < end) {
            end = at;
            *ret_next = at + strlen(turns[i]);
        }
    }
    return end;
}

/* Removes the number or bullet of a list's item: "reduce it" of "2. reduce it". */
static struct od_view without_bullet(struct od_view text)
{
    text = od_view_trim(text);
    return od_view_from(text, od_past_any(text, 0, "-*>. )0123456789"));
}

/* Is the value the smallest possible: "batch size 1", "as low as 8"? */
static bool is_least(const struct od_phrases *said, struct od_view clause)
{
    struct od_number number;
    bool one = false;
    for (size_t i = 0; od_number_next(clause, &i, &number);)
        one = one || (number.digits_end == number.start + 1 && clause.p[number.start] == '1');
    return one || has(said, clause, LOWEST);
}

/* "gradient checkpointing is on already", "OOM even with bf16": what was on when the run failed is
 * no remedy. A clause that takes it away, asks or advises states nothing of that run. */
static bool put_switches(const struct od_phrases *said, struct od_view clause, int verdict,
                         struct od_event *event, const struct od_sink *sink)
{
    const uint64_t others = OD_LIST(REMOVES) | OD_LIST(UNUSED) | OD_LIST(ADVISES) |
                            OD_LIST(COUNSELS) | (verdict < 0 ? 0 : OD_LIST(DENIED));
    bool any = false;
    if (verdict > 0 || is_supposed(said, clause) ||
        (verdict == 0 && od_phrases_at(said, clause, states) == OD_VIEW_NONE) ||
        od_phrases_at(said, clause, others) != OD_VIEW_NONE ||
        orders(said, without_bullet(clause), USES, true) ||
        orders(said, without_bullet(clause), ORDERS, true) ||
        (verdict == 0 && od_view_has(clause, OD_VIEW("n't "))))
        return false;
    for (unsigned i = 0; i < OD_COUNT_OF(meant); i++)
        if (has(said, clause, MEANT + i) &&
            (od_view_eq_any(od_view_of(meant[i]), switches) ||
             (strcmp(meant[i], "batch") == 0 && is_least(said, clause)))) {
            put(-1, od_view_of(meant[i]), event, sink);
            any = true;
        }
    return any;
}

/* "still fails" is about what the previous clause tried. */
static bool read_sentence(struct found *found, const struct od_phrases *said,
                          struct od_view sentence, const struct od_line *line,
                          const struct od_sink *sink)
{
    struct od_view rest = sentence, before = {0};
    bool any = false;
    if (sentence.n < SENTENCE_LEAST)
        return false;
    while (rest.n > 0) {
        size_t next;
        struct od_view clause =
            without_address(said, od_view_head(rest, end_of_clause(rest, &next)));
        rest = od_view_from(rest, next);
        int verdict =
            clause.n > CLAUSE_MOST || is_supposed(said, clause) ? 0 : verdict_of(said, clause);
        struct od_view handle = verdict != 0 ? handle_of(said, clause) : (struct od_view){0};
        if (verdict >= 0 && handle.n == 0 && !is_supposed(said, clause))
            handle = put_size(said, clause, line, sink);
        verdict = verdict == 0 && handle.n > 0 ? 1 : verdict;
        bool lasts = verdict < 0 && has(said, clause, LASTING);
        if (verdict < 0 && handle.n == 0 && has(said, before, TRIED) && !is_supposed(said, before))
            handle = handle_of(said, before);
        else if ((lasts || (is_meant(handle) &&
                            !(helps_not(said, clause) && od_view_eq_str(handle, "batch")))) &&
                 !has(said, clause, TRIED))
            handle = (struct od_view){0};
        if (verdict < 0 && handle.n == 0)
            handle = refuted_by(found, said, clause, line);
        struct od_event event = event_of(line, od_view_trim(sentence));
        if (put_switches(said, clause, verdict, &event, sink)) {
            any = true;
            handle = is_meant(handle) ? (struct od_view){0} : handle;
        }
        before = clause;
        if (verdict >= 0 && put_released(said, clause, &event, sink)) {
            any = true;
            continue;
        }
        struct od_view means = verdict > 0 && handle.n > 0 ? meaning_of(said, clause) : handle;
        if (means.n > 0 && means.p != handle.p && means.p != meaning_of(said, handle).p)
            put(verdict, means, &event, sink);
        if (handle.n > 0 && verdict != 0)
            put(verdict, handle, &event, sink);
        else if (verdict == 0)
            note_did(found, said, clause, line);
        if (verdict > 0 && handle.n == 0 && rest.n == 0 && !found->below)
            found->below = found->named = true;
        if (verdict == 0) {
            struct od_event clipped = event_of(line, od_view_trim(clause));
            put_advised(found, said, clause, sentence.n > QUOTED_MOST ? &clipped : &event, sink);
        }
        any = any || (handle.n > 0 && verdict != 0) ||
              (handle.n == 0 && verdict > 0 && put_did(found, said, clause, line, sink));
    }
    return any;
}

/* May a person have written it? */
static bool is_written(const struct od_line *line)
{
    enum od_segment segment = line->segment;
    if (segment == OD_SEGMENT_OPEN)
        segment = od_segment_by_form(line->text);
    return segment == OD_SEGMENT_OPEN || segment == OD_SEGMENT_REPLY ||
           segment == OD_SEGMENT_PERSON;
}

/* Length of a mark that ends a sentence; 0 = none. The point after a single letter is that of an
 * abbreviation: "a.k.a.", "e.g.". */
static size_t mark_at(struct od_view text, size_t i)
{
    static const char *const wide[] = {"。", "！", "；", NULL};
    char c = text.p[i];
    bool letter = c == '.' && i > 1 && od_is_letter(text.p[i - 1]) && !od_is_word(text.p[i - 2]);
    if (!letter && (c == '.' || c == '!' || c == '?' || c == ';') &&
        (i + 1 == text.n || text.p[i + 1] == ' '))
        return 1;
    struct od_view rest = od_view_from(text, i);
    return (c & 0x80) && od_view_take_any(&rest, wide) ? text.n - i - rest.n : 0;
}

/* "Solution:", "**Fixed by**", "解决方法：": the text below is what was found. */
static bool is_heading(struct od_view text)
{
    char low[48];
    text = od_view_from(text, od_past_any(text, 0, "#*_ "));
    static const char *const ends[] = {"：", ":", "*", "_", " ", NULL};
    for (size_t i = 0; ends[i];) {
        bool cut = od_view_ends(text, od_view_of(ends[i]));
        text = od_view_head(text, text.n - (cut ? strlen(ends[i]) : 0));
        i = cut ? 0 : i + 1;
    }
    return text.n < sizeof low && od_view_eq_any(od_view_lowered(text, low, sizeof low), headings);
}

/* Reads the first line below a heading. */
static bool read_below(const struct od_phrases *said, bool named, const struct od_line *line,
                       const struct od_sink *sink)
{
    struct od_view text = without_bullet(said->text), handle = handle_of(said, text);
    bool name = !is_meant(handle) && 2 * handle.n > text.n; /* and little other text */
    if (text.n < SENTENCE_LEAST || asks(text) || has(said, text, GUESSES) ||
        !(named ? name : is_written(line)))
        return false;
    struct od_event event = event_of(line, text);
    put(1, handle, &event, sink);
    return true;
}

static bool names_what_was_on(const struct od_phrases *said)
{
    return (said->lists >> MEANT) != 0 && (said->lists & states) != 0;
}

static bool says_nothing(struct od_view text)
{
    struct od_phrases said;
    od_phrases_find(&said, &phrases, text);
    return (said.lists & telling) == 0 && !names_what_was_on(&said) &&
           !is_heading(od_view_trim(text)) && od_segment_of(text) != OD_SEGMENT_REPLY;
}

static bool is_open(const void *state)
{
    const struct found *found = state;
    return found->below || found->left > 0 || found->reply > 0;
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct od_view text = od_view_trim(line->text);
    struct found *found = state;
    struct od_phrases said;
    bool any = false;
    if (found->below && od_view_starts(text, OD_VIEW("```"))) {
        found->fenced = true;
        return OD_TAKE_NONE;
    }
    if (line->stamp.n > 0) /* printed by a program, not written by a person */
        return OD_TAKE_NONE;
    od_phrases_find(&said, &phrases, text);
    if (found->below && text.n > 0) {
        bool named = found->named && !found->fenced;
        found->below = found->fenced = false;
        if (read_below(&said, named, line, sink))
            return OD_TAKE_SHARE;
    }
    bool heading = is_heading(text);
    found->below = (found->below && text.n == 0) || heading;
    found->named = found->named && !heading;
    bool answers = line->segment == OD_SEGMENT_REPLY;
    found->replied = found->replied || answers;
    found->reply = answers ? REPLY_LINES : found->reply - (found->reply > 0);
    found->left -= found->left > 0;
    uint64_t told = telling | (found->reply > 0 ? OD_LIST(ORDERS) | OD_LIST(USES) : 0);
    bool tells = (said.lists & told) != 0 || found->left > 0 || names_what_was_on(&said);
    /* numbered lines list changes, as rows of a table do */
    if (!tells || text.n > LINE_MOST || text.n == 0 || strchr("<|0123456789", text.p[0]) ||
        !is_written(line))
        return OD_TAKE_NONE;
    for (size_t i = 0, start = 0; i < text.n; i++) {
        size_t mark = mark_at(text, i);
        bool ends = mark > 0 || i + 1 == text.n;
        if (!ends)
            continue;
        size_t end = i + (mark > 0 ? mark : 1);
        struct od_view sentence = od_view_part(text, start, end);
        any = read_sentence(found, &said, sentence, line, sink) || any;
        start = end;
        i = end - 1;
    }
    return any ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_tried_fixes = {
    .name = "tried_fixes",
    .literals = openers,
    .state_size = sizeof(struct found),
    .foreign_max = FOREIGN_MOST,
    .silent = says_nothing,
    .line = read_line,
    .is_open = is_open,
};
