/*
 * One line that may speak of memory, read word by word: the numbers that have a unit, what the
 * words before them say they are (memory_words.h), and what the line says of where: step, epoch,
 * rank, device. Nothing is decided here that takes more than one line.
 *
 * Texts point into the line.
 */
#ifndef OD_READERS_MEMORY_LINE_H
#define OD_READERS_MEMORY_LINE_H

#include "base/bytes.h"
#include "base/num.h"
#include "facts/event.h"

#include <stdbool.h>
#include <stddef.h>

enum { OD_MEMORY_FOUND_MAX = 12 };

/* A number found, and what it is. */
struct od_memory_found {
    enum od_field field;
    const char *space;
    struct od_count device;
    struct od_bytes bytes;
    double share;
    bool bare;      /* "mem" or "max mem" and no other word: means something beside a step only */
    bool ownerless; /* "memory usage": of a process or of a device, nobody knows */
    bool allocator; /* "allocated" alone: means something beside "reserved" only */
    bool given;     /* by an allocator, which is less than what the device has in use */
    bool unitless;  /* its number has none, nor has what is around: number */
    double number;
};

struct od_memory_line {
    struct od_view text;
    size_t at;
    unsigned label;      /* words before the next number */
    bool percent;        /* they say that it is one: "mem (%): 61" */
    bool broken;         /* an unknown word stands between them and the number */
    bool unknown;        /* an unknown word stands in it */
    unsigned context;    /* of the numbers before: device or host, memory */
    struct od_view unit; /* stated in a label: "(MB)" */
    struct od_view when; /* the moment of a step it speaks of; may be empty */
    const char *phase;   /* "train" or "validation", where one of them heads the line; else NULL */
    bool phases;         /* more than one is named: it is a summary */
    struct od_count step, epoch, rank, pid, device;
    double runtime; /* seconds since the run began; negative = not said */
    bool loss;
    bool allocated; /* one of the numbers is what an allocator gave out */
    struct od_memory_found found[OD_MEMORY_FOUND_MAX];
    size_t n;
    size_t number_at;    /* where the latest number stands */
    size_t first_number; /* where the first of them stands */
    size_t behind_share; /* the place behind a share that was found; 0 = none */
};

/* May a number in it be one of memory, whatever its digits? Most lines have none. */
bool od_memory_line_may_hold(struct od_view text);

/* Its numbers of memory; n = 0: there is none. */
void od_memory_line_read(struct od_view text, struct od_memory_line *ret_line);

#endif
