/*
 * Many runs: who failed, of what, how often, what it cost. A fleet is a set of runs, each known by
 * the digest of its inputs; its groups follow from the set. So a union of fleets is associative and
 * takes any order, and a run that was counted twice (a mapper that was killed and started again)
 * counts once.
 *
 * Memory: about 400 bytes a run, in the arena given.
 */
#pragma once

#include "base/diag.h"
#include "report/other.h"
#include "runs/run.h"

struct od_fleet;

struct od_fleet *od_fleet_new(struct od_arena *arena);
void od_fleet_free(struct od_fleet *fleet);

/* The day of runs that are added from here on and name none; and the one that the groups are
 * compared with: what is new since, gone, or came back. "2026-05-02"; false where it is no day. The
 * text must outlive the fleet. */
bool od_fleet_set_date(struct od_fleet *fleet, const char *day);
bool od_fleet_set_since(struct od_fleet *fleet, const char *day);

/* Adds a run; one that is known by its digest changes nothing. */
void od_fleet_add(struct od_fleet *fleet, const struct od_run *run);

/* Adds the runs of another one. */
void od_fleet_join(struct od_fleet *fleet, const struct od_fleet *other);

/* Adds the runs of a fleet's JSON. False with a diagnostic when it is none. */
bool od_fleet_add_json(struct od_fleet *fleet, struct od_view json, const char *name,
                       struct od_diags *diags);

/* Runs in it. */
size_t od_fleet_count(const struct od_fleet *fleet);

/* The contract's JSON (oomdoctor.fleet/1), runs and groups in an order of their own; into a writer
 * that has written nothing yet. */
void od_fleet_json(struct od_fleet *fleet, struct od_json *json);

/* The runs alone, a line of JSON each; redactor may be NULL. */
void od_fleet_json_lines(struct od_fleet *fleet, struct od_redactor *redactor, struct od_buf *to);

/* Numbers of runs, failures and seconds as a file of OpenMetrics. */
void od_fleet_metrics(struct od_fleet *fleet, struct od_buf *to);

/* A message of Markdown for a chat: what failed most, in at most 2,000 bytes. */
void od_fleet_digest(struct od_fleet *fleet, struct od_buf *to);

/* For people; free it. pictures: those of its figures; NULL = none were asked for. */
struct od_doc *od_fleet_outline(struct od_fleet *fleet, const struct od_report_options *look,
                                const struct od_pictures *pictures);

/* The groups by the hours of devices that they cost, and by their number; in arena. */
const struct od_figures *od_fleet_figures(struct od_fleet *fleet, struct od_arena *arena);
