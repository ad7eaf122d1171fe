/*
 * Sizes in PyTorch's sentences, read from text without blanks, so that line breaks do not matter,
 * even within a word or number. Markers are written without blanks, too. Units are always binary
 * (c10's format_size printed "2.97 GB" once, "2.97 GiB" now).
 */
#pragma once

#include "base/base.h"

/* Appends text without its blanks, up to a total of `most` bytes. */
void od_torch_squeeze(struct od_buf *to, struct od_view text, size_t most);

/* The size at the start of text ("20.00MiB(GPU0;"); unknown if there is none. */
struct od_bytes od_torch_size_at(struct od_view text);

/* The size directly after (or before) the first marker; unknown if there is no marker or no
 * size. */
struct od_bytes od_torch_size_after(struct od_view text, const char *marker);
struct od_bytes od_torch_size_before(struct od_view text, const char *marker);
