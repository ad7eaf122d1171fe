/*
 * The text of one source: unpacked and as UTF-8, for commands that pass a log on.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"

struct od_plain;

/*
 * "-" is standard input. OD_EINPUT with a diagnostic where it cannot be opened, holds several files
 * or is of a packed kind that cannot be read: that is refused, never passed on as it is.
 */
enum od_err od_plain_open(const char *name, struct od_diags *diags,
                          struct od_plain **ret_plain) OD_MUST_USE;

/* Appends some more of the text, at least a byte; false at its end. */
bool od_plain_read(struct od_plain *plain, struct od_buf *to);

/* What came to an end too early, as a diagnostic; true when all was read. */
bool od_plain_complete(const struct od_plain *plain, struct od_diags *diags);

/* Is it worth opening again, for a second pass? Standard input is put back to where it began. */
bool od_plain_again(struct od_plain *plain);

void od_plain_close(struct od_plain *plain);
