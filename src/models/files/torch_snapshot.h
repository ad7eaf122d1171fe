/*
 * What the parts of the reader of PyTorch memory snapshots share (torch.cuda.memory._snapshot: a
 * pickle of dicts and lists; torch/csrc/cuda/memory_snapshot.cpp and torch/cuda/_memory_viz.py say
 * what is in it). Internal to these files.
 */
#pragma once

#include "base/map.h"
#include "models/file_reader.h"
#include "models/files/pickle.h"

/*
 * Limits on the number of values that are visited. A value may occur in many places of a pickle, so
 * its expansion is not bounded by its bytes: a written block has at least 32 bytes and is visited
 * less than 64 times.
 */
enum { OD_TORCH_STEPS_A_BYTE = 64, OD_TORCH_BYTES_A_BLOCK = 8 };
#define OD_TORCH_STEPS_LEAST (UINT64_C(1) << 16)

struct od_torch_snapshot {
    const struct od_file *file;
    struct od_arena *arena; /* texts made while it is read */
    const struct od_pickle_value *top;
    const struct od_pickle_value *segments; /* a list, or NULL */
    uint64_t steps;
    struct od_map places; /* of frames seen -> their text in arena */
};

/* A field of a record, counting steps; NULL when it has none, and once the steps are used up. */
const struct od_pickle_value *od_torch_field(struct od_torch_snapshot *s,
                                             const struct od_pickle_value *record, const char *key);
bool od_torch_size(struct od_torch_snapshot *s, const struct od_pickle_value *record,
                   const char *key, uint64_t *ret_size);

static inline bool od_torch_is_spent(const struct od_torch_snapshot *s)
{
    return s->steps >= OD_TORCH_STEPS_LEAST + OD_TORCH_STEPS_A_BYTE * (uint64_t)s->file->bytes.n;
}

/* "forward (model.py:41)": the innermost frame of the user's own code, else of any Python code,
 * else of all; empty when there are no frames. frames may be NULL. Lives in s->arena. */
struct od_view od_torch_place(struct od_torch_snapshot *s, const struct od_pickle_value *frames);

/* Appends the calls of a stack to those of the dump: the user's own code, else any Python code,
 * else all; innermost first, at most OD_TORCH_CALLS. Texts live in the pickle. Returns how many it
 * added. frames may be NULL. */
enum { OD_TORCH_CALLS = 32 };
size_t od_torch_calls(struct od_torch_snapshot *s, const struct od_pickle_value *frames,
                      struct od_dump *dump);

/* What the trace of a device says of the moment at which the snapshot was taken. */
struct od_torch_failure {
    bool known; /* it was taken at an out-of-memory */
    struct od_bytes requested;
    struct od_count free;   /* what the device had left */
    struct od_count stream; /* that asked */
};

/* Emits the out-of-memory entries of that device's trace. */
struct od_torch_failure od_torch_trace(struct od_torch_snapshot *s, uint64_t device);

/* What a device holds as the snapshot is taken. */
struct od_torch_levels {
    uint64_t device, allocated, reserved;
};

/* Fills the history of dump, of the events of that device's trace; none where there are few. Its
 * texts live in s->arena. */
void od_torch_history(struct od_torch_snapshot *s, const struct od_torch_levels *end,
                      struct od_dump *dump);

/* Emits the options of the allocator that differ from their defaults. */
void od_torch_settings(struct od_torch_snapshot *s);
