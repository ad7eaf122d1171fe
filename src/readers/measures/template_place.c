#include "base/seconds.h"
#include "readers/measures/template_pieces.h"

static bool is_count(const struct od_piece *p)
{
    bool named = od_piece_is_word(p + 1) && od_piece_joined(p + 1);
    return p->number && p->plain && !p->rate && p->unit.n == 0 && !named;
}

/* "step 10", "Epoch: [3]", "rank=2", "step 3/10": the number after a counting word. */
static bool take_count(struct od_template_reading *r, const struct od_piece *word,
                       struct od_template_count *ret_count)
{
    enum { APART = 9 };
    size_t k = 0;
    while (od_piece_at(r, k)->mark && strchr("\t:=#[('\"", od_piece_at(r, k)->mark))
        k++;
    const struct od_piece *number = od_piece_at(r, k);
    if (number->at > word->end + APART || !is_count(number))
        return false;
    *ret_count = od_piece_count(r, number);
    r->i += k + 1;
    if (od_piece_joined(od_piece_at(r, 0)))
        (void)od_template_take(r, "/n");
    return ret_count->count.known;
}

static bool is_of_name(char c)
{
    return od_is_word(c) || (c && strchr("-.", c));
}

static bool is_of_source(char c)
{
    return od_is_alnum(c) || c == '-';
}

static void skip_to(struct od_template_reading *r, size_t at)
{
    while (r->i < r->n && r->pieces[r->i].at < at)
        r->i++;
}

/* "worker=w1", "pod/web-7d9f", "replica 0", "container ab12cd34": the value after the name; empty
 * if it is a size or a word for memory. */
static struct od_span named_value(const struct od_template_reading *r, size_t at)
{
    /* "service": "auth" */
    bool quoted = od_view_starts(od_view_from(r->text, at), OD_VIEW("\": \""));
    char sign = quoted ? '=' : od_view_at(r->text, at);
    size_t start = at + (quoted ? strlen("\": \"") : 1), end = start;
    bool digit = false;
    double number;
    while (is_of_name(od_view_at(r->text, end)))
        digit |= od_is_digit(r->text.p[end++]);
    struct od_view value = od_span_of(r->text, od_span_between(start, end));
    const struct od_piece *p = od_piece_at(r, sign != ' ');
    while (quoted && p->end > p->at && p->at < start)
        p++;
    bool fraction =
        od_view_find_char(value, '.', 0) != OD_VIEW_NONE && od_num_parse_double(value, &number);
    bool size = p->number && (p->unit.n > 0 || p->rate);
    bool known = od_piece_is_word(p) && p->at == start && !(p->means & OD_MW_UNKNOWN);
    bool none = !sign || !strchr("=/ ", sign) || (sign == ' ' && !digit);
    return none || fraction || size || known ? (struct od_span){0} : od_span_between(start, end);
}

/* "node03", "gpu-box-3", "ForkPoolWorker-2", "worker=w1": one of several sources that print the
 * same, with its number joined to its name or its value after it. */
static bool take_key(struct od_template_reading *r, const struct od_piece *word)
{
    enum { DIGITS_MOST = 4 };
    if (r->to->n > 0 || r->to->key.n > 0)
        return false;
    size_t start = word->at, at = word->end;
    at += od_view_at(r->text, at) != '\0' && strchr("-_", od_view_at(r->text, at));
    size_t digits = od_num_digits(od_view_from(r->text, at)), end = at + digits;
    char after = od_view_at(r->text, end);
    if (digits == 0 || digits > DIGITS_MOST || after == '.' || od_is_word(after)) {
        struct od_span value = named_value(r, word->end);
        if (value.n == 0)
            return false;
        end = (size_t)value.at + value.n;
        bool bare = od_num_digits(od_view_from(r->text, value.at)) >= value.n;
        start = bare ? start : value.at; /* "worker=3": a number alone is no name */
    } else
        while (start > 0 &&
               (od_is_word(r->text.p[start - 1]) || strchr("-@", r->text.p[start - 1])))
            start--;
    r->to->key = od_span_between(start, end);
    r->context |= word->means & OD_MW_RAM;
    skip_to(r, end);
    return true;
}

void od_template_find_mixed(struct od_template_reading *r)
{
    for (size_t i = 1; i < r->n && r->pieces[i].at < r->first_number; i++) {
        const struct od_piece *p = &r->pieces[i], *word = p - 1;
        bool mixed = p->number && p->glued && p->unit.n == 0;
        bool bracket = i > 1 && p->mark == ']' && word[-1].mark == '['; /* "[auth] " */
        if (!(mixed || bracket) || !(word->means & OD_MW_UNKNOWN) ||
            (word->means & (OD_MW_PLACE ^ OD_MW_KEY)))
            continue;
        size_t start = od_back(r->text, word->at, is_of_source);
        size_t end = od_past(r->text, mixed ? p->end : word->end, is_of_source);
        if (start > 0 && !strchr(" =[(/\"'", r->text.p[start - 1]))
            continue;
        r->to->mixed = od_span_between(start, end);
        return;
    }
}

bool od_template_take_place(struct od_template_reading *r, const struct od_piece *word)
{
    struct od_template *to = r->to;
    struct od_template_count other;
    if ((word->means & OD_MW_KEY) && take_key(r, word))
        return true;
    if (word->means & OD_MW_EPOCH) {
        bool taken = take_count(r, word, &to->epoch);
        const struct od_piece *bracket = od_piece_at(r, 0);
        /* "[2][150/1833]": the second number of an epoch is its step */
        if (taken && bracket->mark == ']' && od_piece_at(r, 1)->mark == '[') {
            r->i += 2;
            (void)take_count(r, od_piece_at(r, 0) - 1, &to->step);
        }
        return taken;
    }
    return (word->means & OD_MW_STEP)   ? take_count(r, word, &to->step)
           : (word->means & OD_MW_RANK) ? take_count(r, word, &to->rank)
           : (word->means & OD_MW_PID)
               ? take_count(r, word, &to->pid)
               : (word->means & OD_MW_NUMBERED) && take_count(r, word, &other);
}

void od_template_take_device(struct od_template_reading *r)
{
    const struct od_piece *p = od_piece_at(r, 0);
    size_t k = 0;
    if (p->mark && strchr(":#[-._", p->mark) && od_piece_joined(p))
        k = 1;
    p = od_piece_at(r, k);
    if (!is_count(p) || p->at > od_piece_end(p - 1) + (k == 0))
        return;
    r->device = od_piece_count(r, p);
    r->i += k + 1;
}

/* ---- moments and phases ---- */

enum { WHEN_WORDS = 6 };

/* Words that describe the memory of a number, as opposed to a moment. */
static const unsigned telling = OD_MW_MEMORY | OD_MW_DEVICE | OD_MW_HOST | OD_MW_RSS |
                                OD_MW_VIRTUAL | OD_MW_PEAK | OD_MW_MAX | OD_MW_USED |
                                OD_MW_ALLOCATED | OD_MW_RESERVED | OD_MW_FREE | OD_MW_TOTAL |
                                OD_MW_RAM | OD_MW_PERCENT;

/* Index of the next word after at most three of these signs. */
static size_t word_from(const struct od_template_reading *r, size_t k, const char *signs)
{
    size_t most = k + 3;
    while (k < most && od_piece_at(r, k)->mark && strchr(signs, od_piece_at(r, k)->mark))
        k++;
    return k;
}

/* Is the number after the word a count: "step 3", but not "after step: 4.8 GB"? */
static bool counts_to(const struct od_template_reading *r, size_t k)
{
    return od_piece_at(r, word_from(r, k, "#[(_"))->number;
}

/* " ~30 minutes", " 2 h" */
static bool is_time(const struct od_template_reading *r)
{
    const struct od_piece *number = od_piece_at(r, od_piece_at(r, 0)->mark == '~');
    double seconds;
    return number->number && od_piece_is_word(number + 1) &&
           od_seconds_parse_unit(OD_VIEW("1"), od_piece_text(r, number + 1), &seconds);
}

void od_template_take_when(struct od_template_reading *r, const struct od_piece *word)
{
    struct od_view name = od_piece_text(r, word);
    bool joined = od_view_eq_str(name, "pre") || od_view_eq_str(name, "post"), told = false;
    size_t end = word->end, k = 0, passed = 0;
    if (is_time(r))
        return; /* a duration after "after" does not make another moment */
    for (size_t i = 0, to = 0; i < WHEN_WORDS; i++) {
        size_t at = word_from(r, k, "_-.()");
        const struct od_piece *next = od_piece_at(r, at);
        bool counter = next->means & (OD_MW_STEP | OD_MW_EPOCH);
        bool count = counter && counts_to(r, at + 1);
        told = !to && (next->means & telling);
        if (!od_piece_is_word(next) || told || next->is_unit || (i > 0 && count))
            break;
        end = next->end;
        if (count)
            break;
        struct od_view text = od_piece_text(r, next);
        to = od_view_eq_str(text, "to") || od_view_eq_str(text, "onto");
        k = passed = at + 1;
    }
    if (joined && end == word->end)
        return; /* "pre-allocated" */
    r->to->when = od_span_between(word->at, end);
    /* "after model to cuda: ": memory words of the moment do not describe the number */
    const struct od_piece *after = od_piece_at(r, word_from(r, passed, "('\"-"));
    if (told || (after->mark && strchr(":=|,;])", after->mark)))
        r->i += passed;
}

/* Is the word the topic of the line: "[train]", "val |", "Eval: ", "Train step 3"? "val_loss" and
 * "train loss" are names of numbers. */
static bool heads_line(const struct od_template_reading *r, const struct od_piece *word)
{
    char before = word->at > 0 ? r->text.p[word->at - 1] : ' ';
    char after = od_view_at(r->text, word->end);
    const struct od_piece *next = od_piece_at(r, 0);
    if (!strchr(" \t[(|:>'\"", before) || (after && !strchr(" \t])|:-'\"", after)))
        return false;
    return !od_piece_is_word(next) || (next->means & (OD_MW_STEP | OD_MW_EPOCH)) ||
           (next->means & (OD_MW_UNKNOWN | OD_MW_FOREIGN)) == 0;
}

void od_template_take_phase(struct od_template_reading *r, const struct od_piece *word)
{
    const char *phase = word->means & OD_MW_TRAIN ? "train" : "validation";
    if (!heads_line(r, word))
        return;
    r->to->phases = r->to->phases || (r->to->phase && strcmp(r->to->phase, phase) != 0);
    r->to->phase = phase;
}
