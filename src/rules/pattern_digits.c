/*
 * Finds out whether a pattern distinguishes digits, and writes a widened pattern that does not. It
 * only knows the necessary parts of PCRE2's syntax: anything unknown counts as distinguishing
 * digits and cannot be widened.
 */
#include "rules/match.h"

/* Whether a part of a pattern distinguishes digits. */
enum tells { ALIKE, TELLS, WHO_KNOWS };

enum { DEPTH = 32 };

/* An open group, and its start in the written pattern. */
struct group {
    size_t start;
    bool denies; /* a negative assertion: "(?!", "(?<!" */
    bool atomic; /* an atomic group, without backtracking into it */
    bool captures;
    bool resets; /* a group that resets numbering: "(?|" */
    bool tells;
};

struct reading {
    const char *p;
    struct od_widened *to; /* NULL: nothing is written */
    unsigned captures;     /* number of groups written */
    bool tells;            /* whether the pattern read so far distinguishes digits */
    size_t depth;
    struct group groups[DEPTH];
};

/* Escapes for classes and positions that do not distinguish digits. */
static const char alike_escapes[] = "dDwWsShHvVRbBAzZGKntrfea";

/* Reads an escape after its backslash: its byte, or -1 for a class or a position. False if it is
 * unknown. */
static bool take_escape(const char **p, int *ret_byte)
{
    char c = *(*p)++;
    *ret_byte = (unsigned char)c;
    if (c == '\0')
        return false;
    if (c == 'x') {
        int value = 0, n = 0;
        for (; n < 2 && od_hex_value((*p)[0]) >= 0; n++)
            value = value * 16 + od_hex_value(*(*p)++);
        *ret_byte = value;
        return n == 2;
    }
    if (!od_is_letter(c))
        return !od_is_digit(c);
    *ret_byte = -1;
    return strchr(alike_escapes, c) != NULL;
}

/* Reads "[:alpha:]" and similar classes after the opening bracket. */
static bool take_posix(const char **p)
{
    if (**p != ':')
        return false;
    const char *end = strstr(*p + 1, ":]");
    if (!end || strcspn(*p, "]") < (size_t)(end - *p))
        return false;
    *p = end + 2;
    return true;
}

/* Reads an item of a class: a byte, or -1 for several. */
static bool take_item(const char **p, int *ret_byte)
{
    char c = *(*p)++;
    *ret_byte = (unsigned char)c;
    if (c == '\\')
        return take_escape(p, ret_byte);
    if (c == '[' && take_posix(p))
        *ret_byte = -1;
    return c != '\0';
}

/* Does the range contain all digits or none? */
static bool digits_alike(int low, int high)
{
    bool all = low <= '0' && high >= '9';
    return all || high < '0' || low > '9';
}

static uint16_t bits_of(int low, int high)
{
    uint16_t bits = 0;
    for (int digit = '0'; digit <= '9'; digit++)
        if (low <= digit && digit <= high)
            bits |= (uint16_t)(1U << (digit - '0'));
    return bits;
}

/* Reads a class after its opening bracket, and the digits in it. */
static enum tells take_class(const char **p, uint16_t *ret_digits)
{
    enum tells tells = ALIKE;
    bool all_but = **p == '^';
    *ret_digits = 0;
    *p += all_but;
    for (bool first = true; first || **p != ']'; first = false) {
        int low, high;
        if (!take_item(p, &low))
            return WHO_KNOWS;
        high = low;
        if ((*p)[0] == '-' && (*p)[1] != ']') {
            (*p)++;
            if (!take_item(p, &high))
                return WHO_KNOWS;
        }
        if ((low < 0) != (high < 0))
            return WHO_KNOWS;
        if (low >= 0 && !digits_alike(low, high))
            tells = TELLS;
        *ret_digits |= bits_of(low, high);
    }
    (*p)++;
    if (all_but)
        *ret_digits = (uint16_t) ~*ret_digits;
    return tells;
}

/* Reads what follows the bracket that opens a group. False if it is unknown. */
static bool take_group(const char **p, struct group *group)
{
    if (**p == '*')
        return false;
    group->captures = **p != '?';
    if (group->captures)
        return true;
    (*p)++;
    bool after = (*p)[0] == '<' && ((*p)[1] == '=' || (*p)[1] == '!');
    group->denies = (*p)[after] == '!';
    group->atomic = **p == '>';
    group->resets = **p == '|';
    if (**p == '<' && !after) {
        group->captures = true;
        *p += strcspn(*p, ">");
        return true;
    }
    *p += strspn(*p, "ims-");
    return **p != '\0' && strchr(":=!><|)", **p) != NULL;
}

/* Length of "{3}", "{3,}" or "{3,7}"; 0 = not a quantifier. */
static size_t count_length(const char *p)
{
    size_t n = 1;
    if (p[0] != '{')
        return 0;
    while (od_is_digit(p[n]))
        n++;
    if (n == 1)
        return 0;
    n += p[n] == ',';
    while (od_is_digit(p[n]))
        n++;
    return p[n] == '}' ? n + 1 : 0;
}

/* How often the preceding item may be repeated. */
enum repeats { ONCE, OFTEN, POSSESSIVE };

static enum repeats repeats_at(const char *p)
{
    size_t n = *p && strchr("*+?", *p) ? 1 : count_length(p);
    if (n > 0 && p[n] == '+')
        return POSSESSIVE;
    return n == 0 || *p == '?' ? ONCE : OFTEN;
}

static void write(struct reading *r, const char *from, const char *to)
{
    if (r->to)
        od_buf_add(&r->to->text, (struct od_view){from, (size_t)(to - from)});
}

/* Writes the atom that starts there in parentheses, accepting any digit. */
static void write_widened(struct reading *r, const char *from)
{
    struct od_buf *text = &r->to->text;
    od_buf_add_char(text, '(');
    if (from[0] != '[') {
        od_buf_add_str(text, "\\d");
    } else if (from[1] == '^') {
        od_buf_add_str(text, "[\\s\\S]");
    } else {
        write(r, from, r->p - 1);
        od_buf_add_str(text, "\\d]");
    }
    od_buf_add_char(text, ')');
}

/* Handles an atom that distinguishes digits. False if the widened pattern might match less. */
static bool widen(struct reading *r, const char *from, uint16_t digits)
{
    enum repeats repeats = repeats_at(r->p);
    r->tells = true;
    if (r->depth > 0)
        r->groups[r->depth - 1].tells = true;
    if (!r->to)
        return true;
    write_widened(r, from);
    r->captures++;
    r->to->exact = r->to->exact && repeats == ONCE && r->to->n < OD_WANTED_DIGITS_MAX;
    if (r->to->exact)
        r->to->wanted[r->to->n++] = (struct od_wanted_digits){r->captures, digits};
    return repeats != POSSESSIVE;
}

static bool open_group(struct reading *r)
{
    struct group group = {.start = r->to ? r->to->text.n : 0};
    const char *from = r->p - 1;
    if (r->depth == DEPTH || !take_group(&r->p, &group))
        return false;
    write(r, from, r->p);
    r->captures += group.captures;
    r->groups[r->depth++] = group;
    if (r->to && group.resets)
        r->to->exact = false;
    return true;
}

static bool close_group(struct reading *r)
{
    if (r->depth == 0)
        return false;
    struct group *group = &r->groups[--r->depth];
    write(r, r->p - 1, r->p);
    if (!group->tells || !r->to)
        return true;
    enum repeats repeats = repeats_at(r->p);
    if (group->denies) /* removing an assertion only makes it match more */
        r->to->text.n = group->start;
    r->to->exact = r->to->exact && !group->denies && repeats == ONCE;
    if (r->depth > 0)
        r->groups[r->depth - 1].tells = true;
    return group->denies || (!group->atomic && repeats != POSSESSIVE);
}

/* Reads an escape or a class after its first byte. */
static bool read_class(struct reading *r, bool escape)
{
    const char *from = r->p - 1;
    int byte = -1;
    uint16_t digits = 0;
    enum tells tells = WHO_KNOWS;
    if (!escape)
        tells = take_class(&r->p, &digits);
    else if (take_escape(&r->p, &byte))
        tells = byte >= 0 && od_is_digit((char)byte) ? TELLS : ALIKE;
    if (tells == TELLS)
        return widen(r, from, escape ? bits_of(byte, byte) : digits);
    write(r, from, r->p);
    return tells == ALIKE;
}

/* False if the pattern contains unknown syntax or cannot be widened. */
static bool read_pattern(struct reading *r)
{
    bool known = true;
    while (known && *r->p) {
        char c = *r->p++;
        size_t count = count_length(r->p - 1);
        if (c == '\\' || c == '[') {
            known = read_class(r, c == '\\');
        } else if (c == '(') {
            known = open_group(r);
        } else if (c == ')') {
            known = close_group(r);
        } else if (od_is_digit(c)) {
            known = widen(r, r->p - 1, bits_of(c, c));
        } else {
            const char *from = r->p - 1;
            r->p += count > 0 ? count - 1 : 0;
            write(r, from, r->p);
        }
    }
    return known && r->depth == 0;
}

bool od_pattern_tells_digits(const char *pattern)
{
    struct reading r = {.p = pattern};
    return !read_pattern(&r) || r.tells;
}

bool od_pattern_widen(const char *pattern, struct od_widened *ret_widened)
{
    *ret_widened = (struct od_widened){.exact = true};
    struct reading r = {.p = pattern, .to = ret_widened};
    bool known = read_pattern(&r);
    if (!known)
        od_buf_done(&ret_widened->text);
    return known;
}
