/*
 * A Hugging Face configuration in a log, printed by transformers when a model is created ("Model
 * config GPT2Config {" followed by JSON), or by print(model.config). Rules also read settings from
 * these lines.
 */
#include "models/files/hf_config.h"
#include "readers/reader.h"

enum { TEXT_MAX = 256 << 10, LINES_MAX = 8192 };

static const char *const literals[] = {"Config {", NULL};

struct config {
    unsigned lines; /* number of lines of the configuration; 0 = none is open */
    size_t depth;   /* number of open brackets */
    struct od_prov at;
    struct od_buf text;
    struct od_arena *arena;
};

static void begin(const struct od_reader *reader, void *state, void *shared, struct od_arena *arena)
{
    (void)reader;
    (void)shared;
    ((struct config *)state)->arena = arena;
}

/* Does a configuration begin at the end of the line: "Model config LlamaConfig {"? */
static bool opens(struct od_view text)
{
    static const char end[] = "Config {";
    text = od_view_trim(text);
    return text.n > sizeof end - 1 &&
           od_view_eq_str(od_view_from(text, text.n - (sizeof end - 1)), end) &&
           od_is_word(text.p[text.n - sizeof end]);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct config *config = state;
    if (opens(line->text)) {
        config->lines = 1;
        config->at = line->at;
        config->text.n = 0;
        config->depth = 1;
        od_buf_add_char(&config->text, '{');
        return OD_TAKE_SHARE;
    }
    if (config->lines == 0)
        return OD_TAKE_NONE;
    config->lines++;
    struct od_view rest = line->text; /* a quoted text ends in its line */
    for (size_t end; (end = od_text_close(rest, &config->depth)) != OD_VIEW_NONE;)
        rest = od_view_from(rest, end);
    od_buf_add(&config->text, line->text);
    od_buf_add_char(&config->text, '\n');
    if (config->depth == 0)
        od_hf_config_printed(od_buf_view(&config->text), &config->at, sink, config->arena);
    if (config->depth == 0 || config->lines > LINES_MAX || config->text.n > TEXT_MAX)
        config->lines = 0;
    return OD_TAKE_SHARE;
}

static void release(void *state)
{
    od_buf_done(&((struct config *)state)->text);
}

static bool is_open(const void *state)
{
    return ((const struct config *)state)->lines > 0;
}

const struct od_reader od_reader_printed_config = {
    .name = "printed_config",
    .literals = literals,
    .state_size = sizeof(struct config),
    .begin = begin,
    .line = take_line,
    .is_open = is_open,
    .release = release,
};
