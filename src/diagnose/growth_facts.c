/* Facts about growth and accumulation (sections of these names in rules/facts.def). */
#include "diagnose/finding.h"
#include "diagnose/taker.h"
#include "failure/growth.h"

/* Sets a fact about a series, which becomes the subject of the row's sentence. words: NULL =
 * none. */
static void take_grown(const struct taker *t, enum od_fact fact, bool yes,
                       const struct od_growth *growth, const char *words)
{
    t->facts->profile.values[fact] = od_fact_truth(yes);
    t->facts->profile.values[fact].text = words;
    if (!yes)
        return;
    struct od_growth *copy = OD_NEW(t->context->arena, struct od_growth);
    *copy = *growth;
    t->facts->series[fact] = copy;
}

static void take_growth(const struct taker *t, bool host)
{
    struct od_arena *arena = t->context->arena;
    struct od_growth growth;
    bool refuted = od_growth_refuted(t->c, t->incident, host);
    /* two rising series that alternate have no common trend, but enough points */
    bool grew = od_growth_of(t->c, t->incident, host, &growth) ||
                (!refuted && od_growth_of_few(t->c, t->incident, host, &growth) && !growth.few);
    if (grew || refuted)
        take_grown(t, OD_FACT_GROWTH, grew, &growth, grew ? od_growth_words(arena, &growth) : NULL);
    take_truth(t, OD_FACT_GROWTH_REACHED, grew && growth.reached);
    bool few = !grew && od_growth_of_few(t->c, t->incident, host, &growth);
    take_truth(t, OD_FACT_GROWTH_LOADING, (grew || few) && growth.loading);
    if (few)
        take_grown(t, OD_FACT_GROWTH_FEW, true, &growth, od_growth_words(arena, &growth));
    take_truth(t, OD_FACT_GROWTH_VALIDATION, (grew || few) && od_growth_is_of_validation(&growth));
    if (grew || few)
        take_text(t, OD_FACT_GROWTH_BETWEEN,
                  growth.series->phase == OD_SERIES_PHASE_VALIDATION ? "and stays level in between"
                                                                     : "during validation");
    if (od_growth_small(t->c, t->incident, host, &growth))
        take_grown(t, OD_FACT_GROWTH_SMALL, true, &growth, od_growth_words(arena, &growth));
}

static void take_growth_until(const struct taker *t)
{
    struct od_arena *arena = t->context->arena;
    struct od_growth growth;
    bool grew =
        t->incident->kind == OD_INC_UNEXPLAINED_KILL && od_growth_until(t->c, t->incident, &growth);
    const char *words =
        grew ? od_arena_printf(arena, "from %s to %s",
                               od_bytes_text_u64(arena, (uint64_t)growth.before),
                               od_bytes_text_u64(arena, (uint64_t)growth.series->last))
             : NULL;
    take_grown(t, OD_FACT_GROWTH_UNTIL, grew, &growth, words);
    take_truth(t, OD_FACT_UNTIL_VALIDATION, grew && growth.in_validation);
}

/* Sets the fact that a load doubled the memory in use: the series shows the second copy. */
static void take_copy(const struct taker *t, bool host)
{
    static const double copy_share = 0.5; /* share of the memory in use before */
    struct od_growth copy = {0};
    OD_FOR_EACH (const struct od_series, s, t->c->series) {
        bool later = s->at.source == t->incident->at.source && s->at.line > t->incident->at.line;
        if (od_series_metric_is_host(s->metric) == host && !od_series_metric_is_free(s->metric) &&
            s->loaded > 0 && s->loaded >= copy_share * s->before_load && !later &&
            (!copy.series || s->loaded > copy.series->loaded))
            copy.series = s;
    }
    if (!copy.series)
        return;
    take_grown(t, OD_FACT_SECOND_COPY, true, &copy, NULL);
    take_bytes(t, OD_FACT_LOADED, od_bytes_exact((uint64_t)copy.series->loaded));
    take_bytes(t, OD_FACT_BEFORE_LOAD, od_bytes_exact((uint64_t)copy.series->before_load));
}

/* Is most of the resident memory outside of the heap, by the numbers of the runtime? */
static void take_native(const struct taker *t)
{
    static const double most = 0.5; /* share of the resident memory */
    struct od_arena *arena = t->context->arena;
    struct od_outside outside;
    if (!od_growth_outside_heap(t->c, t->incident, most, &outside))
        return;
    const struct od_series *rss = outside.rss;
    const char *last = od_bytes_text_u64(arena, (uint64_t)rss->last);
    take_series(t, OD_FACT_NATIVE_MEMORY, rss);
    take_bytes(t, OD_FACT_HEAP_USED, od_bytes_exact((uint64_t)outside.heap->last));
    take_text(t, OD_FACT_RESIDENT,
              rss->points > 1 && rss->last > rss->first
                  ? od_arena_printf(arena, "grew from %s to %s",
                                    od_bytes_text_u64(arena, (uint64_t)rss->first), last)
                  : od_arena_printf(arena, "is %s", last));
}

/* --- what people report --- */

/* The phase in which a change saved most memory, according to a table in the text; NULL = none. */
static const struct od_stated *largest_saving(const struct od_case *c)
{
    const struct od_stated *best = NULL;
    uint64_t most = 0;
    OD_FOR_EACH (const struct od_stated, row, c->stated) {
        bool whole = row->phase.n == 0 || od_means(od_label_means(row->phase), OD_LABEL_TOTAL);
        if (whole || !row->after.known || row->before.n <= row->after.n ||
            row->before.n - row->after.n <= most)
            continue;
        most = row->before.n - row->after.n;
        best = row;
    }
    return best;
}

static void take_reports(const struct taker *t)
{
    const struct od_stated *saved = largest_saving(t->c);
    if (!saved)
        return;
    take_text(t, OD_FACT_SAVED_PHASE, od_arena_str(t->context->arena, saved->phase));
    take_bytes(t, OD_FACT_SAVED_FROM, saved->before);
    take_bytes(t, OD_FACT_SAVED_TO, saved->after);
}

/* --- names that count up --- */

static const struct {
    const char *of, *word;
    uint64_t from;
} numbered[] = {
#define OD_NUMBERED(of, word, from) {#of, #word, from},
#include "diagnose/numbered.def"
};

/* Counts the models in memory. Each model has its own kernels and optimizer states, so several
 * chunk sizes occur equally often, 1 to 4 times for each model. Sizes with other counts belong to
 * the layers of one model. */
static void take_models_alive(const struct taker *t, uint64_t models)
{
    enum { KERNEL_LEAST = 16 << 10, SIZES_LEAST = 3, COPIES_MOST = 4, MODELS_LEAST = 3 };
    const struct od_allocator *dump = t->failure->dump;
    uint64_t best = 0, copies = 0;
    for (uint64_t each = 1; dump && models >= MODELS_LEAST && each <= COPIES_MOST; each++) {
        uint64_t sizes = 0;
        OD_FOR_EACH_OF (const struct od_size, size, dump->sizes, dump->nsizes)
            sizes += size->bytes >= KERNEL_LEAST && size->count / each == models &&
                     size->count % each == 0;
        if (sizes > best) {
            copies = each;
            best = sizes;
        }
    }
    if (best < SIZES_LEAST)
        return;
    take_count(t, OD_FACT_MODELS_ALIVE, od_count_of(models));
    take_count(t, OD_FACT_KERNEL_SIZES, od_count_of(best));
    take_count(t, OD_FACT_KERNEL_COPIES, od_count_of(copies));
    take_count(t, OD_FACT_KERNEL_CHUNKS, od_count_of(models * copies));
}

static void take_operation(const struct taker *t)
{
    for (size_t i = 0; i < OD_COUNT_OF(numbered); i++) {
        struct od_view word = od_view_of(numbered[i].word);
        uint64_t number = od_op_suffix(t->failure->op, word);
        if (number < numbered[i].from)
            continue;
        t->facts->profile.values[OD_FACT_NUMBERED] = od_fact_word(OD_FACT_NUMBERED, numbered[i].of);
        take_text(t, OD_FACT_NUMBERED_NAME, numbered[i].word);
        take_count(t, OD_FACT_SUFFIX, od_count_of(number));
        take_models_alive(t, number + 1);
        return;
    }
}

/* Splits "sequential_3" into "sequential" and 3. A name without a number is the first one. */
static struct od_view stem_of(struct od_view name, uint64_t *ret_number)
{
    size_t end = name.n;
    while (end > 0 && name.p[end - 1] >= '0' && name.p[end - 1] <= '9')
        end--;
    struct od_view digits = od_view_from(name, end);
    *ret_number = 0;
    if (end < 2 || name.p[end - 1] != '_' || !od_num_take_u64(&digits, ret_number))
        return name;
    return od_view_head(name, end - 1);
}

/* A name with a number: of the model, or of its first named layer. */
static struct od_view numbered_name(const struct od_model *model)
{
    if (model->name.n > 0)
        return model->name;
    for (size_t i = 0; i < model->layers.n; i++)
        if (model->layers.items[i].kind != OD_LAYER_INPUT)
            return model->layers.items[i].name;
    return (struct od_view){0};
}

/* Names in order of appearance, and how often their number rose. */
struct names {
    struct od_view last;
    uint64_t highest, again; /* highest number; how often it rose */
};

static void add_name(struct names *names, struct od_view name)
{
    uint64_t number;
    struct od_view stem = stem_of(name, &number);
    bool same = od_view_eq(stem, names->last);
    names->again += same && number > names->highest;
    if (!same || number > names->highest)
        names->highest = number;
    names->last = stem;
}

/* Counts models that the log describes or reports as built, and outputs in progress bars. */
static void take_names(const struct taker *t)
{
    enum { AGAIN = 2 };
    struct names models = {0}, built = {0}, outputs = {0};
    for (size_t i = 0; i < t->c->models.n; i++)
        add_name(&models, numbered_name(&t->c->models.items[i]));
    OD_FOR_EACH (const struct od_setting, setting, t->c->settings)
        if (setting->id == OD_SETTING_OUTPUT_NAME)
            add_name(&outputs, setting->value);
        else if (setting->id == OD_SETTING_MODEL_BUILT)
            add_name(&built, setting->value);
    struct names most = outputs.again > models.again ? outputs : models;
    most = built.again > most.again ? built : most;
    if (most.again < AGAIN)
        return;
    take_count(t, OD_FACT_MODELS_BUILT, od_count_of(most.again + 1));
    take_count(t, OD_FACT_SUFFIX, od_count_of(most.highest));
}

/* Numbers of operations that never fall: "33 operations in the graph", then 58. */
static void take_graph(const struct taker *t)
{
    uint64_t first = 0, last = 0, n;
    OD_FOR_EACH (const struct od_setting, setting, t->c->settings) {
        if (setting->id != OD_SETTING_GRAPH_SIZE || !od_num_parse_u64(setting->value, &n))
            continue;
        if (n < last)
            return;
        first = last > 0 ? first : n;
        last = n;
    }
    if (last <= first)
        return;
    take_count(t, OD_FACT_GRAPH_FIRST, od_count_of(first));
    take_count(t, OD_FACT_GRAPH_LAST, od_count_of(last));
}

/* --- work that had fit --- */

static void take_work(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    struct od_accumulation piled = od_failure_accumulation(failure);
    double slower = od_growth_of_steps(t->c);
    if (slower > 0)
        take_text(t, OD_FACT_SLOWER,
                  od_arena_printf(t->context->arena, "%.1f times as long", slower));
    if (!piled.many)
        return;
    take_count(t, OD_FACT_EQUAL_CHUNKS, od_count_of(piled.size.count));
    take_bytes(t, OD_FACT_EQUAL_CHUNK, od_bytes_exact(piled.size.bytes));
    take_bytes(t, OD_FACT_EQUAL_TOTAL, od_bytes_exact(piled.size.total));
}

void od_take_growth(const struct taker *t)
{
    bool host = od_incident_kind_is_host(t->incident->kind);
    take_growth(t, host);
    take_growth_until(t);
    take_copy(t, host);
    take_native(t);
    take_reports(t);
    take_operation(t);
    take_names(t);
    take_graph(t);
    take_work(t);
}
