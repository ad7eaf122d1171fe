/*
 * The internal API: a session analyzes one run, in this order: input -> scan -> case -> diagnosis
 * -> report. Handles are opaque. The caller frees results of *_new.
 */
#pragma once

#include "base/base.h"

#include <stdio.h>

struct od_diags;
struct od_phase_given;
struct od_plan_request;
struct od_redactor;
struct od_report;
struct od_tools;
struct od_trace;

struct od_session_options {
    const char *const *rule_files; /* additional packs (files or folders); may be NULL */
    size_t nrule_files;
    bool no_prefilter;
    bool no_shapes;
    bool no_jit;    /* interpret patterns instead of compiling them, for memory checkers */
    FILE *unknowns; /* output for unused lines with a size or a word for memory; may be NULL */
    const struct od_trace *trace; /* observes decisions; may be NULL, must outlive the session */
    /* the user's knobs (batch, device, ram, cpus); may be NULL, must outlive the session */
    const struct od_plan_request *request;
    struct od_bytes capacity; /* memory of the run's device, used if no line prints it */
    void (*progress)(void *self, uint64_t bytes); /* called regularly; may be NULL */
    void *progress_self;
    const struct od_phase_given *phases; /* given by the user; must outlive the session */
    size_t nphases;
    /* tools shared with other sessions that have the same options (lib/tools.h), must outlive
     * the session; NULL = the session makes its own */
    struct od_tools *tools;
    const char *model; /* file or public name of the model, if the log has none; may be NULL */
    /* learns names and secrets of the logs for a redacted report; may be NULL, must outlive the
     * session, and serves one session at a time */
    struct od_redactor *redactor;
    uint64_t unpacked_most; /* maximum bytes of an unpacked log; 0 = 16 GiB */
    bool is_partial;        /* the logs are incomplete */
};

struct od_session;

/* Makes a session. options may be NULL. NULL if a rule pack is invalid or unreadable, or if the
 * model's file describes no model (see diags). */
struct od_session *od_session_new(const struct od_session_options *options, struct od_diags *diags);
void od_session_free(struct od_session *session);

/* Adds a log by name, "-" for standard input. False with a diagnostic if it is unreadable. */
bool od_session_add(struct od_session *session, const char *name);

/* Adds a log in memory, which must outlive the session. */
bool od_session_add_bytes(struct od_session *session, const char *name, const char *bytes,
                          size_t n);

/* Reads all added logs and analyzes them. Call once. The report is valid as long as the session. */
const struct od_report *od_session_analyze(struct od_session *session);

/* The exit status of `analyze` for the report: 0, 1, 3 (input unreadable or refused) or 4. */
int od_session_status(const struct od_session *session);

/* Prints the lines of --stats: lines, candidates, events, bytes of memory. */
void od_session_print_stats(const struct od_session *session, FILE *to);
