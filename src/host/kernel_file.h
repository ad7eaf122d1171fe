/*
 * Reads files that the kernel generates (/proc, /sys), whose size is not known before.
 */
#pragma once

#include "base/base.h"

/* Appends the file to the buffer, up to about most bytes. False if it cannot be opened or not be
 * read completely; the buffer has what could be read. */
bool od_kernel_file_read(const char *name, size_t most, struct od_buf *to);
