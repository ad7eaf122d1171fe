#include "plan/recipe.h"

#include <stdio.h>

struct od_recipe_program {
    const char *id, *title;
    const char *uses;             /* the program whose rows come first */
    const char *marks, *commands; /* lists of words, separated by spaces */
    size_t first, n;              /* its rows: index of the first, and their number */
};

struct od_recipe_row {
    /* condition: key has one of the values. NULL key = always; NULL values = any value */
    const char *key, *values;
    const char *other_key, *other_values; /* another condition that must hold */
    const char *knob;                     /* NULL = unrelated to memory, or not supported */
    const char *value;                    /* value of the knob; NULL = the key's value */
    const char *unread; /* description of an unsupported key that changes memory */
    bool adds;          /* append the value to a list */
};

#include "plan/recipes.inc"

/* A longer text is a log and not a configuration. */
enum { TEXT_MOST = 256 << 10 };

static bool has_word(const char *words, struct od_view word)
{
    struct od_view left = od_view_of(words), one;
    while (od_view_cut(&left, ' ', &one))
        if (od_view_eq(one, word))
            return true;
    return false;
}

static bool is_one(struct od_view pattern, struct od_view value)
{
    bool open = od_view_take(&pattern, OD_VIEW("*"));
    if (!od_view_ends(pattern, OD_VIEW("*")))
        return od_view_eq(pattern, value);
    pattern.n--;
    return open ? od_view_has(value, pattern) : od_view_starts(value, pattern);
}

/* Returns "true" or "false" for the words that YAML, Python and command lines use. */
static struct od_view plain(const char *value, char *to, size_t room)
{
    static const char *const yes[] = {"yes", "on", NULL}, *const no[] = {"no", "off", NULL},
                             *const nothing[] = {"", "null", "~", NULL};
    struct od_view low = od_view_lowered(od_view_trim(od_view_of(value)), to, room);
    if (od_view_eq_any(low, yes))
        return OD_VIEW("true");
    if (od_view_eq_any(low, nothing))
        return OD_VIEW("none");
    return od_view_eq_any(low, no) ? OD_VIEW("false") : low;
}

static bool is_among(const char *values, const char *value)
{
    char low[128];
    struct od_view is = plain(value, low, sizeof low), left = od_view_of(values), one;
    while (od_view_cut(&left, '|', &one))
        if (is_one(one, is))
            return true;
    return false;
}

static bool is_key(const char *pattern, const char *key)
{
    struct od_view wanted = od_view_of(pattern), is = od_view_of(key);
    if (!od_view_ends(wanted, OD_VIEW(".*")))
        return od_view_eq(wanted, is);
    wanted.n--;
    return od_view_starts(is, wanted);
}

static const struct od_recipe_pair *find(const struct od_recipe_text *text, const char *key,
                                         const char *values)
{
    OD_FOR_EACH (const struct od_recipe_pair, pair, text->pairs)
        if (is_key(key, pair->key) && (!values || is_among(values, pair->value)))
            return pair;
    return NULL;
}

/* Is the key set to one of the values (NULL: any value)? */
static bool is_set(const struct od_recipe_text *text, const char *key, const char *values)
{
    const struct od_recipe_pair *pair = find(text, key, values);
    return pair && (values || !is_among("none|false", pair->value));
}

/* The program's name in a path or image: "bin/vllm", "vllm/vllm-openai:latest". */
static struct od_view base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    path = slash ? slash + 1 : path;
    return (struct od_view){path, strcspn(path, ":@")};
}

static bool is_program(const char *word)
{
    for (size_t i = 0; i < OD_COUNT_OF(programs); i++)
        if (programs[i].commands && has_word(programs[i].commands, base_name(word)))
            return true;
    return false;
}

/* Does the text have a key that only this program uses? The mark "zero_optimization" also matches
 * "zero_optimization.stage". */
static bool is_marked(const struct od_recipe_program *program, const struct od_recipe_text *text)
{
    OD_FOR_EACH (const struct od_recipe_pair, pair, text->pairs) {
        struct od_view key = od_view_of(pair->key), head = key;
        (void)od_view_cut(&key, '.', &head);
        if (program->marks &&
            (has_word(program->marks, od_view_of(pair->key)) || has_word(program->marks, head)))
            return true;
    }
    return false;
}

/* Does the command start the program: "sudo vllm", "python -m sglang.launch_server"? */
static bool is_run(const struct od_recipe_program *program, const struct od_recipe_text *text)
{
    static const char *const starters[] = {"sudo",   "nohup",  "exec",    "time", "uv", "run",
                                           "poetry", "python", "python3", "srun", NULL};
    size_t i = 0;
    while (i < text->words.n && od_view_eq_any(base_name(text->words.items[i]), starters))
        i++;
    if (program->commands && i < text->words.n &&
        has_word(program->commands, base_name(text->words.items[i])))
        return true;
    const struct od_recipe_pair *module = program->commands ? find(text, "-m", NULL) : NULL;
    return module && text->words.n > 0 && has_word(program->commands, od_view_of(module->value));
}

static unsigned programs_of(const struct od_recipe_text *text)
{
    unsigned found = 0, used = 0;
    for (size_t i = 0; i < OD_COUNT_OF(programs); i++)
        if (text->command ? is_run(&programs[i], text) : is_marked(&programs[i], text))
            found |= 1u << i;
    /* a user's own script, or one launched by another program, may take the settings of a library
     * without a command */
    for (size_t i = 0; text->command && i < OD_COUNT_OF(programs); i++)
        if (is_marked(&programs[i], text) && !programs[i].commands)
            found |= 1u << i;
    for (size_t i = 0; i < OD_COUNT_OF(programs); i++)
        for (size_t k = 0; k < OD_COUNT_OF(programs); k++)
            if ((found & 1u << i) && programs[i].uses &&
                strcmp(programs[i].uses, programs[k].id) == 0)
                used |= 1u << k;
    return found & ~used;
}

/* The name at the end of a Python path, if the row is for paths: "llama3_1_8b" of
 * "torchtune.models.llama3_1.qlora_llama3_1_8b". */
static const char *model_of(const struct od_recipe_row *row, const char *value)
{
    static const char *const before[] = {"qlora_", "lora_", "dora_"};
    const char *dot = strrchr(value, '.');
    if (!dot || !row->values || !od_view_ends(od_view_of(row->values), OD_VIEW(".*")))
        return value;
    for (size_t i = 0; i < OD_COUNT_OF(before); i++)
        if (strncmp(dot + 1, before[i], strlen(before[i])) == 0)
            return dot + 1 + strlen(before[i]);
    return dot + 1;
}

/* Sets a member of the recipe for a value that is no option of the plan. */
static bool set_name(struct od_recipe *recipe, const struct od_recipe_row *row, const char *value)
{
    const char *knob = row->knob;
    const char **to = strcmp(knob, "recipe") == 0         ? &recipe->other
                      : strcmp(knob, "global-batch") == 0 ? &recipe->global
                                                          : NULL;
    if (strcmp(knob, "model") == 0)
        recipe->model = model_of(row, value);
    else if (to)
        *to = value;
    return to || strcmp(knob, "model") == 0;
}

/* Adds a dimension of the model from a key such as "config.hidden_size". */
static bool set_dimension(struct od_recipe *recipe, const struct od_recipe_row *row,
                          const char *value, struct od_arena *arena)
{
    struct od_view name = od_view_of(row->knob);
    uint64_t n;
    if (!od_view_take(&name, OD_VIEW("config.")))
        return false;
    if (!row->value && !od_num_parse_u64(od_view_of(value), &n))
        return true; /* a formula: "${multiply:4, ${.hidden_size}}" */
    recipe->config = od_arena_printf(arena, "%s\"%s\": %s, ", recipe->config ? recipe->config : "",
                                     name.p, value);
    return true;
}

static void set(struct od_recipe *recipe, const struct od_recipe_row *row, const char *key,
                const char *value, struct od_arena *arena)
{
    size_t i = 0;
    if (set_name(recipe, row, value) || set_dimension(recipe, row, value, arena))
        return;
    while (i < recipe->nsettings && strcmp(recipe->settings[i].knob, row->knob) != 0)
        i++;
    if (i == OD_KNOBS_N)
        return;
    if (row->adds && i < recipe->nsettings)
        value = od_arena_printf(arena, "%s,%s", recipe->settings[i].value, value);
    recipe->settings[i] = (struct od_recipe_setting){row->knob, value, key};
    recipe->nsettings += i == recipe->nsettings;
}

static bool is_nothing(const char *value)
{
    return is_among("none|auto", value);
}

static void leave_unread(struct od_recipe *recipe, const char *text)
{
    for (size_t i = 0; i < recipe->nunread; i++)
        if (strcmp(recipe->unread[i], text) == 0)
            return;
    if (recipe->nunread < OD_RECIPE_UNREAD_MOST)
        recipe->unread[recipe->nunread++] = text;
}

static void take_row(struct od_recipe *recipe, const struct od_recipe_row *row,
                     const struct od_recipe_text *text, struct od_arena *arena)
{
    const struct od_recipe_pair *pair = row->key ? find(text, row->key, row->values) : NULL;
    if ((row->key && !pair) || (row->other_key && !is_set(text, row->other_key, row->other_values)))
        return;
    const char *key = pair ? pair->key : "its default", *is = pair ? pair->value : "";
    const char *value = row->value ? row->value : is;
    bool off = pair && !row->values && (is_nothing(is) || is_among("false|0", is));
    if (row->unread && !off)
        leave_unread(recipe, od_arena_printf(arena, "%s (%s)", key, row->unread));
    else if (row->knob && !is_nothing(value))
        set(recipe, row, key, value, arena);
}

static const struct od_recipe_program *used_by(const struct od_recipe_program *program)
{
    for (size_t i = 0; program->uses && i < OD_COUNT_OF(programs); i++)
        if (strcmp(programs[i].id, program->uses) == 0)
            return &programs[i];
    return NULL;
}

static void take_program(struct od_recipe *recipe, const struct od_recipe_program *program,
                         const struct od_recipe_text *text, struct od_arena *arena)
{
    const struct od_recipe_program *used = used_by(program);
    for (size_t i = 0; used && i < used->n; i++)
        take_row(recipe, &rows[used->first + i], text, arena);
    for (size_t i = 0; i < program->n; i++)
        take_row(recipe, &rows[program->first + i], text, arena);
    recipe->programs = recipe->programs
                           ? od_arena_printf(arena, "%s, %s", recipe->programs, program->title)
                           : program->title;
}

static bool has_row(const struct od_recipe_program *program, const char *key)
{
    for (size_t i = 0; program && i < program->n; i++) {
        const struct od_recipe_row *row = &rows[program->first + i];
        if ((row->key && is_key(row->key, key)) || (row->other_key && is_key(row->other_key, key)))
            return true;
    }
    return false;
}

static bool suggests_memory(const char *key)
{
    struct od_view left = od_view_of(memory_words), word;
    while (od_view_cut(&left, ' ', &word))
        if (od_view_has(od_view_of(key), word))
            return true;
    return false;
}

static void find_unread(struct od_recipe *recipe, const struct od_recipe_text *text, unsigned found)
{
    OD_FOR_EACH (const struct od_recipe_pair, pair, text->pairs) {
        bool known = !suggests_memory(pair->key) || is_nothing(pair->value) ||
                     is_among("false|0", pair->value);
        for (size_t i = 0; !known && i < OD_COUNT_OF(programs); i++)
            known = (found & 1u << i) &&
                    (has_row(&programs[i], pair->key) || has_row(used_by(&programs[i]), pair->key));
        if (!known)
            leave_unread(recipe, pair->key);
    }
}

static bool has_any_mark(struct od_view text)
{
    for (size_t i = 0; i < OD_COUNT_OF(programs); i++) {
        struct od_view left = od_view_of(programs[i].marks), mark;
        while (od_view_cut(&left, ' ', &mark)) {
            size_t dot = mark.n;
            while (dot > 0 && mark.p[dot - 1] != '.')
                dot--;
            if (od_view_has(text, od_view_from(mark, dot)))
                return true;
        }
    }
    return false;
}

/* Can the text be a recipe? Our model descriptions and a model's config.json are none. */
static bool may_be_one(struct od_view text)
{
    return text.n > 0 && text.n <= TEXT_MOST &&
           od_view_find_char(text, (char)0, 0) == OD_VIEW_NONE &&
           !od_view_has(text, OD_VIEW("oomdoctor.model")) &&
           !od_view_has(text, OD_VIEW("\"model_type\""));
}

bool od_recipe_read(struct od_view text, const char *name, struct od_arena *arena,
                    struct od_diags *diags, struct od_recipe *ret_recipe)
{
    struct od_recipe_text pairs = {0};
    struct od_recipe recipe = {.name = name};
    bool mapping = od_recipe_is_mapping(text);
    if (!may_be_one(text) || (mapping && !has_any_mark(text)))
        return false;
    recipe.bad = mapping && !od_recipe_flatten(text, name, arena, diags, &pairs);
    if (!mapping && !od_recipe_split(text, is_program, arena, &pairs)) {
        od_recipe_text_done(&pairs);
        return false;
    }
    unsigned found = programs_of(&pairs);
    for (size_t i = 0; i < OD_COUNT_OF(programs); i++)
        if (found & 1u << i)
            take_program(&recipe, &programs[i], &pairs, arena);
    find_unread(&recipe, &pairs, found);
    od_recipe_text_done(&pairs);
    *ret_recipe = recipe;
    return recipe.bad || found != 0;
}

const char *od_recipe_config(const struct od_recipe *recipe, struct od_arena *arena)
{
    struct od_view said = od_view_of(recipe->config);
    bool llama = od_view_has(said, OD_VIEW("\"hidden_act\": \"silu\""));
    bool tokens = od_view_has(said, OD_VIEW("vocab_size"));
    if (!od_view_has(said, OD_VIEW("hidden_size")) || !od_view_has(said, OD_VIEW("hidden_layers")))
        return NULL;
    return od_arena_printf(arena, "{%s%s\"model_type\": \"%s\"}", recipe->config,
                           tokens  ? ""
                           : llama ? "\"vocab_size\": 32000, "
                                   : "\"vocab_size\": 50304, ",
                           llama ? "llama" : "gpt_neox");
}

/* ---- set options of the request ---- */

/* Accepts the spellings of libraries: "torch.optim.AdamW", "adamw_torch_fused". */
static const char *optimizer_of(const char *text, struct od_arena *arena)
{
    char low[96];
    enum od_optimizer optimizer;
    struct od_view view = od_view_lowered(od_view_of(text), low, sizeof low);
    const char *paged = od_view_has(view, OD_VIEW("paged")) ? "paged_" : "";
    if (od_view_has(view, OD_VIEW("adam")) && od_view_has(view, OD_VIEW("8bit")))
        return od_arena_printf(arena, "%sadam8bit", paged);
    if (!od_optimizer_find(view, &optimizer) && !od_optimizer_in(view, &optimizer))
        return text;
    return od_arena_printf(arena, "%s%s%s", paged, od_optimizer_name(optimizer),
                           od_view_has(view, OD_VIEW("fused")) ? "-fused" : "");
}

/* Converts a list such as "['q_proj', 'v_proj']". */
static const char *list_of(const char *text, struct od_arena *arena)
{
    char *all = od_arena_str(arena, od_view_of(text)), *to = all;
    for (const char *c = text; *c; c++)
        if (!strchr("[]'\" ", *c))
            *to++ = *c;
    *to = '\0';
    return all;
}

static const char *value_of(const struct od_recipe_setting *setting, struct od_arena *arena)
{
    if (strcmp(setting->knob, "optimizer") == 0)
        return optimizer_of(setting->value, arena);
    if (strcmp(setting->knob, "lora-targets") == 0)
        return list_of(setting->value, arena);
    return setting->value;
}

static const char *unread_of(const struct od_recipe *recipe, struct od_arena *arena)
{
    struct od_buf all = {0};
    for (size_t i = 0; i < recipe->nunread; i++)
        od_buf_printf(&all, "%s%s", i > 0 ? ", " : "", recipe->unread[i]);
    return od_arena_printf(arena, "not counted, and may change memory: %s",
                           od_arena_take(arena, &all));
}

static void note(struct od_plan_request *request, const char *text)
{
    if (request->nnotes < OD_PLAN_NOTES_MAX)
        request->notes[request->nnotes++] = text;
}

void od_recipe_apply(const struct od_recipe *recipe, const struct od_plan_request *given,
                     struct od_plan_request *request, struct od_arena *arena,
                     struct od_diags *diags)
{
    struct od_buf read = {0};
    const char *why, *name = recipe->name ? recipe->name : "the command";
    od_buf_printf(&read, "read from %s, settings of %s:", name, recipe->programs);
    request->workload.any_program = false;
    for (size_t i = 0; i < recipe->nsettings; i++) {
        const struct od_recipe_setting *s = &recipe->settings[i];
        const char *value = value_of(s, arena);
        if (od_knob_said(given, s->knob))
            continue;
        if (od_knob_set(request, s->knob, value, arena, &why) == OD_KNOB_SET)
            od_buf_printf(&read, " --%s %s", s->knob, value);
        else
            od_diags_say(diags, OD_WARNING,
                         "%s: %s is not read: '%s' is no value of --%s, which takes %s", name,
                         s->key, value, s->knob, why);
    }
    if (request->workload.lora_rank == 0)
        request->workload.nlora_targets = 0;
    if (recipe->config && !recipe->model)
        od_buf_printf(&read, ", and the model's dimensions%s",
                      strstr(recipe->config, "vocab_size") ? "" : " but for its vocabulary");
    note(request, od_arena_take(arena, &read));
    if (recipe->nunread > 0)
        note(request, unread_of(recipe, arena));
}

void od_recipe_divide(const char *global, struct od_plan_request *request, struct od_arena *arena)
{
    const struct od_workload *w = &request->workload;
    uint64_t all, model = w->tensor_parallel * w->pipeline_parallel, step;
    const char *why, *knob = od_knob_said(request, "accumulate") ? "world-size" : "accumulate";
    bool known = strcmp(knob, "world-size") != 0;
    if (!global || !od_num_parse_u64(od_view_of(global), &all) || w->batch == 0 ||
        (!known && od_knob_said(request, knob)))
        return;
    uint64_t ranks = w->world_size > model && model > 0 ? w->world_size / model : 1;
    if (ckd_mul(&step, w->batch, known ? ranks : w->accumulation) || step == 0 || all % step != 0)
        return;
    uint64_t times = all / step * (known ? 1 : model > 0 ? model : 1);
    const char *value = od_arena_printf(arena, "%" PRIu64, times);
    if (times > 1 && od_knob_set(request, knob, value, arena, &why) == OD_KNOB_SET)
        note(request,
             od_arena_printf(arena, "a batch size of %s in all: --%s %s", global, knob, value));
}
