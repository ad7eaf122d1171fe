/*
 * A Hugging Face configuration in a log, as transformers prints it when a model is made
 * ("Model config GPT2Config {" and the JSON behind it), or as print(model.config) does. The
 * lines are shared: rules read settings from them.
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/vec.h"
#include "readers/hf_config.h"
#include "readers/reader.h"

enum { LANES_MAX = 16, TEXT_MAX = 256 << 10, LINES_MAX = 8192 };

static const char *const literals[] = {"Config {", NULL};

struct config {
    uint32_t lane;
    unsigned depth; /* of brackets; 0 = closed */
    unsigned lines;
    struct od_prov at;
    struct od_buf text;
};

struct state {
    OD_VEC(struct config) lanes;
    struct od_arena *arena;
};

static void begin(const struct od_reader *reader, void *own, struct od_arena *arena)
{
    struct state *state = own;
    (void)reader;
    state->arena = arena;
}

static struct config *config_of(struct state *state, uint32_t lane)
{
    for (size_t i = 0; i < state->lanes.n; i++)
        if (state->lanes.items[i].lane == lane)
            return &state->lanes.items[i];
    if (state->lanes.n >= LANES_MAX)
        return NULL;
    od_vec_push(&state->lanes, ((struct config){.lane = lane}));
    return &state->lanes.items[state->lanes.n - 1];
}

/* Text in quotes does not go over the end of a line. */
static void count_brackets(struct config *config, struct od_view text)
{
    bool quoted = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            config->depth++;
        else if (!quoted && (c == '}' || c == ']') && config->depth > 0)
            config->depth--;
    }
}

/* "Model config LlamaConfig {": nothing stands behind the bracket. */
static bool opens(struct od_view text)
{
    static const char end[] = "Config {";
    text = od_view_trim(text);
    return text.n > sizeof end - 1 &&
           od_view_eq_str(od_view_from(text, text.n - (sizeof end - 1)), end) &&
           od_is_word(text.p[text.n - sizeof end]);
}

static void start(struct config *config, const struct od_line *line)
{
    config->text.n = 0;
    config->depth = config->lines = 1;
    config->at = line->at;
    od_buf_add_char(&config->text, '{');
}

static enum od_take take_line(void *own, const struct od_line *line, const struct od_sink *sink)
{
    struct state *state = own;
    struct config *config = config_of(state, line->lane);
    if (!config)
        return OD_TAKE_NONE;
    if (opens(line->text)) {
        start(config, line);
        return OD_TAKE_SHARE;
    }
    if (config->depth == 0)
        return OD_TAKE_NONE;
    count_brackets(config, line->text);
    od_buf_add(&config->text, line->text);
    od_buf_add_char(&config->text, '\n');
    if (config->depth == 0)
        od_hf_config_printed(od_buf_view(&config->text), &config->at, sink, state->arena);
    else if (++config->lines > LINES_MAX || config->text.n > TEXT_MAX)
        config->depth = 0;
    return OD_TAKE_SHARE;
}

static bool is_open(const void *own)
{
    const struct state *state = own;
    for (size_t i = 0; i < state->lanes.n; i++)
        if (state->lanes.items[i].depth > 0)
            return true;
    return false;
}

/* A configuration that is cut is none. */
static void end_source(void *own, uint32_t source, const struct od_sink *sink)
{
    struct state *state = own;
    (void)source;
    (void)sink;
    for (size_t i = 0; i < state->lanes.n; i++)
        state->lanes.items[i].depth = 0;
}

static void release(void *own)
{
    struct state *state = own;
    for (size_t i = 0; i < state->lanes.n; i++)
        od_buf_done(&state->lanes.items[i].text);
    od_vec_done(&state->lanes);
}

const struct od_reader od_reader_printed_config = {
    .name = "printed_config",
    .literals = literals,
    .state_size = sizeof(struct state),
    .begin = begin,
    .line = take_line,
    .is_open = is_open,
    .end = end_source,
    .release = release,
};
