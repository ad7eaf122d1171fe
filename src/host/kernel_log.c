#include "host/kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int od_kernel_log_open(void)
{
    int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && lseek(fd, 0, SEEK_END) >= 0)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* Format: "6,1234,5140900,-;text\n KEY=value\n": level, number, microseconds, flags. */
void od_kernel_log_print(struct od_view record, struct od_buf *to)
{
    enum { MICRO = 1000000 };
    struct od_view head, word, text;
    uint64_t at;
    if (!od_view_has(record, OD_VIEW(";")) || !od_view_cut(&record, ';', &head) ||
        !od_view_cut(&head, ',', &word) || !od_view_cut(&head, ',', &word) ||
        !od_view_cut(&head, ',', &word) || !od_num_parse_u64(word, &at))
        return;
    if (!od_view_cut(&record, '\n', &text))
        return;
    od_buf_printf(to, "[%5" PRIu64 ".%06" PRIu64 "] ", at / MICRO, at % MICRO);
    od_buf_add(to, text);
    od_buf_add_char(to, '\n');
}

void od_kernel_log_read(int fd, size_t most, struct od_buf *to)
{
    enum { RECORD_MOST = 8192 };
    char record[RECORD_MOST];
    size_t start = to->n;
    while (fd >= 0 && to->n - start < most) {
        ssize_t n = read(fd, record, sizeof record);
        if (n > 0)
            od_kernel_log_print((struct od_view){.p = record, .n = (size_t)n}, to);
        else if (n == 0 || (errno != EPIPE && errno != EINTR)) /* EPIPE: some records were lost */
            return;
    }
}
