#include "host/kernel_file.h"

#include <fcntl.h>
#include <unistd.h>

bool od_kernel_file_read(const char *name, size_t most, struct od_buf *to)
{
    enum { PIECE = 4096 };
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = 1;
    while (to->n < most && (n = read(fd, od_buf_reserve(to, PIECE), PIECE)) > 0)
        to->n += (size_t)n;
    (void)close(fd);
    return n == 0;
}
