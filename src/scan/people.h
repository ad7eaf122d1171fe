/*
 * Words of people in a source, outside of the output of programs: its title, and reports that
 * memory ran out. A report is not an incident; it counts only if no line of the log shows the
 * failure.
 */
#pragma once

#include "facts/event.h"
#include "facts/words.h"
#include "input/input.h"

/* State of a source; zeroed at its start. */
struct od_people {
    struct od_raw_line title;   /* empty = no title, or it was already read */
    struct od_kept_line report; /* the first report; empty = none */
};

/* Looks for a title in the first block of a source. False if there is none. */
bool od_people_find_title(struct od_people *people, const struct od_block *block,
                          struct od_arena *arena, struct od_raw_line *ret_title);

/* Returns the title, to be read like a line of the log. False if it is a question. */
bool od_people_take_title(struct od_people *people, struct od_raw_line *ret_title);

/* Is the line the title, and not an error message? event: from a rule for a message of one program,
 * which counts as error message if it has a size or an exit status. NULL = general words. */
bool od_people_is_mere_title(const struct od_people *people, const struct od_line *line,
                             const struct od_event *event);

/* Does the line, a person's words or the title, report that memory ran out? Keeps the first report.
 * title: the line is a title within the text. */
bool od_people_report(struct od_people *people, const struct od_lexicon *lexicon,
                      const struct od_line *line, bool title);

/* Ends a source: emits the report as a remark. sink NULL: a line of the log shows the failure. */
void od_people_end(struct od_people *people, const struct od_sink *sink);
