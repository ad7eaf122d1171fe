/*
 * The words of people in a source, outside of the output of programs: its title, and reports that
 * memory ran out. A report is not an incident; it counts only if no line of the log says what
 * failed.
 */
#pragma once

#include "facts/event.h"
#include "facts/words.h"
#include "input/input.h"

/* Zeroed at the start of a source. */
struct od_people {
    struct od_raw_line title;   /* empty: there is no title, or it was read */
    struct od_kept_line report; /* the first report; empty: none */
};

/* Looks for the title in the first block of a source; false if there is none. */
bool od_people_find_title(struct od_people *people, const struct od_block *block,
                          struct od_arena *arena, struct od_raw_line *ret_title);

/* Returns the title, to be read like a line of the log; false if it is a question. */
bool od_people_take_title(struct od_people *people, struct od_raw_line *ret_title);

/* Is the line the title, and not an error message? event: a rule for one program's message matches
 * it, which counts like the message if its size or exit status is in it; NULL = general words. */
bool od_people_is_mere_title(const struct od_people *people, const struct od_line *line,
                             const struct od_event *event);

/* Does the line, as the words of a person or as the title, report that memory ran out? The first
 * report is kept. title: the line is one further down. */
bool od_people_report(struct od_people *people, const struct od_lexicon *lexicon,
                      const struct od_line *line, bool title);

/* Ends a source: emits the report as a remark. sink: NULL if the log itself says what failed. */
void od_people_end(struct od_people *people, const struct od_sink *sink);
