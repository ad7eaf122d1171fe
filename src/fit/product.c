#include "fit/product.h"

#include "fit/facts.h"

enum role {
    ROLE_END,
    BATCH,
    LENGTH,
    VOCABULARY,
    HEADS,
    KV_HEADS,
    HEAD_WIDTH,
    LAYERS,
    WIDTH,
    CHANNELS,
    AREA,  /* pixels of a picture */
    DATA,  /* all elements of a printed array */
    ROWS,  /* first side of a printed array */
    ITEMS, /* a number of things that the log counts */
    PARAMETERS,
    ONE_LAYER, /* weights of one fully connected layer of the printed model */
    BUCKET,    /* elements of a buffer whose size a setting gives */
    NAMED,     /* value of any name in a command, a configuration or a print */
    SECOND,    /* another value like NAMED, printed later */
    THIRD,
    ROLES
};

enum { NUMBERS_MOST = 96, FACTORS_MOST = 4, FEW = 1000 };

/* How to call a role, and the settings that have it. */
static const struct {
    const char *words;
    enum od_setting_id ids[9];
} roles[ROLES] = {
    [BATCH] = {"batch size",
               {OD_SETTING_BATCH_SIZE, OD_SETTING_TRAIN_BATCH_SIZE, OD_SETTING_MICRO_BATCH_SIZE,
                OD_SETTING_PER_DEVICE_TRAIN_BATCH_SIZE, OD_SETTING_EVAL_BATCH_SIZE,
                OD_SETTING_BATCH_FAILED}},
    [LENGTH] = {"sequence length",
                {OD_SETTING_SEQUENCE_LENGTH, OD_SETTING_MAX_LENGTH, OD_SETTING_MAX_SEQ_LEN,
                 OD_SETTING_MAX_SEQ_LENGTH, OD_SETTING_SEQ_LENGTH, OD_SETTING_BLOCK_SIZE,
                 OD_SETTING_CONTEXT_LENGTH, OD_SETTING_MAX_COMPLETION_LENGTH}},
    [VOCABULARY] = {"vocabulary", {OD_SETTING_VOCABULARY}},
    [HEADS] = {"heads", {OD_SETTING_HEADS}},
    [KV_HEADS] = {"heads of keys and values", {OD_SETTING_KV_HEADS}},
    [HEAD_WIDTH] = {"width of a head", {OD_SETTING_HEAD_WIDTH}},
    [LAYERS] = {"layers", {OD_SETTING_LAYERS}},
    [WIDTH] = {"width of a layer", {OD_SETTING_WIDTH}},
    [CHANNELS] = {"channels", {OD_SETTING_CHANNELS}},
    [AREA] = {"image size", {OD_SETTING_IMAGE_SIZE}},
    [DATA] = {"shape of the data", {0}},
    [ROWS] = {"rows of the array", {0}},
    [ITEMS] = {"stated number", {OD_SETTING_ITEMS}},
    [PARAMETERS] = {"parameters", {0}},
    [ONE_LAYER] = {"a layer", {0}},
    [BUCKET] = {"elements of the bucket", {0}},
    [NAMED] = {"", {0}},
    [SECOND] = {"", {0}},
    [THIRD] = {"", {0}},
};

static const struct form {
    enum od_product_kind kind;
    unsigned widths;
    enum role roles[FACTORS_MOST + 1];
} forms[] = {
#define OD_FACTORS(kind, widths, ...) {OD_PRODUCT_##kind, widths, {__VA_ARGS__}},
#include "facts/products.def"
#undef OD_FACTORS
};

static const char *const whats[] = {
#define OD_PRODUCT(kind, word, what) [OD_PRODUCT_##kind] = what,
#include "facts/products.def"
#undef OD_PRODUCT
};

static const char *const words[] = {
#define OD_PRODUCT(kind, word, what) [OD_PRODUCT_##kind] = #word,
#include "facts/products.def"
#undef OD_PRODUCT
};

/* A printed number and its role. */
struct number {
    enum role role;
    uint64_t n, first;
    const char *text; /* text of a shape: "60000 x 224 x 224 x 3", whose first dimension is 60000 */
    const struct od_evidence *said; /* NULL = from the model */
    const struct od_assigned *named;
};

struct search {
    struct od_arena *arena;
    struct od_bytes asked;
    double lo, hi; /* interval of the request's bytes, including the allocator's rounding */
    const struct od_shape *shape; /* a printed shape with the size of the request; NULL = none */
    const char *model;            /* "the model", or its name */
    struct number numbers[NUMBERS_MOST];
    size_t n;
    const struct form *form, *found;
    enum od_product_kind kind; /* kind of the product `found` */
    const struct number *factors[FACTORS_MOST], *best[FACTORS_MOST];
    unsigned width;
    bool ambiguous;
    double tried; /* number of products of NAMED values that were tried */
};

static void add(struct search *s, struct number number)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->numbers[i].role == number.role && s->numbers[i].n == number.n)
            return;
    if (!number.text)
        number.text = od_arena_printf(s->arena, "%" PRIu64, number.n);
    if (number.first == 0)
        number.first = number.n;
    if (number.n > (number.role != BATCH) && s->n < NUMBERS_MOST)
        s->numbers[s->n++] = number;
}

/* Adds the pixels of "512", "512x768", "(224, 224)". */
static void add_area(struct search *s, const struct od_setting *setting)
{
    struct od_shape sides;
    uint64_t one, area;
    bool single = od_num_parse_u64(setting->value, &one);
    if (single)
        sides = (struct od_shape){.dims = {one, one}, .n = 2, .known = true};
    else if (!od_shape_parse(setting->value, &sides) || sides.n != 2)
        return;
    if (od_shape_elements(&sides, &area))
        add(s, (struct number){.role = AREA,
                               .n = area,
                               .text = od_arena_printf(s->arena, "%" PRIu64 " x %" PRIu64,
                                                       sides.dims[0], sides.dims[1]),
                               .said = &setting->said});
}

static void add_setting(struct search *s, const struct od_setting *setting)
{
    uint64_t n;
    double elements;
    if (od_means(od_label_means(setting->name), OD_LABEL_BUCKET) &&
        od_num_parse_double(setting->value, &elements) && elements >= 1 && elements < 1e15)
        add(s, (struct number){.role = BUCKET, .n = (uint64_t)elements, .said = &setting->said});
    for (enum role role = BATCH; role < ROLES; role++)
        for (size_t i = 0; roles[role].ids[i] != OD_SETTING_NONE; i++) {
            if (roles[role].ids[i] != setting->id)
                continue;
            if (role == AREA)
                add_area(s, setting);
            else if (od_num_parse_u64(setting->value, &n))
                add(s, (struct number){.role = role, .n = n, .said = &setting->said});
        }
}

/* Adds the array of a printed shape, unless it is a batch or a sample. */
static void add_shape(struct search *s, const struct od_memory_state *state,
                      const struct od_failure *failure)
{
    const struct od_shape *shape = &state->shape;
    uint64_t elements;
    bool few = od_view_eq_str(state->name, "sample") || od_view_eq_str(state->name, "batch");
    if (few || !shape->known || shape->n < 2 || !od_shape_elements(shape, &elements) ||
        (failure->batch.known && shape->dims[0] <= failure->batch.n))
        return;
    const char *text = od_arena_printf(s->arena, "%" PRIu64, shape->dims[0]);
    for (uint32_t i = 1; i < shape->n; i++)
        text = od_arena_printf(s->arena, "%s x %" PRIu64, text, shape->dims[i]);
    add(s, (struct number){.role = DATA,
                           .n = elements,
                           .first = shape->dims[0],
                           .text = text,
                           .said = &state->said});
    if (shape->dims[0] >= FEW)
        add(s, (struct number){.role = ROWS, .n = shape->dims[0], .said = &state->said});
}

static void add_model(struct search *s, const struct od_model *model, const char *network)
{
    const struct od_transformer *t = &model->transformer;
    const struct {
        enum role role;
        struct od_count count;
    } parts[] = {{VOCABULARY, t->vocab},    {HEADS, t->heads},   {KV_HEADS, t->kv_heads},
                 {HEAD_WIDTH, t->head_dim}, {LAYERS, t->layers}, {WIDTH, t->hidden},
                 {WIDTH, t->intermediate}};
    if (!t->known)
        return;
    if (network || model->name.n > 0)
        s->model = network ? network : od_arena_str(s->arena, model->name);
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        if (parts[i].count.known)
            add(s, (struct number){.role = parts[i].role, .n = parts[i].count.n});
}

/* Adds the parameters of the model, and of a public model that the log only names. Small models are
 * omitted, because requests are rounded too coarsely to recognize them. */
static void add_parameters(struct search *s, const struct od_fit_question *question,
                           const struct od_fit_facts *facts)
{
    enum { LEAST = 500000000 };
    uint64_t counts[] = {facts && facts->parameters.known ? facts->parameters.n : 0,
                         question->named_count};
    if (question->named)
        s->model = od_arena_str(s->arena, question->named->name);
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++)
        if (counts[i] >= LEAST)
            add(s, (struct number){
                       .role = PARAMETERS,
                       .n = counts[i],
                       .text = od_arena_printf(s->arena, "%.2f billion", (double)counts[i] / 1e9)});
}

/* Adds fully connected layers, without and with a bias. */
static void add_layers(struct search *s, const struct od_model *model)
{
    enum { LEAST = 8 << 20 };
    OD_FOR_EACH (const struct od_layer, layer, model->layers) {
        const struct od_shape *output = &layer->output;
        bool full = layer->kind == OD_LAYER_LINEAR && layer->parameters.known;
        uint64_t all = full ? layer->parameters.n : 0;
        uint64_t bias = output->known && output->n > 0 ? output->dims[output->n - 1] : 0;
        for (int with = 0; all >= LEAST && all > bias && with < 2; with++) {
            uint64_t n = with ? all - bias : all;
            const char *text = od_arena_printf(s->arena, "%" PRIu64 " weights of %.*s", n,
                                               (int)layer->name.n, layer->name.p);
            add(s, (struct number){.role = ONE_LAYER, .n = n, .text = text});
        }
    }
}

/* Do the lines of the failure itself print the number? Then it is a count and no setting. */
static bool is_of_message(const struct od_incident *incident, const struct od_prov *at)
{
    enum { NEAR = 3 };
    return at->source == incident->at.source && at->line >= incident->at.line &&
           at->line <= incident->last.line + NEAR;
}

static bool has(const struct od_shape *shape, uint64_t n)
{
    for (size_t i = 0; i < shape->n; i++)
        if (shape->dims[i] == n)
            return true;
    return false;
}

/* Adds a value with a name: as a setting if the name is one. A value that already has another role
 * is not added, nor one that is no dimension of the printed shape with the size of the request. */
static void add_named(struct search *s, const struct od_assigned *named,
                      const struct od_incident *incident)
{
    uint64_t n;
    struct od_setting *setting = OD_NEW(s->arena, struct od_setting);
    *setting = (struct od_setting){.name = named->name,
                                   .id = od_setting_named(named->name),
                                   .value = named->value,
                                   .said = {.at = named->at, .text = named->line}};
    bool whole = !named->bytes.known && !is_of_message(incident, &named->at) &&
                 od_num_parse_u64(named->value, &n) && (!s->shape || has(s->shape, n));
    if (whole)
        add_setting(s, setting);
    for (size_t i = 0; whole && i < s->n; i++)
        whole = s->numbers[i].n != n;
    if (whole)
        add(s, (struct number){.role = NAMED, .n = n, .said = &setting->said, .named = named});
}

static void find_numbers(struct search *s, const struct od_fit_question *question,
                         const struct od_fit_facts *facts)
{
    OD_FOR_EACH (const struct od_setting, setting, question->c->settings)
        add_setting(s, setting);
    OD_FOR_EACH (const struct od_memory_state, state, question->c->states)
        add_shape(s, state, question->failure);
    const struct od_model *model = facts && facts->model ? facts->model : question->named;
    if (model) {
        add_model(s, model, facts ? facts->network : NULL);
        add_layers(s, model);
    }
    add_parameters(s, question, facts);
    /* an allocator's tables count memory in use */
    const struct od_assigned_list *text = question->c->assigned;
    size_t named = text && question->c->allocators.n == 0 ? text->n : 0;
    for (size_t i = 0; i < named; i++)
        add_named(s, &text->items[i], question->failure->incident);
}

/* Finds the size of the request and its possible error: a chunk may be larger than its tensor,
 * because PyTorch rounds to 2 MiB and TensorFlow to 256 bytes. */
static bool find_request(struct search *s, const struct od_failure *failure)
{
    enum { LEAST = 32 << 20, SEGMENT = 2 << 20, CHUNK = 256 };
    static const double vague = 0.015; /* a printed 1.00 GiB may be cut or rounded */
    bool torch = failure->incident && od_view_eq_str(failure->incident->producer, "pytorch");
    struct od_bytes asked = failure->asked;
    if (!failure->incident || !asked.known || asked.lo < LEAST)
        return false;
    s->asked = asked;
    s->lo = (double)asked.lo - (torch ? SEGMENT : CHUNK);
    s->hi = (double)asked.hi + CHUNK;
    const struct od_tensor *tensor = &failure->incident->tensor;
    bool shaped = tensor->shape.known && tensor->bytes.known && (double)tensor->bytes.n >= s->lo &&
                  (double)tensor->bytes.n <= s->hi;
    s->shape = shaped ? &tensor->shape : NULL;
    return (double)(asked.hi - asked.lo) < vague * (double)asked.hi;
}

static void take(struct search *s, enum od_product_kind kind, unsigned width)
{
    s->ambiguous |= s->found && s->kind != kind;
    if (s->found)
        return;
    s->found = s->form;
    s->kind = kind;
    s->width = width;
    memcpy(s->best, s->factors, sizeof s->best);
}

/* Do the bytes equal the product's last 32 bits, with or without a sign? */
static bool is_wrapped(const struct search *s, uint64_t bytes)
{
    uint32_t low = (uint32_t)bytes;
    return bytes > UINT32_MAX && od_bytes_is_exact(s->asked) &&
           (s->asked.n == low || s->asked.n == (uint64_t)(int64_t)(int32_t)low);
}

/* Is the name an option of a command? Other values may be counts by the program. */
static bool is_option(const struct od_assigned *named)
{
    return named->name.p > named->line.p && named->name.p[-1] == '-';
}

/* Accepts a product of NAMED values. A product equals the request by chance if many were tried and
 * the request is rounded, or if all factors are powers of two. A single value counts only if it is
 * a command's option, or does not fit into 32 bits. */
static void take_named(struct search *s)
{
    static const double octaves = 28 /* range of memory sizes, as natural
                                      * logarithm */
        ,
                        chance = 0.01;
    enum { ODD = 1000 };
    uint64_t bytes = 1, odd = s->asked.n >> __builtin_ctzll(s->asked.n | UINT64_C(1) << 63);
    bool fits = true;
    for (size_t i = 0; i < FACTORS_MOST && s->factors[i]; i++)
        fits = fits && !ckd_mul(&bytes, bytes, s->factors[i]->n);
    double vague = (double)(s->asked.hi - s->asked.lo + 1) / (double)s->asked.hi;
    for (unsigned width = 1; fits && width <= s->form->widths; width *= 2) {
        uint64_t all;
        if (!(s->form->widths & width) || ckd_mul(&all, bytes, (uint64_t)width))
            continue;
        s->tried++;
        bool same = all >= s->asked.lo && all <= s->asked.hi &&
                    s->tried * vague / octaves < chance &&
                    (s->factors[1] ? odd >= ODD : is_option(s->factors[0]->named));
        if (same || is_wrapped(s, all))
            take(s, same ? s->form->kind : OD_PRODUCT_WRAPPED, width);
    }
}

static void take_product(struct search *s, double elements)
{
    for (unsigned width = 1; width <= s->form->widths; width *= 2)
        if ((s->form->widths & width) && elements * width >= s->lo && elements * width <= s->hi)
            take(s, s->form->kind, width);
}

/* Chooses numbers for the form's roles from i on. elements: product of those chosen so far. */
static void try_role(struct search *s, size_t i, double elements)
{
    enum role role = s->form->roles[i];
    if (i < FACTORS_MOST)
        s->factors[i] = NULL;
    if (role == ROLE_END) {
        if (s->form->roles[0] != NAMED)
            take_product(s, elements);
        else if (!s->found)
            take_named(s);
        return;
    }
    const struct number *before = i > 0 ? s->factors[i - 1] : NULL;
    bool same = i > 0 && role == s->form->roles[i - 1], later = role == SECOND || role == THIRD;
    OD_FOR_EACH_OF (const struct number, number, s->numbers, s->n) {
        if (number->role != (later ? NAMED : role) || (same && number != before) ||
            (later && number <= before))
            continue;
        s->factors[i] = number;
        try_role(s, i + 1, elements * (double)number->n);
    }
}

static struct od_product *describe(struct search *s)
{
    struct od_product *product = OD_NEW(s->arena, struct od_product);
    const struct number *const *factors = s->best;
    *product = (struct od_product){.kind = s->kind,
                                   .width = s->width,
                                   .first = factors[0]->first,
                                   .factors = "",
                                   .word = words[s->kind],
                                   .what = whats[s->kind],
                                   .named = factors[0]->named,
                                   .lines = OD_NEW_N(s->arena, FACTORS_MOST, struct od_evidence)};
    for (size_t i = 0; i < FACTORS_MOST && factors[i]; i++) {
        const struct number *number = factors[i];
        bool again = i + 1 < FACTORS_MOST && factors[i + 1] == number;
        product->factors =
            od_arena_printf(s->arena, "%s%s%s", product->factors, i > 0 ? " x " : "", number->text);
        if (again)
            continue;
        product->factors = od_arena_printf(
            s->arena, "%s (%s%s)", product->factors,
            number->named ? od_arena_str(s->arena, number->named->name) : roles[number->role].words,
            number->said ? od_arena_printf(s->arena, ", line %" PRIu64, number->said->at.line)
                         : od_arena_printf(s->arena, " of %s", s->model));
        if (number->said)
            product->lines[product->nlines++] = *number->said;
    }
    unsigned width = s->width;
    if (s->kind == OD_PRODUCT_CACHE) { /* its elements are pairs of key and value */
        product->each = od_bytes_exact(factors[1]->n * factors[2]->n * factors[3]->n * width);
        product->factors = od_arena_printf(s->arena, "%s x 2", product->factors);
        width /= 2;
    }
    if (width > 1 || !factors[0]->named || factors[1])
        product->factors = od_arena_printf(s->arena, "%s x %u byte%s", product->factors, width,
                                           width == 1 ? "" : "s");
    return product;
}

const struct od_product *od_product_of(const struct od_fit_question *question,
                                       const struct od_fit_facts *facts, struct od_arena *arena)
{
    struct search *s = OD_NEW(arena, struct search);
    s->arena = arena;
    s->model = "the model";
    if (!find_request(s, question->failure))
        return NULL;
    find_numbers(s, question, facts);
    OD_FOR_EACH_OF (const struct form, form, forms, OD_COUNT_OF(forms)) {
        s->form = form;
        memset(s->factors, 0, sizeof s->factors);
        try_role(s, 0, 1);
    }
    return s->found && !s->ambiguous ? describe(s) : NULL;
}
