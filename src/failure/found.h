/*
 * What people in the thread found out (readers/logs/found_words.c, rules/people.yaml). What worked
 * here is advised first, and what failed here is not advised.
 */
#pragma once

#include "case/case.h"
#include "facts/bounds.h"
#include "failure/software.h"

struct od_failure;

/* The latest sentence that reports what worked (OD_SETTING_FOUND_WORKED) or advises something
 * (OD_SETTING_FOUND_ADVISED); one that names a setting is preferred. NULL = none. Its excerpt is
 * the sentence. bounds: include batch sizes that worked, which the advice for the batch size states
 * by itself. */
const struct od_setting *od_found_said(const struct od_case *c, enum od_setting_id what,
                                       bool bounds);

/* Is it a flag, a variable or a line of code, not only the catalogue's name of a change? */
bool od_found_is_a_name(struct od_view value);

/* Does its line report that it worked with that value? */
bool od_found_worked_with(const struct od_case *c, const struct od_setting *setting);

/* What the text states of a setting of that name in the vocabulary of knobs, by that name or by one
 * of its forms in the programs of the failure. memory: it sets a limit of memory. stack may be
 * NULL. */
struct od_bounds od_found_bounds(const struct od_case *c, const struct od_stack *stack,
                                 const char *name, bool memory);

/* A setting of any name for which the text gives a value that worked, where another one is set;
 * NULL = none. */
const struct od_assigned *od_found_to_restore(const struct od_case *c,
                                              struct od_bound_value *ret_worked);

/* The line of the user's own that failed, where it makes a tensor of a stated size itself: the last
 * of the traceback, right above the error. NULL = another. failure may be NULL. */
const struct od_setting *od_found_made(const struct od_case *c, const struct od_incident *failure);

/* PID of the process that holds most of the exhausted memory, if it is named beside the failure or
 * in a table of processes. failure may be NULL. */
struct od_count od_found_holder(const struct od_failure *failure);

/* A series of the device's memory that was nearly full throughout; NULL = none. */
const struct od_series *od_found_full(const struct od_case *c, const struct od_incident *failure);

/* A measurement (or report) of the device before the failure that shows at most half in use and
 * enough room for the request. NULL = none, or another measurement contradicts it. failure may be
 * NULL. */
const struct od_series *od_found_room(const struct od_case *c, const struct od_incident *failure);

/* The same, if it also describes the moment of the failure: because the text says so, or because
 * the failed call only creates a session and had allocated nothing yet. A measurement before other
 * work does not show what that work used. */
const struct od_series *od_found_room_then(const struct od_case *c,
                                           const struct od_incident *failure);

/* The number of a device that a table shows nearly empty while the failed device is another one or
 * is full. failure may be NULL. */
struct od_count od_found_free_device(const struct od_case *c, const struct od_incident *failure);
