/*
 * Frames from the locked process to the outside process, through a pipe. They are untrusted,
 * because the locked process parses untrusted bytes: lengths are checked, pages are sent with a
 * policy that forbids scripts, and figures are drawn in another locked process.
 */
#pragma once

#include "report/figure.h"

enum od_wire_kind {
    OD_WIRE_READ = 1, /* the body was read to its end; no data */
    OD_WIRE_DATA,     /* data of a figure; number: its height */
    OD_WIRE_SCRIPT,   /* script of the figure before */
    OD_WIRE_CAUSE,    /* a word for the log */
    OD_WIRE_ANSWER    /* the last frame; number: status, and in higher bits enum od_wire_type */
};

enum od_wire_type { OD_WIRE_HTML, OD_WIRE_JSON, OD_WIRE_MARKDOWN };

struct od_wire_answer {
    unsigned status;
    enum od_wire_type type;
    char cause[40];                           /* letters and "_" */
    struct od_figure figures[OD_FIGURES_MAX]; /* data, script and height are set */
    size_t nfigures;
    struct od_view text;
};

/* Writes a frame to the descriptor; false if the reader is gone. */
bool od_wire_send(int fd, enum od_wire_kind kind, uint32_t number, struct od_view bytes);

/* Do these bytes show that the body was read? */
bool od_wire_was_read(struct od_view frames);

/* The answer in the received bytes, as views into them; false if they are invalid. */
bool od_wire_answer(struct od_view frames, struct od_wire_answer *ret_answer);
