/*
 * The public face: one session analyzes one run. The whole trip, once, in order: input -> scan ->
 * case -> diagnosis -> report. Opaque handles; the caller owns what *_new gives and frees it.
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
    const char *const *rule_files; /* further packs (files or folders); may be NULL */
    size_t nrule_files;
    bool no_prefilter;
    bool no_shapes;
    bool no_jit;         /* patterns are interpreted: for memory checkers */
    uint64_t ahead_from; /* after this many bytes of a log a second thread reads it; 0 = never */
    FILE *unknowns;      /* unused lines with a size or a word of memory go there; may be NULL */
    const struct od_trace *trace;          /* observes decisions; may be NULL, must outlive */
    const struct od_plan_request *request; /* what the user knows of the run beyond the log (batch,
                                              device, ram, cpus); may be NULL, must outlive */
    struct od_bytes capacity; /* of the device that the run had, where no line says it */
    void (*progress)(void *self, uint64_t bytes); /* called from time to time; may be NULL */
    void *progress_self;
    const struct od_phase_given *phases; /* what phases take, as the user says; must outlive */
    size_t nphases;
    struct od_tools *tools;       /* shared with other sessions, and made by the same options
                                     (lib/tools.h); NULL = its own; must outlive */
    const char *model;            /* its file or public name, where the log has none; may be NULL */
    struct od_redactor *redactor; /* learns the names and secrets that the logs tell, for who shares
                                     the report; may be NULL, must outlive; one session at a time */
    uint64_t unpacked_most;       /* bytes that a packed log may unpack to; 0 = 16 GiB */
};

struct od_session;

/* options may be NULL. NULL when a rule pack is invalid or unreadable, or the file of the model
 * holds none (diags says why). */
struct od_session *od_session_new(const struct od_session_options *options, struct od_diags *diags);
void od_session_free(struct od_session *session);

/* Adds a log by name, "-" for standard input. False with a diagnostic when it is unreadable. */
bool od_session_add(struct od_session *session, const char *name);

/* Adds bytes in memory; they must outlive the session. */
bool od_session_add_bytes(struct od_session *session, const char *name, const char *bytes,
                          size_t n);

/* Reads all that was added and draws the conclusions. Once; the report lives with the session. */
const struct od_report *od_session_analyze(struct od_session *session);

/* The contract's exit status of analyze for that report: 0, 1, 3 (nothing readable, or
 * refused) or 4. */
int od_session_status(const struct od_session *session);

/* What --stats prints: lines, candidates, events, bytes of memory. */
void od_session_print_stats(const struct od_session *session, FILE *to);
