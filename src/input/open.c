#include "input/open.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static enum od_err fail(struct od_diags *diags, const char *name, int error)
{
    struct od_diag diag = {.severity = OD_ERROR, .file = name, .message = strerror(error)};
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        diag.message = "no such file";
        diag.help = strstr(name, "://") ? "download it first: curl -sSL URL | oomdoctor"
                                        : "check the path; \"-\" reads standard input";
        break;
    case EACCES:
    case EPERM:
        diag.message = "permission denied";
        diag.help = "make the file readable, or pass it through standard input";
        break;
    case EISDIR:
        diag.message = "is a directory";
        diag.help = "pass the log files in it, or use `oomdoctor fleet` for a folder of runs";
        break;
    default:
        break;
    }
    od_diags_add(diags, &diag);
    return OD_EINPUT;
}

enum od_err od_open_file(const char *name, struct od_diags *diags, int *ret_fd)
{
    struct stat st;
    int fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail(diags, name, errno);
    int error = fstat(fd, &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (error != 0) {
        od_open_close(fd);
        return fail(diags, name, error);
    }
    *ret_fd = fd;
    return OD_OK;
}

enum od_err od_open_check(const char *name, struct od_diags *diags, int *ret_fd)
{
    struct stat st;
    int fd;
    enum od_err err = od_open_file(name, diags, &fd);
    if (err != OD_OK)
        return err;
    if (fd != STDIN_FILENO && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        od_open_close(fd);
        fd = -1;
    }
    *ret_fd = fd;
    return OD_OK;
}

void od_open_close(int fd)
{
    if (fd > STDIN_FILENO)
        (void)close(fd);
}
