/* Secrets among the arguments of programs that take them there. */
#include "redact/found.h"

#include "base/num.h"

enum { LINE_MOST = 512, WORDS_MOST = 48 };

/* Which word of a command is a secret. */
enum place {
    BEHIND, /* the word behind the option */
    GLUED,  /* the rest of the option's own word */
    EITHER, /* one of these */
    LOGIN,  /* behind it, "user:password" */
    EACH    /* words that look made by chance */
};

static const struct command {
    const char *program;
    const char *with; /* a word that must be there, too; NULL = none */
    const char *option;
    enum place place;
} commands[] = {
    {"curl", NULL, "-u", LOGIN},
    {"curl", NULL, "--user", LOGIN},
    {"curl", NULL, "-U", LOGIN},
    {"curl", NULL, "--proxy-user", LOGIN},
    {"http", NULL, "-a", LOGIN},
    {"https", NULL, "-a", LOGIN},
    {"lftp", NULL, "-u", LOGIN},
    {"docker", "login", "-p", EITHER},
    {"podman", "login", "-p", EITHER},
    {"skopeo", "login", "-p", EITHER},
    {"helm", "login", "-p", EITHER},
    {"oras", "login", "-p", EITHER},
    {"az", "login", "-p", BEHIND},
    {"oc", "login", "-p", BEHIND},
    {"mysql", NULL, "-p", GLUED},
    {"mysqldump", NULL, "-p", GLUED},
    {"mysqladmin", NULL, "-p", GLUED},
    {"mariadb", NULL, "-p", GLUED},
    {"mongo", NULL, "-p", EITHER},
    {"mongosh", NULL, "-p", EITHER},
    {"mongodump", NULL, "-p", EITHER},
    {"sshpass", NULL, "-p", EITHER},
    {"redis-cli", NULL, "-a", BEHIND},
    {"sqlcmd", NULL, "-P", BEHIND},
    {"bcp", NULL, "-P", BEHIND},
    {"ldapsearch", NULL, "-w", BEHIND},
    {"ldapadd", NULL, "-w", BEHIND},
    {"7z", NULL, "-p", GLUED},
    {"7za", NULL, "-p", GLUED},
    {"zip", NULL, "-P", BEHIND},
    {"unzip", NULL, "-P", BEHIND},
    {"openssl", NULL, "pass:", GLUED},
    {"openssl", NULL, "-k", BEHIND},
    {"openssl", NULL, "-K", BEHIND},
    {"wandb", "login", NULL, EACH},
    {"vault", "login", NULL, EACH},
    {"ngrok", "authtoken", NULL, EACH},
    {"ngrok", "add-authtoken", NULL, EACH},
    {"cargo", "login", NULL, EACH},
    {"mc", "alias", NULL, EACH},
    {"doctl", "auth", "-t", BEHIND},
    {"smbclient", NULL, "-U", LOGIN},
    {"kaggle", "config", "-v", BEHIND},
    {"echo", "--password-stdin", "echo", BEHIND},
    {"printf", "--password-stdin", "printf", BEHIND},
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
    od_found_add(s, (struct od_found){start, end, OD_REDACT_SECRET, false});
    return true;
}

/* "user:password", "user%password": both are somebody's. */
static bool add_login(struct od_search *s, size_t start, size_t end)
{
    struct od_view head = od_view_head(s->text, end);
    bool both = od_view_find_char(head, ':', start) != OD_VIEW_NONE ||
                od_view_find_char(head, '%', start) != OD_VIEW_NONE;
    return both && add(s, start, end);
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
    case LOGIN:
        return exact && next && add_login(s, start, end);
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
        bool each = command->place == EACH && od_is_random(word_of(s->text, line, i));
        any = (each && add(s, line->word[i].start, line->word[i].end)) ||
              (command->place != EACH && take_at(s, command, line, i)) || any;
    }
    return any;
}

bool od_find_command(struct od_search *s, struct od_word word)
{
    size_t end = word.start + od_run(s->text, word.start, "-");
    struct od_view program = od_part(s->text, word.start, end);
    struct command_line line = {0};
    bool any = false;
    if (end >= s->text.n || s->text.p[end] != ' ')
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(commands); i++) {
        if (!od_view_eq_str(program, commands[i].program))
            continue;
        if (line.n == 0)
            line = cut(s->text, word.start);
        any = take(s, &commands[i], &line) || any;
    }
    if (any) /* what else is in it is looked at, too */
        s->covered = word.end;
    return any;
}
