/*
 * Cases made by hand. A maker owns the case and all that is in it; lines are counted by the calls,
 * so what is added later stands later in the log.
 */
#ifndef OD_TESTS_UNIT_DIAGNOSE_CASE_MAKER_H
#define OD_TESTS_UNIT_DIAGNOSE_CASE_MAKER_H

#include "case/case.h"

struct case_maker {
    struct od_case c;
    uint64_t line;
};

void case_maker_init(struct case_maker *maker);
void case_maker_done(struct case_maker *maker);

/* The place of the next line. */
struct od_prov case_maker_next(struct case_maker *maker);

/* Valid until the next incident. text may be NULL. */
struct od_incident *case_maker_incident(struct case_maker *maker, enum od_incident_kind kind,
                                        const char *text);
struct od_run_event *case_maker_moment(struct case_maker *maker, enum od_event_kind kind,
                                       const char *name);
struct od_device *case_maker_device(struct case_maker *maker);
void case_maker_setting(struct case_maker *maker, const char *name, const char *value);
void case_maker_driver(struct case_maker *maker, uint64_t times);

/* A failed operation on a full device, the usual start of a test. shape may be NULL. */
struct od_incident *case_maker_failure(struct case_maker *maker, const char *shape, const char *op);

/* A whole dump for the last incident. sizes: pairs of bytes and count, ended by 0. */
struct dump_numbers {
    uint64_t need, limit, pool, in_use, free, largest_free, allocations;
    enum od_verdict verdict;
    const uint64_t *sizes;
};
struct od_allocator *case_maker_dump(struct case_maker *maker, const struct dump_numbers *numbers);

/* A failure with the numbers of PyTorch's message; limit 0 = none is said. */
struct torch_numbers {
    uint64_t need, capacity, in_use, reserved, free, limit;
};
struct od_incident *case_maker_torch(struct case_maker *maker, const struct torch_numbers *numbers);

/* Another process that the incident names. */
void case_maker_other(struct od_incident *incident, uint64_t pid, uint64_t bytes);

/* The one call of the incident's traceback. */
void case_maker_frame(struct case_maker *maker, struct od_incident *incident, const char *file,
                      const char *function);

#endif
