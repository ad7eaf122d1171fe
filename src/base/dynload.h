/*
 * Loads libraries on first use. Few inputs need them, and loading one takes longer than reading a
 * log. A statically linked program cannot load libraries: it lists the linked functions instead.
 */
#pragma once

#include "base/base.h"

struct od_dynload_function {
    const char *name;
    void (*linked)(void);
};

struct od_dynload_wanted {
    const char *name;
    void *to; /* points to the function pointer to fill in */
};

/* Fills in the n wanted functions from `linked` (a list that ends with a NULL name) or, if that
 * list is empty, from the shared library. False if the library or a function is missing. */
bool od_dynload(const char *library, const struct od_dynload_function *linked,
                const struct od_dynload_wanted *wanted, unsigned n);

/* Defines, for a list X(function), struct <name>_calls with a pointer to each function, and
 * load_<name>(), which fills the pointers in. */
#define OD_DYNLOAD_POINTER(name) __typeof__(name) *name;
#define OD_DYNLOAD_WANTED(name) {#name, &calls->name},
#define OD_DYNLOAD_CALLS(name, LIST, library, linked)                               \
    struct name##_calls {                                                           \
        LIST(OD_DYNLOAD_POINTER)                                                    \
    };                                                                              \
    static bool load_##name(struct name##_calls *calls)                             \
    {                                                                               \
        const struct od_dynload_wanted wanted[] = {LIST(OD_DYNLOAD_WANTED)};        \
        return od_dynload(library, linked, wanted, sizeof wanted / sizeof *wanted); \
    }
