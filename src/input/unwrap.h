/*
 * Unwrapping: one physical line -> the line(s) a program printed, and who printed them.
 * Peeled, in any nesting and order: ANSI colours, docker JSON and other JSON with a message text,
 * CRI, journald and syslog heads, GitHub/GitLab/Azure CI timestamps and marks, Slurm ("0: "),
 * torchrun
 * ("[rank0]:", "[default0]:"), mpirun ("[1,0]<stdout>:"), Ray and vLLM ("(pid=..)"), markdown
 * quotes, list marks, back-quotes, repr() and JSON escapes ("\n" inside one line), lone CRs.
 * Program prefixes that belong to the text (TensorFlow's date and file) stay.
 *
 * A lane is one number for each (source, host, process, rank); readers keep one state a lane.
 */
#pragma once

#include "facts/line.h"
#include "input/input.h"

struct od_unwrap;

struct od_unwrap *od_unwrap_new(void);
void od_unwrap_free(struct od_unwrap *unwrap);

/* Begins with a physical line; its bytes must stay until the last od_unwrap_next. */
void od_unwrap_start(struct od_unwrap *unwrap, const struct od_raw_line *raw);

/* The next line in it; false when there is none left. At least one is given, maybe empty. */
bool od_unwrap_next(struct od_unwrap *unwrap, struct od_line *ret_line);

/*
 * Was the text given as it stands, a physical line or a piece of one between CRs, and would be each
 * that differs from it in digits alone? After the only line that od_unwrap_next gave of it.
 */
bool od_unwrap_is_plain(const struct od_unwrap *unwrap, struct od_view text);

/* Who knows of a piece between CRs that it is so, with these labels; then it is not looked at. */
typedef bool od_unwrap_known_fn(void *self, struct od_view piece, enum od_labels labels);
void od_unwrap_ask(struct od_unwrap *unwrap, od_unwrap_known_fn *known, void *self);

/* Gives a physical line that is known to be so, without looking at it. */
void od_unwrap_plain(struct od_unwrap *unwrap, const struct od_raw_line *raw,
                     struct od_line *ret_line);

/* Part of a physical line. */
struct od_layer_part {
    uint16_t at, n;
};

/* What is made of a physical line, and of all that differ from it in digits alone and have those
 * that were asked about, where that is one line which stands within it. */
struct od_layers {
    enum od_labels labels;
    struct od_layer_part text, stamp, host, process, pid;
    struct od_layer_part asked;
    char said[16]; /* what stands there */
};

/* After the only line that od_unwrap_next gave of it; false when it is not so. */
bool od_unwrap_layers(const struct od_unwrap *unwrap, const struct od_raw_line *raw,
                      struct od_layers *ret_layers);

/* Gives such a line without looking at the rest of it; false when it has other digits. */
bool od_unwrap_layered(struct od_unwrap *unwrap, const struct od_raw_line *raw,
                       const struct od_layers *layers, struct od_line *ret_line);

/* The line of the source that is its title; 0 = none. */
void od_unwrap_title_line(struct od_unwrap *unwrap, uint64_t line);

/* "OSError: ...", "torch.OutOfMemoryError: ...": the line of an exception. */
bool od_begins_with_class(struct od_view text);

/* Does what the title of a thread says count like any line? At first it does not, but for the line
 * of an exception. */
void od_unwrap_titles(struct od_unwrap *unwrap, bool count);

/*
 * Lines whose own lane could not be kept because there are too many lanes; they share the last.
 */
uint64_t od_unwrap_crowded(const struct od_unwrap *unwrap);
