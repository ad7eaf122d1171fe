#include "input/gunzip.h"

#include "base/mem.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

enum { READ_BYTES = 64 * 1024, GZIP_WINDOW = 15 + 16 /* zlib's word for a gzip header */ };

struct od_gunzip {
    struct od_stream *stream;
    z_stream z;
    uint64_t taken;
    const char *error;
    bool between; /* a whole file was read; another may follow */
    bool over;
    unsigned char buf[READ_BYTES];
};

struct od_gunzip *od_gunzip_new(struct od_stream *stream)
{
    struct od_gunzip *gunzip = od_mem_alloc(1, sizeof *gunzip);
    gunzip->stream = stream;
    if (inflateInit2(&gunzip->z, GZIP_WINDOW) != Z_OK)
        od_mem_die();
    return gunzip;
}

void od_gunzip_free(struct od_gunzip *gunzip)
{
    if (!gunzip)
        return;
    (void)inflateEnd(&gunzip->z);
    od_mem_free(gunzip);
}

static void end(struct od_gunzip *gunzip, const char *error)
{
    gunzip->over = true;
    gunzip->error = error;
}

/* More packed bytes behind those that are left; false at the end of the file. */
static bool fill(struct od_gunzip *gunzip)
{
    size_t left = gunzip->z.avail_in;
    if (left > 0)
        memmove(gunzip->buf, gunzip->z.next_in, left);
    ssize_t n = od_stream_read(gunzip->stream, (char *)gunzip->buf + left, READ_BYTES - left);
    gunzip->z.next_in = gunzip->buf;
    if (n <= 0) {
        if (n < 0)
            end(gunzip, strerror(gunzip->stream->error));
        return false;
    }
    gunzip->taken += (uint64_t)n;
    gunzip->z.avail_in += (uInt)n;
    return true;
}

/* Behind a whole file: begins another one here? */
static bool begins_another(struct od_gunzip *gunzip)
{
    while (gunzip->z.avail_in < 2 && fill(gunzip))
        ;
    const unsigned char *p = gunzip->z.next_in;
    if (gunzip->z.avail_in < 2 || p[0] != 0x1f || p[1] != 0x8b)
        return false;
    gunzip->between = false;
    return inflateReset(&gunzip->z) == Z_OK;
}

/* One step of the unpacker, with bytes to read and room for what comes out. */
static void unpack(struct od_gunzip *gunzip)
{
    int rc = inflate(&gunzip->z, Z_NO_FLUSH);
    if (rc == Z_MEM_ERROR)
        od_mem_die();
    if (rc == Z_STREAM_END)
        gunzip->between = true;
    else if (rc != Z_OK && rc != Z_BUF_ERROR)
        end(gunzip, gunzip->z.msg ? gunzip->z.msg : "damaged");
}

size_t od_gunzip_read(struct od_gunzip *gunzip, char *to, size_t room)
{
    uInt most = room < UINT_MAX ? (uInt)room : UINT_MAX;
    gunzip->z.next_out = (unsigned char *)to;
    gunzip->z.avail_out = most;
    while (!gunzip->over && gunzip->z.avail_out > 0) {
        if (gunzip->between) {
            if (!begins_another(gunzip))
                gunzip->over = true;
        } else if (gunzip->z.avail_in == 0 && !fill(gunzip)) {
            if (!gunzip->over)
                end(gunzip, "it ends too early");
        } else {
            unpack(gunzip);
        }
    }
    return most - gunzip->z.avail_out;
}

const char *od_gunzip_error(const struct od_gunzip *gunzip)
{
    return gunzip->error;
}

uint64_t od_gunzip_taken(const struct od_gunzip *gunzip)
{
    return gunzip->taken;
}
