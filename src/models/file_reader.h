/*
 * A file reader parses one binary format that is not a log and has no lines: it gets the whole file
 * at once. Each format has one file with `const struct od_file_reader od_file_reader_<name>`,
 * listed in this folder's local.mk. It emits the same events as readers of logs; the line of their
 * place is 0.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/event.h"

/* Maximum number of chunks stored for a file; further ones are only counted. */
enum { OD_FILE_CHUNKS = 4 << 20 };

/* Input of a file reader. All members are only valid during the call. */
struct od_file {
    struct od_view bytes;
    const char *name; /* name of the source, for diagnostics */
    uint32_t source;
    size_t *used; /* set by od_file_used; may be NULL */
    struct od_diags *diags;
    const struct od_sink *sink;
    struct od_arena *arena; /* owns texts that outlive the call, such as those of a model */
    const char *dims;       /* "seq=128,height=224": values for named dimensions; may be NULL */
};

struct od_file_reader {
    const char *name; /* name of the rule in events */

    /* Name of the format if a file that starts with `head` is of this format ("pytorch snapshot"),
     * otherwise NULL. head may be only the first 512 bytes. */
    const char *(*bids)(struct od_view head);

    /* Emits the contents of the file. OD_LOST if it is damaged or truncated, OD_ELIMIT if it is too
     * large to store, OD_EINPUT if it is rejected; each with a diagnostic. Unused text is then read
     * as a log. */
    enum od_err (*read)(const struct od_file *file);
};

/* All file readers in the order of local.mk; the list ends with NULL. */
extern const struct od_file_reader *const od_file_readers[];

/* Finds the reader for a file that starts with `head`, and the name of the format; NULL if none. */
const struct od_file_reader *od_file_reader_find(struct od_view head, const char **ret_word);

/* Reads the file. Always sets *file->used. */
enum od_err od_file_read(const struct od_file_reader *reader, const struct od_file *file);

/* Emits a model described in the file. words: the name of its source in words. */
void od_file_put_model(const struct od_file *file, struct od_model *model, const char *rule,
                       const char *words);

/* Sets how many bytes belong to the file, because a log may follow it. By default all bytes of a
 * readable file do, and none of an unreadable one. */
void od_file_used(const struct od_file *file, size_t bytes);

/* Adds a diagnostic about the file. help may be NULL. */
void od_file_say(const struct od_file *file, enum od_severity severity, const char *help,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
