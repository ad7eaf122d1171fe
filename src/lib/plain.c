#include "lib/plain.h"

#include "input/decode.h"
#include "input/open.h"
#include "input/packed.h"
#include "input/stream.h"

#include <unistd.h>

enum { PIECE = 256 * 1024, RATIO = 1000 };
#define UNPACKED_MOST ((uint64_t)16 << 30)

struct od_plain {
    const char *name;
    struct od_stream stream;
    struct od_packed *packed; /* NULL = the file is not packed */
    /* decodes: bytes need decoding. They are passed on unchanged until the first that does */
    bool begun, decodes;
    struct od_decoder decoder;
    char *piece;
    off_t start; /* offset at which standard input started; -1 = not seekable */
    bool failed;
};

static enum od_err refuse(struct od_plain *plain, struct od_diags *diags, const char *why)
{
    const struct od_diag diag = {.severity = OD_ERROR,
                                 .file = plain->name,
                                 .message = why,
                                 .help = "unpack it and redact each log in it"};
    od_diags_add(diags, &diag);
    return OD_EINPUT;
}

static enum od_err unpack(struct od_plain *plain, struct od_diags *diags)
{
    const struct od_input_limits limits = {.unpacked_bytes = UNPACKED_MOST, .ratio = RATIO};
    plain->packed = od_packed_new(&plain->stream, &limits);
    if (od_packed_next(plain->packed) != OD_PACKED_MEMBER)
        return refuse(plain, diags, "cannot be unpacked");
    if (*od_packed_member(plain->packed))
        return refuse(plain, diags, "is an archive of files");
    return OD_OK;
}

static enum od_err begin(struct od_plain *plain, struct od_diags *diags)
{
    struct od_view head = od_stream_look(&plain->stream);
    if (od_packed_word(head) && unpack(plain, diags) != OD_OK)
        return OD_EINPUT;
    if (plain->packed)
        head = od_packed_look(plain->packed);
    if (od_packed_foreign(head) || (plain->packed && od_packed_word(head)))
        return refuse(plain, diags, "is packed in a way that is not read here");
    return OD_OK;
}

enum od_err od_plain_open(const char *name, struct od_diags *diags, struct od_plain **ret_plain)
{
    int fd;
    enum od_err err = od_open_file(name, diags, &fd);
    if (err != OD_OK)
        return err;
    struct od_plain *plain = od_mem_alloc(1, sizeof *plain);
    plain->name = name;
    plain->start = lseek(fd, 0, SEEK_CUR);
    plain->piece = od_mem_alloc(1, PIECE);
    od_stream_of_fd(&plain->stream, fd);
    err = begin(plain, diags);
    *ret_plain = plain;
    if (err != OD_OK) {
        od_plain_close(plain);
        *ret_plain = NULL;
    }
    return err;
}

static ssize_t read_piece(struct od_plain *plain)
{
    ssize_t n = plain->packed ? od_packed_read(plain->packed, plain->piece, PIECE)
                              : od_stream_read(&plain->stream, plain->piece, PIECE);
    plain->failed = plain->failed || n < 0;
    return n;
}

bool od_plain_read(struct od_plain *plain, struct od_buf *to)
{
    od_offsets starts = {0};
    size_t before = to->n;
    ssize_t n = 1;
    while (to->n == before && n > 0) {
        n = read_piece(plain);
        struct od_view bytes = {plain->piece, n > 0 ? (size_t)n : 0};
        if (!plain->decodes && od_decoder_wanted(bytes, !plain->begun)) {
            plain->decodes = true;
            plain->decoder.begun = plain->begun;
        }
        plain->begun = true;
        if (plain->decodes)
            od_decode(&plain->decoder, bytes, n <= 0, to, &starts);
        else
            od_buf_add(to, bytes);
    }
    od_vec_done(&starts);
    return to->n > before;
}

bool od_plain_complete(const struct od_plain *plain, struct od_diags *diags)
{
    if (!plain->failed)
        return true;
    struct od_diag diag = {.severity = OD_ERROR, .file = plain->name};
    diag.message = plain->packed && plain->stream.error == 0 ? od_packed_error(plain->packed)
                                                             : strerror(plain->stream.error);
    if (!*diag.message)
        diag.message = "unpacks to more than is read";
    od_diags_add(diags, &diag);
    return false;
}

bool od_plain_again(struct od_plain *plain)
{
    return plain->start >= 0 && (strcmp(plain->name, "-") != 0 ||
                                 lseek(STDIN_FILENO, plain->start, SEEK_SET) == plain->start);
}

void od_plain_close(struct od_plain *plain)
{
    if (!plain)
        return;
    od_packed_free(plain->packed);
    od_stream_done(&plain->stream);
    od_decoder_done(&plain->decoder);
    od_mem_free(plain->piece);
    od_mem_free(plain);
}
