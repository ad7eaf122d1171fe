#include "readers/logs/sentence_tokens.h"
#include "facts/number.h"

enum { ENTRY_WORDS = 5, ENTRY_BYTES = 64, SCRIPT_BYTES = 15 };

/* Punctuation in order of strength, strongest first. */
static const char marks[] = ".?;|)],:=/>";

static bool is_script(char c)
{
    return ((unsigned char)c & 0x80) != 0;
}

/* Is it a two-byte letter of a script with blanks between words: Latin with accents, Greek,
 * Cyrillic? */
static bool is_wide_letter(struct od_view text, size_t i)
{
    enum { FIRST = 0xc3, LAST = 0xd4 };
    unsigned char lead = i + 1 < text.n ? (unsigned char)text.p[i] : 0;
    return lead >= FIRST && lead <= LAST;
}

/* Length of a sign in bytes. */
static size_t sign_bytes(char c)
{
    unsigned char lead = (unsigned char)c;
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : 3;
}

/* ---- between two words ---- */

/* A point only separates sentences before a blank, not within a name. */
static char mark_at(struct od_view text, size_t i)
{
    static const struct {
        const char *wide;
        char mark;
    } wide[] = {{"\xef\xbc\x8c", ','}, {"\xe3\x80\x82", '.'}, {"\xef\xbc\x9a", ':'},
                {"\xef\xbc\x9f", '?'}, {"\xef\xbc\x9b", ';'}, {"\xef\xbc\x89", ')'},
                {"\xef\xbc\x88", '('}};
    char c = text.p[i];
    if (c == '.' && i + 1 < text.n && text.p[i + 1] != ' ' && text.p[i + 1] != '\n')
        return 0;
    if (c == '.' && od_is_shortened(od_view_head(text, i)))
        return 0;
    if (!is_script(c))
        return c;
    for (size_t k = 0; k < OD_COUNT_OF(wide); k++) {
        if (od_view_starts(od_view_from(text, i), od_view_of(wide[k].wide)))
            return wide[k].mark;
    }
    return 0;
}

static size_t rank_of(char mark)
{
    const char *at = mark ? strchr(marks, mark) : NULL;
    return at ? (size_t)(at - marks) : sizeof marks;
}

static void note_mark(struct od_token *token, char mark)
{
    if (mark == '(' || mark == '[' || mark == '{' || mark == '"' || mark == '`')
        token->bracket = true;
    token->colon = token->colon || mark == ':';
    if (mark == '!')
        mark = '.';
    if (rank_of(mark) < rank_of(token->mark) && rank_of(mark) < sizeof marks)
        token->mark = mark;
}

/* Skips characters that are neither letters nor digits; characters of other scripts are letters. */
static size_t skip_marks(struct od_view text, size_t i, struct od_token *token)
{
    while (i < text.n && !od_is_alnum(text.p[i])) {
        char mark = mark_at(text, i);
        if (mark == '-' && od_view_starts(od_view_from(text, i), OD_VIEW("- ")) && i > 0 &&
            text.p[i - 1] == ' ')
            mark = ';'; /* "the solver failed - no memory" */
        size_t bytes = sign_bytes(text.p[i]);
        /* "error !!!!! <out of memory>": ends a sentence only after a word */
        if (mark == '!' && i > 0 && !od_is_alnum(text.p[i - 1]))
            mark = 0;
        if (is_script(text.p[i]) && mark == 0 && (bytes == 3 || is_wide_letter(text, i)))
            break;
        note_mark(token, mark);
        i += bytes;
    }
    return i;
}

/* The unit after a number, also in brackets or after a line break. Returns its end, or from. */
static size_t unit_end(struct od_view text, size_t from, struct od_view *ret_unit)
{
    size_t at = od_past_any(od_view_head(text, from + 8), from, " \n");
    size_t end = od_past(text, at, od_is_letter);
    *ret_unit = od_view_part(text, at, end);
    if (od_view_starts(od_view_from(text, end), OD_VIEW("(s)")))
        end += 3; /* byte(s) */
    bool word = end < text.n && (od_is_word(text.p[end]) || is_script(text.p[end]));
    return end == at || (word && !is_script(text.p[end])) ? from : end;
}

/* A unit in another language: "512 Mo", "7,5 ГБ", "65536 バイト". Returns its end, or from. */
static size_t foreign_unit_end(struct od_view text, size_t from, struct od_view *ret_unit)
{
    static const struct {
        const char *written, *unit;
    } units[] = {{"Kio", "KiB"},    {"Mio", "MiB"},      {"Gio", "GiB"},      {"Ko", "KB"},
                 {"Mo", "MB"},      {"Go", "GB"},        {"octets", "bytes"}, {"КиБ", "KiB"},
                 {"МиБ", "MiB"},    {"ГиБ", "GiB"},      {"КБ", "KB"},        {"МБ", "MB"},
                 {"ГБ", "GB"},      {"ТБ", "TB"},        {"Кб", "KB"},        {"Мб", "MB"},
                 {"Гб", "GB"},      {"байт", "bytes"},   {"バイト", "bytes"}, {"바이트", "bytes"},
                 {"字节", "bytes"}, {"位元組", "bytes"}, {"bajtów", "bytes"}};
    size_t at = od_past_any(od_view_head(text, from + 2), from, " ");
    for (size_t i = 0; i < OD_COUNT_OF(units); i++) {
        struct od_view written = od_view_of(units[i].written);
        size_t end = at + written.n;
        if (od_view_starts(od_view_from(text, at), written) &&
            (end >= text.n || !od_is_word(text.p[end]))) {
            *ret_unit = od_view_of(units[i].unit);
            return end;
        }
    }
    return from;
}

static size_t take_hex(struct od_token *token, struct od_view text, size_t i)
{
    struct od_view rest = od_view_from(text, i);
    uint64_t value;
    if (!od_view_starts(rest, OD_VIEW("0x")) || !od_num_take_hex(&rest, &value))
        return i;
    token->size = od_bytes_exact(value);
    return text.n - rest.n;
}

/* "3.5 GiB", "1,024 bytes", "0x80000000", "14368.0GB", "926. GiB"; false if letters follow. */
static bool take_number(struct od_token *token, struct od_view text, size_t i, size_t *ret_end)
{
    struct od_view unit = {0};
    size_t end = take_hex(token, text, i);
    bool hex = end > i;
    struct od_view rest = od_view_from(text, i), digits = {0};
    if (!hex) {
        digits = od_num_take_text(&rest);
        end = text.n - rest.n;
    }
    if (!hex && end + 1 < text.n && text.p[end] == '.' && text.p[end + 1] == ' ')
        unit_end(text, end + 1, &unit);
    size_t dot = unit.n > 0 && !hex ? 1 : 0;
    size_t after = foreign_unit_end(text, end, &unit);
    if (after == end)
        after = unit_end(text, end + dot, &unit);
    struct od_bytes size = {0};
    /* "qwen-32b": billions in a name */
    bool name = unit.n == 1 && i > 1 && text.p[i - 1] == '-' && od_is_letter(text.p[i - 2]);
    bool card = unit.n == 2 && unit.p[1] == 'i' && unit.p > text.p + end; /* "RTX 2080 Ti" */
    bool is_unit = after > end + dot && unit.n > 0 && !card && !name &&
                   od_bytes_parse_unit(hex ? OD_VIEW("1") : digits, unit, OD_UNIT_BINARY, &size);
    token->number = true;
    token->hex = hex;
    token->unit = is_unit;
    if (is_unit && !hex)
        token->size = size;
    else if (!hex)
        (void)od_bytes_parse(digits, OD_UNIT_BINARY, &token->size);
    *ret_end = is_unit ? after : end;
    return is_unit || end >= text.n || !od_is_word(text.p[end]);
}

/* End of the next word within a name: OutOf|Memory, HTTP|Error, out|_of. */
static size_t word_end(struct od_view text, size_t i)
{
    size_t end = i + sign_bytes(text.p[i]);
    if (od_is_upper(text.p[i]) && end < text.n && od_is_upper(text.p[end])) {
        end = od_past(text, end, od_is_upper);
        bool next = end < text.n && od_is_letter(text.p[end]);
        bool plural =
            next && text.p[end] == 's' && (end + 1 >= text.n || !od_is_letter(text.p[end + 1]));
        if (plural)
            end++;
        return next && !plural && end - i > 1 ? end - 1 : end;
    }
    while (end < text.n &&
           (is_wide_letter(text, end) || (od_is_letter(text.p[end]) && !od_is_upper(text.p[end]))))
        end += sign_bytes(text.p[end]);
    struct od_view rest = od_view_from(text, end);
    size_t mark = od_view_starts(rest, OD_VIEW("'"))              ? 1
                  : od_view_starts(rest, OD_VIEW("\xe2\x80\x99")) ? 3
                                                                  : 0;
    if (mark > 0 && end + mark < text.n && od_is_letter(text.p[end + mark]))
        end = od_past(text, end + mark, od_is_letter);
    return end + od_num_digits(od_view_from(text, end));
}

/* End of a word in another script: the longest entry that starts here, or one letter. */
static size_t script_end(const struct od_lexicon *lexicon, struct od_view text, size_t i)
{
    size_t most = text.n - i < SCRIPT_BYTES ? text.n - i : SCRIPT_BYTES;
    for (size_t n = most; n > 3; n--) {
        if (od_lexicon_classes(lexicon, od_view_head(od_view_from(text, i), n)) != 0)
            return i + n;
    }
    size_t end = i + 1;
    while (end < text.n && ((unsigned char)text.p[end] & 0xc0) == 0x80)
        end++;
    return end;
}

/* Lowers a two-byte capital letter, Latin with accents or Cyrillic. */
static void lower_wide(char *letter)
{
    enum { LATIN = 0xc3, CYRILLIC = 0xd0, REST = 0xd1, SIGN = 0x97 };
    unsigned char lead = (unsigned char)letter[0], rest = (unsigned char)letter[1];
    if (lead == LATIN && rest >= 0x80 && rest <= 0x9e && rest != SIGN)
        letter[1] = (char)(rest + 0x20);
    else if (lead == CYRILLIC && rest >= 0x90 && rest <= 0x9f)
        letter[1] = (char)(rest + 0x20);
    else if (lead == CYRILLIC && rest >= 0xa0 && rest <= 0xaf)
        letter[0] = (char)REST, letter[1] = (char)(rest - 0x20);
}

/* Writes tokens in the form of an entry: lower case, blanks between words. */
static size_t entry_text(const struct od_tokens *t, size_t from, size_t upto, char *to)
{
    size_t n = 0;
    for (size_t i = from; i < upto; i++) {
        size_t length = t->list[i].end - t->list[i].at;
        if (n + length + 1 > ENTRY_BYTES)
            return 0;
        if (i > from)
            to[n++] = ' ';
        for (size_t k = 0; k < length; k++)
            to[n++] = od_lower(t->text.p[t->list[i].at + k]);
        for (size_t k = n - length; k + 1 < n; k++)
            lower_wide(to + k);
    }
    return n;
}

static bool may_join(const struct od_token *token)
{
    return !token->number && !token->bracket &&
           (token->mark == 0 || (token->joined && token->mark == ':'));
}

/* Classes of program-specific names for allocation: kmm_zalloc, hcmalloc, reallocation. */
static uint64_t classes_of_name(struct od_view word)
{
    const uint64_t allocation = OD_WORD_BIT(OD_WORD_ALLOCATION) | OD_WORD_BIT(OD_WORD_GET);
    bool own = od_view_ends(word, OD_VIEW("alloc")) || od_view_starts(word, OD_VIEW("realloc")) ||
               od_view_starts(word, OD_VIEW("prealloc"));
    return own && !od_view_has(word, OD_VIEW("dealloc")) ? allocation : 0;
}

/* Sets the classes of the next token, merging tokens that form a longer entry. Returns how many
 * were used. */
static size_t classify(const struct od_tokens *raw, const struct od_lexicon *lexicon, size_t i,
                       struct od_token *ret_token)
{
    char buffer[ENTRY_BYTES];
    size_t used = 1;
    bool goes_on = true;
    *ret_token = raw->list[i];
    for (size_t n = 1; goes_on && n <= ENTRY_WORDS; n++) {
        size_t length = entry_text(raw, i, i + n, buffer);
        if (length == 0)
            break;
        struct od_view text = {buffer, length};
        uint64_t classes = od_lexicon_look(lexicon, text, &goes_on);
        if (classes == 0 && n == 1)
            classes = classes_of_name(text);
        if (classes != 0) {
            ret_token->classes = classes;
            ret_token->end = raw->list[i + n - 1].end;
            used = n;
        }
        goes_on = goes_on && i + n < raw->n && may_join(&raw->list[i + n]);
    }
    return used;
}

/* End of digits; the error code 8007000e is one word. */
static size_t code_end(struct od_view text, size_t at)
{
    enum { CODE = 8 };
    size_t end = od_past(text, at, od_is_hex);
    bool code = end - at == CODE && (end >= text.n || !od_is_alnum(text.p[end]));
    struct od_view rest = od_view_from(text, at);
    (void)od_num_take_text(&rest);
    return code ? end : text.n - rest.n;
}

static void cut(struct od_tokens *t, const struct od_lexicon *lexicon)
{
    size_t i = 0;
    t->n = 0;
    while (t->n < OD_TOKENS_MAX) {
        struct od_token token = {0};
        size_t at = skip_marks(t->text, i, &token);
        if (at >= t->text.n)
            break;
        token.joined = at > 0 && at - i <= 2 && i > 0 && !is_script(t->text.p[at]) &&
                       !is_script(t->text.p[i - 1]) && (at - i != 1 || t->text.p[i] != ':') &&
                       t->text.p[i] != '(' &&
                       od_view_find_char(od_view_head(t->text, at), ' ', i) == OD_VIEW_NONE;
        size_t end = at;
        bool begins = at == 0 || !od_is_word(t->text.p[at - 1]);
        if (od_is_digit(t->text.p[at]) && begins && take_number(&token, t->text, at, &end))
            ;
        else if (od_is_letter(t->text.p[at]) || is_wide_letter(t->text, at))
            end = word_end(t->text, at);
        else if (is_script(t->text.p[at]))
            end = script_end(lexicon, t->text, at);
        else
            end = code_end(t->text, at);
        if (!od_is_digit(t->text.p[at]) || od_is_letter(t->text.p[end - 1]))
            token.number = token.unit;
        token.at = (uint32_t)at;
        token.end = (uint32_t)(end > at ? end : at + 1);
        t->list[t->n++] = token;
        i = token.end;
    }
}

/* ---- numbers completed by their neighbors ---- */

bool od_tokens_have(const struct od_tokens *t, size_t from, size_t upto, uint64_t classes)
{
    while (from < upto && from < t->n && (t->list[from].classes & classes) == 0)
        from++;
    return from < upto && from < t->n;
}

/* "25769803776 (24.00 GiB)", "1026207274/978.6mb": the same size again. */
static bool is_said_again(const struct od_token *first, const struct od_token *token)
{
    enum { PARTS = 20 }; /* decimal and binary GB differ by less than a twentieth */
    if (!first->number || !first->size.known || !od_token_is_size(token) ||
        (!token->bracket && (token->mark != '/' || first->unit)))
        return false;
    uint64_t a = first->size.n, b = token->size.n;
    return a > 0 && (a > b ? a - b : b - a) <= a / PARTS;
}

/* "298833518 of 8 bytes": a count and an element size. */
static bool take_product(const struct od_tokens *t, struct od_token *list, size_t n,
                         const struct od_token *size)
{
    enum { ELEMENT_BYTES = 64 };
    if (n < 2 || !od_token_is_size(size) || size->size.n > ELEMENT_BYTES || size->size.n == 0)
        return false;
    struct od_token *count = &list[n - 2];
    struct od_view word = od_token_text(t, &list[n - 1]);
    uint64_t bytes;
    if (!count->number || count->unit || !count->size.known || !od_view_eq_str(word, "of") ||
        ckd_mul(&bytes, count->size.n, size->size.n))
        return false;
    count->size = od_bytes_exact(bytes);
    count->unit = true;
    count->end = size->end;
    return true;
}

/* "7.5 of 8 GB", "31.2/32.0 GiB": the first number shares the unit. */
static void take_unit_of_whole(const struct od_tokens *t, struct od_token *list, size_t n,
                               const struct od_token *whole)
{
    bool slash = n > 0 && whole->mark == '/';
    bool of = n > 1 && whole->mark == 0 && od_view_eq_str(od_token_text(t, &list[n - 1]), "of");
    struct od_token *part = slash ? &list[n - 1] : of ? &list[n - 2] : NULL;
    if (!part || !part->number || part->unit || part->hex || !od_token_is_size(whole))
        return;
    struct od_view unit = od_token_text(t, whole);
    while (unit.n > 0 && !od_is_letter(unit.p[0]))
        unit = od_view_from(unit, 1);
    struct od_bytes size;
    bool fits = od_bytes_parse_unit(od_token_text(t, part), unit, OD_UNIT_BINARY, &size) &&
                od_bytes_less(whole->size, size) != OD_YES;
    if (fits) {
        part->size = size;
        part->unit = true;
    }
}

/* "required (Mb): 5120", "size_mb=512": the unit is in the key. */
static void take_unit_of_key(const struct od_tokens *t, const struct od_token *key,
                             struct od_token *number)
{
    struct od_view unit = od_token_text(t, key);
    struct od_view between = od_view_part(t->text, key->end, number->at);
    bool value = od_view_has(between, OD_VIEW(":")) || od_view_has(between, OD_VIEW("="));
    if (number->unit || key->number || !value || unit.n < 2 || unit.n > sizeof "megabytes")
        return;
    number->unit =
        od_bytes_parse_unit(od_token_text(t, number), unit, OD_UNIT_BINARY, &number->size);
    if (number->unit)
        number->mark = ':';
}

/* "[virtualMemoryBuffer.cpp:12]": the name of a source file does not mean virtual memory. */
static bool is_of_file(struct od_view text, const struct od_token *token)
{
    static const char *const kinds[] = {".cpp", ".cc", ".cu", ".hpp", ".rs", ".go", NULL};
    size_t end = od_past(text, token->end, od_is_word);
    return od_view_starts_any(od_view_from(text, end), kinds);
}

/* "-XX:+ExitOnOutOfMemoryError": an option of the JVM says what to do, not what happened. */
static bool is_of_option(struct od_view text, const struct od_token *token)
{
    size_t from = token->at;
    while (from > 0 && !od_is_space(text.p[from - 1]))
        from--;
    return od_view_has(od_view_part(text, from, token->at), OD_VIEW("-XX:"));
}

/* "05 May 14:45:17" and "May 5": the month, not the verb. */
static bool is_month(struct od_view text, const struct od_token *token)
{
    struct od_view word = od_view_part(text, token->at, token->end);
    struct od_view rest = od_view_from(text, token->end);
    bool after = token->at > 1 && od_is_digit(text.p[token->at - 2]);
    return od_view_eq_str(word, "May") && (after || (rest.n > 1 && od_is_digit(rest.p[1])));
}

/* "does not provide enough", "could not find sufficient": one token, a lack. Returns the number of
 * tokens that are left. */
static size_t join_lack(struct od_token *list, size_t n)
{
    enum { BETWEEN = 3 };
    size_t last = n - 1, i = last;
    if (!od_token_is(&list[last], OD_WORD_ENOUGH))
        return n;
    while (i > 0 && last - i < BETWEEN && list[i].mark == 0 && !od_token_is(&list[i], OD_WORD_GET))
        if (od_token_is(&list[--i], OD_WORD_NOT)) {
            list[i].classes = OD_WORD_BIT(OD_WORD_LACK);
            list[i].end = list[last].end;
            return i + 1;
        }
    return n;
}

void od_tokens_read(struct od_tokens *tokens, const struct od_lexicon *lexicon, struct od_view text)
{
    tokens->text = od_view_head(text, OD_SENTENCE_BYTES);
    cut(tokens, lexicon);
    size_t n = 0;
    for (size_t i = 0; i < tokens->n;) {
        struct od_token token;
        bool number = tokens->list[i].number && !tokens->list[i].hex;
        size_t used = number ? 1 : classify(tokens, lexicon, i, &token);
        if (number)
            token = tokens->list[i];
        token.number = token.number && token.classes == 0;
        if (od_token_is(&token, OD_WORD_HOST) && is_of_file(tokens->text, &token))
            token.classes &= ~OD_WORD_BIT(OD_WORD_HOST);
        if ((token.classes & OD_WORD_BIT(OD_WORD_ERROR)) && is_of_option(tokens->text, &token))
            token.classes = 0;
        if (od_token_is(&token, OD_WORD_IF) && is_month(tokens->text, &token))
            token.classes = 0;
        i += used;
        if (n > 0 && token.number)
            take_unit_of_key(tokens, &tokens->list[n - 1], &token);
        if (n > 0 && is_said_again(&tokens->list[n - 1], &token)) {
            tokens->list[n - 1].unit = true;
            tokens->list[n - 1].end = token.end;
            if (token.size.lo == token.size.hi) /* "1.50GiB (1610612736B)" */
                tokens->list[n - 1].size = token.size;
            if (i < tokens->n && tokens->list[i].mark == ')')
                tokens->list[i].mark =
                    od_view_starts(od_view_from(text, token.end), OD_VIEW("),")) ? ',' : 0;
            continue;
        }
        take_unit_of_whole(tokens, tokens->list, n, &token);
        if (take_product(tokens, tokens->list, n, &token))
            n--; /* the word between */
        else
            tokens->list[n++] = token;
        n = n > 0 ? join_lack(tokens->list, n) : n;
    }
    for (size_t i = 0; i < n; i++)
        tokens->list[i].classes &= ~(OD_WORD_BIT(OD_WORD_NOT) | OD_WORD_BIT(OD_WORD_ENOUGH));
    tokens->n = n;
}
