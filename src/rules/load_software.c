/* Loading of the catalogue of software. */
#include "base/ascii.h"
#include "base/num.h"
#include "rules/loader.h"
#include "rules/software.h"

#include <string.h>

enum { MARK_LEAST = 4, OVER_MOST = 8 };

const char *const od_sort_words[] = {
    "trainer",   "library",      "server",   "gui",      "array", "simulator", "runtime",
    "scheduler", "orchestrator", "compiler", "database", "tool",  "platform",  NULL};
const char *const od_mark_words[] = {"error",  "command", "banner",  "path", "prefix",
                                     "config", "name",    "process", NULL};
const char *const od_less_words[] = {"lower", "higher", "on", "off", NULL};
const char *const od_knob_words[] = {"batch",
                                     "micro_batch",
                                     "eval_batch",
                                     "accumulation",
                                     "sequence_length",
                                     "context_length",
                                     "max_sequences",
                                     "prefill_tokens",
                                     "image_size",
                                     "tile",
                                     "frames",
                                     "points",
                                     "precision",
                                     "quantization",
                                     "kv_cache_type",
                                     "kv_cache_size",
                                     "memory_fraction",
                                     "memory_limit",
                                     "memory_growth",
                                     "checkpointing",
                                     "offload_weights",
                                     "offload_optimizer",
                                     "gpu_layers",
                                     "attention",
                                     "tensor_parallel",
                                     "data_parallel",
                                     "pipeline_parallel",
                                     "zero_stage",
                                     "fsdp",
                                     "lora",
                                     "optimizer",
                                     "workers",
                                     "prefetch",
                                     "pin_memory",
                                     "environments",
                                     "buffer",
                                     "heap",
                                     "stack",
                                     "job_memory",
                                     "container_memory",
                                     "shared_memory",
                                     "threads",
                                     "chunk",
                                     "cache",
                                     "swap_space",
                                     "low_memory_mode",
                                     "allocator",
                                     "device",
                                     "eager",
                                     "graph_capture",
                                     "resume",
                                     "checkpoint_every",
                                     "retry",
                                     NULL};

/* The place of a text in a vocabulary; 0 after reporting that it is not there. */
static size_t word_of(struct od_loader *loader, const struct od_yaml_node *node,
                      const char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    size_t i = od_loader_word(loader, node, words, n);
    return i < n ? i : 0;
}

static void load_text(struct od_loader *loader, const struct od_yaml_node *node, const char **to)
{
    if (od_loader_is(loader, node, OD_YAML_TEXT))
        *to = node->text;
}

static void load_texts(struct od_loader *loader, const struct od_yaml_node *node,
                       const char *const **to)
{
    *to = od_loader_texts(loader, node, NULL);
}

#define FIELD(name, type, field, load)                                                    \
    static void name(struct od_loader *loader, const struct od_yaml_node *node, void *to) \
    {                                                                                     \
        struct type *into = to;                                                           \
        load(loader, node, &into->field);                                                 \
    }

/* --- a knob --- */

static void load_less(struct od_loader *loader, const struct od_yaml_node *node, enum od_less *to)
{
    if (od_loader_is(loader, node, OD_YAML_TEXT))
        *to = (enum od_less)word_of(loader, node, od_less_words);
}

static void load_checked(struct od_loader *loader, const struct od_yaml_node *node, bool *to)
{
    if (od_loader_is(loader, node, OD_YAML_TEXT))
        *to = strcmp(node->text, "false") != 0;
}

FIELD(knob_flag, od_knob, flag, load_text)
FIELD(knob_key, od_knob, key, load_text)
FIELD(knob_env, od_knob, env, load_text)
FIELD(knob_set, od_knob, set, load_text)
FIELD(knob_code, od_knob, code, load_text)
FIELD(knob_less, od_knob, less, load_less)
FIELD(knob_since, od_knob, since, load_text)
FIELD(knob_before, od_knob, before, load_text)
FIELD(knob_value, od_knob, value, load_text)
FIELD(knob_remark, od_knob, remark, load_text)
FIELD(knob_source, od_knob, source, load_text)
FIELD(knob_checked, od_knob, checked, load_checked)

static const struct od_loader_key knob_keys[] = {
    {"flag", false, knob_flag},    {"key", false, knob_key},
    {"env", false, knob_env},      {"set", false, knob_set},
    {"code", false, knob_code},    {"less", true, knob_less},
    {"since", false, knob_since},  {"before", false, knob_before},
    {"value", false, knob_value},  {"remark", false, knob_remark},
    {"source", true, knob_source}, {"checked", false, knob_checked},
};

static const struct od_loader_map knob_map = {"a knob", knob_keys, OD_COUNT_OF(knob_keys)};

static void load_knobs(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_software *software = to;
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return;
    struct od_knob *knobs = OD_NEW_N(loader->arena, node->n + 1, struct od_knob);
    software->knobs = knobs;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        struct od_knob *knob = &knobs[software->nknobs++];
        *knob = (struct od_knob){.checked = true};
        size_t word = word_of(loader, child->key, od_knob_words);
        knob->name = od_knob_words[word];
        if (od_loader_map(loader, child, &knob_map, knob) && !knob->flag && !knob->key &&
            !knob->env && !knob->set && !knob->code)
            od_loader_error(loader, child, "R0404", "flag, key, env, set or code",
                            "a knob without a form");
    }
}

/* --- a program --- */

/* "raise: heap": what an error names as its cure. */
static void load_cure(struct od_loader *loader, const struct od_yaml_node *node, const char *key,
                      struct od_software_mark *mark)
{
    const struct od_yaml_node *cure = od_yaml_get(node, key);
    if (!cure || !od_loader_is(loader, cure, OD_YAML_TEXT))
        return;
    mark->knob = od_knob_words[word_of(loader, cure, od_knob_words)];
    mark->more = strcmp(key, "raise") == 0;
}

/* "- path: vllm/v1/", "- {error: heap is full, raise: heap}" */
static void load_mark(struct od_loader *loader, const struct od_yaml_node *node,
                      struct od_software_mark *mark)
{
    if (!od_loader_is(loader, node, OD_YAML_MAP) || !node->first ||
        !od_loader_is(loader, node->first, OD_YAML_TEXT))
        return;
    mark->kind = (enum od_mark_kind)word_of(loader, node->first->key, od_mark_words);
    mark->text = node->first->text;
    load_cure(loader, node, "raise", mark);
    load_cure(loader, node, "reduce", mark);
    if (node->n > (mark->knob ? 2U : 1U))
        od_loader_error(loader, node, "R0401", "raise or reduce", "a mark says one thing");
    if (mark->kind != OD_MARK_PROCESS && strlen(mark->text) < MARK_LEAST)
        od_loader_error(loader, node->first, "R0405", NULL, "a mark has %d letters or more",
                        MARK_LEAST);
}

static void load_marks(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_software *software = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    struct od_software_mark *marks = OD_NEW_N(loader->arena, node->n + 1, struct od_software_mark);
    software->marks = marks;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        load_mark(loader, child, &marks[software->nmarks++]);
}

FIELD(software_name, od_software, name, load_text)
FIELD(software_title, od_software, title, load_text)
FIELD(software_over, od_software, over, load_texts)
FIELD(software_systems, od_software, systems, load_texts)

static const struct od_loader_key software_keys[] = {
    {"name", true, software_name},  {"title", true, software_title},
    {"over", false, software_over}, {"systems", false, software_systems},
    {"marks", true, load_marks},    {"knobs", true, load_knobs},
};

static const struct od_loader_map software_map = {"a program", software_keys,
                                                  OD_COUNT_OF(software_keys)};

const struct od_knob *od_software_knob(const struct od_software *software, const char *name)
{
    for (size_t i = 0; i < software->nknobs; i++)
        if (strcmp(software->knobs[i].name, name) == 0)
            return &software->knobs[i];
    return NULL;
}

/* "key: value"; the name of "-XX:MaxHeapSize=N" goes on. */
static bool ends_key(struct od_view text, size_t at)
{
    bool goes_on = text.p[0] == '-' && at + 2 < text.n && od_is_letter(text.p[at + 1]) &&
                   od_is_letter(text.p[at + 2]);
    return text.p[at] == ':' && !goes_on;
}

bool od_knob_place_of(const char *form, struct od_knob_place *ret_place)
{
    const char *folder = strstr(form, "DIR"), *begin = folder ? folder : strstr(form, "PATH");
    if (!begin)
        return false;
    *ret_place =
        (struct od_knob_place){begin, begin + strlen(folder ? "DIR" : "PATH"), folder != NULL};
    return true;
}

struct od_view od_knob_fixed(const char *form)
{
    struct od_view text = od_view_of(form);
    size_t n = 0;
    while (n < text.n && text.p[n] != '=' && text.p[n] != ' ' && !ends_key(text, n))
        n++;
    if (n < text.n && n > 0 && text.p[n] == '=')
        n++;
    text.n = n;
    struct od_view joined = OD_VIEW("-Xmx");
    return od_view_starts(text, joined) ? joined : text;
}

/* --- a file --- */

struct file {
    enum od_sort sort;
    const char *name;
    struct od_software_list *list;
};

static void load_sort(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct file *file = to;
    if (od_loader_is(loader, node, OD_YAML_TEXT))
        file->sort = (enum od_sort)word_of(loader, node, od_sort_words);
}

static void push(struct od_arena *arena, struct od_software_list *list,
                 const struct od_software *software)
{
    if (list->n + 1 >= list->room) {
        size_t room = list->room == 0 ? 64 : 2 * list->room;
        const struct od_software **items = OD_NEW_N(arena, room, const struct od_software *);
        if (list->n > 0)
            memcpy(items, list->items, list->n * sizeof *items);
        list->items = items;
        list->room = room;
    }
    list->items[list->n++] = software;
    list->items[list->n] = NULL;
}

static void load_programs(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct file *file = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        struct od_software *software = OD_NEW(loader->arena, struct od_software);
        software->sort = file->sort;
        software->file = file->name;
        bool whole = od_loader_map(loader, child, &software_map, software);
        if (whole && (software->nmarks == 0 || software->nknobs == 0))
            od_loader_error(loader, child, "R0406", NULL, "a program has a mark and a knob");
        push(loader->arena, file->list, software);
    }
}

/* In order of need: the sort goes to each program. */
static const struct od_loader_key file_keys[] = {
    {"schema", true, od_loader_schema},
    {"software", true, load_sort},
    {"programs", true, load_programs},
};

static const struct od_loader_map file_map = {"software", file_keys, OD_COUNT_OF(file_keys)};

enum od_err od_software_load(struct od_view yaml, const char *name, struct od_arena *arena,
                             struct od_diags *diags, struct od_software_list *list)
{
    struct file file = {.name = od_arena_str(arena, od_view_of(name)), .list = list};
    return od_loader_read(&(struct od_loading){name, arena, diags, &file_map, &file}, yaml);
}

enum od_err od_software_load_file(const char *root, const char *name, struct od_arena *arena,
                                  struct od_diags *diags, struct od_software_list *list)
{
    struct file file = {.name = od_arena_str(arena, od_view_of(name)), .list = list};
    return od_loader_read_file(&(struct od_loading){name, arena, diags, &file_map, &file}, root);
}

/* --- all files --- */

static size_t index_of(const struct od_software_list *list, const char *name)
{
    size_t i = 0;
    while (i < list->n && strcmp(list->items[i]->name, name) != 0)
        i++;
    return i;
}

/* Each stands only on those of the list, and not on itself by others. */
static bool stands(const struct od_software_list *list, size_t i, size_t depth)
{
    for (const char *const *name = list->items[i]->over; name && *name; name++) {
        size_t below = index_of(list, *name);
        if (below == list->n || depth == OVER_MOST || !stands(list, below, depth + 1))
            return false;
    }
    return true;
}

enum od_err od_software_check_all(const struct od_software_list *list, struct od_diags *diags)
{
    bool good = true;
    for (size_t i = 0; i < list->n; i++) {
        const struct od_software *software = list->items[i];
        const char *code = index_of(list, software->name) != i ? "R0402"
                           : !stands(list, i, 0)               ? "R0403"
                                                               : NULL;
        if (!code)
            continue;
        good = false;
        od_diags_say(diags, OD_ERROR, "%s: %s: %s", software->file, software->name,
                     strcmp(code, "R0402") == 0 ? "the name is taken"
                                                : "what it stands on is unknown, or itself");
    }
    return good ? OD_OK : OD_ERULE;
}
