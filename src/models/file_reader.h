/*
 * A file reader understands one binary format that is no log and has no lines: it gets the whole
 * file at once. One file a format, one `const struct od_file_reader od_file_reader_<name>` in it,
 * one word in this folder's local.mk. It emits the same events as readers of logs do; they have no
 * line, so the line of their place is 0.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/event.h"

/* Chunks kept of one file; the rest is counted. */
enum { OD_FILE_CHUNKS = 4 << 20 };

/* What a file reader is given. Everything lives only as long as the call. */
struct od_file {
    struct od_view bytes;
    const char *name; /* of the source, for diagnostics */
    uint32_t source;
    size_t *used; /* of od_file_used; or NULL */
    struct od_diags *diags;
    const struct od_sink *sink;
    struct od_arena *arena; /* for texts that outlive the call: those of a model */
    const char *dims;       /* "seq=128,height=224": sizes that the file names only; or NULL */
};

struct od_file_reader {
    const char *name; /* what events call their rule */

    /* The word for a file that begins so ("pytorch snapshot"), NULL when it is none of ours. head
     * may be as short as 512 bytes of a longer file. */
    const char *(*bids)(struct od_view head);

    /* Emits what the file says. OD_LOST when it is damaged or cut, OD_ELIMIT when it is too large
     * to be kept, OD_EINPUT when it is refused; each with a diagnostic. Text that it does not use
     * is then read as a log. */
    enum od_err (*read)(const struct od_file *file);
};

/* All file readers, NULL-terminated, in the order of local.mk. */
extern const struct od_file_reader *const od_file_readers[];

/* The one that bids on a file that begins so, and its word; NULL for none. */
const struct od_file_reader *od_file_reader_find(struct od_view head, const char **ret_word);

/* Reads the file; *file->used is set in any case. */
enum od_err od_file_read(const struct od_file_reader *reader, const struct od_file *file);

/* Emits a model that the file describes. words: what it was read from, for people. */
void od_file_put_model(const struct od_file *file, struct od_model *model, const char *rule,
                       const char *words);

/* So many bytes are the file's own; a log may follow them. Without it that is all of a file that
 * was read, and nothing of another. */
void od_file_used(const struct od_file *file, size_t bytes);

/* A diagnostic about the file. help may be NULL. */
void od_file_say(const struct od_file *file, enum od_severity severity, const char *help,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
