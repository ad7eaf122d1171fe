/* Scripts of events: a run of a log, one row an event, as few words as the test needs. */
#ifndef OD_TESTS_UNIT_CASE_SCRIPT_H
#define OD_TESTS_UNIT_CASE_SCRIPT_H

#include "case/case.h"

#include <stdint.h>

struct said {
    enum od_event_kind kind;
    uint64_t line;
    const char *allocator, *device, *shape, *op, *name, *value, *space;
    const char *requested;
    uint64_t rounded;
    uint64_t rank; /* + 1; 0 = not said */
    uint64_t pid;  /* 0 = not said */
    uint32_t source;
};

enum { SCRIPT = 8 }; /* rows a test may have */

#define HARD(at, size, round)                                                                     \
    {                                                                                             \
        .kind = OD_EV_ALLOC_REFUSED, .line = (at), .allocator = "GPU_0_bfc", .requested = (size), \
        .rounded = (round)                                                                        \
    }
#define OOM(at, dims)                                                             \
    {                                                                             \
        .kind = OD_EV_ALLOC_FAILED, .line = (at), .allocator = "GPU_0_bfc",       \
        .device = "/job:localhost/replica:0/task:0/device:GPU:0", .shape = (dims) \
    }

/* Delivers the event; its texts are destroyed afterwards. */
void script_put(const struct od_sink *sink, const struct said *said);

/* The case of n events (a row of zeros ends them). The caller frees it. */
const struct od_case *script_fold(const struct said *script, size_t n);

#endif
