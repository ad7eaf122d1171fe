#include "scan/people.h"

#include "facts/claim.h"
#include "input/peel.h"
#include "input/unwrap.h"
#include "readers/logs/sentence.h"

enum { HEAD_BYTES = 16 << 10 }; /* a page quotes its first log within this many bytes */

static bool asks(struct od_view title)
{
    title = od_view_trim(title);
    return od_view_ends(title, OD_VIEW("?")) || od_view_ends(title, OD_VIEW("？"));
}

/* Do both lines equal each other up to their first digit? "# step = 1, RSS = 3 GB" is then a row of
 * a table and no title. */
static bool is_row(struct od_view first, struct od_view second)
{
    size_t n = od_until(first, 0, od_is_digit);
    return n < first.n && od_view_starts(second, od_view_head(first, n));
}

/* Is the first line a title written by a person? That is a Markdown heading; or, before an empty
 * line and more text, words that no program prints; or any words before a person's paragraph or on
 * a page that quotes a log. second: the next line. below: the first text after an empty second
 * line; empty = none. */
static bool is_title(struct od_view first, struct od_view second, struct od_view below, bool page)
{
    first = od_view_trim(first);
    below = od_view_trim(below);
    if (od_view_starts(first, OD_VIEW("#")))
        return !is_row(first, second) && !od_is_commented_record(first);
    if (first.n == 0 || below.n == 0 || od_view_trim(second).n > 0)
        return false;
    return od_is_title_phrase(first) || (page && od_is_title_line(first)) ||
           (od_segment_of(below) == OD_SEGMENT_PERSON && od_is_title_words(first));
}

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
    /* the title does not include colors and prefixes of ranks; a line with nothing else is empty */
    bool more = od_cursor_next(&cursor, &line);
    if (more)
        below = next = unwrapped(line.bytes, arena);
    while (more && od_view_trim(below).n == 0) {
        more = od_cursor_next(&cursor, &line);
        if (more)
            below = unwrapped(line.bytes, arena);
    }
    bool page = od_view_has(od_view_head(block->bytes, HEAD_BYTES), OD_VIEW("```"));
    if (!is_title(unwrapped(raw.bytes, arena), next, below, page))
        return false;
    *ret_title = people->title = raw;
    people->title.bytes = od_arena_view(arena, raw.bytes);
    return true;
}

bool od_people_take_title(struct od_people *people, struct od_raw_line *ret_title)
{
    *ret_title = people->title;
    people->title.bytes.n = 0;
    return ret_title->bytes.n > 0 && !asks(ret_title->bytes);
}

bool od_people_is_mere_title(const struct od_people *people, const struct od_line *line,
                             const struct od_event *event)
{
    bool exact = event && (od_event_bytes(event, OD_F_REQUESTED).known ||
                           od_event_count(event, OD_F_STATUS).known);
    bool error = exact || od_begins_with_class(line->text);
    return line->segment == OD_SEGMENT_TITLE && !(people->title.bytes.n == 0 && error);
}

bool od_people_report(struct od_people *people, const struct od_lexicon *lexicon,
                      const struct od_line *line, bool title)
{
    title = title || line->segment == OD_SEGMENT_TITLE;
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
