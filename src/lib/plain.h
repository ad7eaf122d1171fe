/*
 * Reads the text of one source, unpacked and as UTF-8, for commands that pass a log on.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"

struct od_plain;

/* "-" is standard input. OD_EINPUT with a diagnostic if it cannot be opened, contains several files
 * or has an unsupported compression, which is never passed on unchanged. */
enum od_err od_plain_open(const char *name, struct od_diags *diags,
                          struct od_plain **ret_plain) OD_MUST_USE;

/* Appends at least one more byte of the text; false at its end. */
bool od_plain_read(struct od_plain *plain, struct od_buf *to);

/* Reports what ended early as a diagnostic; true if everything was read. */
bool od_plain_complete(const struct od_plain *plain, struct od_diags *diags);

/* Can it be read a second time? Seeks standard input to where it started. */
bool od_plain_again(struct od_plain *plain);

void od_plain_close(struct od_plain *plain);
