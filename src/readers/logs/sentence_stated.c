/*
 * Decides whether a refusal is a statement about this run.
 */
#include "base/hypothetical.h"
#include "readers/logs/sentence_parts.h"

#include "readers/logs/sentence_stated_lists.inc"

enum { NEAR = 3, MARK_BYTES = 240 };

/* Is it part of a path or another name, in which words have no meaning? */
static bool is_of_name(const struct od_tokens *t, size_t i)
{
    return t->list[i].joined || (i + 1 < t->n && t->list[i + 1].joined);
}

/* "me = 3: error in allocation": the number of a process before its message. */
static bool is_number_of_process(const struct od_tokens *t, size_t i)
{
    return i == 0 && t->n > 1 && t->list[1].number && !t->list[1].unit && t->list[0].end == 2;
}

/* "Previously loaded: 12 MB, out of memory": the label of a column, not a reference to the past. */
static bool is_of_label(const struct od_tokens *t, size_t i)
{
    const struct od_token *value = &t->list[i + 2];
    return i + 2 < t->n && od_token_is(&t->list[i], OD_WORD_REMEMBER) && t->list[i + 1].mark == 0 &&
           value->number && value->unit && value->colon;
}

static bool has(const struct od_tokens *t, size_t from, size_t upto, uint64_t classes)
{
    const uint64_t mild = OD_WORD_BIT(OD_WORD_MILD);
    for (size_t i = from; i < upto && i < t->n; i++) {
        uint64_t found = t->list[i].classes & classes;
        if (found == mild && !od_is_log_level(t->text, t->list[i].at, t->list[i].end))
            continue; /* "the job info" */
        if (found != 0 && !is_of_name(t, i) && !is_number_of_process(t, i) && !is_of_label(t, i))
            return true;
    }
    return false;
}

/* Is it an error mark: ERROR, RuntimeError, "error:"? The word within prose is not. */
static bool is_mark(const struct od_tokens *t, size_t i)
{
    const struct od_token *token = &t->list[i];
    struct od_view word = od_token_text(t, token);
    bool capitals = word.n > 2 && od_is_upper(word.p[0]) && od_is_upper(word.p[1]);
    bool named = token->joined && od_is_upper(word.p[0]);
    char after = token->end < t->text.n ? t->text.p[token->end] : '\n';
    bool blames = od_view_ends(word, OD_VIEW(" because")) || od_view_ends(word, OD_VIEW(" due to"));
    return capitals || named || blames || strchr(":,])>(*=\"'`", after) != NULL ||
           (after == ' ' && token->end + 1 < t->text.n &&
            (strchr(":*-#!<", t->text.p[token->end + 1]) != NULL ||
             od_is_digit(t->text.p[token->end + 1])));
}

/* "E0101 12:00:00 file.cc:3]", "12:00: F file.cc:3]", "[E]", "E/tag" */
static bool has_letter_of_level(struct od_view text)
{
    static const char *const letters[] = {": F ", ": E ", "[E]", "[F]", NULL};
    text = od_view_head(od_view_trim(text), MARK_BYTES);
    if (text.n < 6)
        return false;
    bool level = text.p[0] == 'E' || text.p[0] == 'F';
    bool time = od_is_digit(text.p[1]) && od_is_digit(text.p[4]);
    bool place = text.p[1] == ' ' && od_view_has(text, OD_VIEW("] "));
    return (level && (time || place || text.p[1] == '/')) || od_view_has_any(text, letters);
}

/* A warning or info level: "W0101 12:00:00 file.cc:3]" */
static bool has_letter_of_mildness(struct od_view text)
{
    text = od_view_trim(text);
    return text.n > 6 && strchr("WI", text.p[0]) != NULL && od_is_digit(text.p[1]) &&
           od_is_digit(text.p[4]) && text.p[5] == ' ';
}

/* "RAM=4096" has a value, so it is not a name. */
static bool is_joined_word(const struct od_token *token)
{
    return token->joined && !token->number;
}

/* "ORA-04031: ", "fatal C1060: ": the number of a documented error precedes the message. */
static bool is_numbered(struct od_view front)
{
    enum { LEAST = 3, MOST = 6 };
    front = od_view_trim(front);
    if (!od_view_ends(front, OD_VIEW(":")))
        return false;
    size_t number = od_back(front, front.n - 1, od_is_digit), digits = front.n - 1 - number;
    size_t end = number - (number > 0 && front.p[number - 1] == '-');
    size_t i = od_back(front, end, od_is_upper), letters = end - i;
    return digits >= LEAST && digits <= MOST && letters > 0 && letters <= MOST &&
           (i == 0 || !od_is_word(front.p[i - 1]));
}

/* The first token of a name such as CUDA_ERROR_OUT_OF_MEMORY. */
static size_t name_from(const struct od_tokens *t, size_t i)
{
    while (i > 0 && t->list[i].joined)
        i--;
    return i;
}

/* Does the token before the refusal mark an error? */
static bool marks_error(const struct od_tokens *t, const struct od_refusal *r, size_t i, bool colon)
{
    if (od_token_is(&t->list[i], OD_WORD_ERROR) && (colon || is_mark(t, i)))
        return true;
    if (od_token_is(&t->list[i], OD_WORD_REFUSAL) && colon && i < r->from) /* "(cudaErrorMemory" */
        return true;
    /* "Failed to load the model: not enough memory" */
    return i < r->from && od_token_is(&t->list[i], OD_WORD_CANNOT) &&
           (t->list[r->from].colon || t->list[i].at == 0);
}

/* Does an error word follow: "out of memory error"? In a name only if nothing else is stated:
 * "OutOfMemoryError: ". */
static bool error_behind(const struct od_tokens *t, const struct od_refusal *r, bool said)
{
    const uint64_t happens = OD_WORD_BIT(OD_WORD_ERROR) | OD_WORD_BIT(OD_WORD_HAPPENED);
    const struct od_token *last = &t->list[r->upto - 1];
    bool within = od_token_is(last, OD_WORD_REFUSAL); /* "MemoryError" is one token */
    bool next = r->upto < t->n && (t->list[r->upto].classes & happens) != 0;
    if (next && od_token_is(&t->list[r->upto], OD_WORD_HAPPENED))
        return within;
    size_t end = next ? t->list[r->upto].end : last->end;
    bool name = last->joined || (next && t->list[r->upto].joined);
    bool ends = said || end >= t->text.n || strchr(":\n", t->text.p[end]) != NULL;
    return (within || next) && (name ? ends : said || within || is_mark(t, r->upto));
}

/* "OutOfMemory: no room in the pool": the name of an exception. */
static bool is_exception(const struct od_tokens *t, const struct od_refusal *r)
{
    const struct od_token *last = &t->list[r->upto - 1];
    bool camel = last->end > 0 && od_is_letter(t->text.p[last->end - 1]) &&
                 !od_is_upper(t->text.p[last->end - 1]);
    size_t first = name_from(t, r->from);
    return last->joined && camel && (first == 0 || t->list[first].colon);
}

static bool is_marked(const struct od_tokens *t, const struct od_refusal *r)
{
    const uint32_t at = t->list[r->from].at, end = t->list[r->upto - 1].end;
    bool said = end < t->text.n && t->text.p[end] == ':';
    size_t i = said ? r->upto : name_from(t, r->from);
    bool colon = t->list[i < t->n ? i : r->from].colon;
    for (; i > 0 && t->list[i - 1].at + MARK_BYTES >= at; i--) {
        if (marks_error(t, r, i - 1, colon && i <= r->from))
            return true;
        colon = colon || (i - 1 <= r->from && t->list[i - 1].colon);
    }
    return error_behind(t, r, said) || (said && is_exception(t, r)) || has_letter_of_level(t->text);
}

/* The first token of the refusal's subject: "GPU 0 memory is exhausted". */
static size_t phrase_from(const struct od_tokens *t, size_t i)
{
    const uint64_t of =
        OD_WORD_BIT(OD_WORD_DEVICE) | OD_WORD_BIT(OD_WORD_HOST) | OD_WORD_BIT(OD_WORD_MEMORY);
    while (i > 0 && t->list[i].mark == 0 && !t->list[i].bracket &&
           (t->list[i - 1].classes & of) != 0)
        i--;
    return i;
}

/* Are the words before it names followed by colons: "xz: (stdin): out of memory"? */
static bool are_names(const struct od_tokens *t, size_t from)
{
    const uint64_t levels = OD_WORD_BIT(OD_WORD_ERROR) | OD_WORD_BIT(OD_WORD_MILD);
    struct od_view front = od_view_head(t->text, t->list[from].at);
    if (from == 0 || !od_view_ends(front, OD_VIEW(": ")) || t->list[from].bracket)
        return false;
    for (size_t i = 1; i < from; i++) {
        if (!t->list[i].joined && !t->list[i].colon)
            return false;
    }
    return (t->list[0].classes & levels) == 0 && od_is_letter(t->text.p[t->list[0].at]);
}

bool od_is_said_by_command(const struct od_tokens *t, const struct od_refusal *r)
{
    return are_names(t, phrase_from(t, r->from)) && !od_is_upper(t->text.p[t->list[0].at]);
}

/* "12:00 ERROR server: we ran out of memory": logged by a program, despite "we". */
static bool is_logged(const struct od_tokens *t, const struct od_refusal *r)
{
    for (size_t i = 0; i < r->from; i++) {
        if (od_token_is(&t->list[i], OD_WORD_ERROR) && !t->list[i].joined &&
            od_is_upper(t->text.p[t->list[i].end - 1]))
            return true;
    }
    return false;
}

/* "WARN out of memory, killing worker 3": an end, whatever its level. */
static bool is_the_end(const struct od_tokens *t, const struct od_refusal *r)
{
    return od_view_has_any(od_view_from(t->text, t->list[r->upto - 1].end), fatal);
}

/* "[WARNING] parser: error allocating memory for a node": a warning about a refusal without a
 * fallback reports a real refusal. */
static bool only_warns(const struct od_tokens *t, const struct od_refusal *r)
{
    static const char *const warns[] = {"WARN", "Warn", "warn", NULL};
    const uint64_t more = OD_WORD_BIT(OD_WORD_VERB) | OD_WORD_BIT(OD_WORD_IF) |
                          OD_WORD_BIT(OD_WORD_ADVICE) | OD_WORD_BIT(OD_WORD_PEOPLE);
    for (size_t i = 0; i < r->from; i++) {
        if (od_token_is(&t->list[i], OD_WORD_MILD) && !od_view_starts_any(od_token_on(t, i), warns))
            return false;
    }
    for (size_t i = r->upto; i < t->n; i++) {
        if ((t->list[i].mark != 0 && strchr(".?;,", t->list[i].mark) != NULL) ||
            (t->list[i].classes & more) != 0)
            return false;
    }
    return r->form == 'a' || r->form == 'c' || r->form == 'o' || r->form == 'l';
}

/* Is the text only one name: "OutOfMemoryError()"? */
static bool is_all(const struct od_tokens *t)
{
    size_t i = 1;
    while (i < t->n && t->list[i].joined)
        i++;
    struct od_view rest = od_view_from(t->text, t->list[t->n - 1].end);
    return i == t->n && (rest.n == 0 || od_view_eq_str(rest, "()")) &&
           (od_view_has(t->text, OD_VIEW("Error")) || od_view_has(t->text, OD_VIEW("ERROR")));
}

/* "WARN out of memory, retrying with half of the batch": handled in this run. */
static bool is_handled(const struct od_tokens *t, const struct od_refusal *r, size_t upto)
{
    const uint64_t of_others = OD_WORD_BIT(OD_WORD_IF) | OD_WORD_BIT(OD_WORD_PEOPLE) |
                               OD_WORD_BIT(OD_WORD_REMEMBER) | OD_WORD_BIT(OD_WORD_ADVICE);
    return !od_is_supposition(t->text, t->list[r->from].at, false) && !has(t, 0, upto, of_others) &&
           !has(t, 0, r->from, OD_WORD_BIT(OD_WORD_WITHOUT));
}

/* "my error is "out of memory"": a person quotes a program; returns the start of the quote. */
static size_t quote_from(const struct od_tokens *t, const struct od_refusal *r, size_t from)
{
    static const char *const ends[] = {" error is \"", " error was \"", " error: \"", NULL};
    for (size_t i = from; i <= r->from; i++) {
        struct od_view front = od_view_head(t->text, t->list[i].at);
        from = od_view_ends_any(front, ends) ? i : from;
    }
    return from;
}

static bool is_word(const struct od_tokens *t, size_t i, const char *const *words)
{
    return od_view_eq_any(od_token_text(t, &t->list[i]), words);
}

/* Start of the actual statement in "malloc was called but failed to allocate", "could not finish
 * your request because there is not enough memory". */
static size_t statement_from(const struct od_tokens *t, size_t from, size_t upto)
{
    static const char *const contrasts[] = {"but", "however", NULL};
    static const char *const reasons[] = {"because", "since", NULL};
    const uint64_t fails = OD_WORD_BIT(OD_WORD_CANNOT) | OD_WORD_BIT(OD_WORD_FAILED);
    const size_t first = from;
    bool failed = false;
    for (size_t i = from; i < upto; i++) {
        bool reason = failed && is_word(t, i, reasons) &&
                      !has(t, first, i, OD_WORD_BIT(OD_WORD_IF) | OD_WORD_BIT(OD_WORD_PEOPLE));
        if (reason || is_word(t, i, contrasts))
            from = i + 1;
        failed = failed || (t->list[i].classes & fails) != 0;
    }
    return from;
}

/* Is it a topic or a zero count: "out of memory errors", "memory limit reached 0 times"? */
static bool is_topic(const struct od_tokens *t, const struct od_refusal *r)
{
    size_t i = r->upto;
    if (i >= t->n || t->list[i].joined)
        return false;
    bool zero = t->list[i].number && !t->list[i].unit && t->list[i].size.known &&
                t->list[i].size.n == 0 && !t->list[i].hex && !t->list[i].bracket;
    bool counted = i + 1 < t->n && t->list[i + 1].number && t->list[i + 1].size.n == 0;
    if (zero || (is_word(t, i, counts) && counted))
        return true;
    return t->list[i].mark == 0 && is_word(t, i, topics) && i + 1 == t->n;
}

/* "trying half of the batch after running out of memory" */
static bool is_handled_before(const struct od_tokens *t, const struct od_refusal *r, size_t from)
{
    return r->from > from && is_word(t, r->from - 1, afters) &&
           has(t, from, r->from, OD_WORD_BIT(OD_WORD_GOES_ON));
}

/* In Japanese and Korean the conditional word follows the clause. */
static bool is_supposed_behind(const struct od_tokens *t, size_t from, size_t upto)
{
    for (size_t i = from; i < upto && i < t->n; i++) {
        if (od_token_is(&t->list[i], OD_WORD_IF) && (t->text.p[t->list[i].at] & 0x80) != 0)
            return true;
    }
    return false;
}

/* "TotalAlloc":14841184: the name of a number, in JSON. */
static bool names_number(const struct od_tokens *t, const struct od_refusal *r)
{
    struct od_view behind = od_view_from(t->text, t->list[r->from].end);
    return od_view_take(&behind, OD_VIEW("\":")) && od_num_digits(od_view_trim(behind)) > 0;
}

enum od_statement od_refusal_stated(const struct od_tokens *t, const struct od_refusal *r)
{
    if (names_number(t, r))
        return OD_STATED_NOT;
    if (od_view_starts_any(od_view_from(t->text, t->list[r->upto - 1].end), and_so_on))
        return OD_STATED_NOT; /* one item in a list of possibilities */
    static const char *const rests[] = {"is ",    "are ", "was ",      "were ",
                                        "PASS: ", "ok ",  "--- PASS:", NULL};
    if (od_view_starts_any(od_view_trim(t->text), rests))
        return OD_STATED_NOT; /* the rest of a sentence of prose, or a passed test */
    const bool caught = od_is_logged_error(t->text, t->list[r->from].at) || only_warns(t, r);
    uint64_t against = OD_WORD_BIT(OD_WORD_IF) | OD_WORD_BIT(OD_WORD_PEOPLE) |
                       OD_WORD_BIT(OD_WORD_REMEMBER) | OD_WORD_BIT(OD_WORD_WITHOUT) |
                       OD_WORD_BIT(OD_WORD_ADVICE) | (caught ? 0 : OD_WORD_BIT(OD_WORD_MILD));
    size_t from = od_sentence_from(t, r->from), upto = od_sentence_upto(t, r->from);
    if (!has(t, from, r->from, OD_WORD_BIT(OD_WORD_IF)))
        from = quote_from(t, r, from);
    from = statement_from(t, from, r->from);
    if (is_topic(t, r) || is_supposed_behind(t, r->upto, upto))
        return OD_STATED_NOT;
    if (is_handled_before(t, r, from))
        return OD_STATED_HANDLED;
    if (has(t, r->upto, upto + 8, OD_WORD_BIT(OD_WORD_GOES_ON)))
        return is_handled(t, r, upto) ? OD_STATED_HANDLED : OD_STATED_NOT;
    if (is_logged(t, r))
        against &= ~OD_WORD_BIT(OD_WORD_PEOPLE);
    if (is_the_end(t, r))
        against &= ~OD_WORD_BIT(OD_WORD_MILD);
    if (has_letter_of_mildness(t->text) ||
        od_is_supposition(t->text, t->list[r->from].at, !caught) ||
        has(t, from, r->from, against) || has(t, r->upto, upto, OD_WORD_BIT(OD_WORD_REASON)))
        return OD_STATED_NOT;
    /* "mesh.alloc_tensor", but not "alloc_tensor failed" */
    bool failed = r->form == 'a' && !is_joined_word(&t->list[r->upto - 1]);
    bool name =
        od_token_is(&t->list[r->from], OD_WORD_REFUSAL) ||
        (!failed && is_joined_word(&t->list[r->from + 1 == r->upto ? r->from : r->from + 1]));
    if (name && has(t, r->upto, upto, against & ~OD_WORD_BIT(OD_WORD_MILD)))
        return OD_STATED_NOT;
    struct od_view before = od_view_head(t->text, t->list[name_from(t, r->from)].at);
    if (od_is_code(t, r->from) || (name && t->list[name_from(t, r->from)].bracket))
        return has(t, 0, r->from, OD_WORD_BIT(OD_WORD_FAILED) | OD_WORD_BIT(OD_WORD_ERROR))
                   ? OD_STATED_AS_ERROR
                   : OD_STATED_NOT;
    if (is_marked(t, r) || is_numbered(before))
        return OD_STATED_AS_ERROR;
    /* "result=ERROR_OUT_OF_MEMORY": a status that occurred, if a size is given beside it */
    static const char *const ends[] = {"failed with ", "fails with ",   "returned ",
                                       "results in ",  "instance of '", NULL};
    if (name && od_view_ends_any(before, ends))
        return OD_STATED_AS_ERROR;
    size_t first = name_from(t, r->from);
    if (name && are_names(t, first) && /* hipErrorOutOfMemory, CL_ERROR_OUT_OF_MEMORY */
        od_tokens_have(t, first, r->upto, OD_WORD_BIT(OD_WORD_ERROR)))
        return OD_STATED_AS_ERROR;
    if (name && is_all(t))
        return OD_STATED_AS_ERROR;
    bool met = od_view_ends(before, OD_VIEW(": ")) || od_view_ends(before, OD_VIEW("="));
    bool asked = upto < t->n && t->list[upto].mark == '?';
    /* "not supported, or failed to allocate": one of several possibilities */
    static const char *const choices[] = {"or ", "not found or ", NULL};
    asked = asked ||
            (r->vague && r->from > 0 && od_view_starts_any(od_token_on(t, r->from - 1), choices));
    /* "cannot allocate job info": a level's name after it is not a level */
    bool told = has(t, statement_from(t, 0, r->from), r->from, against) ||
                has(t, r->from, upto, against & ~OD_WORD_BIT(OD_WORD_MILD)) ||
                has(t, 0, t->n, OD_WORD_BIT(OD_WORD_PEOPLE));
    return (name && !met) || asked || told ? OD_STATED_NOT : OD_STATED_PLAINLY;
}
