/*
 * Failures whose numbers are on the following lines: a table of first lines and of possible
 * following lines.
 *
 *   ERROR: Out of GPU memory trying to allocate 6.750 MiB        (CUDA.jl)
 *   Effective GPU memory usage: 99.78% (19.502 GiB/19.545 GiB)
 *   Memory pool usage: 18.901 GiB (19.031 GiB reserved)
 *
 * The following lines mean nothing by themselves (a status report prints the same), so no rule can
 * read them. All of them may also be on one line, or be separated by empty lines.
 */
#include "readers/reader.h"

enum { LINES_MAX = 6, TEXT_MAX = 4096, FACTS = 4 };

/* A number or name after a marker. */
struct fact {
    const char *before;
    const char *upto; /* the text that ends a name; NULL = a size */
    enum od_field field;
    const char *unit; /* unit if none is printed; NULL = bytes */
};

struct story {
    const char *opener;
    const char *producer;
    bool at_start; /* the opener starts the line and ends it */
    struct fact facts[FACTS];
};

static const struct story stories[] = {
    {"Out of GPU memory trying to allocate ",
     "other",
     false,
     {{"Out of GPU memory trying to allocate ", NULL, OD_F_REQUESTED, NULL},
      {"Memory pool usage: ", NULL, OD_F_IN_USE, NULL}}},
    {"[metal::malloc] Attempting to allocate ",
     "other",
     false,
     {{"Attempting to allocate ", NULL, OD_F_REQUESTED, NULL},
      {"maximum allowed buffer size of ", NULL, OD_F_LIMIT, NULL}}},
    {"Memory allocation error on worker ",
     "xgboost",
     false,
     {{"Free memory: ", NULL, OD_F_FREE, NULL},
      {"Requested memory: ", NULL, OD_F_REQUESTED, NULL}}},
    {"Out of memory. Requested ",
     "catboost",
     false,
     {{"Out of memory. Requested ", NULL, OD_F_REQUESTED, "MB"},
      {"; Free ", NULL, OD_F_FREE, "MB"}}},
    {"Executor creation failed due to insufficient GPU memory",
     "other",
     false,
     {{"component could not be created: ", "\t", OD_F_OP, NULL},
      {"Total GPU memory (GiB): ", NULL, OD_F_CAPACITY, "GiB"},
      {"component creation attempt (GiB): ", NULL, OD_F_FREE, "GiB"}}},
    {"CUDA error: out of memory",
     "llamacpp",
     true,
     {{"current device: ", ",", OD_F_DEVICE, NULL}, {"in function ", " ", OD_F_OP, NULL}}},
};

static const char *const literals[] = {"Out of GPU memory trying to allocate ",
                                       "[metal::malloc] Attempting to allocate ",
                                       "Memory allocation error on worker ",
                                       "Out of memory. Requested ",
                                       "Executor creation failed due to insufficient",
                                       "CUDA error: out of memory",
                                       NULL};

/* Starts of lines that continue a failure. */
static const char *const sequels[] = {"Effective GPU memory usage: ",
                                      "Memory pool usage: ",
                                      "maximum allowed buffer size of ",
                                      "Free memory: ",
                                      "Requested memory: ",
                                      "current device: ",
                                      "component could not be created: ",
                                      "Total GPU memory (GiB): ",
                                      "component creation attempt (GiB): ",
                                      NULL};

struct sequel {
    const struct story *story; /* NULL = closed */
    struct od_buf text;
    struct od_buf kept; /* texts of `first` */
    struct od_line first;
};

/* Does the character end a number with its unit? */
static bool ends_number(char c)
{
    return c == ';' || c == '"' || c == '\'' || c == '\\' || c == ')' || c == '\t';
}

static struct od_bytes size_at(struct od_view rest, const char *usual_unit)
{
    struct od_bytes size = {0};
    struct od_view number, unit = {0};
    size_t n = 0;
    while (n < rest.n && !ends_number(rest.p[n]))
        n++;
    rest = od_view_head(rest, n);
    (void)od_view_cut(&rest, ' ', &number);
    (void)od_view_cut(&rest, ' ', &unit);
    while (unit.n > 0 && (unit.p[unit.n - 1] == '.' || unit.p[unit.n - 1] == ','))
        unit.n--;
    struct od_view usual = od_view_of(usual_unit);
    if (!od_bytes_parse_unit(number, unit.n > 0 ? unit : usual, OD_UNIT_BINARY, &size) &&
        !(usual_unit && od_bytes_parse_unit(number, usual, OD_UNIT_BINARY, &size)))
        (void)od_bytes_parse(number, OD_UNIT_BINARY, &size);
    return size;
}

static void add_fact(struct od_event *event, const struct fact *fact, struct od_view text)
{
    size_t at = od_view_find(text, od_view_of(fact->before), 0);
    if (at == OD_VIEW_NONE)
        return;
    struct od_view rest = od_view_from(text, at + od_view_of(fact->before).n);
    if (!fact->upto) {
        struct od_bytes size = size_at(rest, fact->unit);
        if (size.known)
            od_event_set_bytes(event, fact->field, size);
        return;
    }
    struct od_view name;
    if (od_view_cut(&rest, fact->upto[0], &name) && name.n > 0)
        od_event_set_text(event, fact->field, name);
}

/* "Effective GPU memory usage: 99.78% (19.502 GiB/19.545 GiB)" */
static void add_usage(struct od_event *event, struct od_view text)
{
    struct od_view used, total;
    size_t at = od_view_find(text, OD_VIEW("Effective GPU memory usage: "), 0);
    size_t open = at == OD_VIEW_NONE ? at : od_view_find_char(text, '(', at);
    if (open == OD_VIEW_NONE)
        return;
    struct od_view rest = od_view_from(text, open + 1);
    struct od_bytes in_use = {0}, capacity = {0};
    (void)od_view_cut(&rest, '/', &used);
    (void)od_view_cut(&rest, ')', &total);
    if (od_bytes_parse(used, OD_UNIT_BINARY, &in_use) && !od_event_get(event, OD_F_IN_USE))
        od_event_set_bytes(event, OD_F_IN_USE, in_use);
    if (od_bytes_parse(total, OD_UNIT_BINARY, &capacity))
        od_event_set_bytes(event, OD_F_CAPACITY, capacity);
}

static void flush(void *state, const struct od_sink *sink)
{
    struct sequel *s = state;
    if (!s->story)
        return;
    struct od_view text = od_buf_view(&s->text);
    struct od_event event = {.kind = OD_EV_ALLOC_FAILED,
                             .at = s->first.at,
                             .line = &s->first,
                             .excerpt = od_view_trim(s->first.text),
                             .rule = "sequel"};
    /* the driver's own words may come from any program */
    bool driver = s->story->at_start && !od_view_has(text, OD_VIEW("ggml"));
    od_event_set_text(&event, OD_F_PRODUCER,
                      driver ? OD_VIEW("other") : od_view_of(s->story->producer));
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("device"));
    for (size_t i = 0; i < FACTS && s->story->facts[i].before; i++)
        add_fact(&event, &s->story->facts[i], text);
    add_usage(&event, text);
    s->story = NULL;
    od_sink_put(sink, &event);
}

static const struct story *story_of(struct od_view text)
{
    text = od_view_trim(text);
    OD_FOR_EACH_OF (const struct story, story, stories, OD_COUNT_OF(stories)) {
        struct od_view opener = od_view_of(story->opener);
        bool good = story->at_start
                        ? od_view_eq(text, opener) || (od_view_ends(text, opener) &&
                                                       od_view_starts(text, OD_VIEW("ggml_cuda")))
                        : od_view_has(text, opener);
        if (good)
            return story;
    }
    return NULL;
}

static void begin(struct sequel *s, const struct story *story, const struct od_line *line)
{
    s->story = story;
    s->first = *line;
    s->kept.n = 0;
    od_buf_add(&s->kept, od_view_head(line->text, TEXT_MAX));
    od_buf_add(&s->kept, line->stamp);
    s->first.text = od_view_head(od_buf_view(&s->kept), TEXT_MAX);
    s->first.text.n = s->kept.n - line->stamp.n;
    s->first.stamp = od_view_from(od_buf_view(&s->kept), s->first.text.n);
    s->text.n = 0;
    od_buf_add(&s->text, s->first.text);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct sequel *s = state;
    const struct story *story = story_of(line->text);
    if (story) {
        flush(s, sink);
        begin(s, story, line);
        return OD_TAKE_ALL;
    }
    if (!s->story || od_view_trim(line->text).n == 0)
        return OD_TAKE_NONE;
    if (!od_view_has_any(od_view_head(line->text, TEXT_MAX), sequels) ||
        s->first.at.nlines >= LINES_MAX) {
        if (!line->overprinted)
            flush(s, sink);
        return OD_TAKE_NONE;
    }
    od_buf_add_char(&s->text, '\t');
    od_buf_add(&s->text, od_view_head(od_view_trim(line->text), TEXT_MAX));
    s->first.at.nlines += line->at.line > s->first.at.line ? line->at.nlines : 0;
    return OD_TAKE_ALL;
}

static void release(void *state)
{
    struct sequel *s = state;
    od_buf_done(&s->text);
    od_buf_done(&s->kept);
}

static bool is_open(const void *state)
{
    return ((const struct sequel *)state)->story != NULL;
}

const struct od_reader od_reader_sequel = {
    .name = "sequel",
    .literals = literals,
    .state_size = sizeof(struct sequel),
    .release = release,
    .line = take_line,
    .is_open = is_open,
    .end = flush,
};
