/*
 * Reads files that the kernel generates (/proc, /sys), whose size is not known in advance.
 */
#pragma once

#include "base/base.h"

/* Appends the file to the buffer, up to about most bytes. False if it cannot be opened or read
 * completely; the buffer then has the part that was read. */
bool od_kernel_file_read(const char *name, size_t most, struct od_buf *to);
