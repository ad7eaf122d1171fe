/*
 * Saved checkpoints in the messages of any program: what remains of a run that dies.
 */
#include "base/code_line.h"
#include "base/hypothetical.h"
#include "readers/logs/checkpoint_words.h"
#include "readers/reader.h"

enum { LINE_MAX_BYTES = 600 };

static const char *const openers[] = {"aving ", "aved ",        "rote ", "riting ", "ritten ",
                                      "tored ", "napshotting ", "ave ",  NULL};

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct od_checkpoint_words words;
    (void)state;
    if (line->text.n > LINE_MAX_BYTES || !od_checkpoint_words_read(line->text, &words) ||
        od_is_hypothetical(line->text, 0) || od_is_code_line(line->text))
        return OD_TAKE_NONE;
    struct od_event event;
    od_event_begin(&event, OD_EV_SAVED, line, "checkpoints");
    event.excerpt = od_view_trim(line->text);
    od_event_set_text(&event, OD_F_NAME, words.done ? OD_VIEW("saved") : OD_VIEW("saving"));
    if (words.path.n > 0)
        od_event_set_text(&event, OD_F_VALUE, words.path);
    if (words.step.known)
        od_event_set_count(&event, OD_F_STEP, words.step.n);
    if (words.epoch.known)
        od_event_set_count(&event, OD_F_EPOCH, words.epoch.n);
    if (words.number.known)
        od_event_set_count(&event, OD_F_COUNT, words.number.n);
    od_sink_put(sink, &event);
    return OD_TAKE_SHARE;
}

const struct od_reader od_reader_checkpoints = {
    .name = "checkpoints", .literals = openers, .line = take_line};
