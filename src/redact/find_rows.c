/* Finds names in columns: rows of ps, top, ls, who, gpustat; tables with a heading; YAML blocks. */
#include "redact/found.h"

#include "base/mask_digits.h"

enum { WORDS_MOST = 32, FEW_WORDS = 3, ROW_BYTES = 512, KEY_LINES_MOST = 200 };

struct row {
    struct {
        size_t start, end;
    } word[WORDS_MOST];
    size_t n;
};

/* Length of a border, as in "| 812 | alice |" or a character from U+2500 to U+257F; 0 = none. */
static size_t border_at(struct od_view text, size_t at)
{
    size_t drawn = od_skip_drawn(text, at) - at;
    return drawn > 0 ? drawn : text.p[at] == '|' && (at + 1 >= text.n || text.p[at + 1] <= ' ');
}

/* Splits the text from the row's last word on, up to `most` words. */
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
        while (at < head.n && (unsigned char)head.p[at] > ' ')
            at++;
        row->word[row->n++].end = at;
    }
}

static struct od_view word_of(struct od_view text, const struct row *row, size_t i)
{
    return i < row->n ? od_view_part(text, row->word[i].start, row->word[i].end)
                      : (struct od_view){0};
}

/* Does the word have only letters, digits and marks of names? */
static bool is_name(struct od_view word)
{
    return word.n >= 2 && (od_is_letter(word.p[0]) || (unsigned char)word.p[0] >= 0x80) &&
           od_run(word, 0, "_-.+$") == word.n;
}

static void add(struct od_search *s, size_t start, size_t end, enum od_redact_kind kind)
{
    struct od_view name = od_view_part(s->text, start, end);
    if (kind == OD_REDACT_HOST ? name.n >= 2 && !od_is_common_name(s->words, name)
                               : od_is_user(s->words, name))
        od_found_add(s, (struct od_found){start, end, kind, true});
}

/* Finds users in gpustat's cells: "| alice(40110M)", "| alice:python/31337(15107M)". */
static void find_gpustat(struct od_search *s, struct row *row)
{
    if (!od_view_ends(od_view_trim(s->text), OD_VIEW("M)")) ||
        !od_view_has(s->text, OD_VIEW(" | ")))
        return;
    cut(s->text, row, WORDS_MOST);
    for (size_t i = 0; i < row->n; i++) {
        struct od_view word = word_of(s->text, row, i);
        size_t n = od_view_ends(word, OD_VIEW("M)")) ? od_run(word, 0, "_-.+") : 0;
        if (n >= 2 && (word.p[n] == '(' || word.p[n] == ':'))
            add(s, row->word[i].start, row->word[i].start + n, OD_REDACT_USER);
    }
}

/* ---- tables with a heading ---- */

/* The kind of names below a heading such as "USER", "NODELIST(REASON)"; SECRET = no names. */
static enum od_redact_kind column_kind(const struct od_words *words, struct od_view word)
{
    static const char *const groups[] = {"GROUP", "Group", NULL}, *const from[] = {"FROM", NULL};
    if (od_view_has(word, OD_VIEW("="))) /* an assignment, not a heading: "USER=ana" */
        return OD_REDACT_SECRET;
    word = od_view_head(word, od_view_find_char(word, '(', 0));
    enum od_named named = od_named_by(words, word);
    return named == OD_NAMED_ORG || od_view_eq_any(word, groups) ? OD_REDACT_ORG
           : named == OD_NAMED_USER                              ? OD_REDACT_USER
           : named == OD_NAMED_HOST || named == OD_NAMED_MAYHOST || od_view_eq_any(word, from)
               ? OD_REDACT_HOST
               : OD_REDACT_SECRET;
}

static bool begins_heading(char c)
{
    return od_is_upper(c) || c == '%' || c == '#';
}

/* Are there two blanks, or a border, before the word? */
static bool is_apart(const struct row *row, size_t i)
{
    return i == 0 || row->word[i].start > row->word[i - 1].end + 1;
}

/* Is the row a heading? Its words have capitals or are far apart, and there is no number. */
static bool is_heading(struct od_view text, const struct row *row)
{
    bool capitals = true, apart = true;
    for (size_t i = 0; i < row->n; i++) {
        struct od_view word = word_of(text, row, i);
        capitals = capitals && begins_heading(word.p[0]);
        apart = apart && is_apart(row, i) && !od_has_digit(word);
        if (strchr(":,.", word.p[word.n - 1]) || !(capitals || apart))
            return false;
    }
    return row->n >= 3 && row->n <= 24;
}

static void end_table(struct od_before *before)
{
    before->ncolumns = before->heading_words = 0;
    memset(before->columns, 0, sizeof before->columns);
}

/* Stores the columns of a heading that has names of people or machines. */
static bool take_heading(struct od_search *s, const struct row *row)
{
    static const char *const lasts[] = {"Name", "NAME", "name", "ID", "id", NULL}; /* "User Name" */
    struct od_before *before = s->before;
    if (!is_heading(s->text, row))
        return false;
    bool nodes = od_view_has(s->text, OD_VIEW("ROLES ")); /* of Kubernetes: "NAME STATUS ROLES" */
    end_table(before);
    for (size_t i = 0; i < row->n && before->ncolumns < OD_COLUMNS_MOST; i++) {
        bool two = !is_apart(row, i) && od_view_eq_any(word_of(s->text, row, i), lasts);
        struct od_column c = {before->heading_words, row->word[i - two].start, row->word[i].end, 0};
        before->heading_words += !two;
        c.kind = nodes && i == 0 ? OD_REDACT_HOST
                                 : column_kind(s->words, od_view_part(s->text, c.start, c.end));
        if (c.kind != OD_REDACT_SECRET)
            before->columns[before->ncolumns++] = c;
    }
    if (before->ncolumns == 0)
        end_table(before);
    return before->ncolumns > 0;
}

/* Index of the word below a column's heading: it begins in the same column, has the same index, or
 * overlaps the heading. */
static size_t under(const struct row *row, const struct od_before *before,
                    const struct od_column *c)
{
    size_t i = 0, below = row->n == before->heading_words ? c->index : row->n;
    for (; i < row->n && row->word[i].start != c->start; i++)
        if (below == row->n && row->word[i].start < c->end && row->word[i].end > c->start)
            below = i;
    return i < row->n ? i : below < row->n ? below : c->index;
}

/* Is it a row of the table? It contains a number, or a name below the first heading of names. */
static bool is_row(struct od_view text, const struct row *row, const struct od_before *before)
{
    for (size_t i = 0; i < row->n; i++)
        if (od_is_digit(word_of(text, row, i).p[0]) ||
            (i > 0 && row->word[i].start == before->columns[0].start))
            return row->n > 2;
    return false;
}

/* Finds all names of a cell: "gcn1047,gcn1051", "8*c17n10". Without a column's heading, only those
 * that look like names. False = none. */
static bool find_cell(struct od_search *s, const struct row *row, size_t i,
                      enum od_redact_kind kind, bool told)
{
    size_t at = row->word[i].start, stop;
    bool any = false;
    for (; at < row->word[i].end; at = stop + 1) {
        struct od_view cell = od_view_head(s->text, row->word[i].end);
        size_t comma = od_view_find_char(cell, ',', at),
               times = od_num_digits(od_view_from(cell, at));
        at += times > 0 && od_view_at(cell, at + times) == '*' ? times + 1 : 0;
        stop = comma == OD_VIEW_NONE ? cell.n : comma;
        struct od_view name = od_view_part(s->text, at, stop);
        bool is = is_name(name) && (told || od_is_machine(s->words, name, false));
        if (is)
            add(s, at, stop, kind);
        any = any || is || od_view_has(name, OD_VIEW("\\")); /* a Windows login */
    }
    return any;
}

static void find_columns(struct od_search *s, const struct row *row)
{
    static const char *const rules[] = {"--", "==", "|-", "+-", "|:-", NULL};
    struct od_before *before = s->before;
    if (od_view_starts_any(word_of(s->text, row, 0), rules))
        return;
    if (!is_row(s->text, row, before)) {
        end_table(before);
        return;
    }
    (void)find_cell(s, row, row->n - 1, OD_REDACT_HOST, false);
    OD_FOR_EACH_OF (const struct od_column, c, before->columns, before->ncolumns)
        if (!find_cell(s, row, under(row, before, c), c->kind, true) && c->kind == OD_REDACT_USER) {
            end_table(before);
            return;
        }
}

void od_find_rows(struct od_search *s)
{
    struct row row;
    row.n = 0;
    cut(s->text, &row, FEW_WORDS);
    if (row.n < 3 && s->before->ncolumns > 0)
        end_table(s->before);
    bool head = row.n >= 3 && (begins_heading(s->text.p[row.word[0].start]) ||
                               (is_apart(&row, 1) && is_apart(&row, 2)));
    if (head || s->before->ncolumns > 0)
        cut(s->text, &row, WORDS_MOST);
    if (row.n < 3 || (head && take_heading(s, &row)))
        return;
    if (s->before->ncolumns > 0)
        find_columns(s, &row);
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

/* Finds values in a Kubernetes Secret: " key: value". */
static void find_data(struct od_search *s, struct od_view line)
{
    size_t colon = od_view_find(line, OD_VIEW(": "), 0);
    if (colon == OD_VIEW_NONE)
        return;
    struct od_view value = od_view_trim(od_view_from(line, colon + 2));
    if (value.n > 1 && (value.p[0] == '"' || value.p[0] == '\''))
        value = od_view_part(value, 1, value.n - 1);
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

/* Finds the value on the line after "name: DB_PASSWORD". */
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

/* Finds base64 within a private key, also inside of other text. */
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
        bool last = at + n == text.n && n >= 4 && n % 4 == 0; /* the last line: "kQ==" */
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

/* Finds names in deeper lines below "users:" or "hosts:": "- NAME", "- name: NAME", "NAME:". */
static void watch_list(struct od_search *s)
{
    const uint32_t users = OD_ROLE_USER, places = OD_ROLE_HOST | OD_ROLE_MAYHOST;
    struct od_before *before = s->before;
    struct od_view line = od_view_trim(s->text);
    size_t indent = (size_t)(line.p - s->text.p);
    bool item = od_view_take(&line, OD_VIEW("- "));
    if (before->list_of && line.n > 0 && indent + item > before->list_indent) {
        (void)od_view_take(&line, OD_VIEW("name: "));
        struct od_view name = od_view_head(line, od_run(line, 0, "_-."));
        struct od_view rest = od_view_from(line, name.n);
        bool host = before->list_of & places;
        bool is = od_is_strange(s->words, name) || (host && od_is_machine(s->words, name, true));
        indent = (size_t)(line.p - s->text.p);
        if (is && (rest.n == 0 || (host && od_view_eq_str(rest, ":"))) &&
            !od_words_roles(s->words, name))
            od_found_add(s, (struct od_found){indent, indent + name.n,
                                              host ? OD_REDACT_HOST : OD_REDACT_USER, true});
        return;
    }
    bool opens = line.n > 2 && line.p[line.n - 1] == ':' &&
                 od_is_letters(od_view_head(line, line.n - 1), "_");
    before->list_of =
        opens ? od_words_roles(s->words, od_view_head(line, line.n - 1)) & (users | places) : 0;
    before->list_indent = before->list_of ? indent : 0;
}

void od_find_block_line(struct od_search *s)
{
    enum od_named value_of = s->before->value_of;
    s->before->value_of = OD_NAMED_NOTHING;
    if (value_of != OD_NAMED_NOTHING)
        find_value_line(s, value_of);
    watch_kubernetes(s);
    if (s->before->list_of || (s->text.n > 0 && s->text.p[s->text.n - 1] == ':'))
        watch_list(s);
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
