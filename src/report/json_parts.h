/*
 * The parts of the JSON report: each writes one documented object of the contract, every field of
 * it, null when unknown.
 */
#pragma once

#include "report/json_write.h"
#include "report/report.h"

struct od_json_report {
    struct od_json json;
    const struct od_report *report;
    bool chunks;  /* list every chunk */
    bool samples; /* and every point of a series */
};

/* "source": index into the inputs, where the run has several. */
void od_json_source(struct od_json_report *out, struct od_prov at);

/* "line": n and, when the run has several inputs, "source": index into them. Line 0 is null. */
void od_json_line(struct od_json_report *out, struct od_prov at);

/* "evidence": [{"line","text"}] */
void od_json_evidence(struct od_json_report *out, const struct od_evidence *evidence, size_t n);

void od_json_incident(struct od_json_report *out, const struct od_incident *incident);
void od_json_allocator(struct od_json_report *out, const struct od_allocator *allocator);
void od_json_finding(struct od_json_report *out, const struct od_finding *finding);

/* "software" */
void od_json_software(struct od_json_report *out);

/* "plan": null when nothing is advised. */
void od_json_plan(struct od_json_report *out);

/* A setting of the contract by its name, under key; null when the log does not say it. */
void od_json_setting(struct od_json_report *out, const char *key, enum od_setting_id id);

/* "settings": every documented name, and all that was said under "said". */
void od_json_settings(struct od_json_report *out);
void od_json_states(struct od_json_report *out);
/* "host": null where nothing on the host failed. */
void od_json_host(struct od_json_report *out);
void od_json_account(struct od_json_report *out);
/* "lost", "decide" */
void od_json_after(struct od_json_report *out);
void od_json_phases(struct od_json_report *out);
void od_json_series(struct od_json_report *out);

/* [180, 64, 224, 224], null for a dimension that is not known; null for no shape. */
void od_json_shape(struct od_json *json, const char *key, const struct od_shape *shape);
