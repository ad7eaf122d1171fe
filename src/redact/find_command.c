/* Secrets among the arguments of programs that take them there. */
#include "redact/found.h"

enum { LINE_MOST = 512, WORDS_MOST = 48 };

/* Which word of a command is a secret. */
enum place {
    BEHIND, /* the word after the option */
    GLUED,  /* the rest of the option's own word */
    EITHER, /* one of these */
    LOGIN,  /* after it, "user:password" */
    EACH,   /* words that look made by chance, or like a password */
    WHO,    /* after it, a user */
    WHERE,  /* machines after the option */
    NEXT    /* the word after the one that begins with the option */
};

static const struct command {
    char first; /* of the program */
    const char *program;
    const char *with; /* a word that must be there, too; NULL = none */
    const char *option;
    enum place place;
} commands[] = {
#include "redact/commands.inc"
};

struct command_line {
    struct {
        size_t start, end;
    } word[WORDS_MOST];
    size_t n;
};

/* Words of a command; a quoted one is without its quotes. Pipes stay words. */
static struct command_line cut(struct od_view text, size_t at)
{
    struct command_line line = {0};
    size_t most = at + LINE_MOST < text.n ? at + LINE_MOST : text.n;
    while (at < most && line.n < WORDS_MOST) {
        while (at < most && (text.p[at] == ' ' || text.p[at] == '\t'))
            at++;
        if (at >= most)
            break;
        char quote = text.p[at] == '"' || text.p[at] == '\'' ? text.p[at] : '\0';
        size_t start = quote ? at + 1 : at;
        at = start;
        while (at < most && (quote ? text.p[at] != quote : text.p[at] != ' ' && text.p[at] != '\t'))
            at++;
        line.word[line.n].start = start;
        line.word[line.n++].end = at;
        at += quote != '\0';
    }
    return line;
}

static struct od_view word_of(struct od_view text, const struct command_line *line, size_t i)
{
    return od_part(text, line->word[i].start, line->word[i].end);
}

static bool add(struct od_search *s, size_t start, size_t end)
{
    struct od_view v = od_part(s->text, start, end);
    if (v.n < 2 || v.p[0] == '$' || v.p[0] == '-' || v.p[0] == '*' || v.p[0] == '<')
        return false;
    od_found_add(s, (struct od_found){start, end, OD_REDACT_SECRET, true});
    return true;
}

/* "user:password", as a manual says it. */
static bool is_example(const struct od_search *s, struct od_view login)
{
    size_t colon = od_view_find_char(login, ':', 0);
    return colon != OD_VIEW_NONE &&
           od_words_is(s->words, od_view_head(login, colon), OD_ROLE_USER | OD_ROLE_COMMON) &&
           od_words_is(s->words, od_view_from(login, colon + 1), OD_ROLE_PASS | OD_ROLE_MAYBE);
}

static bool add_who(struct od_search *s, size_t start)
{
    size_t end = start + od_run(s->text, start, "_-.");
    struct od_view name = od_part(s->text, start, end);
    if (!od_is_user(s->words, name) || ((unsigned char)name.p[0] < 'A' && !od_is_random(name)))
        return false;
    od_found_add(s, (struct od_found){start, end, OD_REDACT_USER, true});
    return true;
}

/* "gpu1:8,gpu2:8", "gpu1:0,1@gpu2:0" */
static bool add_where(struct od_search *s, size_t start, size_t end)
{
    bool any = false;
    while (start < end) {
        size_t n = od_run(od_view_head(s->text, end), start, "_-.");
        struct od_view name = od_part(s->text, start, start + n);
        bool word = n > 2 && od_is_letter(name.p[0]) &&
                    !od_words_is(s->words, name, OD_ROLE_COMMON | OD_ROLE_EMPTY | OD_ROLE_DEVICE);
        if (word || od_is_machine(s->words, name, true)) {
            od_found_add(s, (struct od_found){start, start + n, OD_REDACT_HOST, true});
            any = true;
        }
        for (start += n; start < end && s->text.p[start] != ',' && s->text.p[start] != '@';)
            start++;
        start++;
    }
    return any;
}

/* "user:password", "user%password": a name and a secret. */
static bool add_login(struct od_search *s, size_t start, size_t end)
{
    struct od_view head = od_view_head(s->text, end);
    while (start < end && (s->text.p[start] == '\\' || s->text.p[start] == '"'))
        start++;
    bool both = od_view_find_char(head, ':', start) != OD_VIEW_NONE ||
                od_view_find_char(head, '%', start) != OD_VIEW_NONE;
    return both && s->text.p[start] != '$' && !is_example(s, od_part(s->text, start, end)) &&
           od_found_add_login(s, start, end);
}

static bool take_at(struct od_search *s, const struct command *command,
                    const struct command_line *line, size_t i)
{
    struct od_view word = word_of(s->text, line, i);
    struct od_view option = od_view_of(command->option);
    if (!od_view_starts(word, option))
        return false;
    bool exact = word.n == option.n;
    bool next = i + 1 < line->n;
    size_t start = next ? line->word[i + 1].start : 0;
    size_t end = next ? line->word[i + 1].end : 0;
    switch (command->place) {
    case WHO:
        if (!exact) /* "--project=NAME" */
            return word.n > option.n && word.p[1] == '-' && word.p[option.n] == '=' &&
                   add_who(s, line->word[i].start + option.n + 1);
        return next && add_who(s, start);
    case WHERE:
        return exact && next && add_where(s, start, end);
    case LOGIN:
        return exact && next && add_login(s, start, end);
    case NEXT:
        return next && s->text.p[start] != '/' && add(s, start, end);
    case BEHIND:
        return exact && next && add(s, start, end);
    case GLUED:
        return !exact && add(s, line->word[i].start + option.n, line->word[i].end);
    case EITHER:
        return exact
                   ? next && add(s, start, end)
                   : word.p[1] != '-' && add(s, line->word[i].start + option.n, line->word[i].end);
    case EACH:
        break;
    }
    return false;
}

static bool has_word(struct od_view text, const struct command_line *line, const char *with)
{
    for (size_t i = 0; with && i < line->n; i++) {
        if (od_view_eq_str(word_of(text, line, i), with))
            return true;
    }
    return !with;
}

static bool take(struct od_search *s, const struct command *command,
                 const struct command_line *line)
{
    bool any = false;
    if (!has_word(s->text, line, command->with))
        return false;
    for (size_t i = 0; i < line->n; i++) {
        struct od_view word = word_of(s->text, line, i);
        bool each = command->place == EACH && (od_is_random(word) || od_is_given(word));
        any = (each && add(s, line->word[i].start, line->word[i].end)) ||
              (command->place != EACH && take_at(s, command, line, i)) || any;
    }
    return any;
}

bool od_find_command(struct od_search *s, struct od_word word)
{
    size_t end = word.start + od_run(s->text, word.start, "-_");
    struct od_view program = od_part(s->text, word.start, end);
    struct command_line line = {0};
    bool any = false;
    if (end >= s->text.n || s->text.p[end] != ' ')
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(commands); i++) {
        if (program.p[0] != commands[i].first || !od_view_eq_str(program, commands[i].program))
            continue;
        if (line.n == 0)
            line = cut(s->text, word.start);
        any = take(s, &commands[i], &line) || any;
    }
    if (any) /* what else is in it is looked at, too */
        s->covered = word.end;
    return any;
}

/* "-t 2cfc00de-...", "-p hunter2!x": a value that looks made by chance, or like a password, after
 * an option of one letter that often takes a key. */
bool od_find_option(struct od_search *s, size_t dash)
{
    enum { LEAST = 20 };
    struct od_view text = s->text;
    size_t at = dash + 3, n = od_run(text, at, "_-.!#%^*+@?&$~");
    struct od_view value = od_part(text, at, at + n);
    char c = od_byte(text, dash + 1), end = od_byte(text, at + n);
    bool option = dash > 0 && text.p[dash - 1] == ' ' && c != '\0' && strchr("tkpPwas", c);
    if (!option || (end != '\0' && end != ' ' && end != '"' && end != '\'') ||
        !((n >= LEAST && od_is_random(value)) || od_is_given(value)))
        return false;
    od_found_add(s, (struct od_found){at, at + n, OD_REDACT_SECRET, false});
    return true;
}

/* "$6$SALT$HASH", "$2b$12$...", "$argon2id$v=19$...": a password as crypt(3) keeps it. */
bool od_find_crypt(struct od_search *s, size_t dollar)
{
    enum { SORT_MOST = 14, LEAST = 24 };
    struct od_view text = s->text;
    size_t sort = dollar + 1, n = od_run(text, sort, "-");
    if ((dollar > 0 && (od_is_text(text.p[dollar - 1]) || text.p[dollar - 1] == '$')) || n == 0 ||
        n > SORT_MOST || od_byte(text, sort + n) != '$')
        return false;
    size_t start = sort + n + 1, length = od_run(text, start, "./$=,+-");
    if (length < LEAST || !od_is_random(od_part(text, start, start + length)))
        return false;
    if (dollar > 0 && text.p[dollar - 1] == ':') /* "NAME:$6$...": htpasswd's, shadow's */
        (void)add_who(s, dollar - 1 - od_run_back(text, dollar - 1, "_-.", OD_RUN_MOST));
    od_found_add(s, (struct od_found){start, start + length, OD_REDACT_SECRET, false});
    return true;
}

bool od_find_logins(struct od_search *s, size_t open)
{
    struct od_view text = s->text;
    char quote = od_byte(text, open + 1);
    if (od_byte(text, open) != '(' || (quote != '"' && quote != '\''))
        return false;
    size_t name = open + 2, end = name + od_run(text, name, "_-.@+");
    size_t second = end + 2 + (od_byte(text, end + 2) == ' ');
    if (od_byte(text, end) != quote || od_byte(text, end + 1) != ',' ||
        od_byte(text, second) != quote)
        return false;
    struct od_view head = od_view_head(text, second + OD_RUN_MOST);
    size_t close = od_view_find_char(head, quote, second + 1);
    if (close == OD_VIEW_NONE || !od_is_mixed(od_part(text, second + 1, close), 6))
        return false;
    if (od_is_user(s->words, od_part(text, name, end)))
        od_found_add(s, (struct od_found){name, end, OD_REDACT_USER, true});
    od_found_add(s, (struct od_found){second + 1, close, OD_REDACT_SECRET, true});
    return true;
}

bool od_find_opened(struct od_search *s, size_t open)
{
    enum { LEAST = 24 };
    struct od_view text = s->text;
    if (od_find_logins(s, open))
        return true;
    bool named = od_view_starts(od_view_from(text, open), OD_VIEW("(value="));
    size_t at = open + (named ? strlen("(value=") : 1);
    char quote = od_byte(text, at);
    if (od_byte(text, open) != '(' || (quote != '"' && quote != '\''))
        return false;
    size_t start = at + 1, n = od_run(text, start, "_-.+/=");
    if (n < LEAST || od_byte(text, start + n) != quote ||
        !od_is_random(od_part(text, start, start + n)))
        return false;
    od_found_add(s, (struct od_found){start, start + n, OD_REDACT_SECRET, false});
    return true;
}
