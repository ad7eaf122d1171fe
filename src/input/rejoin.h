/*
 * Console hard wraps beneath another wrapper. A container's or a scheduler's log of a console that
 * was hard-wrapped has a prefix before every piece, so that the pieces' common width (input/wrap.h)
 * shows only once the prefixes are off. Here a block's outer wrappers are taken off, at most three
 * layers; where a wrapped stretch lies beneath them the block is written anew, its pieces joined,
 * and what the wrappers said goes beside each line.
 *
 * A block without a wrapper costs a look at a few of its lines.
 */
#pragma once

#include "input/input.h"

struct od_rejoin;

struct od_rejoin *od_rejoin_new(void);
void od_rejoin_free(struct od_rejoin *rejoin);

/* Before the first block of a source. */
void od_rejoin_start(struct od_rejoin *rejoin);

/*
 * Writes the block anew and returns how many of its bytes went into it: less than all of them when
 * its last line goes on behind it (never with last, nothing behind it). 0 when there is nothing to
 * join; the block is untouched then. What the block points at is valid until the next call.
 */
size_t od_rejoin_block(struct od_rejoin *rejoin, struct od_block *block, bool last);

/* Physical lines of the block given last that were joined to the one before. */
uint64_t od_rejoin_joined(const struct od_rejoin *rejoin);

/* The width of the stretch found last. */
size_t od_rejoin_width(const struct od_rejoin *rejoin);
