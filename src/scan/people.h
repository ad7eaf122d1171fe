/*
 * What people say in a source, around the output of programs: its title, and that memory ran out.
 * A person's words make no incident. They are a report, which counts where no line of the log says
 * what failed.
 */
#pragma once

#include "facts/event.h"
#include "facts/words.h"
#include "input/input.h"

/* Zeroed at the start of a source. */
struct od_people {
    struct od_raw_line title;   /* no bytes: there is none, or it was read */
    struct od_kept_line report; /* the first; empty: there is none */
};

/* Looks for the title in the first block of a source. False where it has none. */
bool od_people_find_title(struct od_people *people, const struct od_block *block,
                          struct od_arena *arena, struct od_raw_line *ret_title);

/* Hands over the title, to be read as a line of a log; false for a question. */
bool od_people_take_title(struct od_people *people, struct od_raw_line *ret_title);

/* Is it a title that is no message of an error? */
bool od_people_is_mere_title(const struct od_people *people, const struct od_line *line);

/* Is the line the words of a person, or the title, which report that memory ran out? The first is
 * kept. apart: it is a paragraph of its own, as a title further down is. */
bool od_people_report(struct od_people *people, const struct od_lexicon *lexicon,
                      const struct od_line *line, bool apart);

/* The end of a source: gives the report, as a remark. sink is NULL where a log tells more. */
void od_people_end(struct od_people *people, const struct od_sink *sink);
