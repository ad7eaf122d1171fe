#include "facts/argv.h"

enum { ADDED_MOST = 64, SHOWN_MOST = 1024 };

/* "-Xmx48m", "-j8", "-M40MiB": length of the option before the number that is attached to it; 0 =
 * none is. */
static size_t attached(const char *word)
{
    size_t name = 1, end;
    if (word[0] != '-' || (!od_is_letter(word[1]) && !strchr("@:", word[1])))
        return 0;
    while (od_is_letter(word[name]) || word[name] == ':')
        name++;
    for (end = name; od_is_digit(word[end]);)
        end++;
    if (end == name)
        return 0;
    end += strspn(word + end, "kKmMgGtT");
    end += word[end] == 'i';
    end += word[end] == 'B';
    return word[end] == '\0' ? name : 0;
}

struct od_view od_option_name(const char *word, struct od_arena *arena)
{
    struct od_view name = od_view_of(word);
    size_t end = od_view_find_char(name, '=', 0), joined = attached(word);
    if (end != OD_VIEW_NONE || joined > 0)
        name = od_view_head(name, joined > 0 ? joined : end);
    while (od_view_take(&name, OD_VIEW("-")) || od_view_take(&name, OD_VIEW("+")) ||
           od_view_take(&name, OD_VIEW("XX:")))
        ;
    char *text = od_arena_str(arena, name);
    for (size_t i = 0; i < name.n; i++) /* -t is not -T */
        text[i] = text[i] == '-' ? '_' : name.n > 1 ? od_lower(text[i]) : text[i];
    return od_view_of(text);
}

bool od_is_option(const char *word)
{
    return (word[0] == '-' && !od_is_digit(word[1])) || strchr(word, '=') != NULL;
}

const char *od_option_own_value(const char *word)
{
    const char *sign = strchr(word, '=');
    size_t joined = attached(word);
    return sign ? sign + 1 : joined > 0 ? word + joined : NULL;
}

bool od_word_has(struct od_view word, struct od_view part)
{
    return od_view_has(word, part);
}

const char *od_option_value(char *const *argv, size_t i)
{
    const char *own = od_option_own_value(argv[i]);
    if (own)
        return own;
    return argv[i + 1] && !od_is_option(argv[i + 1]) ? argv[i + 1] : NULL;
}

static void note(struct od_argv *c, const char *word)
{
    if (c->option.n == 0)
        c->option = od_option_name(word, c->arena);
}

void od_argv_say(struct od_argv *c, const char *what)
{
    od_buf_printf(&c->said, "%s%s", c->said.n > 0 ? ", " : "", what);
}

void od_argv_set(struct od_argv *c, size_t i, const char *value)
{
    char **argv = c->argv;
    bool bare = !od_is_option(argv[i]);
    const char *own = bare ? argv[i] : od_option_own_value(argv[i]);
    const char *old = bare ? own : od_option_value(argv, i);
    int head = own ? (int)(own - argv[i]) : (int)strlen(argv[i]);
    int name = own && head > 0 && argv[i][head - 1] == '=' ? head - 1 : head;
    note(c, argv[i]);
    od_argv_say(c, od_arena_printf(c->arena, "%.*s%s%.*s -> %s", name, argv[i], name > 0 ? " " : "",
                                   (int)strcspn(old, " "), old, value));
    if (own) /* "ROWS=2000 exec load": other words of a shell script follow the value */
        argv[i] =
            od_arena_printf(c->arena, "%.*s%s%s", head, argv[i], value, old + strcspn(old, " "));
    else
        argv[i + 1] = od_arena_str(c->arena, od_view_of(value));
}

void od_argv_replace(struct od_argv *c, size_t i, const char *word)
{
    note(c, c->argv[i]);
    od_argv_say(c, od_arena_printf(c->arena, "%s -> %s", c->argv[i], word));
    c->argv[i] = od_arena_str(c->arena, od_view_of(word));
}

bool od_argv_insert(struct od_argv *c, size_t at, struct od_view word)
{
    if (at == 0 || c->n == c->room)
        return false;
    memmove(c->argv + at + 1, c->argv + at, (c->n - at + 1) * sizeof *c->argv);
    c->argv[at] = od_arena_str(c->arena, word);
    c->n++;
    note(c, c->argv[at]);
    return true;
}

long od_argv_find(const struct od_argv *c, struct od_view option)
{
    struct od_view name = od_option_name(od_arena_str(c->arena, option), c->arena);
    for (size_t i = 1; c->argv && c->argv[i] && name.n > 0; i++)
        if (od_is_option(c->argv[i]) && od_view_eq(name, od_option_name(c->argv[i], c->arena)))
            return (long)i;
    return -1;
}

bool od_argv_is_useless(const struct od_argv *c, const char *word)
{
    struct od_view name = od_option_name(word, c->arena);
    for (const struct od_view *option = c->useless; option && option->n > 0; option++)
        if (od_view_eq(*option, name))
            return true;
    return false;
}

/* Takes the next word as a shell splits it; its quotes are not removed. */
static bool next_word(struct od_view *rest, struct od_view *ret_word)
{
    od_view_skip_blanks(rest);
    size_t n = 0;
    char quote = 0;
    for (; n < rest->n && (quote || rest->p[n] != ' '); n++)
        if (quote ? rest->p[n] == quote : strchr("'\"", rest->p[n]) != NULL)
            quote = quote ? 0 : rest->p[n];
    *ret_word = od_view_head(*rest, n);
    *rest = od_view_from(*rest, n);
    return n > 0;
}

struct od_argv od_argv_start(char *const *argv, struct od_view line, struct od_arena *arena)
{
    struct od_argv c = {.arena = arena};
    struct od_view word;
    if (!argv && line.n == 0)
        return c;
    size_t n = 0;
    while (argv && argv[n])
        n++;
    c.room = (argv ? n : SHOWN_MOST) + ADDED_MOST;
    c.argv = OD_NEW_N(arena, c.room + 1, char *);
    for (; c.n < n; c.n++)
        c.argv[c.n] = argv[c.n];
    while (!argv && c.n < SHOWN_MOST && next_word(&line, &word))
        c.argv[c.n++] = od_arena_str(arena, word);
    return c;
}
