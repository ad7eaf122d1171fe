#include "host/worker.h"

#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GOOD = 0, SOME_WENT_WRONG = 1, NOT_SAID = 2, READ_BYTES = 65536 };

static _Noreturn void work_and_exit(int to, od_worker_part *work, void *self, unsigned part)
{
    struct od_buf out = {0};
    od_system_follow_parent(SIGKILL);
    bool good = work(self, part, &out);
    bool said = od_system_write(to, od_buf_view(&out));
    od_buf_done(&out);
    _exit(!said ? NOT_SAID : good ? GOOD : SOME_WENT_WRONG);
}

bool od_worker_start(struct od_worker *worker, od_worker_part *work, void *self, unsigned part)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    worker->pid = fork();
    if (worker->pid == 0) {
        (void)close(ends[0]);
        work_and_exit(ends[1], work, self, part);
    }
    worker->from = ends[0];
    (void)close(ends[1]);
    if (worker->pid < 0)
        (void)close(ends[0]);
    return worker->pid > 0;
}

bool od_worker_end(struct od_worker *worker, struct od_buf *out, bool *ret_good)
{
    ssize_t n;
    int status = 0;
    while ((n = read(worker->from, od_buf_reserve(out, READ_BYTES), READ_BYTES)) > 0 ||
           (n < 0 && errno == EINTR))
        out->n += n > 0 ? (size_t)n : 0;
    (void)close(worker->from);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : NOT_SAID;
    *ret_good = code == GOOD;
    return n == 0 && code < NOT_SAID;
}
