/*
 * What a line without a number of memory says of the lines after it: a heading names what they are
 * of ("GPU memory:", "Host memory (MB):"), and a line that begins like them names their moment.
 *
 *   Host memory:                     [utils.py:785:see_memory_usage] before forward 12
 *       used: 4.2 GiB                [utils.py:786:see_memory_usage] MA 2.61 GB  Max_MA 5.2 GB
 */
#pragma once

#include "readers/measures/memory_line.h"

enum { OD_MEMORY_MOMENT = 80, OD_MEMORY_PREFIX = 120 };

struct od_memory_section {
    bool open;
    unsigned age;     /* lines since the heading that it was of no use for */
    unsigned context; /* words of the heading; 0: it names a moment */
    char unit[10];    /* stated in the heading; empty: none */
    struct od_count device;
    uint64_t hash; /* of the heading, but for its digits */
    char prefix[OD_MEMORY_PREFIX], moment[OD_MEMORY_MOMENT];
    size_t nprefix, nmoment;
};

/* May a section begin with the line, which has no number of memory? */
bool od_memory_section_begins(struct od_view text);

/* A line without a number of memory: begins a section, or brings it nearer to its end. */
void od_memory_section_pass(struct od_memory_section *section, struct od_view text);

/* May the line belong to the section, judged before it is read? */
bool od_memory_section_has(const struct od_memory_section *section, struct od_view text);

/* Reads a line of the section; n = 0: it has no number of memory. */
void od_memory_section_read(struct od_memory_section *section, struct od_view text,
                            struct od_memory_line *ret_line);
