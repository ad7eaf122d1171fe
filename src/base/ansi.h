/* The lengths of terminal escape sequences. Their meaning is ignored. */
#pragma once

#include "base/base.h"

/*
 * Length in bytes of a control sequence after "ESC [", including its final byte; 0 if it has none.
 * A sequence of 32 bytes or more is treated as text.
 */
size_t od_ansi_csi(struct od_view after);

/*
 * Length in bytes of the sequence after an ESC; 0 if text follows the ESC. Strings ("ESC ]") end
 * with BEL or "ESC \".
 */
size_t od_ansi_sequence(struct od_view after);
