/*
 * The internal API: one session analyzes one run, in this order: input -> scan -> case -> diagnosis
 * -> report. Opaque handles; the caller owns what *_new returns and must free it.
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
    bool no_jit;    /* interpret patterns, for memory checkers */
    FILE *unknowns; /* file for unused lines with a size or a word for memory; may be NULL */
    const struct od_trace *trace;          /* records decisions; may be NULL, must outlive the
                                              session */
    const struct od_plan_request *request; /* what the user knows about the run beyond the log
                                              (batch, device, ram, cpus); may be NULL, must
                                              outlive the session */
    struct od_bytes capacity; /* capacity of the device that the run had, if no line prints it */
    void (*progress)(void *self, uint64_t bytes); /* called regularly; may be NULL */
    void *progress_self;
    const struct od_phase_given *phases; /* memory of phases, given by the user; must outlive
                                            the session */
    size_t nphases;
    struct od_tools *tools;       /* shared with other sessions, made with the same options
                                     (lib/tools.h); NULL = its own; must outlive the session */
    const char *model;            /* its file or public name, if the log has none; may be NULL */
    struct od_redactor *redactor; /* learns names and secrets in the logs, for a report that is
                                     shared; may be NULL, must outlive the session; used by one
                                     session at a time */
    uint64_t unpacked_most;       /* limit of bytes for unpacking a log; 0 = 16 GiB */
    bool is_partial;              /* the logs that are added lack a part */
};

struct od_session;

/* options may be NULL. NULL if a rule pack is invalid or unreadable, or if the model's file
 * contains none (see diags). */
struct od_session *od_session_new(const struct od_session_options *options, struct od_diags *diags);
void od_session_free(struct od_session *session);

/* Adds a log by name, "-" for standard input. False with a diagnostic if it is unreadable. */
bool od_session_add(struct od_session *session, const char *name);

/* Adds bytes in memory; they must outlive the session. */
bool od_session_add_bytes(struct od_session *session, const char *name, const char *bytes,
                          size_t n);

/* Reads all added logs and analyzes them. Call once; the report lives as long as the session. */
const struct od_report *od_session_analyze(struct od_session *session);

/* The exit status of analyze for that report: 0, 1, 3 (nothing readable, or refused) or 4. */
int od_session_status(const struct od_session *session);

/* What --stats prints: lines, candidates, events, bytes of memory. */
void od_session_print_stats(const struct od_session *session, FILE *to);
