/* Finds names in columns: rows of ps, top, ls, who, gpustat; tables with a heading for names; YAML
 * blocks. */
#include "redact/found.h"

enum { WORDS_MOST = 32, HEADS_MOST = 5, FORM_MOST = 13, ROW_BYTES = 512, KEY_LINES_MOST = 200 };

enum start { DIGIT, LETTER, MARK, STARTS };

struct row {
    struct {
        size_t start, end;
    } word[WORDS_MOST];
    size_t n;
    uint32_t starts[STARTS]; /* bits: word kinds that can start here */
};

static enum start start_of(char c)
{
    return od_is_digit(c) ? DIGIT : od_is_letter(c) || (unsigned char)c >= 0x80 ? LETTER : MARK;
}

static size_t ink_end(struct od_view text, size_t at)
{
    size_t n = 8;
    while (n == 8 && at + 8 <= text.n) {
        n = od_eight_run(od_eight_ink(od_eight(text.p + at)));
        at += n;
    }
    while (n == 8 && at < text.n && (unsigned char)text.p[at] > ' ')
        at++;
    return at;
}

/* Length of a cell border: "| 812 | alice |", or one of U+2500 to U+257F; 0 = none. */
static size_t border_at(struct od_view text, size_t at)
{
    size_t drawn = od_skip_drawn(text, at) - at;
    return drawn > 0 ? drawn : text.p[at] == '|' && (at + 1 >= text.n || text.p[at + 1] <= ' ');
}

/* Splits the text from its last word on into at most this many words. */
static void cut(struct od_view text, struct row *row, size_t most)
{
    struct od_view head = od_view_head(text, ROW_BYTES);
    for (size_t at = row->n > 0 ? row->word[row->n - 1].end : 0; at < head.n && row->n < most;) {
        size_t border = (unsigned char)head.p[at] <= ' ' ? 1 : border_at(head, at);
        if (border > 0) {
            at += border;
            continue;
        }
        row->word[row->n].start = at;
        row->starts[start_of(head.p[at])] |= UINT32_C(1) << row->n;
        at = ink_end(head, at);
        row->word[row->n++].end = at;
    }
}

static struct od_view word_of(struct od_view text, const struct row *row, size_t i)
{
    return i < row->n ? od_part(text, row->word[i].start, row->word[i].end) : (struct od_view){0};
}

static bool is_of(struct od_view word, const char *extra)
{
    if (word.n == 0 || !od_is_digit(word.p[0]))
        return false;
    for (size_t i = 1; i < word.n; i++) {
        if (!od_is_digit(word.p[i]) && (word.p[i] == '\0' || !strchr(extra, word.p[i])))
            return false;
    }
    return true;
}

/* Can the word be of the kind that this letter means? */
static bool is_kind(struct od_view word, char kind)
{
    static const char *const files[] = {"cwd", "txt", "mem", "rtd", "DEL", NULL};
    static const char *const file_types[] = {"CHR",  "REG",  "DIR",  "FIFO",    "IPv4",
                                             "IPv6", "unix", "sock", "a_inode", NULL};
    switch (kind) {
    case 'i':
        return is_of(word, "");
    case 'f': /* %CPU; without decimals from 100 on */
        return is_of(word, ".") &&
               (od_view_find_char(word, '.', 0) != OD_VIEW_NONE || (word.n > 2 && word.n < 6));
    case 's': /* a size */
        return is_of(word, ".kmgtKMGT");
    case 't': /* a time or a day */
        return is_of(word, ":-.") && od_view_find_char(word, ':', 0) != OD_VIEW_NONE;
    case 'd':
        return word.n >= 3 && (is_of(word, ":-") || od_is_upper(word.p[0]));
    case 'y': /* a terminal */
        return (word.n == 1 && word.p[0] == '?') || od_view_starts(word, OD_VIEW("pts/")) ||
               od_view_starts(word, OD_VIEW("tty"));
    case 'S': /* a state: "R+", "PD", "OOM" */
        return word.n >= 1 && word.n <= 5 && od_is_upper(word.p[0]) &&
               (strchr("RSDZTI", word.p[0]) || od_is_upper(word.p[word.n - 1]));
    case 'p': /* a priority */
        return is_of(word, "") || od_view_eq_str(word, "rt") || (word.n > 1 && word.p[0] == '-');
    case 'm': /* a mode */
        if (word.n < 10 || word.n > 11 || !strchr("-dlcbps", word.p[0]))
            return false;
        for (size_t i = 1; i < 10; i++) {
            if (!strchr("rwxsStT-", word.p[i]))
                return false;
        }
        return true;
    case 'O': /* how a job ended: "OUT_OF_ME+" */
        return word.n >= 6 && od_is_upper(word.p[0]) && od_is_upper(word.p[1]) &&
               od_view_find_char(word, '=', 0) == OD_VIEW_NONE;
    case 'j': /* "1234.server" */
        return od_is_digit(word.p[0]);
    case 'F': /* an open file */
        return od_view_eq_any(word, files) ||
               (word.n >= 2 && od_is_digit(word.p[0]) && strchr("urwW-", word.p[word.n - 1]));
    case 'Y':
        return od_view_eq_any(word, file_types);
    case 'w': /* any */
        return word.n > 0;
    default: /* 'u' and 'g': a name; 'h': one or several machines: "gcn[12-15,17]" */
        return word.n >= 2 && (od_is_letter(word.p[0]) || (unsigned char)word.p[0] >= 0x80) &&
               od_run(word, 0, kind == 'h' ? "_-.[],*" : "_-.+$") == word.n;
    }
}

/* Rows with a recognizable form: one letter for each word, 'u' for the name. */
static const char *const rows[] = {
    "uiffiiyS", /* ps aux */
    "uiiidyt",  /* ps -ef */
    "iupisss",  /* top */
    "miug",     /* ls -l */
    "uyd",      /* who */
    "uywt",     /* w */
    "iwwuStih", /* squeue */
    "iwwuSti",  /* a table of jobs with a waiting job */
    "wiuFY",    /* lsof */
    "jwuiOt",   /* sacct */
    "jwwuiOt",
};

/* Characters that words of each kind can start with, as bits. */
static const uint8_t begins[128] = {['u'] = 1 << LETTER,
                                    ['g'] = 1 << LETTER,
                                    ['h'] = 1 << LETTER,
                                    ['S'] = 1 << LETTER,
                                    ['i'] = 1 << DIGIT,
                                    ['j'] = 1 << DIGIT,
                                    ['O'] = 1 << LETTER,
                                    ['Y'] = 1 << LETTER,
                                    ['F'] = 1 << DIGIT | 1 << LETTER,
                                    ['f'] = 1 << DIGIT,
                                    ['s'] = 1 << DIGIT,
                                    ['t'] = 1 << DIGIT,
                                    ['d'] = 1 << DIGIT | 1 << LETTER,
                                    ['y'] = 1 << LETTER | 1 << MARK,
                                    ['m'] = 1 << LETTER | 1 << MARK,
                                    ['p'] = 7,
                                    ['w'] = 7};

/* For each of the first words, finds the row forms whose word there can start like it. Returns the
 * forms that match all of them. */
static uint32_t find_heads(const struct row *row, uint32_t ret_heads[static OD_COUNT_OF(rows)])
{
    uint32_t of[1 << STARTS], any = 0;
    for (unsigned set = 0; set < 1 << STARTS; set++)
        of[set] = (set >> DIGIT & 1 ? row->starts[DIGIT] : 0) |
                  (set >> LETTER & 1 ? row->starts[LETTER] : 0) |
                  (set >> MARK & 1 ? row->starts[MARK] : 0);
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        uint32_t heads = (UINT32_C(1) << HEADS_MOST) - 1;
        for (size_t k = 0; heads && rows[i][k]; k++)
            heads &= of[begins[(unsigned char)rows[i][k]]] >> k;
        any |= ret_heads[i] = heads;
    }
    return any;
}

static void add(struct od_search *s, size_t start, size_t end, enum od_redact_kind kind)
{
    struct od_view name = od_part(s->text, start, end);
    bool fits = kind == OD_REDACT_HOST ? name.n >= 2 && !od_is_common_name(s->words, name)
                                       : od_is_user(s->words, name);
    if (fits)
        od_found_add(s, (struct od_found){start, end, kind, true});
}

static bool is_name(char kind)
{
    return kind == 'u' || kind == 'g' || kind == 'h';
}

static bool find_form(struct od_search *s, const struct row *row, size_t head, const char *kinds)
{
    for (int name = 0; name < 2; name++) { /* kinds that most words match come last */
        for (size_t i = 0; kinds[i]; i++) {
            if (is_name(kinds[i]) == name && !is_kind(word_of(s->text, row, head + i), kinds[i]))
                return false;
        }
    }
    for (size_t i = 0; kinds[i]; i++) {
        if (is_name(kinds[i]))
            add(s, row->word[head + i].start, row->word[head + i].end,
                kinds[i] == 'h' ? OD_REDACT_HOST : OD_REDACT_USER);
    }
    return true;
}

/* Users and programs of gpustat: "alice(40110M)", "alice:python/31337(15107M)". */
static void find_gpustat(struct od_search *s, struct row *row)
{
    bool bars = od_view_ends(od_view_trim(s->text), OD_VIEW("M)")) &&
                od_view_has(od_view_head(s->text, ROW_BYTES), OD_VIEW(" | "));
    if (bars)
        cut(s->text, row, WORDS_MOST);
    for (size_t i = 0; bars && i < row->n; i++) {
        struct od_view word = word_of(s->text, row, i);
        size_t open = od_view_find_char(word, '(', 0);
        if (!od_view_ends(word, OD_VIEW("M)")) || open == OD_VIEW_NONE)
            continue;
        size_t n = od_run(word, 0, "_-.+");
        if (n >= 2 && n <= open && (word.p[n] == '(' || word.p[n] == ':'))
            add(s, row->word[i].start, row->word[i].start + n, OD_REDACT_USER);
    }
}

/* ---- tables with a heading ---- */

/* The kind of names in a column, from its heading: "USER", "NODELIST(REASON)". */
static bool names_column(const struct od_words *words, struct od_view word,
                         enum od_redact_kind *ret_kind)
{
    if (od_view_eq_str(word, "GROUP") || od_view_eq_str(word, "Group"))
        return *ret_kind = OD_REDACT_ORG, true;
    size_t n = od_view_find_char(word, '(', 0);
    n = n == OD_VIEW_NONE ? word.n : n;
    bool whole = od_view_find_char(word, '=', 0) == OD_VIEW_NONE; /* "USER=ana" is no heading */
    enum od_named named = whole ? od_named_by(words, od_view_head(word, n)) : OD_NAMED_NOTHING;
    *ret_kind = named == OD_NAMED_USER  ? OD_REDACT_USER
                : named == OD_NAMED_ORG ? OD_REDACT_ORG
                                        : OD_REDACT_HOST;
    return named >= OD_NAMED_USER && (named < OD_NAMED_PERSON || od_view_eq_str(word, "FROM"));
}

static bool begins_heading(char c)
{
    return od_is_upper(c) || c == '%' || c == '#';
}

/* Is it a row of capitalized words without numbers? */
static bool is_heading(struct od_view text, const struct row *row)
{
    if (row->n < 3 || row->n > 24)
        return false;
    for (size_t i = 0; i < row->n; i++) {
        struct od_view word = word_of(text, row, i);
        if (!begins_heading(word.p[0]) || word.p[word.n - 1] == ':' || word.p[word.n - 1] == ',' ||
            word.p[word.n - 1] == '.')
            return false;
    }
    return true;
}

/* "NAME STATUS ROLES AGE VERSION": Kubernetes nodes. */
static bool is_node_list(struct od_view text, const struct row *row)
{
    return row->n > 2 && od_view_eq_str(word_of(text, row, 0), "NAME") &&
           od_view_eq_str(word_of(text, row, 2), "ROLES");
}

/* "User Name": does the heading consist of this word and the one before it? */
static bool goes_on(struct od_view text, const struct row *row, size_t i)
{
    static const char *const lasts[] = {"Name", "NAME", "ID", NULL};
    return i > 0 && row->word[i].start == row->word[i - 1].end + 1 &&
           od_view_eq_any(word_of(text, row, i), lasts);
}

static void note_heading(struct od_search *s, const struct row *row)
{
    struct od_before *before = s->before;
    before->ncolumns = 0;
    before->heading_words = (unsigned)row->n;
    for (size_t i = 0; i < row->n && before->ncolumns < OD_COLUMNS_MOST; i++) {
        bool two = goes_on(s->text, row, i);
        struct od_column column = {(unsigned)i, row->word[i - two].start, row->word[i].end,
                                   OD_REDACT_USER};
        before->heading_words -= two;
        if (names_column(s->words, od_part(s->text, column.start, column.end), &column.kind) ||
            (i == 0 && is_node_list(s->text, row) && (column.kind = OD_REDACT_HOST)))
            before->columns[before->ncolumns++] = column;
    }
    before->heading_words = before->heading_words < row->n ? 0 : before->heading_words;
}

/* Is the word below the column's heading? */
static bool is_below(const struct row *row, size_t i, const struct od_column *c)
{
    return row->word[i].start < c->end && row->word[i].end > c->start;
}

/* The row's word with the same start or the same number as the column's heading, or below it. */
static size_t under(const struct row *row, const struct od_before *before,
                    const struct od_column *c)
{
    size_t i = 0, below = row->n == before->heading_words ? c->index : row->n;
    for (; i < row->n && row->word[i].start != c->start; i++)
        below = below == row->n && is_below(row, i, c) ? i : below;
    return i < row->n ? i : below < row->n ? below : c->index;
}

/* Is it a row of the table? It contains a number, or a name starts directly below the first heading
 * of names. */
static bool is_row(struct od_view text, const struct row *row, const struct od_before *before)
{
    for (size_t i = 0; i < row->n; i++)
        if (od_is_digit(word_of(text, row, i).p[0]) ||
            (before->ncolumns > 0 && i > 0 && row->word[i].start == before->columns[0].start))
            return true;
    return false;
}

static bool is_rule(struct od_view text, const struct row *row)
{
    static const char *const rules[] = {"--", "==", "|-", "+-", "|:-", NULL};
    return row->n > 0 && od_view_starts_any(word_of(text, row, 0), rules);
}

/* Makes each column as wide as the rule below its heading, because cells may be empty. */
static void widen_columns(struct od_before *before, const struct row *row)
{
    for (size_t k = 0; k < before->ncolumns; k++)
        for (size_t i = 0; i < row->n && row->n > 2; i++)
            if (is_below(row, i, &before->columns[k])) {
                before->columns[k].start = row->word[i].start;
                before->columns[k].end = row->word[i].end;
                before->heading_words = 0;
            }
}

/* A Windows login in a cell: "CORP\\alice". */
static bool add_windows_login(struct od_search *s, size_t start, size_t end)
{
    size_t slash = od_view_find_char(od_view_head(s->text, end), '\\', start);
    if (slash == OD_VIEW_NONE || slash < start + 2 || slash + 2 > end)
        return false;
    od_found_add(s, (struct od_found){start, slash, OD_REDACT_HOST, false});
    add(s, slash + 1, end, OD_REDACT_USER);
    return true;
}

/* Nodes at the end of a row: "gcn1047,gcn1051". */
static void find_last_cell(struct od_search *s, const struct row *row)
{
    size_t at = row->word[row->n - 1].start, end = row->word[row->n - 1].end;
    while (at < end) {
        struct od_view cell = od_view_head(s->text, end);
        size_t comma = od_view_find_char(cell, ',', at), stop = comma == OD_VIEW_NONE ? end : comma;
        if (od_is_counted(s->words, od_part(s->text, at, stop), true))
            add(s, at, stop, OD_REDACT_HOST);
        at = stop + 1;
    }
}

static void find_columns(struct od_search *s, const struct row *row)
{
    struct od_before *before = s->before;
    if (is_rule(s->text, row)) {
        widen_columns(before, row);
        return;
    }
    if (row->n < 3 || !is_row(s->text, row, before)) {
        before->ncolumns = 0;
        return;
    }
    find_last_cell(s, row);
    OD_FOR_EACH_OF (const struct od_column, c, before->columns, before->ncolumns) {
        size_t at = under(row, before, c);
        struct od_view word = word_of(s->text, row, at);
        size_t times = od_num_digits(word); /* "8*c17n10" */
        times = times > 0 && od_byte(word, times) == '*' ? times + 1 : 0;
        word = od_view_from(word, times);
        if (c->kind == OD_REDACT_USER &&
            add_windows_login(s, row->word[at].start, row->word[at].end))
            continue;
        if (word.n > 0 && is_kind(word, 'u'))
            add(s, row->word[at].start + times, row->word[at].end, c->kind);
        else if (c->kind == OD_REDACT_USER)
            before->ncolumns = 0;
    }
}

/* Takes a heading that names a column of people or machines. */
static bool take_heading(struct od_search *s, const struct row *row)
{
    enum od_redact_kind kind;
    if (!is_heading(s->text, row))
        return false;
    for (size_t i = 0; i < row->n; i++) {
        if (!names_column(s->words, word_of(s->text, row, i), &kind) && !is_node_list(s->text, row))
            continue;
        note_heading(s, row);
        return true;
    }
    return false;
}

void od_find_rows(struct od_search *s)
{
    struct row row;
    row.n = row.starts[DIGIT] = row.starts[LETTER] = row.starts[MARK] = 0;
    cut(s->text, &row, FORM_MOST);
    if (row.n < 3)
        s->before->ncolumns = 0;
    bool capital = row.n >= 3 && begins_heading(s->text.p[row.word[0].start]);
    if (capital || s->before->ncolumns > 0)
        cut(s->text, &row, WORDS_MOST);
    if (row.n < 3 || (capital && take_heading(s, &row)))
        return;
    if (s->before->ncolumns > 0)
        find_columns(s, &row);
    uint32_t heads[OD_COUNT_OF(rows)], any = find_heads(&row, heads);
    for (size_t head = 0; any >> head; head++) {
        for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
            if (heads[i] >> head & 1 && find_form(s, &row, head, rows[i]))
                return;
        }
    }
    find_gpustat(s, &row);
}

static bool is_base64(struct od_view v)
{
    for (size_t i = 0; i < v.n; i++) {
        if (!od_is_alnum(v.p[i]) && !strchr("+/=", v.p[i]))
            return false;
    }
    return v.n >= 8 && v.n % 4 == 0;
}

/* "  key: value" in a Kubernetes Secret. */
static void find_data(struct od_search *s, struct od_view line)
{
    size_t colon = od_view_find(line, OD_VIEW(": "), 0);
    if (colon == OD_VIEW_NONE)
        return;
    struct od_view value = od_view_trim(od_view_from(line, colon + 2));
    if (value.n > 1 && (value.p[0] == '"' || value.p[0] == '\''))
        value = od_part(value, 1, value.n - 1);
    size_t start = (size_t)(value.p - s->text.p);
    if (value.n > 0 && (s->before->string_data || is_base64(value)))
        od_found_add(s, (struct od_found){start, start + value.n, OD_REDACT_SECRET, true});
}

static void watch_kubernetes(struct od_search *s)
{
    struct od_before *before = s->before;
    struct od_view line = s->text;
    od_view_skip_blanks(&line);
    if (!before->kubernetes && (line.n == 0 || (line.p[0] != 'a' && line.p[0] != 'k')))
        return;
    line = od_view_trim(line);
    bool indented = s->text.n > 0 && s->text.p[0] == ' ';
    if (od_view_starts(line, OD_VIEW("apiVersion:")) ||
        od_view_starts(line, OD_VIEW("kind: Secret")))
        before->kubernetes = true;
    else if (line.n == 0 || od_view_starts(line, OD_VIEW("---")))
        before->kubernetes = before->secret_data = false;
    if (!before->kubernetes)
        return;
    bool string = od_view_eq_str(line, "stringData:");
    if (string || od_view_eq_str(line, "data:")) {
        before->secret_data = true;
        before->string_data = string;
    } else if (before->secret_data && indented) {
        find_data(s, line);
    } else {
        before->secret_data = false;
    }
}

/* Takes the line after "name: DB_PASSWORD". */
static void find_value_line(struct od_search *s, enum od_named named)
{
    struct od_view line = od_view_trim(s->text);
    size_t at = (size_t)(line.p - s->text.p);
    while (at < s->text.n && strchr("\"'<- ", s->text.p[at]) && s->text.p[at] != '\0')
        at++;
    struct od_view word = od_view_from(s->text, at);
    if (od_view_starts(word, OD_VIEW("value")) || od_view_starts(word, OD_VIEW("Value")))
        (void)od_find_value(s, at, at + 5, named);
    else if (s->before->is_folded)
        (void)od_find_folded(s, (size_t)(line.p - s->text.p), named);
    s->before->is_folded = false;
}

/* Within a private key: finds its base64, also inside of other text. */
static void find_key_body(struct od_search *s, struct od_view text, size_t from)
{
    for (size_t at = from; at < text.n;) {
        size_t n = 0;
        bool mixed = false;
        while (at + n < text.n && (od_is_alnum(text.p[at + n]) || text.p[at + n] == '+' ||
                                   text.p[at + n] == '/' || text.p[at + n] == '=')) {
            mixed = mixed || !od_is_letter(text.p[at + n]) || od_is_upper(text.p[at + n]);
            n++;
        }
        bool last = at + n == text.n && n >= 4 && n % 4 == 0; /* "kQ==" */
        if ((n >= 8 || last) && (mixed || n >= 20))
            od_found_add(s, (struct od_found){at, at + n, OD_REDACT_SECRET, false});
        at += n + 1;
    }
}

/* Finds "-----BEGIN ... PRIVATE KEY-----" and the text until its END. */
static void watch_key(struct od_search *s, size_t from)
{
    struct od_before *before = s->before;
    struct od_view text = s->text;
    for (;;) {
        if (before->key_lines > 0) {
            size_t end = od_view_find(text, OD_VIEW("-----END"), from);
            find_key_body(s, od_view_head(text, end == OD_VIEW_NONE ? text.n : end), from);
            before->key_lines = end == OD_VIEW_NONE ? before->key_lines - 1 : 0;
            if (end == OD_VIEW_NONE)
                return;
            from = end + 8;
        }
        size_t at = od_view_find(text, OD_VIEW("-----BEGIN "), from);
        size_t words = at == OD_VIEW_NONE
                           ? at
                           : od_view_find(od_view_head(text, at + 60), OD_VIEW("PRIVATE KEY"), at);
        if (words == OD_VIEW_NONE)
            return;
        from = words + 11;
        before->key_lines = KEY_LINES_MOST;
    }
}

void od_find_block_line(struct od_search *s)
{
    enum od_named value_of = s->before->value_of;
    s->before->value_of = OD_NAMED_NOTHING;
    if (value_of != OD_NAMED_NOTHING)
        find_value_line(s, value_of);
    watch_kubernetes(s);
    if (s->before->key_lines > 0)
        watch_key(s, 0);
    s->covered = 0;
}

bool od_find_key_block(struct od_search *s, size_t dash)
{
    size_t n = s->finds->n;
    if (s->before->key_lines == 0 &&
        od_view_starts(od_view_from(s->text, dash), OD_VIEW("-----BEGIN ")))
        watch_key(s, dash);
    return s->finds->n > n;
}
