#include "redact/forms.h"

#include "base/mask_digits.h"

static const struct form {
    const char *pattern;
    enum od_redact_kind kind;
    bool digit; /* there is at least one */
} forms[] = {
#include "redact/forms.inc"
};

enum { NONE = 0xFFFF, DIGIT_WITHIN = 64, PREFIX_MOST = 24, OPEN = -1, HEADS = 1 << 15 };

/* Of a form that begins with a class: letters and digits, and the mark after them. */
struct lead {
    size_t least;
    char mark;
};

/* Forms by the two bytes that they begin with. Those that begin with a class begin with any word,
 * and have a mark after it. */
struct od_forms {
    uint16_t first[256];        /* form whose pattern begins with that byte */
    uint64_t heads[HEADS / 64]; /* of these: bits, the three bytes that it may begin with */
    uint16_t next[OD_COUNT_OF(forms)];
    uint16_t classes;
    struct lead leads[OD_COUNT_OF(forms)]; /* of classes */
    uint8_t least[256];                    /* letters before a mark, of classes; 0 = none */
};

static unsigned head_of(char a, char b, char c)
{
    uint32_t all =
        (uint32_t)(unsigned char)a << 16 | (uint32_t)(unsigned char)b << 8 | (unsigned char)c;
    return all * UINT32_C(0x9E3779B1) >> 17; /* one of HEADS */
}

/* Notes what the form may begin with: two letters, and a third or one of a class. */
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

/* "{u20+}" */
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
    ++*p; /* the bracket */
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

/* Bytes that the run takes; false when they are too few. */
static bool match_run(struct run run, struct od_view text, size_t *at)
{
    size_t n = 0;
    size_t most = run.most == OPEN ? text.n : (size_t)run.most;
    while (n < most && *at + n < text.n && od_form_class(run.class, text.p[*at + n]))
        n++;
    *at += n;
    return n >= (size_t)run.least;
}

/* Where the form ends that begins at that byte; 0 = it does not. */
static size_t match(const struct form *form, struct od_view text, size_t at)
{
    size_t start = at;
    struct run last = {.class = 'a'};
    const char *p = form->pattern;
    for (; *p && *p != '{'; p++)
        if (at >= text.n || text.p[at++] != *p)
            return 0;
    /* Before its runs, so that a long one is gone over only where it counts. */
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
    /* One of a given length is not the head of a longer word. */
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

/* Far within a run of base64: one token begins near its start, so that a run is gone over once. */
static bool is_deep(struct od_view text, size_t at)
{
    size_t n = 0;
    if (text.p[at] != 'e')
        return false;
    while (n < PREFIX_MOST && n < at && od_form_class('u', text.p[at - n - 1]))
        n++;
    return n == PREFIX_MOST;
}

/* Those that begin as the word does. */
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

/* Those that begin with any word and go on after it with a mark. */
static bool find_by_mark(const struct od_forms *index, struct od_view text, size_t at, size_t end,
                         struct od_found *ret_found)
{
    for (uint16_t i = index->classes; i != NONE; i = index->next[i])
        if (index->leads[i].mark == text.p[end] && end - at >= index->leads[i].least &&
            try_form(i, text, at, ret_found))
            return true;
    return false;
}

/* Apart, so that asking costs most words nothing more. */
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
