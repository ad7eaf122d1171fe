/*
 * What every other room uses: views, buffers, arenas, growing arrays, checked numbers, quantities
 * of bytes, characters, and what C has of these. It is named once on the way to a file: not where
 * another header brings it, and nothing that it holds is named beside it.
 */
#pragma once

#include "base/arena.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/view.h"

#include <inttypes.h>
#include <stdlib.h>
