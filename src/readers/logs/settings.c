/*
 * Settings of a run: what setting_line.h finds in a line, one event each. The vocabulary is
 * setting_keys.def; a new name of a setting is a row there, a literal in settings.words where none
 * of these stands in it, and its lines in tests/unit/readers/test_settings.c.
 */
#include "readers/logs/setting_line.h"
#include "readers/reader.h"

#include "readers/logs/settings_lists.inc"

/* The line, or of a long one what begins with the setting: how an optimizer is set up stands
 * behind its name. */
static struct od_view excerpt_of(struct od_view text, const struct od_line_setting *setting)
{
    enum { LONGEST = 300 };
    struct od_view line = od_view_trim(text);
    return line.n <= LONGEST ? line : od_view_from(text, (size_t)(setting->said.p - text.p));
}

/* "Using MirroredStrategy with devices ('/device:GPU:0', '/device:GPU:1')": as many replicas of one
 * process share each batch. */
static uint64_t replicas_of(struct od_view text)
{
    static const struct od_view lead = {"Strategy with devices (", 23}, each = {"device:GPU:", 11};
    uint64_t n = 0;
    size_t at = od_view_find(text, lead, 0);
    while (at != OD_VIEW_NONE && (at = od_view_find(text, each, at + 1)) != OD_VIEW_NONE)
        n++;
    return n;
}

static bool states_none(struct od_view text)
{
    return od_settings_never_of(text) && replicas_of(text) <= 1;
}

static void put(const struct od_line *line, const struct od_line_setting *setting,
                const struct od_sink *sink)
{
    struct od_event event;
    od_event_begin(&event, OD_EV_SETTING, line, "settings");
    event.excerpt = excerpt_of(line->text, setting);
    od_event_set_text(&event, OD_F_NAME, od_view_of(od_setting_name(setting->id)));
    od_event_set_text(&event, OD_F_VALUE, setting->value);
    od_sink_put(sink, &event);
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct od_line_setting found[OD_SETTINGS_OF_LINE];
    (void)state;
    size_t n = od_settings_of_line(line->text, found);
    for (size_t i = 0; i < n; i++)
        put(line, &found[i], sink);
    uint64_t replicas = replicas_of(line->text);
    char digits[21];
    if (replicas > 1)
        put(line,
            &(struct od_line_setting){OD_SETTING_REPLICAS,
                                      od_view_of(od_num_print_u64(replicas, digits)), line->text},
            sink);
    return n > 0 || replicas > 1 ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_settings = {
    .name = "settings",
    .literals = openers,
    .state_size = 1, /* none is kept */
    .silent = states_none,
    .line = read_line,
};
