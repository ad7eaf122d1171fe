/*
 * Shapes of lines: a line with 0 for every digit. Logs repeat few of them many times; each has the
 * plan (line_plan.h) that was made of the second line of it that came.
 *
 * Folded bytes are kept and compared: logs are written by others, and a hash that is the same by
 * chance or on purpose would lose events in silence. Bounded: beyond some thousand shapes or some
 * MB all are forgotten, which costs to learn those in use again.
 */
#pragma once

#include "input/unwrap.h"
#include "scan/line_plan.h"

enum {
    OD_LINE_SHAPE_BYTES = 1024, /* longer lines have none */
    OD_LINE_SHAPES_AT_ONCE = 16 /* that are looked for together, at most */
};

struct od_line_shape {
    uint64_t hash;
    const char *folded;
    size_t n;
    struct od_line_plan *plan;   /* NULL: not made yet */
    struct od_layers *layers;    /* NULL: not known */
    struct od_line_shape *inner; /* of the text in them; NULL: not known */
    unsigned plain; /* a bit for each kind of labels (input.h) with which such a line is known to
                       stand there as it was printed */
};

struct od_line_shapes;

struct od_line_shapes *od_line_shapes_new(void);
void od_line_shapes_free(struct od_line_shapes *shapes);

/* Begins a scan, of one log: its number. */
uint64_t od_line_shapes_scan(struct od_line_shapes *shapes);

/* The plan of lines that nobody wants. */
struct od_line_plan *od_line_shapes_nothing(struct od_line_shapes *shapes);

/* Where plans live as long as their shapes. */
struct od_arena *od_line_shapes_arena(struct od_line_shapes *shapes);

/* The same, of another thread: who tidies up waits for it before. */
struct od_arena *od_line_shapes_other_arena(struct od_line_shapes *shapes);

/* The shape of a text, perhaps new; NULL where it comes for the first time, when it is too long,
 * and when there are too many of them. */
struct od_line_shape *od_line_shapes_at(struct od_line_shapes *shapes, struct od_view text);

/* The same of several in their order, and whether each is new. */
struct od_line_shape_found {
    struct od_line_shape *shape;
    bool fresh;
};
void od_line_shapes_find(struct od_line_shapes *shapes, const struct od_view *texts, size_t n,
                         struct od_line_shape_found *ret);

bool od_line_shapes_are_full(const struct od_line_shapes *shapes);

/* Forgets all shapes. No plan may be in use. */
void od_line_shapes_forget(struct od_line_shapes *shapes);
