/*
 * What a report says of each thing, as a row (record.h): of this the JSON is written, and runs are
 * compared by it. Texts are the case's; a row lives as long as they.
 */
#pragma once

#include "report/record.h"
#include "report/report.h"

struct od_row_incident od_row_of_incident(const struct od_incident *incident);
struct od_row_tensor od_row_of_tensor(const struct od_tensor *tensor);
struct od_row_process od_row_of_process(const struct od_process *process);
struct od_row_stats od_row_of_stats(const struct od_allocator *allocator);
struct od_row_size od_row_of_size(const struct od_size *size);

/* Of its i-th size, the role that is most likely; empty = not known. */
struct od_view od_role_of_size(const struct od_report *report, const struct od_allocator *allocator,
                               size_t i);
struct od_row_series od_row_of_series(const struct od_series *series);
struct od_row_phase od_row_of_phase(const struct od_phase_row *phase);
struct od_row_finding od_row_of_finding(const struct od_finding *finding);
struct od_row_action od_row_of_action(const struct od_remedy *remedy);

/* Of the failure's i-th program; the user's own is the first. */
struct od_row_software od_row_of_software(const struct od_report *report, size_t i);

/* answer may be NULL: nothing is known. */
struct od_row_batch od_row_of_batch(const struct od_answer *answer);

/* Its times are written into the texts. */
struct od_input_times {
    char first[OD_TIME_TEXT], last[OD_TIME_TEXT];
};
struct od_row_input od_row_of_input(const struct od_source *source, struct od_input_times *times);

/* A few points that tell a series' course: the lowest and the highest of equal stretches, in their
 * order. Their number. */
enum { OD_RUN_STATES_MAX = 48 };
size_t od_run_state_of(const struct od_series *series,
                       struct od_point course[static OD_RUN_STATES_MAX]);

/* The settings that every report has, by the contract's names. */
struct od_documented {
    enum od_setting_id id;
    struct od_view value;   /* as the log has it; empty = not said */
    struct od_count number; /* of one that is a number, where it is one */
};

/* The i-th row; false after the last. */
bool od_documented_at(const struct od_case *c, size_t i, struct od_documented *ret_setting);

/* The batch that was tried: as the answer knows it, else as the log states it. */
struct od_count od_current_batch(const struct od_report *report);
