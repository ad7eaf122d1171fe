/*
 * Opening sources by name, with words for what can go wrong, and what only input's own tests may
 * turn.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "input/input.h"

/*
 * Can name be read? OD_EINPUT with a diagnostic when not. A regular file is closed again and
 * *ret_fd is -1; a pipe or standard input stays open, for it can be opened only once.
 */
enum od_err od_open_check(const char *name, struct od_diags *diags, int *ret_fd) OD_MUST_USE;

/* Opens it for reading; the caller closes. */
enum od_err od_open_file(const char *name, struct od_diags *diags, int *ret_fd) OD_MUST_USE;

/* Closes what od_open_check left open; -1 and standard input stay as they are. */
void od_open_close(int fd);

/* Bytes of a block, before anything is read: for tests. */
void od_input_set_block(struct od_input *input, size_t bytes);
