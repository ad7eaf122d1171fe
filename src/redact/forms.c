#include "redact/forms.h"

#include "base/mask_digits.h"

static const struct form {
    const char *pattern;
    enum od_redact_kind kind;
    bool digit; /* the form must contain a digit */
} forms[] = {
#include "redact/forms.inc"
};

enum { NONE = 0xFFFF, DIGIT_WITHIN = 64, PREFIX_MOST = 24, OPEN = -1, HEADS = 1 << 15 };

/* The start of a form that begins with a class: letters and digits, then a mark. */
struct lead {
    size_t least;
    char mark;
};

/* Forms by their first two bytes. Those that begin with a class match any word before their
 * mark. */
struct od_forms {
    uint16_t first[256];        /* index of the first form that begins with this byte */
    uint64_t heads[HEADS / 64]; /* bit set of the hashes of first three bytes */
    uint16_t next[OD_COUNT_OF(forms)];
    uint16_t classes;
    struct lead leads[OD_COUNT_OF(forms)]; /* forms that begin with a class */
    /* for forms that begin with a class: least number of letters before a mark; 0 = no mark */
    uint8_t least[256];
};

static unsigned head_of(char a, char b, char c)
{
    uint32_t all =
        (uint32_t)(unsigned char)a << 16 | (uint32_t)(unsigned char)b << 8 | (unsigned char)c;
    return all * UINT32_C(0x9E3779B1) >> 17; /* a value below HEADS */
}

/* Registers the possible starts of a form: its first three bytes, where a class gives many. */
static void add_heads(struct od_forms *index, const char *p)
{
    bool class = p[2] == '{';
    for (int c = class ? 1 : p[2]; c < 128; c = class ? c + 1 : 128) {
        unsigned head = head_of(p[0], p[1], (char)c);
        if (!class || od_form_class(p[3], (char)c))
            index->heads[head / 64] |= UINT64_C(1) << head % 64;
    }
}

bool od_form_class(char class, char c)
{
    switch (class) {
    case 'a':
        return od_is_alnum(c);
    case 'A':
        return od_is_digit(c) || od_is_upper(c);
    case 'l':
        return od_is_digit(c) || (od_is_letter(c) && !od_is_upper(c));
    case 'd':
        return od_is_digit(c);
    case 'x':
        return od_is_hex(c);
    case 'u':
        return od_is_alnum(c) || c == '_' || c == '-';
    case 'b':
        return od_is_alnum(c) || c == '+' || c == '/' || c == '=';
    default:
        return od_is_alnum(c) || c == '_' || c == '-' || c == '.';
    }
}

/* A run of characters of a class in a pattern: "{u20+}". */
struct run {
    char class;
    int least, most;
};

static int take_number(const char **p)
{
    int n = 0;
    while (od_is_digit(**p))
        n = n * 10 + (*(*p)++ - '0');
    return n;
}

static struct run take_run(const char **p)
{
    struct run run = {.class = (*p)[1]};
    *p += 2;
    run.least = run.most = take_number(p);
    if (**p == '+') {
        run.most = OPEN;
        ++*p;
    } else if (**p == '-') {
        ++*p;
        run.most = take_number(p);
    }
    ++*p; /* skips the bracket */
    return run;
}

static struct lead lead_of(const char *pattern)
{
    struct lead lead = {0};
    while (*pattern == '{' || od_is_alnum(*pattern)) {
        bool is_run = *pattern == '{';
        lead.least += is_run ? (size_t)take_run(&pattern).least : 1;
        pattern += !is_run;
    }
    lead.mark = *pattern;
    return lead;
}

struct od_forms *od_forms_new(void)
{
    struct od_forms *index = od_mem_alloc(1, sizeof *index);
    for (size_t i = 0; i < 256; i++)
        index->first[i] = NONE;
    index->classes = NONE;
    for (size_t i = OD_COUNT_OF(forms); i-- > 0;) {
        unsigned char c = (unsigned char)forms[i].pattern[0];
        if (c == '{') {
            struct lead *lead = &index->leads[i];
            *lead = lead_of(forms[i].pattern);
            uint8_t *least = &index->least[(unsigned char)lead->mark];
            *least = *least == 0 || lead->least < *least ? (uint8_t)lead->least : *least;
        } else {
            add_heads(index, forms[i].pattern);
        }
        uint16_t *head = c == '{' ? &index->classes : &index->first[c];
        index->next[i] = *head;
        *head = (uint16_t)i;
    }
    return index;
}

void od_forms_free(struct od_forms *index)
{
    od_mem_free(index);
}

/* Counts the bytes that match the run; false if too few. */
static bool match_run(struct run run, struct od_view text, size_t *at)
{
    size_t n = 0;
    size_t most = run.most == OPEN ? text.n : (size_t)run.most;
    while (n < most && *at + n < text.n && od_form_class(run.class, text.p[*at + n]))
        n++;
    *at += n;
    return n >= (size_t)run.least;
}

/* Offset at which a form that begins here ends; 0 = no match. */
static size_t match(const struct form *form, struct od_view text, size_t at)
{
    size_t start = at;
    struct run last = {.class = 'a'};
    const char *p = form->pattern;
    for (; *p && *p != '{'; p++)
        if (at >= text.n || text.p[at++] != *p)
            return 0;
    /* tested first, because scanning long runs is slow */
    if (form->digit && !od_has_digit(od_view_head(od_view_from(text, start), DIGIT_WITHIN)))
        return 0;
    while (*p) {
        if (*p == '{') {
            last = take_run(&p);
            if (!match_run(last, text, &at))
                return 0;
        } else if (at >= text.n || text.p[at++] != *p++) {
            return 0;
        }
    }
    /* a form of fixed length must not begin a longer word */
    if (last.most != OPEN && at < text.n && od_is_alnum(text.p[at]))
        return 0;
    while (at > start && (text.p[at - 1] == '.' || text.p[at - 1] == '-'))
        at--;
    struct od_view found = {text.p + start, at - start};
    return form->digit && !od_has_digit(od_view_head(found, DIGIT_WITHIN)) ? 0 : at;
}

static bool try_form(size_t i, struct od_view text, size_t at, struct od_found *ret_found)
{
    size_t end = match(&forms[i], text, at);
    if (end > 0)
        *ret_found = (struct od_found){
            .start = at,
            .end = end,
            .kind = forms[i].kind,
            .learn = forms[i].kind == OD_REDACT_HOST,
        };
    return end > 0;
}

/* Is this far within a run of base64? A token would begin near its start, and long runs must be
 * scanned only once. */
static bool is_deep(struct od_view text, size_t at)
{
    size_t n = 0;
    if (text.p[at] != 'e')
        return false;
    while (n < PREFIX_MOST && n < at && od_form_class('u', text.p[at - n - 1]))
        n++;
    return n == PREFIX_MOST;
}

/* Tries the forms that begin with the bytes at this position. */
static bool find_by_start(const struct od_forms *index, struct od_view text, size_t at,
                          struct od_found *ret_found)
{
    for (uint16_t i = index->first[(unsigned char)text.p[at]]; i != NONE; i = index->next[i]) {
        const char *p = forms[i].pattern;
        if (p[1] == text.p[at + 1] && (p[2] == '{' || p[2] == text.p[at + 2]) &&
            try_form(i, text, at, ret_found))
            return true;
    }
    return false;
}

/* Tries the forms that begin with any word before a mark. */
static bool find_by_mark(const struct od_forms *index, struct od_view text, size_t at, size_t end,
                         struct od_found *ret_found)
{
    for (uint16_t i = index->classes; i != NONE; i = index->next[i])
        if (index->leads[i].mark == text.p[end] && end - at >= index->leads[i].least &&
            try_form(i, text, at, ret_found))
            return true;
    return false;
}

/* Not inlined, which keeps the quick test cheap for most words. */
static __attribute__((noinline)) bool find(const struct od_forms *index, struct od_view text,
                                           size_t at, size_t end, struct od_found *ret_found)
{
    return !is_deep(text, at) && (find_by_start(index, text, at, ret_found) ||
                                  (end < text.n && find_by_mark(index, text, at, end, ret_found)));
}

bool od_find_form(const struct od_forms *index, struct od_view text, size_t at, size_t end,
                  struct od_found *ret_found)
{
    enum { MOST = 40 };
    if (at + 3 > text.n)
        return false;
    unsigned head = head_of(text.p[at], text.p[at + 1], text.p[at + 2]);
    bool likely = index->heads[head / 64] >> head % 64 & 1;
    if (!likely && end < text.n && end - at < MOST) {
        uint8_t least = index->least[(unsigned char)text.p[end]];
        likely = least > 0 && end - at >= least;
    }
    return likely && find(index, text, at, end, ret_found);
}

const char *od_form_pattern(size_t i)
{
    return i < OD_COUNT_OF(forms) ? forms[i].pattern : NULL;
}
