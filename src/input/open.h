/*
 * Opens sources by name and reports errors.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "input/input.h"

/* Can the name be read? OD_EINPUT with a diagnostic if not. Closes a regular file again and sets
 * *ret_fd to -1. A pipe or standard input stays open, because it can only be opened once. */
enum od_err od_open_check(const char *name, struct od_diags *diags, int *ret_fd) OD_MUST_USE;

/* Opens the file for reading; the caller closes it. */
enum od_err od_open_file(const char *name, struct od_diags *diags, int *ret_fd) OD_MUST_USE;

/* Closes the descriptor of od_open_check, except -1 and standard input. */
void od_open_close(int fd);

/* Sets the size of blocks. For tests, before anything is read. */
void od_input_set_block(struct od_input *input, size_t bytes);
