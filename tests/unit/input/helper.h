/* An input read to its end, for tests. */
#ifndef OD_TESTS_UNIT_INPUT_HELPER_H
#define OD_TESTS_UNIT_INPUT_HELPER_H

#include "base/buf.h"
#include "base/diag.h"
#include "input/input.h"
#include "input/open.h"

struct reading {
    struct od_diags *diags;
    struct od_input *input;
    struct od_buf text;   /* every line, ended by LF */
    struct od_buf places; /* "source:line+nlines@offset" of each, ended by LF */
    size_t lines;
    size_t longest;
};

void reading_new(struct reading *reading, const struct od_input_limits *limits, size_t block);

/* Reads what was added. */
void reading_run(struct reading *reading);
void reading_done(struct reading *reading);

/* One memory source from beginning to end. */
void reading_of(struct reading *reading, struct od_view bytes, size_t block);

/* Is there a diagnostic that holds the text? */
bool reading_said(const struct reading *reading, const char *text);

#endif
