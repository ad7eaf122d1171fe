/*
 * A text file that another program writes to. It stays open, so it is read to its end even after it
 * was renamed. Only new bytes are read, and the beginning and the end of the text are stored in
 * bounded memory (lib/keep.h). A file that was truncated or written anew is read again from its
 * beginning.
 */
#pragma once

#include "base/base.h"

struct od_follow;

enum od_follow_news {
    OD_FOLLOW_NONE,
    OD_FOLLOW_NEW,  /* od_follow_copy returns new text */
    OD_FOLLOW_WHOLE /* too large to store, compressed, or UTF-16: read the file by its name */
};

/* NULL if there is no readable regular file of that name. The caller frees it. */
struct od_follow *od_follow_open(const char *name);
void od_follow_free(struct od_follow *follow);

/* Reads what was written since the last call. A last line without a line end is new text when it
 * has not grown between two calls. */
enum od_follow_news od_follow_read(struct od_follow *follow);

/* Appends the stored text: whole lines, and a last line that has stopped growing. */
void od_follow_copy(const struct od_follow *follow, struct od_buf *to);

/* Does the name still belong to this file? */
bool od_follow_has_name(const struct od_follow *follow, const char *name);

/* The current name of the file. Allocated in arena. */
const char *od_follow_name(const struct od_follow *follow, const char *opened_as,
                           struct od_arena *arena);
