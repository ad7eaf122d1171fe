/*
 * What people of the thread found out (readers/logs/found_words.c, batch_words.c): what worked here
 * comes first and says so, what failed here is not advised.
 */
#pragma once

#include "case/case.h"
#include "rules/software.h"

/* The latest sentence that says what worked (OD_SETTING_FOUND_WORKED) or what somebody advises
 * (OD_SETTING_FOUND_ADVISED), one with a name of a setting before others; NULL = none. Its excerpt
 * is the sentence. bounds: also a batch that worked, which the batch to set says by itself. */
const struct od_setting *od_found_said(const struct od_case *c, enum od_setting_id what,
                                       bool bounds);

/* A flag, a variable, a line of code: not a word of the catalogue's alone. */
bool od_found_is_a_name(struct od_view value);

/* Does its line say that it worked with that value? */
bool od_found_worked_with(const struct od_case *c, const struct od_setting *setting);

/* What came of turning the setting, by its knob or by the name of one of its forms: 1 = somebody
 * had luck with it, -1 = it was in vain, 0 = nobody says that he tried. knob may be NULL. */
int od_found_of(const struct od_case *c, const char *name, const struct od_knob *knob);

/* The line of the user's own that failed, where it makes a tensor of a stated size itself: the last
 * of the traceback, right above the error. NULL = another. failure may be NULL. */
const struct od_setting *od_found_made(const struct od_case *c, const struct od_incident *failure);

/* The process that holds most of what was short, where the log names it: beside the failure, or in
 * a table of processes. failure may be NULL. */
struct od_count od_found_holder(const struct od_case *c, const struct od_incident *failure);

/* A print of the device that showed it nearly full throughout; NULL = none. */
const struct od_series *od_found_full(const struct od_case *c, const struct od_incident *failure);

/* What a tool showed of the device in front of the failure, or what people say that it showed then:
 * at most half in use, and room for the request. NULL = nothing, or a print that contradicts.
 * failure may be NULL. */
const struct od_series *od_found_room(const struct od_case *c, const struct od_incident *failure);

/* That, where it was so when it failed: by who says so, or because what failed only opens a session
 * and had nothing yet. A print in front of other work tells what that work found, not what it took.
 */
const struct od_series *od_found_room_then(const struct od_case *c,
                                           const struct od_incident *failure);

/* The number of a device that a table of the log shows all but empty, beside the one that failed,
 * or that is full. failure may be NULL. */
struct od_count od_found_free_device(const struct od_case *c, const struct od_incident *failure);
