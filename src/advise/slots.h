/* Sentences and lines to paste with slots, for the numbers of a finding. */
#pragma once

#include "answer/answer.h"
#include "rules/advice.h"

/* The number of that name; NULL where the finding has none. */
const struct od_number *od_slots_number(const struct od_finding *finding, struct od_view name);

/* The first line of a text whose slots {name} the finding has numbers for, filled in: bytes for
 * people, counts as digits. NULL when there is none. In arena. */
const char *od_slots_fill(const char *text, const struct od_finding *finding,
                          struct od_arena *arena);

/* Has the finding the numbers for one of its lines? */
bool od_slots_can_fill(const char *text, const struct od_finding *finding);

/* The last command in front of that place, where it is short enough to be pasted; else empty. */
struct od_view od_slots_command(const struct od_case *c, const struct od_prov *at);

/* Its bytes of that name; 0 where it has none. */
double od_slots_bytes(const struct od_finding *finding, const char *name);

/* What stands for that slot; accumulates: the batch is made of parts. */
struct od_count od_slots_value(const struct od_how_values *values, struct od_view name,
                               bool accumulates);

/* Its sentence; in arena. {extension} in it is made the package that asked, or any. */
const char *od_how_text(const struct od_advice_how *how, const struct od_how_values *values,
                        struct od_arena *arena);

/* The number that the lines set, for the title: "16", "3 x 16"; NULL = none is known. */
const char *od_how_number(const struct od_advice_how *how, const struct od_how_values *values,
                          struct od_arena *arena);

/*
 * The lines to paste; in arena. {batch} in them is made the batch to try, {accumulation} its steps,
 * {gib} a fifth more than the finding says all had or might have, in whole GiB; {mib} the same in
 * MiB, {heapmib} the heap that fits in it, {overhead} twice what Spark keeps beside the heap;
 * {tokens} the finding's tokens_count, and so any other count of it. {same} is the batch of the
 * log, {half} half of it, {model} the model's name, {command} the command that started the run.
 * Where a number is not known, the names of a script take its place ("num_workers // 2"), and lines
 * without such a name are left out. NULL when there are no lines.
 */
const char *od_how_code(const struct od_advice_how *how, const struct od_how_values *values,
                        struct od_arena *arena);
