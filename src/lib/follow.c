#include "lib/follow.h"

#include "host/system.h"
#include "input/packed.h"
#include "lib/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 65536, PRINT = 4096, HEAD = 1 << 20, TAIL = 16 << 20 };

/* A sample of the bytes read so far, to recognize the same text. */
struct print {
    uint64_t at;
    size_t n;
    char bytes[PRINT];
};

struct od_follow {
    int fd;
    struct stat seen;         /* status of the file at the last read */
    uint64_t at;              /* number of bytes read so far */
    struct print first, last; /* samples at the start and the end of these bytes */
    struct od_keep *keep;
    bool whole;    /* the file must be read as a whole: compressed, or in UTF-16 */
    bool is_quiet; /* the last call read nothing new */
};

static struct od_keep *new_keep(void)
{
    const struct od_keep_limits limits = {.head = HEAD, .tail = TAIL, .line = PIECE};
    return od_keep_new(&limits);
}

struct od_follow *od_follow_open(const char *name)
{
    struct stat about;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        (void)close(fd);
        return NULL;
    }
    struct od_follow *follow = od_mem_alloc(1, sizeof *follow);
    follow->fd = fd;
    follow->keep = new_keep();
    return follow;
}

void od_follow_free(struct od_follow *follow)
{
    if (!follow)
        return;
    (void)close(follow->fd);
    od_keep_free(follow->keep);
    od_mem_free(follow);
}

/* Reads up to n bytes; repeats the call after signals. */
static size_t read_at(int fd, uint64_t at, char *to, size_t n)
{
    ssize_t got;
    do {
        got = pread(fd, to, n, (off_t)at);
    } while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}

static void take_print(struct print *print, uint64_t at, struct od_view bytes)
{
    size_t skipped = bytes.n > PRINT ? bytes.n - PRINT : 0;
    print->at = at + skipped;
    print->n = bytes.n - skipped;
    memcpy(print->bytes, bytes.p + skipped, print->n);
}

static bool is_still_there(int fd, const struct print *print)
{
    char bytes[PRINT];
    return read_at(fd, print->at, bytes, print->n) == print->n &&
           memcmp(bytes, print->bytes, print->n) == 0;
}

static bool is_unwritten(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Was the text truncated or replaced? */
static bool is_replaced(const struct od_follow *follow, const struct stat *now)
{
    uint64_t size = (uint64_t)now->st_size;
    if (size <= follow->at)
        return size < follow->at || !is_unwritten(now, &follow->seen);
    return !is_still_there(follow->fd, &follow->first) ||
           !is_still_there(follow->fd, &follow->last);
}

static void start_anew(struct od_follow *follow)
{
    od_keep_free(follow->keep);
    follow->keep = new_keep();
    follow->at = 0;
    follow->first.n = follow->last.n = 0;
    follow->whole = false;
}

/* Returns the number of new bytes. */
static uint64_t read_new(struct od_follow *follow)
{
    char bytes[PIECE];
    uint64_t start = follow->at;
    for (;;) {
        struct od_view piece = {bytes, read_at(follow->fd, follow->at, bytes, sizeof bytes)};
        if (piece.n == 0)
            return follow->at - start;
        follow->whole = follow->whole || memchr(piece.p, '\0', piece.n) != NULL ||
                        (follow->at == 0 && od_packed_word(piece));
        if (follow->at == 0)
            take_print(&follow->first, 0, od_view_head(piece, PRINT));
        take_print(&follow->last, follow->at, piece);
        od_keep_add(follow->keep, false, piece);
        follow->at += piece.n;
    }
}

enum od_follow_news od_follow_read(struct od_follow *follow)
{
    struct stat now;
    if (fstat(follow->fd, &now) != 0)
        return OD_FOLLOW_NONE;
    if (follow->at > 0 && is_replaced(follow, &now))
        start_anew(follow);
    uint64_t n = read_new(follow);
    if (fstat(follow->fd, &follow->seen) != 0)
        return OD_FOLLOW_NONE;
    bool was_quiet = follow->is_quiet;
    follow->is_quiet = n == 0;
    if (n == 0 && (was_quiet || od_keep_unfinished(follow->keep).n == 0))
        return OD_FOLLOW_NONE;
    return follow->whole || n > TAIL ? OD_FOLLOW_WHOLE : OD_FOLLOW_NEW;
}

void od_follow_copy(const struct od_follow *follow, struct od_buf *to)
{
    od_keep_copy(follow->keep, to);
    if (follow->is_quiet)
        od_buf_add(to, od_keep_unfinished(follow->keep));
}

bool od_follow_has_name(const struct od_follow *follow, const char *name)
{
    struct stat open, named;
    return fstat(follow->fd, &open) == 0 && stat(name, &named) == 0 &&
           od_system_same_file(&open, &named);
}

const char *od_follow_name(const struct od_follow *follow, const char *opened_as,
                           struct od_arena *arena)
{
    const char *link = od_arena_printf(arena, "/proc/self/fd/%d", follow->fd);
    char name[4096];
    if (od_follow_has_name(follow, opened_as))
        return opened_as;
    ssize_t n = readlink(link, name, sizeof name - 1);
    name[n > 0 ? n : 0] = '\0';
    return od_follow_has_name(follow, name) ? od_arena_str(arena, od_view_of(name)) : link;
}
