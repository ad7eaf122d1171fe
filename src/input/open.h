/*
 * Opens sources by name, with messages for possible errors; also settings for tests.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "input/input.h"

/* Can name be read? OD_EINPUT with a diagnostic if not. A regular file is closed again and *ret_fd
 * is -1; a pipe or standard input stays open, because it can only be opened once. */
enum od_err od_open_check(const char *name, struct od_diags *diags, int *ret_fd) OD_MUST_USE;

/* Opens it for reading; the caller has to close it. */
enum od_err od_open_file(const char *name, struct od_diags *diags, int *ret_fd) OD_MUST_USE;

/* Closes what od_open_check left open; -1 and standard input are ignored. */
void od_open_close(int fd);

/* For tests: sets the size of a block, before anything is read. */
void od_input_set_block(struct od_input *input, size_t bytes);
