#include "lib/models.h"

#include "facts/event.h"
#include "input/input.h"
#include "models/file_reader.h"
#include "models/public_models.h"
#include "models/public_vision.h"
#include "rules/ruleset.h"
#include "scan/scan.h"

#include <sys/stat.h>
#include <unistd.h>

/* Limits, because some runs print their model at every step. */
enum { MODELS_MOST = 1024, LAYERS_MOST = 1 << 20 };

struct od_models {
    struct od_arena *arena;
    char *name; /* name of the file */
    OD_VEC(struct od_model) list;
    size_t layers;
    bool dropped;
    enum od_err status;
    const char *dims;
};

static void take_model(void *self, const struct od_event *event)
{
    struct od_models *models = self;
    struct od_model *model = event->model;
    if (event->kind != OD_EV_MODEL || !model)
        return;
    if (models->list.n >= MODELS_MOST || models->layers + model->layers.n > LAYERS_MOST) {
        models->dropped = true;
        return;
    }
    models->layers += model->layers.n;
    od_vec_push(&models->list, *model);
    model->layers.items = NULL;
    model->layers.n = model->layers.room = 0;
    model->inputs.items = NULL;
    model->inputs.n = model->inputs.room = 0;
}

static struct od_models *start(const char *name)
{
    struct od_models *models = od_mem_alloc(1, sizeof *models);
    models->arena = od_arena_new();
    models->name = od_arena_str(models->arena, od_view_of(name));
    return models;
}

/* Reads the input, unless adding it failed, and frees it. */
static struct od_models *read_input(struct od_models *models, struct od_input *input,
                                    struct od_diags *diags)
{
    if (models->status == OD_OK) {
        struct od_ruleset *rules = od_ruleset_new(NULL, 0);
        struct od_scan_options options = {
            .arena = models->arena, .diags = diags, .dims = models->dims, .files_only = true};
        struct od_sink sink = {.event = take_model, .self = models};
        (void)od_scan(input, rules, &options, &sink);
        models->status = od_input_status(input);
        od_ruleset_free(rules);
    }
    if (models->dropped)
        od_diags_say(diags, OD_WARNING, "%s: more than %d models; the rest was not read",
                     models->name, MODELS_MOST);
    od_input_free(input);
    return models;
}

/* Reads the configuration of a public model as if it were a file. */
static void read_public(struct od_models *models, const struct od_public_model *public,
                        struct od_diags *diags)
{
    const char *word = NULL;
    const struct od_view config = od_view_of(public->config);
    const struct od_sink sink = {.event = take_model, .self = models};
    const struct od_file file = {.bytes = config,
                                 .name = models->name,
                                 .diags = diags,
                                 .sink = &sink,
                                 .arena = models->arena};
    models->status = od_file_reader_find(config, &word)->read(&file);
    for (size_t i = 0; i < models->list.n; i++) {
        models->list.items[i].name = od_public_model_name(public);
        models->list.items[i].at = (struct od_prov){0};
    }
}

/* Computes a packed file's size from the published number of parameters, rounded ("8.030B"). Tables
 * and outer blocks of the file have other types, so that small models need up to a tenth more. */
static bool pack_whole(const struct od_public_model *public, double bits, struct od_model *model)
{
    double n;
    struct od_view number = od_view_of(public->published);
    bool rounded = od_view_ends(number, OD_VIEW("B"));
    number.n -= rounded;
    if (!od_num_parse_double(number, &n))
        return false;
    double bytes = n * (rounded ? 1e9 : 1) * bits / 8;
    model->weight_bytes = (struct od_bytes){.n = (uint64_t)bytes,
                                            .lo = (uint64_t)(bytes * 0.96),
                                            .hi = (uint64_t)(bytes * 1.1),
                                            .known = true};
    return true;
}

enum { OD_NF4 = -1 };

struct stored {
    const char *word;
    unsigned bits;
    int group;
    double whole;
};

/* The type of stored weights given by a name; NULL if it has no known word for one. */
static const struct stored *stored_of(struct od_view name)
{
    static const struct stored rows[] = {
#define OD_STORED(word, bits, group, whole) {word, bits, group, whole},
#include "lib/stored.def"
#undef OD_STORED
    };
    char upper[256];
    size_t n = name.n < sizeof upper ? name.n : 0;
    for (size_t i = 0; i < n; i++)
        upper[i] = od_is_letter(name.p[i]) ? (char)(name.p[i] & ~32) : name.p[i];
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++)
        if (od_view_has((struct od_view){upper, n}, od_view_of(rows[i].word)))
            return &rows[i];
    return NULL;
}

bool od_models_stored(const char *word)
{
    const struct stored *stored = stored_of(od_view_of(word));
    return stored && strlen(stored->word) == strlen(word);
}

/* Sets the type of stored weights from the name; false if the name gives none. */
static bool store_by_name(struct od_view name, const struct od_public_model *public,
                          struct od_model *model)
{
    struct od_transformer *t = &model->transformer;
    const struct stored *stored = stored_of(name);
    if (!stored)
        return false;
    if (stored->whole > 0)
        return pack_whole(public, stored->whole, model);
    if (t->stored_bits.known && t->stored_bits.n == stored->bits)
        return true; /* the configuration gives the same type */
    t->stored_bits = od_count_of(stored->bits);
    t->stored_nf4 = stored->group == OD_NF4;
    t->stored_group =
        stored->group > 0 ? od_count_of((uint64_t)stored->group) : (struct od_count){0};
    t->stored_experts = false;
    return true;
}

/* Finds a public model for a name like "Meta-Llama-3-8B.Q4_K_M.gguf" or, as some repositories write
 * it, "Qwen_Qwen3-8B-Q4_K_M.gguf". */
static const struct od_public_model *find_public(struct od_view name, bool *ret_quantized)
{
    size_t at = od_view_find_char(name, '_', 0);
    const struct od_public_model *public = od_public_model_find(name, ret_quantized);
    return public || at == OD_VIEW_NONE
               ? public
               : od_public_model_find(od_view_from(name, at + 1), ret_quantized);
}

static bool read_named(struct od_models *models, struct od_view name, struct od_diags *diags)
{
    bool quantized = false;
    const struct od_public_model *public = find_public(name, &quantized);
    const struct od_public_vision *vision = od_public_vision_find(name);
    if (!public && vision)
        od_vec_push(&models->list, od_public_vision_model(vision));
    if (!public)
        return vision != NULL;
    read_public(models, public, diags);
    for (size_t i = 0; quantized && i < models->list.n; i++)
        quantized = !store_by_name(name, public, &models->list.items[i]);
    struct od_diag note = {
        .severity = OD_NOTE,
        .file = models->name,
        .message =
            "the name suggests quantized weights; they are counted as stored in the configuration",
        .help = "'oomdoctor plan --quantize 4' counts quantized weights"};
    if (quantized)
        od_diags_add(diags, &note);
    return true;
}

struct od_models *od_models_counted(uint64_t parameters, uint64_t activations, uint64_t *ret_side)
{
    const struct od_public_vision *vision =
        od_public_vision_counted(parameters, activations, ret_side);
    if (!vision)
        return NULL;
    struct od_models *models = start("");
    struct od_model model = od_public_vision_model(vision);
    model.measured.counted = true;
    od_vec_push(&models->list, model);
    return models;
}

/* Is the name a path ("./model", "/data/model", "model.txt"), and not that of a public model? */
static bool is_path(struct od_view name)
{
    size_t ending = name.n;
    while (ending > 0 && od_is_letter(name.p[ending - 1]))
        ending--;
    bool ends = ending > 0 && ending < name.n && name.p[ending - 1] == '.';
    return name.n == 0 || strchr("./~", name.p[0]) || ends;
}

static void say_unknown(struct od_models *models, struct od_diags *diags)
{
    struct od_view asked = od_view_of(models->name);
    const char *near = od_public_vision_suggest(asked, models->arena);
    near = near ? near : od_public_model_suggest(asked, models->arena);
    struct od_diag diag = {
        .severity = OD_ERROR,
        .file = models->name,
        .message = "no such file, and no known public model",
        .help = near ? od_arena_printf(models->arena, "did you mean '%s'?", near)
                     : "pass its config.json; 'oomdoctor plan --models' lists the known names"};
    od_diags_add(diags, &diag);
    models->status = OD_EINPUT;
}

/* The file to read for a name: of a folder with a checkpoint, the file that describes it. */
static const char *file_of(struct od_models *models, const char *name)
{
    struct stat st;
    if (stat(name, &st) != 0 || !S_ISDIR(st.st_mode))
        return name;
    const char *config = od_arena_printf(models->arena, "%s/config.json", name);
    return access(config, F_OK) == 0 ? config : name;
}

/* Finds the public vision network in the log, for the printed image size; NULL if none. */
static struct od_models *named_vision(const struct od_case *c)
{
    const struct od_public_vision *named = NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        const struct od_public_vision *vision = NULL;
        if (setting->id == OD_SETTING_MODEL || setting->id == OD_SETTING_NETWORK)
            vision = od_public_vision_find(setting->value);
        if (vision && named && named != vision)
            return NULL;
        named = vision ? vision : named;
    }
    if (!named)
        return NULL;
    struct od_models *models = start(named->names);
    od_vec_push(&models->list, od_public_vision_model(named));
    return models;
}

struct od_models *od_models_named(const struct od_case *c, struct od_diags *diags)
{
    const struct od_public_model *named = NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        bool quantized = false;
        if (setting->id != OD_SETTING_MODEL)
            continue;
        const struct od_public_model *public = od_public_model_find(setting->value, &quantized);
        if (public && (quantized || (named && named != public)))
            return NULL;
        named = public ? public : named;
    }
    if (!named)
        return named_vision(c);
    struct od_models *models = start(named->names);
    read_public(models, named, diags);
    return models;
}

static void list_one(struct od_buf *to, const char *all, const char *parameters)
{
    enum { WIDTH = 46, DIGITS = 12 };
    struct od_view names = od_view_of(all), first = {0};
    (void)od_view_cut(&names, ' ', &first);
    od_buf_printf(to, "%-*.*s %*s%s%.*s\n", WIDTH, (int)first.n, first.p, DIGITS, parameters,
                  names.n > 0 ? "  " : "", (int)names.n, names.p);
}

void od_models_list(struct od_buf *to)
{
    struct od_buf digits = {0};
    size_t n;
    const struct od_public_model *public = od_public_models(&n);
    for (size_t i = 0; i < n; i++)
        list_one(to, public[i].names, public[i].published);
    const struct od_public_vision *vision = od_public_visions(&n);
    for (size_t i = 0; i < n; i++) {
        digits.n = 0;
        od_buf_printf(&digits, "%" PRIu64, vision[i].parameters);
        list_one(to, vision[i].names, od_buf_str(&digits));
    }
    od_buf_done(&digits);
}

/* Adds the weights stored in a folder: their bytes, which a server loads, and their number unless
 * several share a byte. Without a readable configuration nothing else is known. */
static struct od_models *take_weights(struct od_models *models, const char *folder,
                                      struct od_diags *diags)
{
    static const char *const names[] = {"model.safetensors.index.json", "model.safetensors",
                                        "pytorch_model.bin.index.json"};
    const char *path = NULL;
    for (size_t i = OD_COUNT_OF(names); i > 0; i--) {
        const char *one = od_arena_printf(models->arena, "%s/%s", folder, names[i - 1]);
        path = access(one, R_OK) == 0 ? one : path;
    }
    if (path && models->list.n == 0) {
        struct od_models *alone = od_models_read(path, diags);
        od_models_free(models);
        return alone;
    }
    struct od_diags *unread = od_diags_new();
    struct od_models *read = path ? od_models_read(path, unread) : NULL;
    const struct od_model *weights = read ? od_models_choose(read, unread) : NULL;
    for (size_t i = 0; weights && weights->weight_bytes.known && i < models->list.n; i++) {
        struct od_model *m = &models->list.items[i];
        bool whole = weights->dtype == OD_FLOAT32 || weights->dtype == OD_FLOAT16 ||
                     weights->dtype == OD_BFLOAT16;
        m->weight_bytes = weights->weight_bytes;
        m->dtype = m->dtype == OD_DTYPE_UNKNOWN ? weights->dtype : m->dtype;
        if (weights->complete && whole)
            m->transformer.counted = weights->parameters;
    }
    od_models_free(read);
    od_diags_free(unread);
    return models;
}

struct od_models *od_models_read(const char *name, struct od_diags *diags)
{
    return od_models_read_sized(name, NULL, diags);
}

struct od_models *od_models_read_sized(const char *name, const char *dims, struct od_diags *diags)
{
    struct od_models *models = start(name);
    models->dims = dims;
    bool there = strcmp(name, "-") == 0 || access(name, F_OK) == 0;
    if (!there && read_named(models, od_view_of(name), diags))
        return models;
    if (!there && !is_path(od_view_of(name))) {
        say_unknown(models, diags);
        return models;
    }
    struct od_input *input = od_input_new(NULL, diags);
    const char *file = file_of(models, name);
    models->status = od_input_add(input, file);
    models = read_input(models, input, diags);
    return file == name ? models : take_weights(models, name, diags);
}

struct od_models *od_models_read_bytes(const char *name, struct od_view bytes,
                                       struct od_diags *diags)
{
    struct od_models *models = start(name);
    if (read_named(models, bytes, diags))
        return models;
    struct od_input *input = od_input_new(NULL, diags);
    models->status = od_input_add_bytes(input, models->name, bytes);
    return read_input(models, input, diags);
}

void od_models_free(struct od_models *models)
{
    if (!models)
        return;
    for (size_t i = 0; i < models->list.n; i++)
        od_model_done(&models->list.items[i]);
    od_vec_done(&models->list);
    od_arena_free(models->arena);
    od_mem_free(models);
}

enum od_err od_models_status(const struct od_models *models)
{
    return models->status;
}

/* Is a the better model? One with layers is better than a total that was not printed. */
static bool is_better(const struct od_model *a, const struct od_model *b)
{
    if (a->complete != b->complete)
        return a->complete;
    if (a->parameters.known != b->parameters.known)
        return a->parameters.known;
    if (a->parameters.n != b->parameters.n)
        return a->parameters.n > b->parameters.n;
    return a->layers.n >= b->layers.n;
}

const struct od_model *od_models_choose(const struct od_models *models, struct od_diags *diags)
{
    const struct od_model *best = NULL;
    OD_FOR_EACH (const struct od_model, model, models->list)
        if (!best || is_better(model, best))
            best = model;
    if (best && models->list.n > 1)
        od_diags_say(diags, OD_NOTE, "%s: %zu models; planning for the one of line %" PRIu64,
                     models->name, models->list.n, best->at.line);
    return best;
}
