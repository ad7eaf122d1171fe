/*
 * Results that people in the thread report (readers/logs/tried_fixes.c, rules/people.yaml). Changes
 * that worked are advised first, and those that failed are not advised.
 */
#pragma once

#include "case/case.h"
#include "failure/software.h"

struct od_failure;

/* The latest sentence that reports what worked (OD_SETTING_FOUND_WORKED) or advises something
 * (OD_SETTING_FOUND_ADVISED); one that names a setting is preferred. NULL = none. Its excerpt is
 * the sentence. bounds: include batch sizes that worked, which the advice for the batch size states
 * by itself. */
const struct od_setting *od_found_said(const struct od_case *c, const struct od_failure *failure,
                                       enum od_setting_id what, bool bounds);

/* The user's own line that failed and makes a tensor with a stated size: the last line of the
 * traceback, directly above the error. NULL = none. failure may be NULL. */
const struct od_setting *od_found_made(const struct od_case *c, const struct od_incident *failure);

/* PID of the process that holds most of the exhausted memory, if it is named near the failure or in
 * a table of processes. failure may be NULL. */
struct od_count od_found_holder(const struct od_failure *failure);

/* A series of the device's memory that was nearly full at all times; NULL = none. */
const struct od_series *od_found_full(const struct od_case *c, const struct od_incident *failure);

/* A measurement (or report) of the device before the failure that shows at most half in use and
 * enough room for the request. NULL = none, or another measurement contradicts it. failure may be
 * NULL. */
const struct od_series *od_found_room(const struct od_case *c, const struct od_incident *failure);

/* The same, but only if it also holds for the moment of the failure: the text states so, or the
 * failed call only creates a session and had allocated nothing. A measurement before other work
 * does not show what that work used. */
const struct od_series *od_found_room_then(const struct od_case *c,
                                           const struct od_incident *failure);

/* The number of a device that is nearly empty in a table while the failed device is another one or
 * full. failure may be NULL. */
struct od_count od_found_free_device(const struct od_case *c, const struct od_incident *failure);
