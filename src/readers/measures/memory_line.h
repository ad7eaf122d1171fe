/*
 * One line that may speak of memory, read word by word: the numbers that have a unit, what the
 * words before them say they are (memory_words.h), and what the line says of where: step, epoch,
 * rank, device. Nothing is decided here that takes more than one line.
 *
 * Texts point into the line.
 */
#pragma once

#include "facts/event.h"

enum { OD_MEMORY_FOUND_MAX = 12, OD_MEMORY_GUARDS_MAX = 4 };

/* Of the line; n = 0: none. */
struct od_memory_span {
    uint16_t at, n;
};

struct od_memory_count {
    bool known;
    uint64_t n;
    struct od_memory_span digits;
};

/* A number found, and what it is. */
struct od_memory_found {
    struct od_memory_span digits, unit, share_digits; /* places of the values below */
    enum od_field field;
    const char *space;
    struct od_count device;
    struct od_bytes bytes;
    double share;
    bool assumed;   /* the space is what frameworks print at a step, and no word of the line */
    bool bare;      /* "mem" or "max mem" and no other word: means something beside a step only */
    bool ownerless; /* "memory usage" without an owner: of a process or of a device */
    bool allocator; /* "allocated" alone: means something beside "reserved" only */
    bool given;     /* by an allocator, which is less than what the device has in use */
    bool vague;     /* "usage": of memory if it is of anything */
    bool heap, privately;
    bool named;    /* by the words after it */
    bool unitless; /* its number has none, nor has what is around: number */
    double number;
};

struct od_memory_line {
    struct od_view text;
    size_t at;
    unsigned label;      /* words before the next number */
    size_t label_at;     /* place of the first word for a measure */
    bool percent;        /* they say that it is one: "mem (%): 61" */
    bool broken;         /* an unknown word is between these words and the number */
    bool unknown;        /* it contains an unknown word */
    unsigned context;    /* of the numbers before: device or host, memory */
    struct od_view unit; /* stated in a label: "(MB)" */
    struct od_view when; /* the moment of a step it speaks of; may be empty */
    const char *phase;   /* "train" or "validation", where one of them heads the line; else NULL */
    bool phases;         /* more than one is named: it is a summary */
    struct od_memory_count step, epoch, rank, pid;
    struct od_memory_span key; /* "node03", "ForkPoolWorker-2": whose line it is */
    struct od_count device;
    double runtime; /* seconds since the run began; negative = not said */
    struct od_memory_span runtime_digits;
    bool loss;
    bool headed;         /* its number is before a message, next to a time: memory_head.h */
    uint64_t message;    /* hash of the message of such a line, without digits */
    bool process;        /* it says that it speaks of one */
    bool allocated;      /* one of the numbers is what an allocator gave out */
    size_t number_at;    /* place of the latest number */
    size_t first_number; /* place of the first number, */
    size_t first_label;  /* and the words that name it */
    uint64_t words;      /* a hash of these: what the line is known by */
    size_t behind_share; /* end of a share that was found; 0 = none */
    /* The meaning of the line depends on these values, and on no other number unless `told` is
     * set. */
    struct od_memory_guard {
        struct od_memory_span digits;
        bool of_bytes; /* by its size it may be one of bytes, or it may not; else n is the value */
        uint64_t n;
    } guards[OD_MEMORY_GUARDS_MAX];
    size_t nguards;
    bool told;
    size_t n;
    struct od_memory_found found[OD_MEMORY_FOUND_MAX]; /* last: only n of them are kept */
};

/* The same line, of which other lines that differ in digits alone may be read. */
struct od_memory_form;

/* May a number in it be one of memory, whatever its digits? Most lines have none. */
bool od_memory_line_may_hold(struct od_view text);

/* What a heading says of the lines below it: words of memory, a unit and a device. */
struct od_memory_under {
    unsigned context;
    struct od_count device;
    struct od_view unit; /* may be empty */
};

/* Its numbers of memory; n = 0: there is none. under: what it is below; NULL: nothing. */
void od_memory_line_read(struct od_view text, const struct od_memory_under *under,
                         struct od_memory_line *ret_line);

/* The forms of its shape, NULL at first, with the line, where it depends on digits in no other way.
 */
struct od_memory_form *od_memory_form_keep(const struct od_memory_line *line,
                                           struct od_arena *arena, struct od_memory_form *forms);

/* Reads the numbers alone of a text of that shape; false when it has to be read as a whole. */
bool od_memory_form_read(const struct od_memory_form *forms, struct od_view text,
                         struct od_memory_line *ret_line);
