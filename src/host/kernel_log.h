/*
 * What the kernel says from a moment on: /dev/kmsg, where we may read it. The records' form is that
 * of the kernel's Documentation/ABI/testing/dev-kmsg.
 */
#pragma once

#include "base/base.h"

/* A descriptor positioned after the last record; -1 = it cannot be read. The caller closes it. */
int od_kernel_log_open(void);

/* Appends what came since, as dmesg prints it: "[   12.345678] text". At most most bytes. */
void od_kernel_log_read(int fd, size_t most, struct od_buf *to);

/* Appends one record of /dev/kmsg in that form; nothing where it is none. */
void od_kernel_log_print(struct od_view record, struct od_buf *to);
