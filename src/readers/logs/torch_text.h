/*
 * Sizes in PyTorch's sentences, read from text without blanks: where a message was wrapped does
 * not matter then, not even inside a word or a number. Markers are written without blanks too.
 * Units are binary whatever they are called (c10's format_size: "2.97 GB" once, "2.97 GiB" now).
 */
#pragma once

#include "base/base.h"

/* Appends text without its blanks, up to most bytes in all. */
void od_torch_squeeze(struct od_buf *to, struct od_view text, size_t most);

/* The size at the start of text ("20.00MiB(GPU0;"); unknown when there is none. */
struct od_bytes od_torch_size_at(struct od_view text);

/* The size that begins behind the first marker, or ends where it begins; unknown when the marker
 * is absent or has no size there. */
struct od_bytes od_torch_size_after(struct od_view text, const char *marker);
struct od_bytes od_torch_size_before(struct od_view text, const char *marker);
