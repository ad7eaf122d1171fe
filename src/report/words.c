#include "report/words.h"

#include "redact/redact.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *word, *name;
} producers[] = {
#define OD_PRODUCER(name, words) {name, words},
#include "report/words.def"
};

const char *od_words_producer(struct od_arena *arena, struct od_view producer)
{
    for (size_t i = 0; i < OD_COUNT_OF(producers); i++) {
        if (od_view_eq_str(producer, producers[i].word))
            return producers[i].name;
    }
    const struct od_software *software = od_software_find(producer);
    return software         ? software->title
           : producer.n > 0 ? od_arena_str(arena, producer)
                            : "the program";
}

const char *od_words_metric(enum od_series_metric metric)
{
    static const char *const words[OD_SERIES_METRIC_END] = {
#define OD_METRIC(constant, words) [OD_SERIES_##constant] = words,
#include "report/words.def"
    };
    return words[metric];
}

const char *od_words_size_in(struct od_arena *arena, uint64_t bytes, unsigned unit)
{
    char text[OD_BYTES_TEXT];
    const char *printed = od_bytes_print_in(bytes, unit, text);
    if (bytes > 0 && od_view_eq_str(OD_VIEW("0.00"), printed))
        return "<0.01";
    return od_arena_printf(arena, "%s", printed);
}

const char *od_words_hundredths(struct od_arena *arena, long long shown, bool any)
{
    return shown == 0 && any ? "<0.01"
                             : od_arena_printf(arena, "%lld.%02lld", shown / 100, shown % 100);
}

const char *od_words_chance(struct od_arena *arena, double probability)
{
    double percent = floor(probability * 100 + 0.5);
    if (probability < 0)
        return "?";
    if (percent < 1)
        return "<1 %";
    if (probability > 0.99)
        return ">99 %";
    return od_arena_printf(arena, "%.0f %%", percent);
}

static const char *const incidents[OD_INC_END] = {
#define OD_INCIDENT_WORDS(constant, words) [OD_INC_##constant] = words,
#include "report/words.def"
};

const char *od_words_incident_short(enum od_incident_kind kind)
{
    return kind < OD_INC_END ? incidents[kind] : "incident";
}

const char *od_words_read(struct od_arena *arena, double bytes, double rounding)
{
    double n = fmin(fmax(bytes, 0), 9e15), half = fmin(rounding / 2, n);
    return od_bytes_text(arena, (struct od_bytes){.known = true,
                                                  .n = (uint64_t)n,
                                                  .lo = (uint64_t)(n - half),
                                                  .hi = (uint64_t)(n + half)});
}

const char *od_words_device(struct od_arena *arena, struct od_view device)
{
    struct od_view rest = device, kind;
    if (!od_view_cut(&rest, ':', &kind) || rest.n == 0)
        return od_arena_str(arena, device);
    return od_arena_printf(arena, "%.*s %.*s", (int)kind.n, kind.p, (int)rest.n, rest.p);
}

const char *od_words_count(struct od_arena *arena, uint64_t n)
{
    char digits[21];
    struct od_view rest = od_view_of(od_num_print_u64(n, digits));
    char text[32];
    size_t used = 0;
    for (; rest.n > 0; rest = od_view_from(rest, 1)) {
        text[used++] = rest.p[0];
        if (rest.n > 1 && rest.n % 3 == 1)
            text[used++] = ',';
    }
    return od_arena_str(arena, (struct od_view){text, used});
}

const char *od_words_counted(struct od_arena *arena, uint64_t n, const char *one, const char *many)
{
    return od_arena_printf(arena, "%s %s", od_words_count(arena, n), n == 1 ? one : many);
}

const char *od_words_shape(struct od_arena *arena, const struct od_shape *shape,
                           const char *between)
{
    struct od_buf text = {0};
    od_buf_add_char(&text, '[');
    for (uint32_t i = 0; i < shape->n && i < OD_SHAPE_MAX; i++)
        od_buf_printf(&text, shape->dims[i] == OD_DIM_UNKNOWN ? "%s?" : "%s%" PRIu64,
                      i > 0 ? between : "", shape->dims[i]);
    od_buf_add_char(&text, ']');
    return od_arena_take(arena, &text);
}

const char *od_words_times(struct od_arena *arena, uint64_t n)
{
    if (n == 1 || n == 2)
        return n == 1 ? "once" : "twice";
    return od_arena_printf(arena, "%s times", od_words_count(arena, n));
}

const char *od_words_source(const struct od_report *report, uint32_t source)
{
    if (source >= report->nsources)
        return "input";
    const char *name = report->sources[source]->name;
    return od_view_eq_str(od_view_of(name), "-") ? "standard input" : name;
}

const char *od_words_line(struct od_arena *arena, const struct od_report *report, struct od_prov at)
{
    const char *name = od_words_source(report, at.source);
    if (at.line == 0)
        return name;
    if (report->nsources == 1)
        return od_arena_printf(arena, "line %llu", (unsigned long long)at.line);
    return od_arena_printf(arena, "%s:%llu", name, (unsigned long long)at.line);
}

struct od_redactor *od_words_redactor(void)
{
    struct od_redactor *redactor = od_redactor_new(false);
    od_redact_expect_cuts(redactor, OD_EXCERPT_END);
    return redactor;
}

const char *od_words_shared(struct od_arena *arena, struct od_redactor *redactor, const char *text)
{
    struct od_buf to = {0};
    if (!redactor)
        return text;
    od_redact(redactor, od_view_of(text), &to);
    return od_arena_take(arena, &to);
}

static const struct {
    const char *part, *words;
} accelerator_parts[] = {
#define OD_ACCELERATOR_PART(part, words) {part, words},
#include "report/words.def"
};

static void add_blank_once(struct od_buf *words, const char *part)
{
    bool blank = words->n == 0 || words->p[words->n - 1] == ' ';
    od_buf_add_str(words, part + (blank && part[0] == ' '));
}

/* "mig-1g.5gb", "tpu-v5e": a size of a share and a generation are written as they are. */
static bool take_rest(struct od_view *rest, struct od_buf *words)
{
    const char *what = od_view_take(rest, OD_VIEW("mig-"))   ? "MIG"
                       : od_view_take(rest, OD_VIEW("tpu-")) ? "TPU"
                                                             : NULL;
    if (what)
        od_buf_printf(words, "%s %.*s", what, (int)rest->n, rest->p);
    return what;
}

const char *od_words_accelerator(struct od_arena *arena, const char *name)
{
    struct od_buf words = {0};
    struct od_view rest = od_view_of(name);
    if (od_is_digit(name[0]))
        return name;
    while (rest.n > 0 && !take_rest(&rest, &words)) {
        size_t i = 0;
        while (i < OD_COUNT_OF(accelerator_parts) &&
               !od_view_take(&rest, od_view_of(accelerator_parts[i].part)))
            i++;
        if (i < OD_COUNT_OF(accelerator_parts)) {
            add_blank_once(&words, accelerator_parts[i].words);
            continue;
        }
        od_buf_printf(&words, "%c", od_upper(rest.p[0]));
        rest = od_view_from(rest, 1);
    }
    const char *text = od_arena_str(arena, od_view_trim(od_buf_view(&words)));
    od_buf_done(&words);
    return text;
}

const char *od_words_checkpointing(enum od_checkpointing checkpointing, uint64_t every,
                                   struct od_arena *arena)
{
    if (checkpointing != OD_CKPT_EVERY)
        return od_checkpointing_name(checkpointing, every, arena);
    return every == 1 ? "every layer"
                      : od_arena_printf(arena, "every %llu layers", (unsigned long long)every);
}

static const double least_range =
    0.05; /* of the largest value, so that small changes of a level curve stay small */

static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const plain_bars[] = {"_", ".", ",", "-", "=", "+", "*", "#"};

const char *od_spark(struct od_arena *arena, const double *values, size_t n,
                     const struct od_spark_frame *frame)
{
    struct od_buf line = {0};
    size_t cells = n < frame->cells ? n : frame->cells;
    double range = fmax(frame->hi - frame->lo, least_range * fabs(frame->hi));
    for (size_t i = 0; i < cells; i++) {
        size_t from = n * i / cells, to = n * (i + 1) / cells;
        double top = values[from];
        for (size_t k = from; k < to; k++)
            top = fmax(top, values[k]);
        double part = range > 0 ? (top - frame->lo) / range : 0;
        size_t level = (size_t)(fmin(fmax(part, 0), 1) * (OD_COUNT_OF(bars) - 1) + 0.5);
        od_buf_add_str(&line, frame->unicode ? bars[level] : plain_bars[level]);
    }
    return od_arena_take(arena, &line);
}
