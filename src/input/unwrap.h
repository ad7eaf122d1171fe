/*
 * Unwrapping: converts a physical line to the line(s) that a program printed, and finds its lane.
 * Removes, in any nesting and order: ANSI colors, docker JSON and other JSON with a message text,
 * CRI, journald and syslog prefixes, GitHub/GitLab/Azure CI time stamps and marks, Slurm ("0: "),
 * torchrun ("[rank0]:", "[default0]:"), mpirun ("[1,0]<stdout>:"), Ray and vLLM ("(pid=..)"),
 * prefixes of Heroku, Fly.io, Google Cloud, Lambda, BuildKit, Netlify and others, Markdown quotes,
 * list marks, backquotes, repr() and JSON escapes ("\n" inside one line), lone CRs. Prefixes that
 * belong to the program's text (TensorFlow's date and file) stay.
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

/* Starts a physical line. Its bytes must stay valid until the last od_unwrap_next. */
void od_unwrap_start(struct od_unwrap *unwrap, const struct od_raw_line *raw);

/* Returns the next line; false if there are no more. Returns at least one line, possibly empty. */
bool od_unwrap_next(struct od_unwrap *unwrap, struct od_line *ret_line);

/* Was the text returned unchanged (a physical line, or a piece between CRs), and would any text be
 * that differs only in digits? Call this after the only line of od_unwrap_next. */
bool od_unwrap_is_plain(const struct od_unwrap *unwrap, struct od_view text);

/* Is this piece between CRs known to be plain with these labels? If so, it is not examined. */
typedef bool od_unwrap_known_fn(void *self, struct od_view piece, enum od_block_prefixes labels);
void od_unwrap_ask(struct od_unwrap *unwrap, od_unwrap_known_fn *known, void *self);

/* Returns a physical line that is known to be plain without examining it. */
void od_unwrap_plain(struct od_unwrap *unwrap, const struct od_raw_line *raw,
                     struct od_line *ret_line);

/* Part of a physical line. */
struct od_layer_part {
    uint16_t at, n;
};

/* How to unwrap a physical line whose result is a single part of it. Also valid for lines that
 * differ only in digits, except for digits whose value matters (`asked`). */
struct od_layers {
    enum od_block_prefixes labels;
    struct od_layer_part text, stamp, host, process, pid;
    struct od_layer_part asked;
    char said[16]; /* text of `asked` */
};

/* Describes how the line was unwrapped. Call this after the only line of od_unwrap_next. False if
 * layers cannot describe it. */
bool od_unwrap_layers(const struct od_unwrap *unwrap, const struct od_raw_line *raw,
                      struct od_layers *ret_layers);

/* Unwraps a line of this kind at stored positions. False if the digits of `asked` differ. */
bool od_unwrap_layered(struct od_unwrap *unwrap, const struct od_raw_line *raw,
                       const struct od_layers *layers, struct od_line *ret_line);

/* Sets the line number of the source's title; 0 = none. */
void od_unwrap_title_line(struct od_unwrap *unwrap, uint64_t line);

/* Does the text begin like an exception: "OSError: ...", "torch.OutOfMemoryError: ..."? */
bool od_begins_with_class(struct od_view text);

/* Sets whether the title of a thread counts like any line. By default only an exception does. */
void od_unwrap_titles(struct od_unwrap *unwrap, bool count);

/* Number of lines in the last lane, which is shared when there are too many lanes. */
uint64_t od_unwrap_crowded(const struct od_unwrap *unwrap);
