/*
 * Shapes of lines. A shape is a line with every digit replaced by 0; a log repeats few shapes many
 * times. Each shape has a plan (line_plan.h), made from the second line with that shape.
 *
 * The masked bytes are stored and compared, because equal hashes, by chance or on purpose, would
 * lose events silently. Memory is bounded: above some thousand shapes or some MB all shapes are
 * forgotten, and those in use are made again.
 */
#pragma once

#include "input/unwrap.h"
#include "scan/line_plan.h"

enum {
    OD_LINE_SHAPE_BYTES = 1024, /* longer lines have no shape */
    OD_LINE_SHAPES_AT_ONCE = 16 /* maximum number of texts in one od_line_shapes_find */
};

struct od_line_shape {
    uint64_t hash;
    const char *folded;
    size_t n;
    struct od_line_plan *plan;   /* NULL = not made yet */
    struct od_layers *layers;    /* NULL = not known */
    struct od_line_shape *inner; /* shape of the text within the layers; NULL = not known */
    /* kinds of labels (input.h, bit set) with which unwrapping changes no line of the shape */
    unsigned plain;
};

struct od_line_shapes;

struct od_line_shapes *od_line_shapes_new(void);
void od_line_shapes_free(struct od_line_shapes *shapes);

/* Begins a scan and returns its number. */
uint64_t od_line_shapes_scan(struct od_line_shapes *shapes);

/* The plan of lines that no reader or rule uses. */
struct od_line_plan *od_line_shapes_nothing(struct od_line_shapes *shapes);

/* The arena of the plans, valid as long as the shapes. */
struct od_arena *od_line_shapes_arena(struct od_line_shapes *shapes);

/* Finds or makes the shape of a text. NULL if the text is seen for the first time or is too long,
 * or if there are too many shapes. */
struct od_line_shape *od_line_shapes_at(struct od_line_shapes *shapes, struct od_view text);

/* Like od_line_shapes_at for several texts, in order. fresh: the shape is new. */
struct od_line_shape_found {
    struct od_line_shape *shape;
    bool fresh;
};
void od_line_shapes_find(struct od_line_shapes *shapes, const struct od_view *texts, size_t n,
                         struct od_line_shape_found *ret);

bool od_line_shapes_are_full(const struct od_line_shapes *shapes);

/* Forgets all shapes. No plan may be in use. */
void od_line_shapes_forget(struct od_line_shapes *shapes);
