/*
 * Reads one line that may be about memory word by word: numbers with a unit, what the words before
 * them say they are (memory_words.h), and the line's step, epoch, rank and device. Decisions that
 * need other lines are made elsewhere.
 *
 * Texts point into the line.
 */
#pragma once

#include "facts/event.h"

enum { OD_MEMORY_FOUND_MAX = 12, OD_MEMORY_GUARDS_MAX = 4 };

/* A range of the line; n = 0: none. */
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
    struct od_memory_span digits, unit, share_digits; /* positions of the values below */
    enum od_field field;
    const char *space;
    struct od_count device;
    struct od_bytes bytes;
    double share;
    bool assumed;   /* the space is a guess from what frameworks print at a step */
    bool bare;      /* "mem" or "max mem" without another word: only counts beside a step */
    bool ownerless; /* "memory usage" without an owner: of a process or of a device */
    bool allocator; /* "allocated" without another word: only counts beside "reserved" */
    bool given;     /* counted by an allocator, so less than the device's memory in use */
    bool vague;     /* "usage", possibly of something else than memory */
    bool heap, privately;
    bool pages;    /* of a process: counted in pages */
    bool named;    /* named by the words after it */
    bool unitless; /* neither its number nor its surroundings have a unit; the value is `number` */
    double number;
};

struct od_memory_line {
    struct od_view text;
    size_t at;
    unsigned label;      /* words before the next number */
    size_t label_at;     /* place of the first word for a measure */
    bool percent;        /* they mark a share: "mem (%): 61" */
    bool broken;         /* an unknown word is between these words and the number */
    bool unknown;        /* it contains an unknown word */
    unsigned context;    /* from earlier numbers of the line: device or host, memory */
    struct od_view unit; /* stated in a label: "(MB)" */
    struct od_view when; /* the moment of a step that it names; may be empty */
    const char *phase;   /* "train" or "validation", if the line starts with one; otherwise NULL */
    bool phases;         /* it names more than one phase, so it is a summary */
    struct od_memory_count step, epoch, rank, pid;
    struct od_memory_span key; /* "node03", "ForkPoolWorker-2": the source of the line */
    struct od_count device;
    double runtime; /* seconds since the run started; negative = not printed */
    struct od_memory_span runtime_digits;
    bool loss;
    bool headed;         /* its number is before a message, next to a time: memory_prefix.h */
    uint64_t message;    /* hash of the message of a line of this kind, without digits */
    bool process;        /* it names a process */
    bool allocated;      /* one of the numbers is counted by an allocator */
    size_t number_at;    /* position of the latest number */
    size_t first_number; /* position of the first number */
    size_t first_label;  /* position of the words that name it */
    uint64_t words;      /* hash of those words, the identity of the line */
    size_t share_end;    /* end of a share that was read; 0 = none */
    /* The meaning of the line depends on these values, and on no other number unless `told` is
     * set. */
    struct od_memory_guard {
        struct od_memory_span digits;
        bool of_bytes; /* whether it can be a number of bytes because of its size; otherwise n is
                          the value */
        uint64_t n;
    } guards[OD_MEMORY_GUARDS_MAX];
    size_t nguards;
    bool told;
    size_t n;
    struct od_memory_found found[OD_MEMORY_FOUND_MAX]; /* must be last: only n elements are
                                                          stored */
};

/* A stored line, by which lines that differ only in digits can be read. */
struct od_memory_form;

/* Could it contain a memory number with any digits? Most lines cannot. */
bool od_memory_line_may_hold(struct od_view text);

/* What a heading says about the lines below it: words for memory, a unit and a device. */
struct od_memory_under {
    unsigned context;
    struct od_count device;
    struct od_view unit; /* may be empty */
};

/* Reads memory numbers; n = 0: none. under: the heading above; NULL = none. */
void od_memory_line_read(struct od_view text, const struct od_memory_under *under,
                         struct od_memory_line *ret_line);

/* Adds the line to the forms of its shape (initially NULL), if its meaning does not depend on
 * digits otherwise. */
struct od_memory_form *od_memory_form_keep(const struct od_memory_line *line,
                                           struct od_arena *arena, struct od_memory_form *forms);

/* Reads only the numbers of a text of that shape; false if the whole line has to be read. */
bool od_memory_form_read(const struct od_memory_form *forms, struct od_view text,
                         struct od_memory_line *ret_line);
