/*
 * Statistics of many runs: which ones failed, why, how often, and at what cost. A fleet is a set of
 * runs, each identified by the digest of its inputs, and groups follow from the set. So the union
 * of fleets is associative and commutative, and a run that is added twice (as by a restarted job)
 * counts once.
 *
 * Memory: about 400 bytes a run, in the given arena.
 */
#pragma once

#include "base/diag.h"
#include "report/other.h"
#include "runs/run.h"

struct od_fleet;

struct od_fleet *od_fleet_new(struct od_arena *arena);
void od_fleet_free(struct od_fleet *fleet);

/* od_fleet_set_date sets the day ("2026-05-02") of runs added later without a date.
 * od_fleet_set_since sets the day with which groups are compared: failures are new, gone or back
 * since. False if the text is not a day. The text must outlive the fleet. */
bool od_fleet_set_date(struct od_fleet *fleet, const char *day);
bool od_fleet_set_since(struct od_fleet *fleet, const char *day);

/* Adds a run; does nothing if its digest is known. */
void od_fleet_add(struct od_fleet *fleet, const struct od_run *run);

/* Adds the runs of another fleet. */
void od_fleet_join(struct od_fleet *fleet, const struct od_fleet *other);

/* Adds the runs of a fleet's JSON. False with a diagnostic if the JSON is no fleet. */
bool od_fleet_add_json(struct od_fleet *fleet, struct od_view json, const char *name,
                       struct od_diags *diags);

size_t od_fleet_count(const struct od_fleet *fleet);

/* Writes the fleet as oomdoctor.fleet/1, with sorted runs and groups, into an empty writer. */
void od_fleet_json(struct od_fleet *fleet, struct od_json *json);

/* Writes only the runs, each as one line of JSON. redactor may be NULL. */
void od_fleet_json_lines(struct od_fleet *fleet, struct od_redactor *redactor, struct od_buf *to);

/* Writes the numbers of runs, failures and seconds as an OpenMetrics file. */
void od_fleet_metrics(struct od_fleet *fleet, struct od_buf *to);

/* Writes the most frequent failures as a Markdown message for a chat, of at most 2,000 bytes. */
void od_fleet_digest(struct od_fleet *fleet, struct od_buf *to);

/* Makes the document for people, which the caller frees. pictures: drawn figures; NULL = none. */
struct od_doc *od_fleet_outline(struct od_fleet *fleet, const struct od_report_options *look,
                                const struct od_pictures *pictures);

/* Makes the figures of groups, by cost in device hours and by size. In arena. */
const struct od_figures *od_fleet_figures(struct od_fleet *fleet, struct od_arena *arena);
