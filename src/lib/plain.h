/*
 * Reads the text of one source, unpacked and as UTF-8, for commands that pass a log on.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"

struct od_plain;

/* Opens a file, or "-" for standard input. OD_EINPUT with a diagnostic if it cannot be opened,
 * contains several files or has an unsupported compression: these bytes are never passed on
 * unchanged. */
enum od_err od_plain_open(const char *name, struct od_diags *diags,
                          struct od_plain **ret_plain) OD_MUST_USE;

/* Appends at least one more byte of the text; false at its end. */
bool od_plain_read(struct od_plain *plain, struct od_buf *to);

/* Adds a diagnostic for a source that ended early. True if everything was read. */
bool od_plain_complete(const struct od_plain *plain, struct od_diags *diags);

/* Can the source be read a second time? If so, seeks it to its start. */
bool od_plain_again(struct od_plain *plain);

void od_plain_close(struct od_plain *plain);
