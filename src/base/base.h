/*
 * The basics for all rooms: views, buffers, arenas, growing arrays, checked numbers, quantities of
 * bytes, characters, and the C headers that these need. A file includes it only if no other header
 * does, and then includes none of its contents directly.
 */
#pragma once

#include "base/arena.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/runs.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/view.h"

#include <inttypes.h>
#include <stdlib.h>
