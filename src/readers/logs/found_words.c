/*
 * What people of a thread found out: "lowering --tiles to 4 fixed it", "`--lowvram` worked for me",
 * "empty_cache() does not help", "num_workers从8改成0后可以跑", and what they advise who answer:
 * "you may try shorter clips". They become settings, found_worked, found_failed and found_advised,
 * whose value is the handle: the flag, variable or name as it is written where the sentence has
 * one, else the knob (rules/software.h) that its words mean.
 *
 * A sentence that supposes, asks or advises tells nothing, and one without a handle neither. A
 * clause behind "but" is judged by itself: "batch 8 works, but with 16 it still fails" are two.
 */
#include "base/code_line.h"
#include "facts/setting.h"
#include "readers/reader.h"

enum {
    LINE_MOST = 1200,
    LINES_BELOW = 10,
    HANDLE_MOST = 72,
    SENTENCE_LEAST = 9,
    CLAUSE_MOST = 240
};

struct found {
    bool below;    /* the line above was a heading */
    bool named;    /* what helped has to be named there */
    bool replied;  /* somebody answers */
    unsigned left; /* lines that may still tell whether what somebody did worked */
    struct od_prov at;
    char did[CLAUSE_MOST + 1], handle[HANDLE_MOST + 1];
};

/* --- words --- */

/* openers, headings, good, bad, lasting, failing, tried, did, advises, lessens, unsaid, denied and
 * meant, made of found.words. */
#include "readers/logs/found_words.inc"

/* --- words in a text --- */

/* At the beginning and the end of words, in small or capital letters; bytes beyond ASCII anywhere.
 */
static size_t find_words(struct od_view text, const char *words)
{
    size_t n = strlen(words);
    for (size_t i = 0; i + n <= text.n; i++) {
        size_t k = 0;
        while (k < n && od_lower(text.p[i + k]) == words[k])
            k++;
        if (k < n)
            continue;
        bool begins = i == 0 || !od_is_word(words[0]) || !od_is_word(text.p[i - 1]);
        bool ends = i + n == text.n || !od_is_word(words[n - 1]) || !od_is_word(text.p[i + n]);
        if (begins && ends)
            return i;
    }
    return OD_VIEW_NONE;
}

static size_t find_any(struct od_view text, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        size_t at = find_words(text, words[i]);
        if (at != OD_VIEW_NONE)
            return at;
    }
    return OD_VIEW_NONE;
}

static bool has_any(struct od_view text, const char *const *words)
{
    return find_any(text, words) != OD_VIEW_NONE;
}

/* --- handles --- */

static bool is_of_name(char c)
{
    return od_is_word(c) || c == '-' || c == '.';
}

/* "--tiles", "--tiles=4", "--tiles 4" */
static size_t flag_of(struct od_view text)
{
    size_t n = 2;
    if (!od_view_starts(text, OD_VIEW("--")) || text.n < 4 || !od_is_letter(text.p[2]))
        return 0;
    while (n < text.n && is_of_name(text.p[n]))
        n++;
    if (n + 1 < text.n && (text.p[n] == '=' || (text.p[n] == ' ' && od_is_digit(text.p[n + 1]))))
        for (n++; n < text.n && is_of_name(text.p[n]);)
            n++;
    while (text.p[n - 1] == '.')
        n--;
    return n;
}

/* "max_split_size_mb", "NAME_OF_IT=1", "chunk_size to 4"; a file's name is none. */
static size_t name_of(struct od_view text)
{
    size_t n = 0;
    bool line = false;
    if (text.n == 0 || !od_is_letter(text.p[0]))
        return 0;
    while (n < text.n && od_is_word(text.p[n]))
        line = text.p[n++] == '_' || line;
    if (!line || (n < text.n && (text.p[n] == '/' || text.p[n] == '.') && n + 1 < text.n &&
                  od_is_word(text.p[n + 1])))
        return 0;
    static const char *const signs[] = {"=", " = ", NULL};
    for (size_t i = 0; signs[i]; i++) {
        struct od_view rest = od_view_from(text, n);
        if (!od_view_take(&rest, od_view_of(signs[i])) || rest.n == 0 || !is_of_name(rest.p[0]))
            continue;
        n = text.n - rest.n;
        while (n < text.n && (is_of_name(text.p[n]) || text.p[n] == ':'))
            n++;
        break;
    }
    while (strchr(".:", text.p[n - 1]))
        n--;
    return n;
}

/* Between backquotes, short and on one line: no error and no output. */
static struct od_view quoted_of(struct od_view text)
{
    static const char *const output[] = {"error", "memory", "failed", "killed", NULL};
    size_t end = text.n > 2 && text.p[0] == '`' ? od_view_find_char(text, '`', 1) : OD_VIEW_NONE;
    if (end == OD_VIEW_NONE || end < 4 || end > HANDLE_MOST)
        return (struct od_view){0};
    struct od_view quoted = od_view_trim((struct od_view){text.p + 1, end - 1});
    return has_any(quoted, output) ? (struct od_view){0} : quoted;
}

/* The knob that the words mean; empty: none. */
static struct od_view meaning_of(struct od_view text)
{
    for (size_t i = 0; i < OD_COUNT_OF(meant); i++)
        if (find_words(text, meant[i].words) != OD_VIEW_NONE)
            return od_view_of(meant[i].knob);
    return (struct od_view){0};
}

/* What was changed, as it is written, else what its words mean; empty: nothing that could be set.
 */
static struct od_view handle_of(struct od_view text)
{
    for (size_t i = 0; i < text.n; i++) {
        struct od_view rest = od_view_from(text, i);
        struct od_view quoted = quoted_of(rest);
        bool begins = i == 0 || !(od_is_word(text.p[i - 1]) || strchr("./-", text.p[i - 1]));
        size_t flag = begins ? flag_of(rest) : 0, name = begins ? name_of(rest) : 0;
        if (quoted.n > 0)
            return quoted;
        if (flag > 0 || name > 0) {
            struct od_view found = od_view_head(rest, flag > 0 ? flag : name);
            return found.n <= HANDLE_MOST ? found : (struct od_view){0};
        }
    }
    return meaning_of(text);
}

/* Is it a knob that the words mean, and nothing that they spell? */
static bool is_meant(struct od_view handle)
{
    for (size_t i = 0; i < OD_COUNT_OF(meant); i++)
        if (handle.p == meant[i].knob)
            return true;
    return false;
}

/* --- clauses --- */

/* Is what is said at that place denied a few words in front of it? */
static bool is_denied(struct od_view clause, size_t at)
{
    enum { WORDS_NEAR = 24 };
    size_t from = at > WORDS_NEAR ? at - WORDS_NEAR : 0;
    struct od_view near = od_view_from(od_view_head(clause, at), from);
    return has_any(near, denied) || od_view_has(near, OD_VIEW("n't "));
}

/* "if I set it to 4, it works" is what was seen; any other condition is not. */
static bool is_supposed(struct od_view clause)
{
    static const char *const seen[] = {"if i", "if we", "even if", NULL};
    return has_any(clause, unsaid) ||
           (find_words(clause, "if") != OD_VIEW_NONE && !has_any(clause, seen));
}

/* "if anyone has the same problem, lowering it fixed that": without whom it speaks to. */
static struct od_view without_address(struct od_view clause)
{
    static const char *const readers[] = {"if anyone",   "if someone", "if somebody",
                                          "if you have", "if you get", "if you face",
                                          "if you meet", "if get",     NULL};
    size_t at = find_any(clause, readers), end = at;
    while (end < clause.n && clause.p[end] != ',' && clause.p[end] != ':')
        end++;
    return at == OD_VIEW_NONE || end == clause.n ? clause : od_view_from(clause, end + 1);
}

/* +1 worked, -1 failed, 0 nothing is said. */
static int verdict_of(struct od_view clause)
{
    static const char *const helps[] = {"help", "work", "solve", "fix", "resolve", NULL};
    size_t at = find_any(clause, good), plain = find_any(clause, helps);
    bool no = plain != OD_VIEW_NONE && is_denied(clause, plain);
    if (has_any(clause, bad) || no || (at != OD_VIEW_NONE && is_denied(clause, at)) ||
        (has_any(clause, lasting) && has_any(clause, failing)))
        return -1;
    return at != OD_VIEW_NONE ? 1 : 0;
}

static struct od_event event_of(const struct od_line *line, struct od_view sentence)
{
    return (struct od_event){.kind = OD_EV_SETTING,
                             .at = line->at,
                             .line = line,
                             .excerpt = sentence,
                             .rule = "found_words"};
}

static void put(int verdict, struct od_view handle, struct od_event *event,
                const struct od_sink *sink)
{
    enum od_setting_id found = verdict > 0   ? OD_SETTING_FOUND_WORKED
                               : verdict < 0 ? OD_SETTING_FOUND_FAILED
                                             : OD_SETTING_FOUND_ADVISED;
    od_event_set_text(event, OD_F_NAME, od_view_of(od_setting_name(found)));
    od_event_set_text(event, OD_F_VALUE, handle.n > 0 ? handle : OD_VIEW("change"));
    od_sink_put(sink, event);
}

/* --- what somebody did, and says below that it worked --- */

static void copy(char *to, size_t room, struct od_view text)
{
    size_t n = text.n < room ? text.n : room - 1;
    if (n > 0)
        memcpy(to, text.p, n);
    to[n] = '\0';
}

/* "I changed the command to": what it was changed to may stand in lines of its own. */
static void note_did(struct found *found, struct od_view clause, const struct od_line *line)
{
    bool did_it = has_any(clause, did) && clause.n <= CLAUSE_MOST;
    struct od_view handle = did_it || found->left > 0 ? handle_of(clause) : (struct od_view){0};
    if (is_supposed(clause) || (!did_it && handle.n == 0))
        return;
    found->left = did_it ? LINES_BELOW : found->left;
    found->at = line->at;
    copy(found->did, sizeof found->did, clause);
    copy(found->handle, sizeof found->handle, handle);
}

/* "Increasing the wait time to 60s fixed it" */
static bool is_doing(struct od_view clause)
{
    static const char *const no_deeds[] = {"thing",    "nothing",   "something", "everything",
                                           "anything", "according", "following", NULL};
    char low[16];
    size_t n = 0;
    clause = od_view_trim(clause);
    while (n < clause.n && od_is_letter(clause.p[n]))
        n++;
    struct od_view word = od_view_lowered(od_view_head(clause, n), low, sizeof low);
    return n > 5 && od_view_ends(word, OD_VIEW("ing")) && !od_view_eq_any(word, no_deeds);
}

/* "You may try shorter clips": an answer that names a setting, or less of something. */
static void put_advised(const struct found *found, struct od_view clause, struct od_event *event,
                        const struct od_sink *sink)
{
    static const char *const memory[] = {"out of memory", "tried to allocate", "?", NULL};
    struct od_view handle = handle_of(clause);
    bool batch = od_view_eq_str(handle, "batch"); /* which is known */
    if (found->replied && has_any(clause, advises) && !has_any(clause, memory) && !batch &&
        (handle.n > 0 || has_any(clause, lessens)))
        put(0, handle, event, sink);
}

/* "It worked": of what was done in this clause, or last. */
static bool put_did(struct found *found, struct od_view clause, const struct od_line *line,
                    const struct od_sink *sink)
{
    bool here = has_any(clause, did) || is_doing(clause);
    struct od_event event = event_of(line, od_view_trim(here ? clause : od_view_of(found->did)));
    if (!here && found->left == 0)
        return false;
    if (!here)
        event.at = found->at;
    put(1, here ? (struct od_view){0} : od_view_of(found->handle), &event, sink);
    found->left = 0;
    return true;
}

/* --- sentences --- */

/* Where the clause ends, and the next one begins. */
static size_t end_of_clause(struct od_view text, size_t *ret_next)
{
    static const char *const turns[] = {" but ",   " however", " although ", " whereas ",
                                        " while ", "但",       NULL};
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

/* A failure that lasts is of what the clause before it tried. */
static bool read_sentence(struct found *found, struct od_view sentence, const struct od_line *line,
                          const struct od_sink *sink)
{
    struct od_view rest = sentence, before = {0};
    bool any = false;
    if (sentence.n < SENTENCE_LEAST)
        return false;
    while (rest.n > 0) {
        size_t next;
        struct od_view clause = without_address(od_view_head(rest, end_of_clause(rest, &next)));
        rest = od_view_from(rest, next);
        int verdict = clause.n > CLAUSE_MOST || is_supposed(clause) ? 0 : verdict_of(clause);
        struct od_view handle = verdict != 0 ? handle_of(clause) : (struct od_view){0};
        bool lasts = verdict < 0 && has_any(clause, lasting);
        if (verdict < 0 && handle.n == 0 && has_any(before, tried) && !is_supposed(before))
            handle = handle_of(before);
        else if ((lasts || is_meant(handle)) && !has_any(clause, tried))
            handle = (struct od_view){0};
        struct od_event event = event_of(line, od_view_trim(sentence));
        struct od_view means = verdict > 0 && handle.n > 0 ? meaning_of(clause) : handle;
        if (means.n > 0 && means.p != handle.p && means.p != meaning_of(handle).p)
            put(verdict, means, &event, sink);
        if (handle.n > 0 && verdict != 0)
            put(verdict, handle, &event, sink);
        else if (verdict == 0)
            note_did(found, clause, line);
        if (verdict > 0 && handle.n == 0 && rest.n == 0 && !found->below)
            found->below = found->named = true;
        if (verdict == 0)
            put_advised(found, clause, &event, sink);
        any = any || (handle.n > 0 && verdict != 0) ||
              (handle.n == 0 && verdict > 0 && put_did(found, clause, line, sink));
        before = clause;
    }
    return any;
}

/* --- lines --- */

/* "fixed": { */
static bool is_json_member(struct od_view text)
{
    return text.p[0] == '"' && od_view_has(text, OD_VIEW("\":"));
}

/* Is it something that a person wrote, up to what he quotes: no line of a program's log, and no
 * code? */
static bool is_written(struct od_view text)
{
    static const char *const logs[] = {"Traceback", "Error:", "ERROR", "WARNING",
                                       "INFO",      "raise ", NULL};
    bool begins = text.n > 0 && !strchr("[{<|$", text.p[0]) && !od_is_digit(text.p[0]) &&
                  !is_json_member(text);
    size_t quotes = od_view_find_char(text, '`', 0);
    struct od_view own = quotes != OD_VIEW_NONE ? od_view_head(text, quotes) : text;
    return begins && !od_view_has_any(own, logs) && !od_is_code_line(text);
}

/* The length of a mark that ends a sentence; 0 = none. */
static size_t mark_at(struct od_view text, size_t i)
{
    static const char *const wide[] = {"。", "！", "；", NULL};
    char c = text.p[i];
    if ((c == '.' || c == '!' || c == '?' || c == ';') && (i + 1 == text.n || text.p[i + 1] == ' '))
        return 1;
    for (size_t k = 0; wide[k]; k++)
        if (od_view_starts(od_view_from(text, i), od_view_of(wide[k])))
            return strlen(wide[k]);
    return 0;
}

/* "Solution:", "**Fixed by**", "解决方法：": what stands below it is what was found. */
static bool is_heading(struct od_view text)
{
    char low[48];
    while (text.n > 0 && strchr("#*_ ", text.p[0]))
        text = od_view_from(text, 1);
    static const char *const ends[] = {"：", ":", "*", "_", " ", NULL};
    for (size_t i = 0; ends[i];) {
        bool cut = od_view_ends(text, od_view_of(ends[i]));
        text = od_view_head(text, text.n - (cut ? strlen(ends[i]) : 0));
        i = cut ? 0 : i + 1;
    }
    return od_view_eq_any(od_view_lowered(text, low, sizeof low), headings);
}

/* The first line below a heading. */
static bool read_below(struct od_view text, bool named, const struct od_line *line,
                       const struct od_sink *sink)
{
    static const char *const guesses[] = {"try", "maybe", "perhaps", "试试", "？", "?", NULL};
    struct od_view said = text;
    while (said.n > 0 && (strchr("-*>. )", said.p[0]) || od_is_digit(said.p[0])))
        said = od_view_from(said, 1);
    struct od_view handle = handle_of(said);
    bool name = !is_meant(handle) && 2 * handle.n > said.n; /* and little else */
    if (said.n < SENTENCE_LEAST || has_any(said, guesses) || !(named ? name : is_written(said)))
        return false;
    struct od_event event = event_of(line, said);
    put(1, handle, &event, sink);
    return true;
}

static bool is_open(const void *state)
{
    const struct found *found = state;
    return found->below || found->left > 0;
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct od_view text = od_view_trim(line->text);
    struct found *found = state;
    bool any = false;
    if (found->below && text.n > 0) {
        found->below = false;
        if (read_below(text, found->named, line, sink))
            return OD_TAKE_SHARE;
    }
    bool heading = is_heading(text);
    found->below = (found->below && text.n == 0) || heading;
    found->named = found->named && !heading;
    found->replied = found->replied || od_view_has(text, OD_VIEW(" commented on "));
    found->left -= found->left > 0;
    if (text.n > LINE_MOST || !is_written(text))
        return OD_TAKE_NONE;
    for (size_t i = 0, start = 0; i < text.n; i++) {
        size_t mark = mark_at(text, i);
        bool ends = mark > 0 || i + 1 == text.n;
        if (!ends)
            continue;
        size_t end = i + (mark > 0 ? mark : 1);
        struct od_view sentence = od_view_from(od_view_head(text, end), start);
        any = read_sentence(found, sentence, line, sink) || any;
        start = end;
        i = end - 1;
    }
    return any ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_found_words = {
    .name = "found_words",
    .literals = openers,
    .state_size = sizeof(struct found),
    .foreign_max = LINES_BELOW,
    .line = read_line,
    .is_open = is_open,
};
