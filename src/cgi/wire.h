/*
 * Frames that the locked process sends to the outer process through a pipe. They are untrusted,
 * because the locked process parses untrusted bytes: lengths are checked, pages are sent with a
 * policy that forbids scripts, and figures are drawn in another locked process.
 */
#pragma once

#include "report/figure.h"

enum od_wire_kind {
    OD_WIRE_DATA = 1, /* data of a figure; number = height of the figure */
    OD_WIRE_SCRIPT,   /* script of the preceding figure */
    OD_WIRE_CAUSE,    /* a word for the server's log */
    OD_WIRE_ANSWER    /* the last frame; number = status, and enum od_wire_type in higher bits */
};

enum od_wire_type { OD_WIRE_HTML, OD_WIRE_JSON, OD_WIRE_MARKDOWN };

struct od_wire_answer {
    unsigned status;
    enum od_wire_type type;
    char cause[40];                           /* only letters and "_" */
    struct od_figure figures[OD_FIGURES_MAX]; /* only data, script and height are set */
    size_t nfigures;
    struct od_view text;
};

/* Writes a frame to the descriptor; false if the reader is gone. */
bool od_wire_send(int fd, enum od_wire_kind kind, uint32_t number, struct od_view bytes);

/* Parses received bytes into an answer, as views into them; false if they are invalid. */
bool od_wire_answer(struct od_view frames, struct od_wire_answer *ret_answer);
