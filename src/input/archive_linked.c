/*
 * Provides the functions of decompression libraries in a statically linked program.
 */
#include "input/archive_calls.h"

#define LINKED(name) {#name, (void (*)(void))(name)},

const struct od_dynload_function od_dynload_linked[] = {OD_ARCHIVE_CALLS(LINKED)
                                                            OD_GZIP_CALLS(LINKED)
#ifdef HAVE_LZMA
                                                                OD_XZ_CALLS(LINKED)
#endif
#ifdef HAVE_ZSTD
                                                                    OD_ZSTD_CALLS(LINKED)
#endif
#ifdef HAVE_BZ2
                                                                        OD_BZIP2_CALLS(LINKED)
#endif
                                                                            {NULL, NULL}};
