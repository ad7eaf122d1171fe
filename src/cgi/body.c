#include "config.h" /* must be the first include, because it decides what system headers declare */

#include "cgi/body.h"

#include "host/system.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

/* Waits for input, its end, or an error of standard output, which means that the client left. */
static enum od_body_end wait_for_more(int64_t deadline)
{
    for (;;) {
        struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = STDOUT_FILENO}};
        int64_t left = deadline - od_system_now_ms();
        if (left <= 0)
            return OD_BODY_SLOW;
        if (poll(files, OD_COUNT_OF(files), (int)left) <= 0)
            continue;
        if (files[0].revents)
            return OD_BODY_READ;
        return OD_BODY_LEFT;
    }
}

static enum od_body_end copy(int to, uint64_t wanted, int64_t deadline)
{
    char piece[PIECE];
    while (wanted > 0) {
        enum od_body_end end = wait_for_more(deadline);
        if (end != OD_BODY_READ)
            return end;
        ssize_t n = read(STDIN_FILENO, piece, wanted < PIECE ? (size_t)wanted : PIECE);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            break;
        if (!od_system_write(to, (struct od_view){piece, (size_t)n}))
            return OD_BODY_NO_MEMORY;
        wanted -= (uint64_t)n;
    }
    return OD_BODY_READ;
}

enum od_body_end od_body_take(const struct od_cgi_request *request,
                              const struct od_cgi_settings *settings)
{
    uint64_t wanted = request->has_length ? request->length : settings->body_most + 1;
    int to = od_system_file();
    if (to < 0)
        return OD_BODY_NO_MEMORY;
    enum od_body_end end = copy(to, wanted, od_system_now_ms() + (int64_t)settings->seconds * 1000);
    if (end == OD_BODY_READ && (lseek(to, 0, SEEK_SET) != 0 || dup2(to, STDIN_FILENO) < 0))
        end = OD_BODY_NO_MEMORY;
    (void)close(to);
    return end;
}
