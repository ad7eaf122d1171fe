#include "advise/in_place.h"

const char *od_variable_of(const char *setting, struct od_arena *arena)
{
    size_t name = strspn(setting, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const char *options = strchr(setting, '-');
    bool assigned = name > 0 && strchr("=:", setting[name]) && setting[name];
    if (assigned && options)
        return od_arena_printf(arena, "export %.*s=\"%s\"", (int)name, setting, options);
    for (name = 0; od_is_word(setting[name]) || setting[name] == '.';)
        name++;
    return name > 0 && setting[name] == '=' && setting[name + 1] == '-' ? setting : NULL;
}

const char *od_exported(const char *setting, struct od_arena *arena)
{
    size_t name = strcspn(setting, "=: ");
    const char *value = setting + name + strspn(setting + name, ":");
    return value > setting + name && *value && *value != ' '
               ? od_arena_printf(arena, "export %.*s=%s", (int)name, setting, value)
               : NULL;
}

/* Takes the next NAME=VALUE of "A=1 B='x y'"; the value comes without its quotes. */
static bool next_variable(struct od_view *rest, struct od_view *ret_name, struct od_view *ret_value)
{
    while (od_view_take(rest, OD_VIEW(" ")))
        ;
    if (!od_view_cut(rest, '=', ret_name) || rest->n == 0)
        return false;
    bool quoted = rest->p[0] == '"' || rest->p[0] == '\'';
    char end = quoted ? rest->p[0] : ' ';
    *rest = od_view_from(*rest, quoted);
    size_t n = od_view_find_char(*rest, end, 0);
    n = n == OD_VIEW_NONE ? rest->n : n;
    *ret_value = od_view_head(*rest, n);
    *rest = od_view_from(*rest, n < rest->n ? n + 1 : n);
    return true;
}

/* Appends the form with the variable in place of its words NAME and VALUE. */
static void add_form(const char *form, struct od_view name, struct od_view value, struct od_buf *to)
{
    for (struct od_view rest = od_view_of(form); rest.n > 0;) {
        bool is_name = od_view_take(&rest, OD_VIEW("NAME"));
        if (is_name || od_view_take(&rest, OD_VIEW("VALUE"))) {
            od_buf_add(to, is_name ? name : value);
            continue;
        }
        od_buf_add(to, od_view_head(rest, 1));
        rest = od_view_from(rest, 1);
    }
}

/* The variables of "export A=1 B=2" in the form of the place; what precedes the last line of the
 * form heads all of them. */
static void set_in(const struct od_software *place, struct od_view exported, struct od_arena *arena,
                   struct od_remedy_how *how)
{
    struct od_view name, value, first = {0}, its = {0};
    struct od_buf code = {0}, text = {0};
    const char *last = strrchr(place->variable, '\n'), *form = place->variable;
    while (next_variable(&exported, &name, &value)) {
        its = first.n > 0 ? its : value;
        first = first.n > 0 ? first : name;
        od_buf_add_str(&code, code.n == 0 ? "" : place->variable[0] == '-' ? " " : "\n");
        add_form(form, name, value, &code);
        form = last ? last + 1 : form;
    }
    od_buf_printf(&text, "%s ", how->text);
    add_form(place->where, first, its, &text);
    how->shell = how->code;
    how->code = od_arena_str(arena, od_buf_view(&code));
    how->text = od_arena_str(arena, od_buf_view(&text));
    od_buf_done(&code);
    od_buf_done(&text);
}

/* The command that failed: the last one before the failure that starts the launcher, otherwise the
 * first one after it. A later command often only looks at the machine. */
static const struct od_seen *failed_command(const struct od_advise_question *q,
                                            const struct od_software *launcher)
{
    const struct od_prov *failed = &q->diagnosis->failure->run.at;
    const struct od_seen *found = NULL;
    OD_FOR_EACH (const struct od_seen, seen, q->c->seen) {
        const struct od_prov *at = &seen->said.at;
        bool later = at->source == failed->source && at->line > failed->line;
        if (seen->sign->software == launcher && seen->sign->mark->kind == OD_MARK_COMMAND &&
            (!found || !later))
            found = seen;
    }
    return found;
}

/* The command that failed with the option before its other ones; the option alone if the log shows
 * no command of the launcher on one line. */
static const char *option_in_command(const struct od_advise_question *q,
                                     const struct od_software *launcher, const char *option,
                                     struct od_arena *arena)
{
    enum { LONGEST = 200 };
    const struct od_seen *seen = failed_command(q, launcher);
    if (!seen || seen->said.text.n >= LONGEST)
        return option;
    struct od_view rest = seen->said.text;
    const char *name = seen->sign->mark->text;
    bool sudo = od_view_take(&rest, OD_VIEW("sudo "));
    bool whole = od_view_take(&rest, od_view_of(name)) && rest.n > 0 && rest.p[rest.n - 1] != '\\';
    return whole ? od_arena_printf(arena, "%s%s %s%.*s", sudo ? "sudo " : "", name, option,
                                   (int)rest.n, rest.p)
                 : option;
}

static bool is_launcher(const struct od_software *software)
{
    return software && (software->place || software->sort == OD_SORT_ORCHESTRATOR ||
                        software->sort == OD_SORT_SCHEDULER);
}

void od_put_in_place(const struct od_advise_question *question, struct od_arena *arena,
                     struct od_remedy_how *how)
{
    const struct od_stack_part *part = od_stack_place(&question->diagnosis->failure->stack);
    const struct od_software *place = part ? part->software : NULL;
    const struct od_software *owner = od_software_find(od_view_of(how->framework));
    struct od_view line = od_view_of(how->code ? how->code : "");
    bool sets =
        od_view_take(&line, OD_VIEW("export ")) && od_view_find_char(line, '\n', 0) == OD_VIEW_NONE;
    if (place && place->variable && sets) {
        set_in(place, line, arena, how);
        owner = place;
    }
    if (is_launcher(owner) && how->code && how->code[0] == '-' && !how->edit.from)
        how->code = option_in_command(question, owner, how->code, arena);
}
