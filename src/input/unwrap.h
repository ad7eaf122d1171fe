/*
 * Unwrapping: turns a physical line into the line(s) that a program printed, and its lane. Removes,
 * in any nesting and order: ANSI colors, docker JSON and other JSON with a message text, CRI,
 * journald and syslog prefixes, GitHub/GitLab/Azure CI time stamps and marks, Slurm ("0: "),
 * torchrun ("[rank0]:", "[default0]:"), mpirun ("[1,0]<stdout>:"), Ray and vLLM ("(pid=..)"),
 * what Heroku, Fly.io, Google Cloud, Lambda, BuildKit, Netlify and others put before each line,
 * Markdown quotes, list marks, backquotes, repr() and JSON escapes ("\n" inside one line), lone
 * CRs. Prefixes that belong to the program's text (TensorFlow's date and file) stay.
 *
 * A lane is a number for each combination of source, host, process and rank; readers keep one state
 * for each lane.
 */
#pragma once

#include "facts/line.h"
#include "input/input.h"

struct od_unwrap;

struct od_unwrap *od_unwrap_new(void);
void od_unwrap_free(struct od_unwrap *unwrap);

/* Starts a physical line, whose bytes must stay valid until the last od_unwrap_next. */
void od_unwrap_start(struct od_unwrap *unwrap, const struct od_raw_line *raw);

/* The next line; false if there are no more. At least one line is returned, possibly empty. */
bool od_unwrap_next(struct od_unwrap *unwrap, struct od_line *ret_line);

/* Was the text returned unchanged (a physical line, or a piece between CRs), and would every text
 * be that differs only in digits? Call after the only line that od_unwrap_next returned for it. */
bool od_unwrap_is_plain(const struct od_unwrap *unwrap, struct od_view text);

/* Callback: is this piece between CRs known to be plain with these labels? Then it is not
 * examined. */
typedef bool od_unwrap_known_fn(void *self, struct od_view piece, enum od_labels labels);
void od_unwrap_ask(struct od_unwrap *unwrap, od_unwrap_known_fn *known, void *self);

/* Returns a physical line that is known to be plain, without examining it. */
void od_unwrap_plain(struct od_unwrap *unwrap, const struct od_raw_line *raw,
                     struct od_line *ret_line);

/* Part of a physical line. */
struct od_layer_part {
    uint16_t at, n;
};

/* How a physical line is unwrapped if the result is a single part of it. Also valid for lines that
 * differ only in digits, except for digits whose value was examined. */
struct od_layers {
    enum od_labels labels;
    struct od_layer_part text, stamp, host, process, pid;
    struct od_layer_part asked;
    char said[16]; /* the examined text */
};

/* Call after the only line that od_unwrap_next returned for raw; false if the layers cannot be
 * described so. */
bool od_unwrap_layers(const struct od_unwrap *unwrap, const struct od_raw_line *raw,
                      struct od_layers *ret_layers);

/* Unwraps a line of this kind without examining the rest of it; false if examined digits differ. */
bool od_unwrap_layered(struct od_unwrap *unwrap, const struct od_raw_line *raw,
                       const struct od_layers *layers, struct od_line *ret_line);

/* Line number of the source's title; 0 = none. */
void od_unwrap_title_line(struct od_unwrap *unwrap, uint64_t line);

/* Is it the line of an exception: "OSError: ...", "torch.OutOfMemoryError: ..."? */
bool od_begins_with_class(struct od_view text);

/* Does the title of a thread count like any line? By default only the line of an exception does. */
void od_unwrap_titles(struct od_unwrap *unwrap, bool count);

/* Number of lines that share the last lane because there are too many lanes. */
uint64_t od_unwrap_crowded(const struct od_unwrap *unwrap);
