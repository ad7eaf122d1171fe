/* Sentences with slots for the numbers of a finding. */
#pragma once

#include "diagnose/diagnose.h"

/* The number of that name; NULL where the finding has none. */
const struct od_number *od_slots_number(const struct od_finding *finding, struct od_view name);

/* The first line of a text whose slots {name} the finding has numbers for, filled in: bytes for
 * people, counts as digits. NULL when there is none. In arena. */
const char *od_slots_fill(const char *text, const struct od_finding *finding,
                          struct od_arena *arena);

/* The last command in front of that place, where it is short enough to be pasted; else empty. */
struct od_view od_slots_command(const struct od_case *c, const struct od_prov *at);
