/*
 * Functions of decompression libraries that are loaded when needed: X(name) for each. Internal to
 * this folder.
 */
#pragma once

#include "base/dynload.h"
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_BZ2
#include <bzlib.h>
#endif

#define OD_ARCHIVE_CALLS(X)                       \
    X(archive_entry_filetype)                     \
    X(archive_entry_pathname)                     \
    X(archive_entry_pathname_utf8)                \
    X(archive_errno)                              \
    X(archive_error_string)                       \
    X(archive_filter_bytes)                       \
    X(archive_filter_code)                        \
    X(archive_filter_count)                       \
    X(archive_filter_name)                        \
    X(archive_format)                             \
    X(archive_read_data)                          \
    X(archive_read_data_skip)                     \
    X(archive_read_free)                          \
    X(archive_read_new)                           \
    X(archive_read_next_header)                   \
    X(archive_read_open1)                         \
    X(archive_read_set_callback_data)             \
    X(archive_read_set_read_callback)             \
    X(archive_read_set_seek_callback)             \
    X(archive_read_support_filter_bzip2)          \
    X(archive_read_support_filter_gzip)           \
    X(archive_read_support_filter_xz)             \
    X(archive_read_support_filter_zstd)           \
    X(archive_read_support_format_empty)          \
    X(archive_read_support_format_raw)            \
    X(archive_read_support_format_tar)            \
    X(archive_read_support_format_zip_seekable)   \
    X(archive_read_support_format_zip_streamable) \
    X(archive_set_error)

#define OD_GZIP_CALLS(X) X(inflate) X(inflateEnd) X(inflateInit2_) X(inflateReset)
#define OD_XZ_CALLS(X) X(lzma_code) X(lzma_end) X(lzma_stream_decoder)
#define OD_ZSTD_CALLS(X)     \
    X(ZSTD_createDStream)    \
    X(ZSTD_decompressStream) \
    X(ZSTD_freeDStream)      \
    X(ZSTD_getErrorName)     \
    X(ZSTD_initDStream)      \
    X(ZSTD_isError)
#define OD_BZIP2_CALLS(X) X(BZ2_bzDecompress) X(BZ2_bzDecompressEnd) X(BZ2_bzDecompressInit)

/* Functions of statically linked libraries; the list ends with a NULL name. */
extern const struct od_dynload_function od_dynload_linked[];
