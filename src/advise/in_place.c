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

/* Appends the form with NAME and VALUE replaced. */
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

/* Writes "export NAME=VALUE" in the form for the environment. */
static void set_in(const struct od_software *place, struct od_view exported, struct od_arena *arena,
                   struct od_remedy_how *how)
{
    struct od_view name, value;
    struct od_buf code = {0}, text = {0};
    if (!od_view_cut(&exported, '=', &name))
        return;
    bool quoted = exported.n > 1 && strchr("'\"", exported.p[0]);
    value = quoted ? od_view_head(od_view_from(exported, 1), exported.n - 2) : exported;
    od_buf_printf(&text, "%s ", how->text);
    add_form(place->variable, name, value, &code);
    add_form(place->where, name, value, &text);
    how->shell = how->code;
    how->code = od_arena_str(arena, od_buf_view(&code));
    how->text = od_arena_str(arena, od_buf_view(&text));
    od_buf_done(&code);
    od_buf_done(&text);
}

void od_put_in_place(const struct od_advise_question *question, struct od_arena *arena,
                     struct od_remedy_how *how)
{
    const struct od_software_part *part =
        od_software_used_place(&question->diagnosis->failure->stack);
    const struct od_software *place = part ? part->software : NULL;
    struct od_view line = od_view_of(how->code ? how->code : "");
    bool sets =
        od_view_take(&line, OD_VIEW("export ")) && od_view_find_char(line, '\n', 0) == OD_VIEW_NONE;
    if (place && place->variable && sets)
        set_in(place, line, arena, how);
}
