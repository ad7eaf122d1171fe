/* Escape sequences of terminals: how long one is. What it does is not asked. */
#pragma once

#include "base/base.h"

/*
 * Bytes of a control sequence behind its "ESC [", with the byte that ends it; 0 when nothing does.
 * A sequence of 32 bytes and more is taken for text.
 */
size_t od_ansi_csi(struct od_view behind);

/*
 * Bytes of the sequence behind an ESC, without it; 0 when what follows is text. Strings ("ESC ]")
 * end with BEL or "ESC \".
 */
size_t od_ansi_sequence(struct od_view behind);
