/*
 * The words that programs and people put before a number of memory: "max GPU mem", "rss_mb",
 * "CPU memory used", "MaxMemAllocated". One vocabulary for prints in prose and for the names of
 * columns.
 */
#pragma once

#include "facts/event.h"

enum {
    OD_MW_MEMORY = 1 << 0,
    OD_MW_DEVICE = 1 << 1,
    OD_MW_HOST = 1 << 2,
    OD_MW_RSS = 1 << 3,
    OD_MW_VIRTUAL = 1 << 4,
    OD_MW_PEAK = 1 << 5,      /* the greatest so far */
    OD_MW_MAX = 1 << 6,       /* the greatest so far, or a limit */
    OD_MW_USED = 1 << 7,      /* also what an allocator gave out */
    OD_MW_ALLOCATED = 1 << 8, /* an allocator's word: of a device unless said otherwise */
    OD_MW_RESERVED = 1 << 9,
    OD_MW_FREE = 1 << 10,
    OD_MW_TOTAL = 1 << 11,
    OD_MW_FOREIGN = 1 << 12, /* the number is not memory, or not measured */
    OD_MW_GLUE = 1 << 13,
    OD_MW_RAM = 1 << 14,  /* "RAM": the host's unless a device is named */
    OD_MW_WHEN = 1 << 15, /* "before", "after", "start": which moment of a step */
    OD_MW_UNKNOWN = 1 << 16,
    OD_MW_PERCENT = 1 << 17, /* the number is a percentage */
    OD_MW_TRAIN = 1 << 18,   /* a training or validation phase */
    OD_MW_VALIDATION = 1 << 19,
    OD_MW_HEAP = 1 << 20,
    OD_MW_PRIVATE = 1 << 21, /* private memory of a process, as opposed to its working set */
    /* the number after the word is a step, a rank, ..., no memory */
    OD_MW_STEP = 1 << 22,
    OD_MW_EPOCH = 1 << 23,
    OD_MW_RANK = 1 << 24,
    OD_MW_PID = 1 << 25,
    OD_MW_KEY = 1 << 26,
    OD_MW_NUMBERED = 1 << 27, /* "of model 0": one of several things that need no distinction */
    OD_MW_LOSS = 1 << 28,
    OD_MW_COMMITTED = 1 << 29, /* committed by the system, possibly not in use */
    OD_MW_PLACE = OD_MW_STEP | OD_MW_EPOCH | OD_MW_RANK | OD_MW_PID | OD_MW_KEY | OD_MW_NUMBERED,
    /* words that do not change what a memory word means */
    OD_MW_NEUTRAL = OD_MW_GLUE | OD_MW_WHEN | OD_MW_PERCENT | OD_MW_TRAIN | OD_MW_VALIDATION |
                    OD_MW_PLACE | OD_MW_LOSS
};

/* The next word of a text: letters, also within snake_case and camelCase; false if there are no
 * more. */
bool od_memory_next_word(struct od_view *text, struct od_view *ret_word);

/* The meanings of a word (bits OD_MW_...); OD_MW_UNKNOWN if it has none here. */
unsigned od_memory_word(struct od_view word);

/* "MB", "GiB", "bytes", ...: the unit of a number given separately. */
bool od_memory_is_unit(struct od_view word);

/* Is the word a unit of memory? Directly after its number also "4G" and "4Gi". */
bool od_memory_is_unit_at(struct od_view word, bool at_number);

/* The event field for a number with these words; OD_F_NONE if it is no measurement. *ret_space:
 * "device", "host", or NULL if not stated. */
enum od_field od_memory_field(unsigned words, const char **ret_space);
