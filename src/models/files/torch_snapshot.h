/*
 * Shared by the parts of the reader of PyTorch memory snapshots (torch.cuda.memory._snapshot: a
 * pickle of dicts and lists, described in torch/csrc/cuda/memory_snapshot.cpp and
 * torch/cuda/_memory_viz.py). Internal to these files.
 */
#pragma once

#include "base/map.h"
#include "models/file_reader.h"
#include "models/files/pickle.h"

/* Limits the number of visited values. A value may occur in many places of a pickle, so its
 * expanded size is not limited by its bytes. A stored block has at least 32 bytes and is visited
 * less than 64 times. */
enum { OD_TORCH_STEPS_A_BYTE = 64, OD_TORCH_BYTES_A_BLOCK = 8 };
#define OD_TORCH_STEPS_LEAST (UINT64_C(1) << 16)

struct od_torch_snapshot {
    const struct od_file *file;
    struct od_arena *arena; /* owns texts made while reading */
    const struct od_pickle_value *top;
    const struct od_pickle_value *segments; /* a list, or NULL */
    uint64_t steps;
    struct od_map places; /* maps addresses of examined frames to their texts in arena */
};

/* A field of a record. Counts as a step; NULL if there is none, or if no steps are left. */
const struct od_pickle_value *od_torch_field(struct od_torch_snapshot *s,
                                             const struct od_pickle_value *record, const char *key);
bool od_torch_size(struct od_torch_snapshot *s, const struct od_pickle_value *record,
                   const char *key, uint64_t *ret_size);

static inline bool od_torch_is_spent(const struct od_torch_snapshot *s)
{
    return s->steps >= OD_TORCH_STEPS_LEAST + OD_TORCH_STEPS_A_BYTE * (uint64_t)s->file->bytes.n;
}

/* Place of a stack, "forward (model.py:41)": the innermost frame of the user's own code, otherwise
 * of any Python code, otherwise of any code; empty if there are no frames. frames may be NULL.
 * Allocated in s->arena. */
struct od_view od_torch_place(struct od_torch_snapshot *s, const struct od_pickle_value *frames);

/* Appends the calls of a stack to those of the dump: the user's own code, otherwise any Python
 * code, otherwise all code; innermost first, at most OD_TORCH_CALLS. Texts belong to the pickle.
 * Returns the number of added calls. frames may be NULL. */
enum { OD_TORCH_CALLS = 32 };
size_t od_torch_calls(struct od_torch_snapshot *s, const struct od_pickle_value *frames,
                      struct od_dump *dump);

/* The last failure in a device's trace. */
struct od_torch_failure {
    bool known; /* the snapshot was taken when memory ran out */
    struct od_bytes requested;
    struct od_count free;   /* free memory of the device */
    struct od_count stream; /* free bytes of the device */
};

/* Emits the out-of-memory entries of that device's trace. */
struct od_torch_failure od_torch_trace(struct od_torch_snapshot *s, uint64_t device);

/* Emits the out-of-memory entries of a device's trace. Returns the last one. */
struct od_torch_levels {
    uint64_t device, allocated, reserved;
};

/* Memory of a device at the time of the snapshot. */
void od_torch_history(struct od_torch_snapshot *s, const struct od_torch_levels *end,
                      struct od_dump *dump);

/* Sets the history of dump from a device's trace, if that has enough events. Texts are in
 * s->arena. */
void od_torch_settings(struct od_torch_snapshot *s);
