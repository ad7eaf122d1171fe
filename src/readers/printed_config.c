/*
 * A Hugging Face configuration in a log, as transformers prints it when a model is made
 * ("Model config GPT2Config {" and the JSON behind it), or as print(model.config) does. The
 * lines are shared: rules read settings from them.
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "readers/hf_config.h"
#include "readers/lane_blocks.h"
#include "readers/reader.h"

enum { TEXT_MAX = 256 << 10, LINES_MAX = 8192 };

static const char *const literals[] = {"Config {", NULL};

struct config {
    unsigned depth; /* of brackets */
    struct od_buf text;
};

struct state {
    struct od_lane_blocks blocks; /* first: lane_blocks.h ends them */
    struct config configs[OD_LANE_BLOCKS_MAX];
    struct od_arena *arena;
};

static void begin(const struct od_reader *reader, void *own, struct od_arena *arena)
{
    struct state *state = own;
    (void)reader;
    state->arena = arena;
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

static enum od_take take_line(void *own, const struct od_line *line, const struct od_sink *sink)
{
    struct state *state = own;
    bool begins = opens(line->text);
    size_t i = begins ? od_lane_blocks_open(&state->blocks, line)
                      : od_lane_blocks_go_on(&state->blocks, line);
    if (i == OD_LANE_BLOCK_NONE)
        return OD_TAKE_NONE;
    struct od_lane_block *block = &state->blocks.items[i];
    struct config *config = &state->configs[i];
    if (begins) {
        config->text.n = 0;
        config->depth = 1;
        od_buf_add_char(&config->text, '{');
        return OD_TAKE_SHARE;
    }
    count_brackets(config, line->text);
    od_buf_add(&config->text, line->text);
    od_buf_add_char(&config->text, '\n');
    if (config->depth == 0)
        od_hf_config_printed(od_buf_view(&config->text), &block->at, sink, state->arena);
    if (config->depth == 0 || block->lines > LINES_MAX || config->text.n > TEXT_MAX)
        block->lines = 0;
    return OD_TAKE_SHARE;
}

static void release(void *own)
{
    struct state *state = own;
    for (size_t i = 0; i < OD_LANE_BLOCKS_MAX; i++)
        od_buf_done(&state->configs[i].text);
}

const struct od_reader od_reader_printed_config = {
    .name = "printed_config",
    .literals = literals,
    .state_size = sizeof(struct state),
    .begin = begin,
    .line = take_line,
    .is_open = od_lane_blocks_are_open,
    .end = od_lane_blocks_end,
    .release = release,
};
