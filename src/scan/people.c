#include "scan/people.h"

#include "facts/claim.h"
#include "input/peel.h"
#include "input/unwrap.h"
#include "readers/logs/sentence.h"
#include "scan/title.h"

enum { HEAD_BYTES = 16 << 10 }; /* within which a page quotes its first log */

static struct od_view unwrapped(struct od_view line, struct od_arena *arena)
{
    struct od_peel peel = {.text = line, .arena = arena};
    while (od_peel_one(&peel))
        continue;
    return peel.text;
}

bool od_people_find_title(struct od_people *people, const struct od_block *block,
                          struct od_arena *arena, struct od_raw_line *ret_title)
{
    struct od_cursor cursor = od_cursor_start(block);
    struct od_raw_line raw, line;
    struct od_view next = {0}, below = {0};
    *people = (struct od_people){0};
    do {
        if (!od_cursor_next(&cursor, &raw))
            return false;
    } while (od_view_trim(raw.bytes).n == 0);
    /* what was put around each line, as colors and the rank that printed it, is no part of a title,
     * and a line of nothing else is empty */
    bool more = od_cursor_next(&cursor, &line);
    if (more)
        below = next = unwrapped(line.bytes, arena);
    while (more && od_view_trim(below).n == 0) {
        more = od_cursor_next(&cursor, &line);
        if (more)
            below = unwrapped(line.bytes, arena);
    }
    bool page = od_view_has(od_view_head(block->bytes, HEAD_BYTES), OD_VIEW("```"));
    if (!od_title_is(unwrapped(raw.bytes, arena), next, below, page))
        return false;
    *ret_title = people->title = raw;
    people->title.bytes = od_arena_view(arena, raw.bytes);
    return true;
}

bool od_people_take_title(struct od_people *people, struct od_raw_line *ret_title)
{
    *ret_title = people->title;
    people->title.bytes.n = 0;
    return ret_title->bytes.n > 0 && !od_title_asks(ret_title->bytes);
}

bool od_people_is_mere_title(const struct od_people *people, const struct od_line *line,
                             const struct od_event *event)
{
    bool exact = event && (od_event_bytes(event, OD_F_REQUESTED).known ||
                           od_event_count(event, OD_F_STATUS).known);
    bool error = exact || od_begins_with_class(line->text);
    return line->heading && !(people->title.bytes.n == 0 && error);
}

bool od_people_report(struct od_people *people, const struct od_lexicon *lexicon,
                      const struct od_line *line, bool title)
{
    title = title || line->heading;
    bool reports = od_sentence_reports(lexicon, line->text, title);
    if (!title && !reports)
        return false;
    struct od_claim claim = od_claim_read(line->text);
    if (!(title && od_claim_is_failure(&claim, true)) && (!reports || claim.denied))
        return false;
    if (people->report.line.text.n == 0)
        od_line_keep(&people->report, line);
    return true;
}

void od_people_end(struct od_people *people, const struct od_sink *sink)
{
    struct od_event event;
    if (sink && people->report.line.text.n > 0) {
        struct od_claim claim = od_claim_read(people->report.line.text);
        od_claim_event(&claim, &people->report.line, "reported", &event);
        od_sink_put(sink, &event);
    }
    people->title = (struct od_raw_line){0};
    people->report.line.text.n = 0;
}
