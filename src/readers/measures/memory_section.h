/*
 * Lines without a memory number that describe the following lines: a heading names the memory ("GPU
 * memory:", "Host memory (MB):"), and a line with the same prefix names their moment:
 * "[utils.py:785:see_memory_usage] before forward 12" precedes "[utils.py:786:see_memory_usage] MA
 * 2.61 GB  Max_MA 5.2 GB".
 */
#pragma once

#include "readers/measures/memory_line.h"

enum { OD_MEMORY_MOMENT = 80, OD_MEMORY_PREFIX = 120 };

struct od_memory_section {
    bool open;
    unsigned age;     /* lines since the heading that did not use it */
    unsigned context; /* words of the heading; 0: it names a moment */
    char unit[10];    /* from the heading; empty: none */
    struct od_count device;
    uint64_t hash; /* of the heading without digits */
    char prefix[OD_MEMORY_PREFIX], moment[OD_MEMORY_MOMENT];
    size_t nprefix, nmoment;
};

/* Can a section start with the line, which has no memory number? */
bool od_memory_section_begins(struct od_view text);

/* Takes a line without a memory number: it starts a section, or counts towards the end of the
 * current one. */
void od_memory_section_pass(struct od_memory_section *section, struct od_view text);

/* Can the line belong to the section? Checked before it is read. */
bool od_memory_section_has(const struct od_memory_section *section, struct od_view text);

/* Reads a line of the section; n = 0: no memory number. */
void od_memory_section_read(struct od_memory_section *section, struct od_view text,
                            struct od_memory_line *ret_line);
