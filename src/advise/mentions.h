/*
 * The numbers that a text states (facts/mention.h), for a run that memory ended or may have ended.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "facts/mention.h"

/* Allocated in arena; empty for other runs. */
const struct od_mentions *od_mentions_of(const struct od_around *around, const struct od_case *c,
                                         const struct od_diagnosis *diagnosis,
                                         struct od_arena *arena);
