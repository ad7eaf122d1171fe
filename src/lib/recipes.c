#include "lib/recipes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 18 };

/* Reads a small regular file; false for anything else. */
static bool read_small(const char *name, struct od_buf *to)
{
    struct stat st;
    ssize_t n = -1;
    if (stat(name, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > FILE_MOST)
        return false;
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    while ((n = read(file, od_buf_reserve(to, 4096), 4096)) > 0 && to->n + (size_t)n <= FILE_MOST)
        to->n += (size_t)n;
    (void)close(file);
    return n == 0;
}

/* Path of a file `other` that is named in the file `name`, relative to that file's folder. */
static const char *beside(const char *name, const char *other, struct od_arena *arena)
{
    const char *slash = name ? strrchr(name, '/') : NULL;
    if (other[0] == '/' || !slash || access(other, F_OK) == 0)
        return other;
    struct od_view folder = {name, (size_t)(slash - name + 1)};
    const char *there = od_arena_printf(arena, "%.*s%s", (int)folder.n, folder.p, other);
    return access(there, F_OK) == 0 ? there : other;
}

static bool take_text(struct od_recipes *recipes, struct od_view text, const char *name,
                      struct od_arena *arena, struct od_diags *diags)
{
    struct od_recipe *recipe = &recipes->list[recipes->n];
    if (recipes->n == OD_RECIPES_MOST || !od_recipe_read(text, name, arena, diags, recipe))
        return false;
    recipes->bad = recipes->bad || recipe->bad;
    recipes->n++;
    if (recipe->model)
        recipe->model = beside(name, recipe->model, arena);
    return true;
}

/* The settings in a folder with only adapters (PEFT); they name their model. NULL if none. */
static const char *settings_in(const char *name, struct od_arena *arena)
{
    const char *adapters = od_arena_printf(arena, "%s/adapter_config.json", name);
    bool whole = access(od_arena_printf(arena, "%s/config.json", name), F_OK) == 0;
    return whole || access(adapters, F_OK) != 0 ? name : adapters;
}

static bool take_file(struct od_recipes *recipes, const char *name, struct od_arena *arena,
                      struct od_diags *diags)
{
    struct od_buf text = {0};
    name = settings_in(name, arena);
    bool taken = read_small(name, &text) &&
                 take_text(recipes, od_arena_view(arena, od_buf_view(&text)), name, arena, diags);
    od_buf_done(&text);
    return taken;
}

/* Takes a command such as "vllm serve ...", in one operand or in all remaining ones. */
static bool take_command(struct od_recipes *recipes, const char *const *operands, size_t n,
                         struct od_arena *arena, struct od_diags *diags)
{
    struct od_buf line = {0};
    for (size_t i = 0; i < n; i++)
        od_buf_printf(&line, "%s%s", i > 0 ? " " : "", operands[i]);
    struct od_view text = od_arena_view(arena, od_buf_view(&line));
    bool several = od_view_find_char(od_view_trim(text), ' ', 0) != OD_VIEW_NONE;
    od_buf_done(&line);
    return several && access(operands[0], F_OK) != 0 && !od_recipe_is_mapping(text) &&
           take_text(recipes, text, NULL, arena, diags);
}

static bool is_read(const struct od_recipes *recipes, const char *name)
{
    for (size_t i = 0; i < recipes->n; i++)
        if (recipes->list[i].name && strcmp(recipes->list[i].name, name) == 0)
            return true;
    return false;
}

/* Reads the files named in settings files. Ends, because the list has a limit. */
static void take_named(struct od_recipes *recipes, struct od_arena *arena, struct od_diags *diags)
{
    for (size_t i = 0; i < recipes->n; i++) {
        const struct od_recipe *recipe = &recipes->list[i];
        const char *other = recipe->other ? beside(recipe->name, recipe->other, arena) : NULL;
        if (other && !is_read(recipes, other) && !take_file(recipes, other, arena, diags))
            od_diags_say(diags, OD_WARNING, "%s names %s, which is not read",
                         recipe->name ? recipe->name : "the command", other);
    }
}

struct od_recipes *od_recipes_read(const char *const *operands, size_t n, struct od_arena *arena,
                                   struct od_diags *diags)
{
    struct od_recipes *recipes = OD_NEW(arena, struct od_recipes);
    for (size_t i = 0; i < n; i++) {
        if (take_file(recipes, operands[i], arena, diags))
            continue;
        bool quoted = strchr(operands[i], ' ') != NULL;
        if (take_command(recipes, operands + i, quoted ? 1 : n - i, arena, diags)) {
            i = quoted ? i : n;
            continue;
        }
        recipes->model = operands[i];
        recipes->models++;
    }
    take_named(recipes, arena, diags);
    for (size_t i = 0; i < recipes->n && !recipes->model; i++)
        recipes->model = recipes->list[i].model;
    for (size_t i = 0; i < recipes->n && !recipes->model && !recipes->config; i++)
        if (recipes->list[i].config)
            recipes->config = od_recipe_config(&recipes->list[i], arena);
    return recipes;
}

void od_recipes_apply(const struct od_recipes *recipes, struct od_plan_request *request,
                      struct od_arena *arena, struct od_diags *diags)
{
    const struct od_plan_request given = *request;
    const char *global = NULL;
    for (size_t i = 0; i < recipes->n; i++) {
        od_recipe_apply(&recipes->list[i], &given, request, arena, diags);
        global = recipes->list[i].global ? recipes->list[i].global : global;
    }
    od_recipe_divide(global, request, arena);
}
