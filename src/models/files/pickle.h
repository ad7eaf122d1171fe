/*
 * Reads Python pickles as data. Supports only opcodes that create numbers, texts, lists, tuples,
 * dicts, None and booleans (the binary ones, protocols 2 to 5). Every opcode that names, creates or
 * calls a Python object is refused, so a pickle cannot execute anything.
 *
 * Values live as long as the pickle; texts are views into the bytes, which must outlive it. A value
 * may occur in several places (the memo), also inside itself: walk values to a fixed depth only.
 * Limits: OD_PICKLE_VALUES, OD_PICKLE_DEPTH. Memory: about 50 bytes for each value at most.
 */
#pragma once

#include "base/base.h"
#include "base/err.h"

enum { OD_PICKLE_VALUES = 32 << 20, OD_PICKLE_DEPTH = 1000 };

enum od_pickle_kind {
    OD_PICKLE_NONE,
    OD_PICKLE_BOOL,
    OD_PICKLE_INT,  /* an integer that fits int64_t */
    OD_PICKLE_UINT, /* a larger integer that fits uint64_t */
    OD_PICKLE_LONG, /* a still larger integer, whose value is not stored */
    OD_PICKLE_FLOAT,
    OD_PICKLE_TEXT, /* text or bytes */
    OD_PICKLE_LIST,
    OD_PICKLE_TUPLE,
    OD_PICKLE_DICT
};

struct od_pickle_value {
    uint32_t kind; /* enum od_pickle_kind */
    uint32_t n;    /* length of a text in bytes */
    union {
        bool truth;
        int64_t i;
        uint64_t u;
        double f;
        const char *p;
        struct od_pickle_items *items; /* of a LIST, TUPLE or DICT; NULL = empty tuple */
    } as;
};

/* Items of a container, shared by all values that refer to it. */
struct od_pickle_items {
    struct od_pickle_value *items;
    size_t n, room;
};

/* The reason why a pickle was rejected. */
struct od_pickle_fault {
    enum od_err err; /* OD_EINPUT: rejected; OD_LOST: damaged or truncated; OD_ELIMIT: too large */
    char message[200]; /* reason, and position in bytes */
};

struct od_pickle;

/* Length of the pickle in bytes, up to its STOP. */
size_t od_pickle_used(const struct od_pickle *pickle);

/* Reads a pickle up to its STOP and ignores bytes after it. NULL with *ret_fault set on error. */
struct od_pickle *od_pickle_read(struct od_view bytes, struct od_pickle_fault *ret_fault);
void od_pickle_free(struct od_pickle *pickle);

const struct od_pickle_value *od_pickle_top(const struct od_pickle *pickle);

/* Number of items of a list or tuple, or of alternating keys and values of a dict; 0 for others. */
size_t od_pickle_count(const struct od_pickle_value *value);
const struct od_pickle_value *od_pickle_item(const struct od_pickle_value *value, size_t i);

/* The value of a key of a dict, the last one if it is repeated; NULL if there is none or value is
 * no dict. Linear in the size of the dict. */
const struct od_pickle_value *od_pickle_field(const struct od_pickle_value *value, const char *key);

/* Test types and get values; false (or an empty text) for another type or NULL. */
bool od_pickle_is(const struct od_pickle_value *value, enum od_pickle_kind kind);
bool od_pickle_size(const struct od_pickle_value *value, uint64_t *ret_size);
struct od_view od_pickle_text(const struct od_pickle_value *value);
