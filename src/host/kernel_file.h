/*
 * Files that the kernel writes as they are read (/proc, /sys): their size is not known before.
 */
#pragma once

#include "base/base.h"

/*
 * Adds what is in the file to the buffer, which stops growing soon after most bytes. False when it
 * could not be opened or not be read to its end; the buffer has what could be read.
 */
bool od_kernel_file_read(const char *name, size_t most, struct od_buf *to);
