#include "readers/logs/setting_line.h"

#include "readers/logs/setting_value.h"
#include "readers/logs/setting_words.h"

#include "readers/logs/setting_line_lists.inc"

/* The words around the name of a setting. */
struct surroundings {
    bool eval, whole, own, not ;
    bool use;    /* "use_checkpoint" */
    bool begins; /* the name starts a line or a part of one */
    unsigned dashes;
    size_t from; /* start of the name with all words that belong to it */
};

/* --- words before the name --- */

/* Start of the word that ends before at; capitals also start words. */
static size_t word_start(struct od_view text, size_t at)
{
    while (at > 0 && od_is_alnum(text.p[at - 1])) {
        at--;
        if (od_setting_word_begins(text, at))
            break;
    }
    return at;
}

static bool note(enum od_setting_word says, struct surroundings *s)
{
    s->eval |= says == OD_SETW_EVAL;
    s->whole |= says == OD_SETW_WHOLE;
    s->own |= says == OD_SETW_OWN;
    s->not |= says == OD_SETW_NOT;
    return says != OD_SETW_NONE && says != OD_SETW_NOT;
}

/* Reads the rest of the identifier, which must consist of known words; otherwise it names something
 * else. */
static bool read_identifier(struct od_view text, struct surroundings *s)
{
    while (s->from > 0) {
        size_t end = s->from;
        if (end > 1 && od_view_at_any(text, end - 1, "_-") && od_is_alnum(text.p[end - 2]))
            end--;
        else if (!od_is_alnum(text.p[end - 1]))
            break;
        size_t start = word_start(text, end);
        struct od_view word = {text.p + start, end - start};
        s->use |= od_view_eq_str(word, "use");
        if (!note(od_setting_word(word), s))
            return false;
        s->from = start;
    }
    return true;
}

/* Reads folders or sections before the name, as "data.val." in "data.val.batch_size". */
static void read_path(struct od_view text, struct surroundings *s)
{
    enum { PARTS = 4 };
    for (unsigned i = 0; i < PARTS && s->from > 1 && text.p[s->from - 1] == '.'; i++) {
        size_t end = s->from - 1;
        while (end > 0 && (od_is_word(text.p[end - 1]))) {
            size_t start = word_start(text, end);
            if (start == end) /* "_" */
                start--;
            enum od_setting_word says =
                od_setting_word((struct od_view){text.p + start, end - start});
            s->eval |= says == OD_SETW_EVAL;
            end = start;
        }
        if (end == s->from - 1)
            return;
        s->from = end;
    }
}

static void read_dashes(struct od_view text, struct surroundings *s)
{
    while (s->from > 0 && text.p[s->from - 1] == '-' && s->dashes < 3) {
        s->dashes++;
        s->from--;
    }
}

static bool ends_in_ing(struct od_view word)
{
    return word.n > 5 && od_view_ends(word, OD_VIEW("ing"));
}

/* Does a part of a line start here: after a sign, or after a logger's prefix? */
static bool begins_part(struct od_view text, size_t at)
{
    at = od_back_any(text, at, " \t");
    return at == 0 || od_view_at_any(text, at - 1, ",;|:([])>*#-=+.") || (text.p[at - 1] & 0x80);
}

/* Words before the name: "validation ", "Total train ", "Running with a ". */
static void read_words(struct od_view text, struct surroundings *s)
{
    enum { WORDS = 5 };
    size_t at = s->from;
    bool lead = false; /* "with", "using": also start a program's own statement */
    for (unsigned i = 0; i < WORDS && at > 1 && text.p[at - 1] == ' '; i++) {
        size_t start = od_back(text, at - 1, od_is_alnum);
        struct od_view word = od_view_part(text, start, at - 1);
        if (word.n == 0 || (start > 0 && od_view_at_any(text, start - 1, "-_./'")))
            break;
        bool begins = begins_part(text, start);
        if ((lead && begins && ends_in_ing(word)) ||
            (!lead && begins && (od_view_eq_str(word, "Using") || od_view_eq_str(word, "using")))) {
            s->from = start;
            lead = false;
            break;
        }
        if (!lead && od_view_eq_str(word, "with")) {
            lead = true;
        } else if (lead || !note(od_setting_word(word), s)) {
            break;
        }
        at = start;
        s->from = lead ? s->from : start;
    }
    s->not |= lead;
    s->begins = begins_part(text, s->from);
}

/* --- brackets around the name --- */

/* Reads the name before a bracket: a call, a section of a configuration. */
static void note_scope(struct od_view text, size_t bracket, struct surroundings *s)
{
    size_t end = od_back_any(text, bracket, " '\":=.");
    for (unsigned i = 0; i < 4 && end > 0 && (od_is_word(text.p[end - 1])); i++) {
        size_t start = word_start(text, end);
        char lower[12];
        struct od_view word =
            od_view_lowered((struct od_view){text.p + start, end - start}, lower, sizeof lower);
        s->eval |= od_setting_word(word) == OD_SETW_EVAL;
        s->not |= od_view_eq_any(word, other_scopes);
        end = start > 0 && text.p[start - 1] == '_' ? start - 1 : start;
    }
}

static void read_scope(struct od_view text, struct surroundings *s)
{
    enum { FAR = 400 };
    int depth = 0;
    for (size_t i = s->from; i > 0 && s->from - i < FAR; i--) {
        char c = text.p[i - 1];
        if (strchr(")]}", c))
            depth++;
        else if (strchr("([{", c) && depth-- <= 0)
            depth = 0, note_scope(text, i - 1, s);
    }
    /* "val_dataloader: batch_size=100, ..." */
    size_t label = 0;
    while (label < s->from && label < FAR && (od_is_word(text.p[label]) || text.p[label] == ' '))
        label++;
    if (label + 1 < s->from && text.p[label] == ':' && text.p[label + 1] == ' ')
        note_scope(text, label, s);
}

/* --- words after the name --- */

/* " per GPU", "_per_gpu", " on each device" */
static size_t read_share(struct od_view text, size_t at, struct surroundings *s)
{
    static const char *const links[] = {"per", "on each", "on every", NULL};
    struct od_view rest = od_view_from(text, at + od_view_at_any(text, at, " _-"));
    if (!od_view_take_any(&rest, links) || !od_view_at_any(rest, 0, " _-"))
        return at;
    size_t start = text.n - rest.n + 1, end = od_past(text, start, od_is_alnum);
    return note(od_setting_word(od_view_part(text, start, end)), s) && s->own ? end : at;
}

/* Skips words that qualify the name: " (w. parallel, distributed & accumulation)", " / GPU". */
static size_t skip_remark(struct od_view text, size_t at)
{
    enum { LONGEST = 80 };
    size_t from = od_past_any(text, at, " \t");
    if (od_view_at_any(text, from, "/") && od_view_at_any(text, from + 1, " ")) {
        return od_until_any(text, from + 2, " \t:=");
    }
    if (!od_view_at_any(text, from, "("))
        return at;
    size_t end = od_until_any(od_view_head(text, from + LONGEST), from + 1, "()");
    size_t sign = od_past_any(text, end + 1, " \t");
    return od_view_at_any(text, end, ")") && od_view_at_any(text, sign, "=:") ? end + 1 : at;
}

/* Skips blanks and a mark of a colour that was not drawn: "<c>", "</c>". */
static size_t skip_mark(struct od_view text, size_t at)
{
    enum { LONGEST = 8 };
    at = od_past_any(text, at, " \t");
    size_t end = od_view_find_char(od_view_head(text, at + LONGEST), '>', at);
    bool mark = od_view_at_any(text, at, "<") && end != OD_VIEW_NONE;
    return mark ? od_past_any(text, end + 1, " \t") : at;
}

/* The cell after the bar of a table, or after a cell with the type of the value: "| int | 16". */
static size_t cell_at(struct od_view text, size_t at)
{
    static const char *const types[] = {"int", "float", "str", "bool", NULL};
    at = skip_mark(text, at);
    struct od_view rest = od_view_from(text, at);
    bool type = od_view_take_any(&rest, types);
    size_t end = skip_mark(text, text.n - rest.n);
    return type && od_view_at(text, end) == '|' ? skip_mark(text, end + 1) : at;
}

/* End of dots, a colon, or the bar of a table; `at` if there is none. */
static size_t sign_end(struct od_view text, size_t at)
{
    const struct od_view bar = OD_VIEW("\u2502");
    size_t from = od_past_any(text, at, " \t"), end = od_past_any(text, from, ".");
    if (end - from >= 2)
        return od_past_any(text, end, " \t");
    end = from + od_view_at_any(text, from, ":+");
    if (od_view_at_any(text, end, "="))
        return od_past_any(text, end + 1, " \t");
    if (od_view_at_any(text, from, "|"))
        return cell_at(text, from + 1);
    if (od_view_at_any(text, from, ":") ||
        (od_view_at_any(text, from, "(") && from + 1 < text.n && od_is_digit(text.p[from + 1])))
        return od_past_any(text, from + 1, " \t");
    if (od_view_starts(od_view_from(text, from), bar))
        return od_past_any(text, from + bar.n, " \t");
    return at;
}

/* "key    9" in a table or list: does the value extend to the line's end or the next column? */
static bool is_column(struct od_view text, size_t at, size_t value_end)
{
    size_t from = od_past_any(text, at, " \t"), rest = od_past_any(text, value_end, " \t");
    bool apart = from - at >= 2 || od_view_at_any(text, at, "\t");
    return apart && (rest == text.n || rest - value_end >= 2);
}

static size_t link_end(struct od_view text, size_t at)
{
    static const char *const links[] = {"of ", "is ", "to ", "to: ", NULL};
    struct od_view rest = od_view_from(text, od_past_any(text, at, " \t"));
    (void)od_view_take_any(&rest, links);
    return text.n - rest.n;
}

/* Does no verb follow the number? "batch size 64 fails" reports a trial. */
static bool says_no_more(struct od_view text, size_t end)
{
    struct od_view rest = od_view_from(text, end);
    return od_past_any(text, end, " \t") == text.n || od_view_at_any(text, end, ",;|)]}:'\"") ||
           (od_view_at_any(text, end, ".") &&
            !od_is_alnum(end + 1 < text.n ? text.p[end + 1] : ' ')) ||
           od_view_at_any(text, od_past_any(text, end, " \t"), "|,;.") ||
           od_view_starts_any(rest, goes_on);
}

/* How name and value are joined in the line. */
struct site {
    unsigned where; /* one of the OD_SET_ places; 0 = none */
    struct od_setting_value value;
};

static struct site site_of_flag(struct od_view text, size_t at, const struct od_setting_key *key,
                                const struct surroundings *s)
{
    struct site site = {s->dashes == 1 ? OD_SET_DASH : OD_SET_FLAG, {{0}, at}};
    size_t from = at;
    while (od_view_at_any(text, from, "'\"`,=") || (from > at && od_view_at_any(text, from, " ")) ||
           (from == at && od_view_at_any(text, from, " ")))
        from++;
    struct od_view on = od_setting_switched_on(key->type);
    if (on.n > 0) {
        bool off = from > at && od_setting_is_off(text, from);
        struct od_setting_value said = od_setting_value_at(text, from, key->type);
        site.value = said.text.n > 0 ? said : (struct od_setting_value){on, at};
        if (off || (at < text.n && !od_view_at_any(text, at, " \t'\",)=]\\`")))
            site.where = 0;
        return site;
    }
    site.value = od_setting_value_at(text, from, key->type);
    static const char *const askers[] = {"sacct", "sstat", "squeue", NULL}; /* "sacct -j 9981" */
    enum { JOBS_DIGITS = 4 };
    bool of_job = key->id == OD_SETTING_JOBS &&
                  (site.value.text.n > JOBS_DIGITS || od_view_has_any(text, askers));
    size_t end = site.value.end;
    if (from == at || of_job || site.value.text.n == 0 ||
        (end < text.n && !od_view_at_any(text, end, " \t'\",)\\]}`;")))
        site.where = 0;
    return site;
}

/* "SOLVER.IMS_PER_BATCH 6": a command that overrides a configuration file. */
static bool is_capitals(struct od_view text, size_t at)
{
    return at + 1 < text.n && od_is_upper(text.p[at]) && od_is_upper(text.p[at + 1]);
}

/* From the end of a name to its value. */
struct link {
    size_t name_end, to;
    bool said; /* without a sign */
};

static struct link link_at(struct od_view text, size_t at)
{
    enum { CLOSING = 3 };
    size_t name_end = skip_remark(text, at);
    name_end = od_past_any(od_view_head(text, name_end + CLOSING), name_end, "'\"`]");
    size_t to = sign_end(text, skip_mark(text, name_end));
    bool said = to == skip_mark(text, name_end);
    return (struct link){name_end, said ? link_end(text, at) : to, said};
}

static struct site site_of_name(struct od_view text, size_t at, const struct od_setting_key *key,
                                const struct link *link, const struct surroundings *s)
{
    struct site site = {OD_SET_SIGN, od_setting_value_at(text, link->to, key->type)};
    if (site.value.text.n == 0 || (link->to == at && !s->own))
        site.where = 0;
    else if (link->said && is_column(text, at, site.value.end))
        site.where = OD_SET_SIGN;
    else if (link->said)
        site.where = is_capitals(text, s->from) || (s->begins && says_no_more(text, site.value.end))
                         ? OD_SET_SAID
                         : 0;
    if (key->type == OD_SET_LENGTH && link->name_end > at && text.p[link->name_end - 1] == '"')
        site.where = 0;
    return site;
}

static bool is_batch(enum od_setting_id id)
{
    return id == OD_SETTING_BATCH_SIZE || id == OD_SETTING_TRAIN_BATCH_SIZE;
}

/* trainers only print this for an evaluation; for training they print more */
static bool is_evaluation_banner(struct od_view said, struct od_view text, size_t end)
{
    return od_view_starts(said, OD_VIEW("Batch size = ")) &&
           od_past_any(text, end, " \t") == text.n;
}

/* The setting that this name means here; OD_SETTING_NONE = none of this run. */
static enum od_setting_id meant_by(const struct od_setting_key *key, const struct surroundings *s)
{
    if (!is_batch(key->id))
        return s->eval && key->id != OD_SETTING_EPISODES ? OD_SETTING_NONE : key->id;
    if (s->eval)
        return OD_SETTING_EVAL_BATCH_SIZE;
    if (s->whole)
        return OD_SETTING_GLOBAL_BATCH_SIZE;
    return s->own ? OD_SETTING_BATCH_SIZE : key->id;
}

static bool makes_arrays(struct od_view text, size_t at)
{
    return od_view_has_any(od_view_head(text, at), makers);
}

static const struct od_setting_key *longest_key(struct od_view text, size_t at, size_t *ret_end)
{
    const struct od_setting_key *found = NULL;
    *ret_end = 0;
    struct od_setting_keys keys = od_setting_keys_at(text, at);
    uint32_t head = keys.n > 0 ? od_head_of(text.p + at, text.n - at) : 0;
    for (size_t i = 0; i < keys.n; i++) {
        if ((head & keys.items[i].mask) != keys.items[i].head)
            continue;
        size_t end = od_setting_key_end(text, at, &keys.items[i]);
        if (end > *ret_end) {
            *ret_end = end;
            found = &keys.items[i];
        }
    }
    return found;
}

/* Among keys with the same spelling, the one that is valid in this place. */
static const struct od_setting_key *counting(const struct od_setting_key *key, unsigned where)
{
    struct od_setting_keys keys = od_setting_keys_at(od_view_of(key->words), 0);
    for (size_t i = 0; i < keys.n; i++)
        if ((keys.items[i].where & where) && strcmp(keys.items[i].words, key->words) == 0)
            return &keys.items[i];
    return NULL;
}

struct found {
    struct od_line_setting *list;
    size_t n, dependent; /* dependent: those that count only with another setting on the line */
};

static void add(struct found *f, const struct od_line_setting *setting, bool dependent)
{
    if (f->n < OD_SETTINGS_OF_LINE)
        f->list[f->n++] = *setting;
    f->dependent += dependent;
}

/* Does the line contain only this setting? */
static bool is_whole_line(struct od_view text, size_t from, size_t end)
{
    enum { INDENT = 8 };
    size_t start = od_past_any(text, 0, " \t");
    return start == from && start <= INDENT && od_past_any(text, end, " \t") == text.n;
}

/* The name of a setting in a line. */
struct named {
    const struct od_setting_key *key;
    size_t at, key_end, end; /* end: after words such as " per GPU" */
    struct surroundings around;
};

/* Does the name of a setting start here that is not part of another name? */
static bool name_at(struct od_view text, size_t at, struct named *ret)
{
    size_t key_end;
    const struct od_setting_key *key = longest_key(text, at, &key_end);
    if (!key)
        return false;
    *ret = (struct named){.key = key, .at = at, .key_end = key_end, .around.from = at};
    ret->end = read_share(text, ret->key_end, &ret->around);
    bool joined = od_view_at_any(text, ret->end, "-") && ret->end + 1 < text.n &&
                  od_is_letter(text.p[ret->end + 1]);
    return !joined && !(ret->end < text.n && od_is_word(text.p[ret->end]));
}

/* The next name at or after that place; false if there is none. */
static bool next_name(struct od_view text, size_t at, struct named *ret)
{
    for (; at < text.n; at++)
        if (od_setting_word_begins(text, at) && name_at(text, at, ret))
            return true;
    return false;
}

/* Reads the setting of that name; returns where to continue. */
static size_t take(struct od_view text, const struct named *name, struct found *f)
{
    const struct od_setting_key *key = name->key;
    size_t at = name->at, end = name->key_end;
    struct surroundings s = name->around;
    if (!read_identifier(text, &s))
        return at + 1;
    read_path(text, &s);
    read_dashes(text, &s);
    struct link link = link_at(text, name->end);
    if (s.dashes == 0 && od_setting_value_at(text, link.to, key->type).text.n == 0)
        return at + 1;
    if (s.dashes == 0)
        read_words(text, &s);
    if (s.dashes == 0 && s.from > 0 && od_view_at_any(text, s.from - 1, "/$"))
        return at + 1;
    read_scope(text, &s);
    struct site site = s.dashes > 0 ? site_of_flag(text, name->end, key, &s)
                                    : site_of_name(text, name->end, key, &link, &s);
    bool dependent = site.where == OD_SET_SIGN && !(key->where & OD_SET_SIGN);
    const struct od_setting_key *own = counting(key, dependent ? OD_SET_DEPENDENT : site.where);
    if (site.where == 0 || !own || s.not || (own->type == OD_SET_DTYPE && makes_arrays(text, at)) ||
        (own->type == OD_SET_USED_MODE && !s.use))
        return at + 1;
    if (od_view_starts(od_view_from(text, site.value.end), OD_VIEW(" global")))
        s.whole = true;
    read_share(text, site.value.end, &s);
    struct od_line_setting setting = {
        .id = meant_by(own, &s),
        .value = site.value.text,
        .said = {text.p + s.from, site.value.end > s.from ? site.value.end - s.from : 0}};
    if (is_batch(own->id) && !s.whole && !s.own &&
        is_evaluation_banner(setting.said, text, site.value.end))
        setting.id = OD_SETTING_EVAL_BATCH_SIZE;
    if (setting.id)
        add(f, &setting, dependent && !is_whole_line(text, s.from, site.value.end));
    return site.value.end > end ? site.value.end : end;
}

static bool is_statement(struct od_view text)
{
    struct od_view line = od_view_trim(text);
    if (od_view_has_any(line, advices))
        return false;
    return !od_view_starts_any(line, code_starts) && !od_view_has_any(line, usages) &&
           !od_view_ends(line, OD_VIEW("?"));
}

/* Is the line (or the part before the flag) a command, as opposed to a text about one? */
static bool is_command(struct od_view text)
{
    struct od_view line = od_view_trim(text);
    line = od_view_from(line, od_past_any(line, 0, "$+>'\"[( "));
    if (od_view_starts(line, OD_VIEW("-")) || od_view_has_any(line, command_marks))
        return true;
    unsigned options = 0;
    for (size_t i = 0; i + 2 < line.n; i++)
        options += line.p[i] == ' ' && line.p[i + 1] == '-' &&
                   (line.p[i + 2] == '-' || od_is_letter(line.p[i + 2]));
    return options >= 2;
}

/* Is the same setting given twice with different values? That is a list of trials. */
static bool is_contradicted(const struct od_line_setting *list, size_t n, size_t at)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].id == list[at].id && !od_view_eq(list[i].value, list[at].value))
            return true;
    return false;
}

/* Does a flag's name start here, as in "--key" or "x-key"? */
static bool is_flag(struct od_view text, size_t at)
{
    return at > 1 && text.p[at - 1] == '-' && !od_is_alnum(text.p[at - 2]);
}

size_t od_settings_of_line(struct od_view text, struct od_line_setting *ret)
{
    struct od_line_setting all[OD_SETTINGS_OF_LINE];
    struct found found = {.list = all};
    struct named name;
    enum od_tri command = OD_CANNOT_TELL;
    for (size_t at = 0; found.n < OD_SETTINGS_OF_LINE && next_name(text, at, &name);) {
        bool flag = is_flag(text, name.at);
        if (flag && command == OD_CANNOT_TELL)
            command = is_command(text) ? OD_YES : OD_NO;
        at = flag && command == OD_NO ? name.at + 1 : take(text, &name, &found);
    }
    if ((found.n == found.dependent && found.n <= 1) || !is_statement(text))
        return 0;
    size_t kept = 0;
    for (size_t i = 0; i < found.n; i++)
        if (!is_contradicted(all, found.n, i))
            ret[kept++] = all[i];
    return kept;
}

/* "fp16": the names that have digits. */
static bool may_have_type(struct od_view text)
{
    for (size_t at = 1; at < text.n; at++)
        if (od_is_digit(text.p[at]) && strchr("ptPT", text.p[at - 1]))
            return true;
    return false;
}

/* Could the name have a value if some digits were different? */
static bool may_have_value(struct od_view text, const struct named *name)
{
    char before = name->at > 0 ? text.p[name->at - 1] : ' ';
    if (od_is_word(before) || before == '-' || before == '.') /* possibly a part of a flag */
        return true;
    return od_setting_value_may_be_at(text, link_at(text, name->end).to, name->key->type);
}

bool od_settings_never_of(struct od_view text)
{
    bool may = may_have_type(text);
    struct named name;
    for (size_t at = 0; !may && next_name(text, at, &name); at = name.at + 1)
        may = may_have_value(text, &name);
    return !may || !is_statement(text);
}
