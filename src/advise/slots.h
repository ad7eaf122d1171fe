/*
 * Sentences and lines of code with slots for the numbers of a finding.
 */
#pragma once

#include "answer/answer.h"
#include "rules/advice.h"

/* The number with that name; NULL = none. */
const struct od_number *od_slots_number(const struct od_finding *finding, struct od_view name);

/* The last command before `at` if it is short enough to be pasted, otherwise empty. */
struct od_view od_slots_command(const struct od_case *c, const struct od_prov *at);

/* The finding's bytes with that name; 0 = none. */
double od_slots_bytes(const struct od_finding *finding, const char *name);

/* The bytes that the run needs according to the log: all of the data according to its progress bar,
 * or a heap and the memory outside of it. More than the memory in use. 0 = not known. */
double od_slots_needs(const struct od_finding *finding);

/* The limit to request, "6 GiB", if the log shows the need of the run, otherwise NULL. Allocated in
 * arena. */
const char *od_slots_limit(const struct od_finding *finding, struct od_arena *arena);

/* The value of the slot `name`. accumulates: the batch is split into several steps. */
struct od_count od_slots_value(const struct od_how_values *values, struct od_view name,
                               bool accumulates);

/* The sentence of a step, allocated in arena. {extension} becomes the package that made the
 * request, or a general term; {lever} the thing that sets the limit: its sentence is omitted if
 * that is unknown. */
const char *od_how_text(const struct od_advice_how *how, const struct od_how_values *values,
                        struct od_arena *arena);

/* The number that the lines set, for the title: "16", "3 x 16"; NULL = not known. */
const char *od_how_number(const struct od_advice_how *how, const struct od_how_values *values,
                          struct od_arena *arena);

/* Do the lines set the limit of an environment, {gib} or {mib}? */
bool od_how_sets_place(const struct od_advice_how *how);

/* The lines of code to paste, allocated in arena. Slots: {batch} is the batch size to use,
 * {accumulation} the number of accumulation steps; {gib} is a fifth more than all processes had or
 * might need, in whole GiB, {mib} the same in MiB, {heapmib} the heap that fits in it, {overhead}
 * twice Spark's default for memory outside of the heap; {tokens} is the finding's tokens_count, and
 * any other count works alike; {same} is the batch size of the log, {half} half of it; {model} is
 * the model's name, {command} the command that started the run, {checkpoint} the checkpoint that
 * its code loads. An unknown number is replaced by a name used in scripts ("num_workers // 2");
 * lines without a known name are omitted. NULL if there are no lines. */
const char *od_how_code(const struct od_advice_how *how, const struct od_how_values *values,
                        struct od_arena *arena);
