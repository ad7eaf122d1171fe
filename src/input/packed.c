#include "config.h" /* must be the first include, because it decides what system headers declare */

#include "input/packed.h"

#include <errno.h>

#include "base/dynload.h"
#include "input/archive_calls.h"
#include "input/codec.h"

enum { READ_BYTES = 64 * 1024, LOOK_BYTES = 512, TAR_BLOCK = 512, TAR_HEAD = 512 };
#define RATIO_FROM ((uint64_t)64 << 20)

struct magic {
    const char *word;
    size_t offset;
    struct od_view bytes;
};

#define MAGIC(word, offset, bytes)   \
    {                                \
        word, offset,                \
        {                            \
            bytes, sizeof(bytes) - 1 \
        }                            \
    }

static const struct magic readable[] = {
    MAGIC("gzip", 0, "\x1f\x8b"),
    MAGIC("xz", 0,
          "\xfd"
          "7zXZ\0"),
    MAGIC("zstd", 0, "\x28\xb5\x2f\xfd"),
    MAGIC("zip", 0, "PK\3\4"),
    MAGIC("zip", 0, "PK\5\6"),
    MAGIC("tar", 257, "ustar"),
};

static const struct magic foreign[] = {
    MAGIC("7-Zip", 0, "7z\xbc\xaf\x27\x1c"),
    MAGIC("RAR", 0, "Rar!\x1a\x07"),
    MAGIC("LZ4", 0, "\x04\x22\x4d\x18"),
    MAGIC("compress", 0, "\x1f\x9d"),
    MAGIC("PDF", 0, "%PDF-"),
    MAGIC("ELF", 0,
          "\x7f"
          "ELF"),
    MAGIC("HDF5", 0, "\x89HDF\r\n\x1a\n"),
    MAGIC("PNG", 0, "\x89PNG\r\n\x1a\n"),
};

static const char *find_magic(const struct magic *table, size_t n, struct od_view head)
{
    OD_FOR_EACH_OF (const struct magic, m, table, n)
        if (od_view_starts(od_view_from(head, m->offset), m->bytes))
            return m->word;
    return NULL;
}

/* Does it start with "BZh", a level, and the magic number of a block or of the end? */
static bool is_bzip2(struct od_view head)
{
    if (head.n < 10 || !od_view_starts(head, OD_VIEW("BZh")) || head.p[3] < '1' || head.p[3] > '9')
        return false;
    struct od_view rest = od_view_from(head, 4);
    return od_view_starts(rest, OD_VIEW("1AY&SY")) || od_view_starts(rest, OD_VIEW("\x17rE8P\x90"));
}

const char *od_packed_word(struct od_view head)
{
    if (is_bzip2(head))
        return "bzip2";
    return find_magic(readable, sizeof readable / sizeof *readable, head);
}

const char *od_packed_foreign(struct od_view head)
{
    return find_magic(foreign, sizeof foreign / sizeof *foreign, head);
}

/* loaded on first use, because libarchive and its dependencies take 2 ms */
OD_DYNLOAD_CALLS(archive, OD_ARCHIVE_CALLS, OD_ARCHIVE_LIBRARY, od_dynload_linked)

bool od_packed_prepare(void)
{
    struct archive_calls calls;
    od_codec_prepare();
    return load_archive(&calls);
}

struct od_packed {
    struct archive_calls late;
    struct archive *archive;
    struct od_foreign held; /* releases the archive if the work is interrupted */
    struct od_stream *stream;
    struct od_codec *codec; /* decompresses the stream for the archive; may be NULL */
    bool plain;             /* the decompressed data is text, not an archive */
    bool given;             /* with `plain`: the only member was returned */
    struct od_input_limits limits;
    uint64_t out; /* number of unpacked bytes of all members */
    enum od_packed_stop stop;
    bool has_member; /* the current member's data can be read */
    bool fatal;      /* the archive cannot be read any further */
    struct od_buf member;
    struct od_buf format;
    struct od_buf error;
    unsigned nameless;
    size_t nhead; /* number of bytes in head that were decompressed but not used yet */
    char head[TAR_HEAD];
    size_t nlook, look_at;
    char look[LOOK_BYTES];
    struct od_codec *inner; /* decompresses a member that is itself compressed; may be NULL */
    size_t nouter;          /* number of compressed bytes in outer that inner has not read */
    char outer[LOOK_BYTES];
    char buf[READ_BYTES];
};

static la_ssize_t on_read(struct archive *archive, void *data, const void **ret_bytes)
{
    struct od_packed *packed = data;
    *ret_bytes = packed->buf;
    if (packed->nhead > 0) { /* bytes read in advance to recognize the format */
        la_ssize_t n = (la_ssize_t)packed->nhead;
        *ret_bytes = packed->head;
        packed->nhead = 0;
        return n;
    }
    if (packed->codec)
        return (la_ssize_t)od_codec_read(packed->codec, packed->buf, sizeof packed->buf);
    ssize_t n = od_stream_read(packed->stream, packed->buf, sizeof packed->buf);
    if (n < 0)
        packed->late.archive_set_error(archive, packed->stream->error, "%s",
                                       strerror(packed->stream->error));
    return n < 0 ? ARCHIVE_FATAL : (la_ssize_t)n;
}

static la_int64_t on_seek(struct archive *archive, void *data, la_int64_t offset, int whence)
{
    (void)archive;
    struct od_packed *packed = data;
    int64_t at = od_stream_seek(packed->stream, offset, whence);
    return at < 0 ? ARCHIVE_FATAL : at;
}

/* Opens the archive. Filters are enabled by name, never "all", because some run programs. */
static bool open_archive(struct od_packed *packed)
{
    struct archive *a = packed->archive;
    bool ok = packed->late.archive_read_support_filter_gzip(a) == ARCHIVE_OK &&
              packed->late.archive_read_support_filter_xz(a) == ARCHIVE_OK &&
              packed->late.archive_read_support_filter_zstd(a) == ARCHIVE_OK &&
              packed->late.archive_read_support_filter_bzip2(a) == ARCHIVE_OK &&
              packed->late.archive_read_support_format_tar(a) == ARCHIVE_OK &&
              packed->late.archive_read_support_format_raw(a) == ARCHIVE_OK &&
              packed->late.archive_read_support_format_empty(a) == ARCHIVE_OK;
    if (packed->stream->seekable && !packed->codec)
        ok = ok && packed->late.archive_read_support_format_zip_seekable(a) == ARCHIVE_OK &&
             packed->late.archive_read_set_seek_callback(a, on_seek) == ARCHIVE_OK;
    ok = ok && packed->late.archive_read_support_format_zip_streamable(a) == ARCHIVE_OK &&
         packed->late.archive_read_set_read_callback(a, on_read) == ARCHIVE_OK &&
         packed->late.archive_read_set_callback_data(a, packed) == ARCHIVE_OK;
    return ok && packed->late.archive_read_open1(a) == ARCHIVE_OK;
}

static void note_error_text(struct od_packed *packed, bool fatal, const char *text)
{
    packed->fatal = fatal;
    packed->stop = OD_PACKED_BROKEN;
    packed->error.n = 0;
    od_buf_add_str(&packed->error, text ? text : "damaged");
    (void)od_buf_str(&packed->error);
}

/* Why the contents are truncated: the compressed file is. NULL = it is complete. */
static const char *cut_short(const struct od_packed *packed)
{
    return packed->codec ? od_codec_error(packed->codec) : NULL;
}

static void note_error(struct od_packed *packed, bool fatal)
{
    const char *cut = cut_short(packed);
    if (!cut && packed->late.archive_errno(packed->archive) == ENOMEM)
        od_mem_die();
    note_error_text(packed, fatal, cut ? cut : packed->late.archive_error_string(packed->archive));
}

/* Does it start with a tar header? Checks the sum of its bytes, with the eight bytes of the sum
 * counted as blanks (POSIX.1-1988). A log may start with zeros, which some archive readers take for
 * the end of an archive. */
static bool is_tar(struct od_view head)
{
    enum { SUM_AT = 148, SUM_BYTES = 8 };
    uint64_t sum = 0, said = 0;
    if (head.n < TAR_HEAD)
        return false;
    for (size_t i = 0; i < TAR_HEAD; i++)
        sum += i >= SUM_AT && i < SUM_AT + SUM_BYTES ? ' ' : (unsigned char)head.p[i];
    for (size_t i = SUM_AT; i < SUM_AT + SUM_BYTES; i++) {
        if (head.p[i] >= '0' && head.p[i] <= '7')
            said = said * 8 + (uint64_t)(head.p[i] - '0');
    }
    return said > 0 && sum == said;
}

static void release_archive(void *self)
{
    struct od_packed *packed = self;
    (void)packed->late.archive_read_free(packed->archive);
}

struct od_packed *od_packed_new(struct od_stream *stream, const struct od_input_limits *limits)
{
    struct od_packed *packed = od_mem_alloc(1, sizeof *packed);
    packed->stream = stream;
    packed->limits = *limits;
    packed->codec = od_codec_new(od_stream_feed(stream), od_stream_look(stream));
    if (packed->codec)
        packed->nhead = od_codec_read(packed->codec, packed->head, sizeof packed->head);
    struct od_view head = {packed->head, packed->nhead};
    /* libarchive also reads data that was compressed twice */
    packed->plain = packed->codec && !is_tar(head) && !od_packed_word(head);
    if (packed->plain)
        return packed;
    if (!load_archive(&packed->late)) {
        note_error_text(packed, true, OD_ARCHIVE_LIBRARY " cannot be loaded");
        return packed;
    }
    packed->archive = packed->late.archive_read_new();
    if (!packed->archive)
        od_mem_die();
    od_foreign_hold(&packed->held, packed, release_archive);
    if (!open_archive(packed))
        note_error(packed, true);
    return packed;
}

void od_packed_free(struct od_packed *packed)
{
    if (!packed)
        return;
    od_foreign_release(&packed->held);
    od_codec_free(packed->codec);
    od_codec_free(packed->inner);
    od_buf_done(&packed->member);
    od_buf_done(&packed->format);
    od_buf_done(&packed->error);
    od_mem_free(packed);
}

/* Does a tar archive lack the blocks of zeros at its end? It was cut between two members. */
static bool ends_unmarked(const struct od_packed *packed, int64_t before)
{
    int base = packed->late.archive_format(packed->archive) & ARCHIVE_FORMAT_BASE_MASK;
    return base == ARCHIVE_FORMAT_TAR &&
           packed->late.archive_filter_bytes(packed->archive, 0) - before < TAR_BLOCK;
}

static bool is_raw(const struct od_packed *packed)
{
    return packed->plain || packed->late.archive_format(packed->archive) == ARCHIVE_FORMAT_RAW;
}

static void name_member(struct od_packed *packed, struct archive_entry *entry)
{
    const char *name = packed->late.archive_entry_pathname(entry);
    if (!name)
        name = packed->late.archive_entry_pathname_utf8(entry);
    packed->member.n = 0;
    if (is_raw(packed))
        return;
    if (name)
        od_buf_add_str(&packed->member, name);
    else
        od_buf_printf(&packed->member, "member-%u", ++packed->nameless);
    (void)od_buf_str(&packed->member);
}

/* Advances to the only member of a compressed text. */
static enum od_packed_end next_plain(struct od_packed *packed)
{
    bool first = !packed->given;
    packed->given = true;
    if (packed->stop != OD_PACKED_NO_STOP)
        return OD_PACKED_ERROR;
    /* an empty text has no member; an unreadable text has an error */
    if (first && packed->nhead > 0)
        return OD_PACKED_MEMBER;
    if (!cut_short(packed))
        return OD_PACKED_END;
    note_error(packed, true);
    return OD_PACKED_ERROR;
}

enum od_packed_end od_packed_next(struct od_packed *packed)
{
    packed->nlook = packed->look_at = 0;
    od_codec_free(packed->inner);
    packed->inner = NULL;
    if (packed->plain)
        return next_plain(packed);
    if (packed->stop == OD_PACKED_BROKEN && !packed->fatal)
        packed->stop = OD_PACKED_NO_STOP;
    while (packed->stop == OD_PACKED_NO_STOP) {
        struct archive_entry *entry;
        /* the unread rest of a member does not count */
        if (packed->has_member)
            (void)packed->late.archive_read_data_skip(packed->archive);
        int64_t before = packed->late.archive_filter_bytes(packed->archive, 0);
        int rc = packed->late.archive_read_next_header(packed->archive, &entry);
        packed->has_member = rc == ARCHIVE_OK || rc == ARCHIVE_WARN;
        if (rc == ARCHIVE_EOF && ends_unmarked(packed, before)) {
            note_error_text(packed, true, "its end is missing");
            break;
        }
        if (rc == ARCHIVE_EOF && cut_short(packed)) {
            note_error(packed, true);
            break;
        }
        if (rc == ARCHIVE_EOF)
            return OD_PACKED_END;
        if (rc == ARCHIVE_RETRY)
            continue;
        if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN) {
            note_error(packed, true);
            break;
        }
        if (!is_raw(packed) && packed->late.archive_entry_filetype(entry) != AE_IFREG)
            continue;
        name_member(packed, entry);
        return OD_PACKED_MEMBER;
    }
    return OD_PACKED_ERROR;
}

const char *od_packed_member(const struct od_packed *packed)
{
    return packed->member.n > 0 ? packed->member.p : "";
}

const char *od_packed_format(struct od_packed *packed)
{
    packed->format.n = 0;
    if (packed->codec)
        od_buf_printf(&packed->format, "%s ", od_codec_word(packed->codec));
    if (packed->plain) {
        packed->format.n--;
        return od_buf_str(&packed->format);
    }
    int n = packed->late.archive_filter_count(packed->archive);
    /* the last filter is the file itself */
    for (int i = n - 1; i >= 0; i--) {
        if (packed->late.archive_filter_code(packed->archive, i) == ARCHIVE_FILTER_NONE)
            continue;
        od_buf_add_str(&packed->format, packed->late.archive_filter_name(packed->archive, i));
        od_buf_add_char(&packed->format, ' ');
    }
    int base = packed->late.archive_format(packed->archive) & ARCHIVE_FORMAT_BASE_MASK;
    if (base == ARCHIVE_FORMAT_TAR)
        od_buf_add_str(&packed->format, "tar ");
    else if (base == ARCHIVE_FORMAT_ZIP)
        od_buf_add_str(&packed->format, "zip ");
    if (packed->inner)
        od_buf_printf(&packed->format, "%s ", od_codec_word(packed->inner));
    if (packed->format.n > 0)
        packed->format.n--;
    return od_buf_str(&packed->format);
}

static bool over_limit(struct od_packed *packed)
{
    int64_t read = packed->codec ? 0 : packed->late.archive_filter_bytes(packed->archive, -1);
    uint64_t in = packed->codec ? od_codec_taken(packed->codec) : read > 0 ? (uint64_t)read : 0;
    uint64_t most;
    if (packed->out > packed->limits.unpacked_bytes)
        packed->stop = OD_PACKED_BYTES;
    else if (packed->out > RATIO_FROM && in > 0 && !ckd_mul(&most, in, packed->limits.ratio) &&
             packed->out > most)
        packed->stop = OD_PACKED_RATIO;
    return packed->stop != OD_PACKED_NO_STOP;
}

static la_ssize_t read_plain(struct od_packed *packed, char *to, size_t room)
{
    size_t n = packed->nhead < room ? packed->nhead : room;
    if (n == 0)
        return (la_ssize_t)od_codec_read(packed->codec, to, room);
    memcpy(to, packed->head, n);
    memmove(packed->head, packed->head + n, packed->nhead - n);
    packed->nhead -= n;
    return (la_ssize_t)n;
}

/* Limits apply to the output of every layer. */
static ssize_t read_inner(struct od_packed *packed, char *to, size_t room)
{
    size_t n = od_codec_read(packed->inner, to, room);
    packed->out += n;
    if (n == 0 && od_codec_error(packed->inner))
        note_error_text(packed, packed->fatal, od_codec_error(packed->inner));
    return (n == 0 && od_codec_error(packed->inner)) || over_limit(packed) ? -1 : (ssize_t)n;
}

static ssize_t read_member(struct od_packed *packed, char *to, size_t room)
{
    if (packed->stop != OD_PACKED_NO_STOP)
        return -1;
    la_ssize_t n;
    do {
        n = packed->plain ? read_plain(packed, to, room)
                          : packed->late.archive_read_data(packed->archive, to, room);
    } while (n == ARCHIVE_RETRY);
    bool cut = n == 0 && is_raw(packed) && cut_short(packed);
    if (n < 0 || cut) {
        note_error(packed, cut || n == ARCHIVE_FATAL);
        return -1;
    }
    uint64_t left = packed->limits.unpacked_bytes - packed->out;
    packed->out += (uint64_t)n;
    if (!over_limit(packed))
        return (ssize_t)n;
    /* returns the bytes within the limit; the next call fails */
    if (packed->stop == OD_PACKED_BYTES && left > 0)
        return (ssize_t)left;
    return -1;
}

static ssize_t read_outer(void *self, char *to, size_t room)
{
    struct od_packed *packed = self;
    size_t n = packed->nouter < room ? packed->nouter : room;
    if (n == 0)
        return read_member(packed, to, room);
    memcpy(to, packed->outer, n);
    memmove(packed->outer, packed->outer + n, packed->nouter - n);
    packed->nouter -= n;
    return (ssize_t)n;
}

bool od_packed_unpack(struct od_packed *packed)
{
    struct od_view look = {packed->look, packed->nlook};
    if (packed->plain || packed->inner)
        return false;
    packed->inner = od_codec_new((struct od_feed){.read = read_outer, .self = packed}, look);
    if (!packed->inner)
        return false;
    memcpy(packed->outer, packed->look, packed->nlook);
    packed->nouter = packed->nlook;
    packed->nlook = od_codec_read(packed->inner, packed->look, sizeof packed->look);
    packed->out += packed->nlook;
    look.n = packed->nlook;
    if (look.n > 0 && !is_tar(look) && !od_packed_word(look))
        return true;
    od_codec_free(packed->inner);
    packed->inner = NULL;
    return false;
}

ssize_t od_packed_read(void *self, char *to, size_t room)
{
    struct od_packed *packed = self;
    size_t ahead = packed->nlook - packed->look_at;
    if (ahead == 0 && packed->inner)
        return read_inner(packed, to, room);
    if (ahead == 0)
        return read_member(packed, to, room);
    size_t n = ahead < room ? ahead : room;
    memcpy(to, packed->look + packed->look_at, n);
    packed->look_at += n;
    return (ssize_t)n;
}

struct od_view od_packed_look(struct od_packed *packed)
{
    while (!packed->inner && packed->nlook < sizeof packed->look) {
        ssize_t n =
            read_member(packed, packed->look + packed->nlook, sizeof packed->look - packed->nlook);
        if (n <= 0)
            break;
        packed->nlook += (size_t)n;
    }
    return (struct od_view){.p = packed->look, .n = packed->nlook};
}

enum od_packed_stop od_packed_why(const struct od_packed *packed)
{
    return packed->stop;
}

const char *od_packed_error(const struct od_packed *packed)
{
    return packed->error.n > 0 ? packed->error.p : "";
}
