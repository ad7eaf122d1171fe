/*
 * A line of memory as a template: its words and numbers (pieces), and of each number what the words
 * around it say that it is (memory_words.h): a slot for memory, or the line's step, epoch, rank,
 * process, device or source. The template of a line reads every line that differs from it only in
 * digits. Decisions that need other lines are made in repeated.c.
 */
#pragma once

#include "facts/event.h"

enum { OD_SLOTS_MAX = 12 };

/* A range of the line; n = 0: none. */
struct od_span {
    uint16_t at, n;
};

static inline struct od_view od_span_of(struct od_view text, struct od_span span)
{
    return od_view_head(od_view_from(text, span.at), span.n);
}

struct od_template_count {
    struct od_count count;
    struct od_span digits;
};

/* A number of memory. */
struct od_slot {
    struct od_span digits, unit, share_digits;
    enum od_field field;
    const char *space;
    struct od_template_count device;
    struct od_bytes bytes;
    double share;
    bool assumed;   /* space is guessed: frameworks print device memory at a step */
    bool bare;      /* "mem" or "max mem" alone, which counts only with a step */
    bool ownerless; /* "memory usage" without an owner: of a process or of a device */
    bool allocator; /* "allocated" alone, which counts only with "reserved" */
    bool given;     /* an allocator's count, less than the device's memory in use */
    bool vague;     /* "usage", which may not be of memory */
    bool heap, privately;
    bool committed;
    bool pages;    /* of a process: counted in pages */
    bool named;    /* the words after the number name it */
    bool counted;  /* bytes, because the number is so large */
    bool unitless; /* neither its number nor its surroundings have a unit; the value is `number` */
    double number;
};

struct od_template {
    struct od_view text;
    struct od_span when; /* moment of a step: "before forward" */
    const char *phase;   /* "train" or "validation", if the line starts with one; otherwise NULL */
    bool phases;         /* the line names several phases, so it is a summary */
    struct od_template_count step, epoch, rank, pid;
    struct od_span key;   /* "node03", "ForkPoolWorker-2": the source of the line */
    struct od_span mixed; /* "a3" of "wid=a3": a source if it repeats among others */
    bool loss;
    bool headed;        /* the number precedes a message, next to a time */
    bool process;       /* the line names a process */
    bool allocated;     /* one of the numbers is counted by an allocator */
    bool digits_matter; /* digits change the meaning, so the template cannot be reused */
    uint64_t message;   /* hash of the message of a line of this kind, without digits */
    uint64_t label;     /* hash of the words that name the first number, without digits */
    size_t n;
    struct od_slot slots[OD_SLOTS_MAX]; /* must be last: only n elements are stored */
};

/* The facts that a heading states about the lines below it. */
struct od_template_under {
    unsigned context; /* its words for memory */
    struct od_template_count device;
    struct od_view unit; /* may be empty */
};

/* Reads memory numbers; n = 0: none. under: the heading above; NULL = none. */
void od_template_read(struct od_view text, const struct od_template_under *under,
                      struct od_template *ret_template);

/* Identity of a line: its label, device and source. */
uint64_t od_template_identity(const struct od_template *t);

/* A stored template, of one shape. */
struct od_template_kept;

/* Adds the template to those of its shape (initially NULL), if its meaning does not depend on
 * digits otherwise. */
struct od_template_kept *od_template_keep(const struct od_template *t, struct od_arena *arena,
                                          struct od_template_kept *kept);

/* Reads only the numbers of a text of that shape; false if the whole line has to be read. */
bool od_template_apply(const struct od_template_kept *kept, struct od_view text,
                       struct od_template *ret_template);

/* Could it contain a memory number with any digits? Most lines cannot. */
bool od_template_may_be(struct od_view text);

/* Is the line, which has no memory number, a heading of those below: "GPU memory:"? */
bool od_template_heading(struct od_view text, struct od_template_under *ret_under);

/* Emits memory over time that one sentence gives (template_course.c); false if it gives none. */
bool od_template_course(const struct od_line *line, const struct od_sink *sink);
