/*
 * Reads new kernel messages from /dev/kmsg, if it is readable. The format is documented in the
 * kernel's Documentation/ABI/testing/dev-kmsg.
 */
#pragma once

#include "base/base.h"

/* Opens the log after its last record; -1 = not readable. The caller closes the descriptor. */
int od_kernel_log_open(void);

/* Appends new messages in dmesg's format, "[   12.345678] text", at most `most` bytes. */
void od_kernel_log_read(int fd, size_t most, struct od_buf *to);

/* Appends one record of /dev/kmsg in dmesg's format; appends nothing if it is invalid. */
void od_kernel_log_print(struct od_view record, struct od_buf *to);
