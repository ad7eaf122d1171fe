/*
 * Emits the settings that setting_line.h finds in a line, one event each. The vocabulary is
 * setting_keys.def. A new name needs a row there, a literal in settings.words unless it contains an
 * existing one, and its lines in tests/unit/readers/test_settings.c.
 */
#include "readers/logs/setting_line.h"
#include "readers/reader.h"

#include "readers/logs/settings_lists.inc"

enum { OPTION_BYTES = 64 };

/* An option whose value is on the next line of a list. */
struct option {
    bool open;
    size_t n;
    char text[2 * OPTION_BYTES];
};

/* "Using MirroredStrategy with devices ('/device:GPU:0', '/device:GPU:1')": the number of replicas
 * in one process that share each batch. */
static uint64_t replicas_of(struct od_view text)
{
    static const struct od_view lead = {"Strategy with devices (", 23}, each = {"device:GPU:", 11};
    uint64_t n = 0;
    size_t at = od_view_find(text, lead, 0);
    while (at != OD_VIEW_NONE && (at = od_view_find(text, each, at + 1)) != OD_VIEW_NONE)
        n++;
    return n;
}

/* An argument of a command that is printed as a list with one item per line, as in YAML and by
 * kubectl: "- --workers", "4". Empty for other lines. */
static struct od_view argument_of(struct od_view text)
{
    struct od_view line = od_view_trim(text);
    (void)od_view_take(&line, OD_VIEW("- "));
    line = od_view_trim(line);
    if (line.n > 2 && strchr("\"'", line.p[0]) && line.p[line.n - 1] == line.p[0])
        line = od_view_from(od_view_head(line, line.n - 1), 1);
    return od_view_find_char(line, ' ', 0) == OD_VIEW_NONE ? line : (struct od_view){0};
}

/* "- --workers": its value is the next argument. */
static bool is_option(struct od_view argument)
{
    return argument.n > 2 && argument.n < OPTION_BYTES && od_view_starts(argument, OD_VIEW("--")) &&
           od_is_letter(argument.p[2]) && od_view_find_char(argument, '=', 0) == OD_VIEW_NONE;
}

static bool states_none(struct od_view text)
{
    return od_settings_never_of(text) && replicas_of(text) <= 1 && !is_option(argument_of(text));
}

static void put(const struct od_line *line, struct od_view excerpt,
                const struct od_line_setting *setting, const struct od_sink *sink)
{
    struct od_event event;
    od_event_begin(&event, OD_EV_SETTING, line, "settings");
    event.excerpt = excerpt;
    od_event_set_text(&event, OD_F_NAME, od_view_of(od_setting_name(setting->id)));
    od_event_set_text(&event, OD_F_VALUE, setting->value);
    od_sink_put(sink, &event);
}

/* Reads this line as the value of the option on the previous line. */
static size_t read_value(struct option *option, const struct od_line *line,
                         const struct od_sink *sink)
{
    struct od_line_setting found[OD_SETTINGS_OF_LINE];
    struct od_view value = argument_of(line->text);
    option->open = false;
    if (value.n == 0 || value.p[0] == '-' || value.n + option->n + 1 > sizeof option->text)
        return 0;
    option->text[option->n++] = ' ';
    memcpy(option->text + option->n, value.p, value.n);
    struct od_view joined = {option->text, option->n + value.n};
    size_t n = od_settings_of_line(joined, found);
    for (size_t i = 0; i < n; i++)
        put(line, joined, &found[i], sink);
    return n;
}

static void keep_option(struct option *option, struct od_view text)
{
    struct od_view argument = argument_of(text);
    option->open = is_option(argument);
    option->n = option->open ? argument.n : 0;
    if (option->open)
        memcpy(option->text, argument.p, argument.n);
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct od_line_setting found[OD_SETTINGS_OF_LINE];
    struct option *option = state;
    if (option->open && read_value(option, line, sink) > 0)
        return OD_TAKE_SHARE;
    keep_option(option, line->text);
    size_t n = od_settings_of_line(line->text, found);
    for (size_t i = 0; i < n; i++)
        put(line, od_excerpt_of(line->text, found[i].said), &found[i], sink);
    uint64_t replicas = replicas_of(line->text);
    char digits[21];
    if (replicas > 1)
        put(line, od_view_trim(line->text),
            &(struct od_line_setting){OD_SETTING_REPLICAS,
                                      od_view_of(od_num_print_u64(replicas, digits)), line->text},
            sink);
    return n > 0 || replicas > 1 ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_settings = {
    .name = "settings",
    .literals = openers,
    .state_size = sizeof(struct option),
    .is_open = od_reader_state_is_open,
    .commands = true,
    .silent = states_none,
    .line = read_line,
};
