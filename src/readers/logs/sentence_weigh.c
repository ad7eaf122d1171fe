/*
 * Weighs whether a refusal is a statement about this run. Signs and weights were fitted to lines of
 * source code and of manuals: each word, each pair of adjacent kinds of words, and the form of the
 * refusal have a weight (sentence_weights.tsv).
 */
#include "readers/logs/sentence_parts.h"

#include <stdio.h>

enum { BEFORE = 20, BEHIND = 30 };

static void put(const struct od_sign_sink *to, struct od_buf *sign)
{
    to->tell(to->self, od_buf_view(sign));
    sign->n = 0;
}

static void add_number(const struct od_token *token, struct od_buf *to)
{
    od_buf_add_str(to, token->unit ? "#b" : "#");
}

/* Appends a number up to 99. */
static void add_count(size_t n, struct od_buf *to)
{
    if (n >= 10)
        od_buf_add_char(to, (char)('0' + n / 10));
    od_buf_add_char(to, (char)('0' + n % 10));
}

static void put_parts(const struct od_sign_sink *to, const char *const *parts, struct od_buf *sign)
{
    for (; *parts; parts++)
        od_buf_add_str(sign, *parts);
    put(to, sign);
}

static void add_word(const struct od_tokens *t, const struct od_token *token, struct od_buf *to)
{
    if (token->number)
        add_number(token, to);
    for (size_t k = token->at; k < token->end && !token->number; k++)
        od_buf_add_char(to, od_lower(t->text.p[k]));
}

/* Appends the first meaning of a token. */
static void add_kind(const struct od_tokens *t, size_t at, struct od_buf *to)
{
    const struct od_token *token = &t->list[at];
    /* "obtain memory" is to allocate it */
    bool takes = at + 1 < t->n && od_token_is(token, OD_WORD_TAKE) && t->list[at + 1].mark == 0 &&
                 od_token_is(&t->list[at + 1], OD_WORD_MEMORY);
    unsigned i = takes ? OD_WORD_GET : 0;
    while (!takes && i < OD_WORD_END && !od_token_is(token, (enum od_word_class)i))
        i++;
    if (token->number)
        add_number(token, to);
    else
        od_buf_add_str(to, i < OD_WORD_END ? od_word_class_name((enum od_word_class)i) : "?");
}

static void add_mark(const struct od_token *token, struct od_buf *to)
{
    od_buf_add_char(to, token->bracket  ? '('
                        : token->mark   ? token->mark
                        : token->joined ? '_'
                                        : ' ');
}

static void tell_words(const struct od_tokens *t, size_t from, size_t upto,
                       const struct od_sign_sink *to, struct od_buf *sign)
{
    for (size_t i = from; i < upto; i++) {
        add_word(t, &t->list[i], sign);
        put(to, sign);
        od_buf_add_char(sign, '@');
        add_kind(t, i, sign);
        if (i + 1 < upto) {
            add_mark(&t->list[i + 1], sign);
            add_kind(t, i + 1, sign);
        } else {
            od_buf_add_str(sign, " $");
        }
        put(to, sign);
    }
}

/* Emits signs for the form of the refusal, its mark, and whether it has a size. */
static void tell_form(const struct od_tokens *t, const struct od_refusal *r,
                      const struct od_sentence *s, const struct od_sign_sink *to,
                      struct od_buf *sign)
{
    const char form[] = {'=', r->form, '\0'};
    const char *how = s->marked ? "marked" : "plain", *vague = r->vague ? " vague " : " ";
    const char *size = s->sizes[0].known && s->sizes[0].n > 0 ? "size" : "no size";
    put_parts(to, (const char *const[]){"=", how, NULL}, sign);
    put_parts(to, (const char *const[]){form, vague, how, NULL}, sign);
    size_t upto = r->upto;
    while (upto < t->n && od_token_is(&t->list[upto], OD_WORD_FREE))
        upto++; /* "not enough memory left" */
    od_buf_add_str(sign, r->from == 0 && upto == t->n ? "=alone" : "=among");
    put(to, sign);
    put_parts(to, (const char *const[]){"=", size, " ", how, NULL}, sign);
    put_parts(to, (const char *const[]){form, vague, size, NULL}, sign);
    od_buf_add_str(sign, "=before ");
    if (r->from > 0) {
        add_kind(t, r->from - 1, sign);
        add_mark(&t->list[r->from], sign);
    }
    put(to, sign);
    od_buf_add_str(sign, "=behind ");
    if (r->upto < t->n) {
        add_mark(&t->list[r->upto], sign);
        add_kind(t, r->upto, sign);
    }
    put(to, sign);
}

/* Characters of one sort get the same sign. */
static char sort_of(char c)
{
    return od_is_upper(c) ? 'A' : od_is_letter(c) ? 'a' : od_is_digit(c) ? '0' : c;
}

static void tell_length(const struct od_tokens *t, const struct od_refusal *r, size_t words,
                        const struct od_sign_sink *to, struct od_buf *sign)
{
    enum { MOST_BEFORE = 6, MOST = 16, MOST_WORDS = 24 };
    size_t before = r->from - od_sentence_from(t, r->from);
    size_t after = od_sentence_upto(t, r->upto - 1) - r->upto;
    const struct {
        size_t n;
        const char *what;
    } counts[] = {{before < MOST_BEFORE ? before : (size_t)MOST_BEFORE, " before"},
                  {(after < MOST ? after : (size_t)MOST) / 2, " behind"},
                  {(words < MOST_WORDS ? words : (size_t)MOST_WORDS) / 2, " words"}};
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++) {
        od_buf_add_char(sign, '$');
        add_count(counts[i].n, sign);
        od_buf_add_str(sign, counts[i].what);
        put(to, sign);
    }
    const char begins[] = {sort_of(t->text.p[0]), '\0'};
    const char ends[] = {od_lower(sort_of(t->text.p[t->text.n - 1])), '\0'};
    put_parts(to, (const char *const[]){"$begins ", begins, NULL}, sign);
    put_parts(to, (const char *const[]){"$ends ", ends, NULL}, sign);
}

void od_sentence_signs(const struct od_tokens *t, const struct od_refusal *r,
                       const struct od_sentence *s, const struct od_sign_sink *to)
{
    struct od_buf sign = {0};
    size_t from = r->from > BEFORE ? r->from - BEFORE : 0;
    size_t upto = r->from + BEHIND < t->n ? r->from + BEHIND : t->n;
    tell_words(t, from, upto, to, &sign);
    tell_form(t, r, s, to, &sign);
    tell_length(t, r, upto - from, to, &sign);
    od_buf_done(&sign);
}

static const struct {
    const char *sign;
    size_t n;
    int weight; /* in hundredths */
} weights[] = {
#include "readers/logs/sentence_weights.inc"
};

/* Index of the sign's weight; past the end = none. */
static size_t find_weight(struct od_view sign)
{
    size_t low = 0, high = sign.n > 0 ? OD_COUNT_OF(weights) : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2, n = weights[middle].n;
        int order = (unsigned char)sign.p[0] - (unsigned char)weights[middle].sign[0];
        if (order == 0)
            order = memcmp(sign.p, weights[middle].sign, sign.n < n ? sign.n : n);
        if (order == 0 && sign.n == n)
            return middle;
        if (order < 0 || (order == 0 && sign.n < n))
            high = middle;
        else
            low = middle + 1;
    }
    return OD_COUNT_OF(weights);
}

struct sum {
    bool seen[OD_COUNT_OF(weights) + 1];
    int weight;
    const struct od_trace *trace;
};

static void note_sign(const struct od_trace *trace, struct od_view sign, int weight)
{
    struct od_buf name = {0};
    char verdict[24];
    od_text_visible(sign, &name);
    (void)snprintf(verdict, sizeof verdict, "%+.2f", weight / 100.0);
    od_trace_note(trace, OD_TRACE_SIGN, od_buf_str(&name), verdict, NULL);
    od_buf_done(&name);
}

/* Each sign counts once. */
static void weigh(void *self, struct od_view sign)
{
    struct sum *sum = self;
    size_t i = find_weight(sign);
    if (!sum->seen[i] && i < OD_COUNT_OF(weights)) {
        sum->weight += weights[i].weight;
        if (sum->trace)
            note_sign(sum->trace, sign, weights[i].weight);
    }
    sum->seen[i] = true;
}

int od_sentence_weight(const struct od_tokens *t, const struct od_refusal *r,
                       const struct od_sentence *s, const struct od_trace *trace)
{
    struct sum sum = {.trace = trace};
    weigh(&sum, OD_VIEW("$"));
    od_sentence_signs(t, r, s, &(struct od_sign_sink){.tell = weigh, .self = &sum});
    return sum.weight;
}
