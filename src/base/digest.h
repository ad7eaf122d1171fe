/*
 * SHA-256 (FIPS 180-4) and Base64 (RFC 4648) for web pages: digests of a page's style and script,
 * and embedded pictures. Not for protecting secrets.
 */
#pragma once

#include "base/base.h"

enum { OD_SHA256_BYTES = 32 };

void od_sha256(struct od_view bytes, uint8_t ret_digest[static OD_SHA256_BYTES]);

/* Appends bytes in Base64, padded, on one line. */
void od_base64(struct od_buf *to, struct od_view bytes);
