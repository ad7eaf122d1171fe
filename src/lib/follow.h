/*
 * Reads a text file while another program writes to it. The file stays open, so it is read to its
 * end even after it was renamed. Only new bytes are read; the beginning and the end of the text are
 * stored in bounded memory (lib/keep.h). A file that was truncated or written anew is read again
 * from its beginning.
 */
#pragma once

#include "base/base.h"

struct od_follow;

enum od_follow_news {
    OD_FOLLOW_NONE,
    OD_FOLLOW_NEW, /* od_follow_copy returns new text */
    /* read the file by its name instead: it is too large to store, compressed, or in UTF-16 */
    OD_FOLLOW_WHOLE
};

/* Opens the file. NULL if the name has no readable regular file. The caller frees the result. */
struct od_follow *od_follow_open(const char *name);
void od_follow_free(struct od_follow *follow);

/* Reads the bytes written since the last call. A last line without a line end counts as new when it
 * has not grown between two calls. */
enum od_follow_news od_follow_read(struct od_follow *follow);

/* Appends the stored text: whole lines, and a last line that has stopped growing. */
void od_follow_copy(const struct od_follow *follow, struct od_buf *to);

/* Does the name still belong to this file? */
bool od_follow_has_name(const struct od_follow *follow, const char *name);

/* The current name of the file, which may have been renamed. Allocated in arena. */
const char *od_follow_name(const struct od_follow *follow, const char *opened_as,
                           struct od_arena *arena);
