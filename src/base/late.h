/*
 * Libraries that few inputs need and that take longer to load than a log takes to read: they are
 * loaded when the first of their functions is wanted. A program that is linked with such a library,
 * as one without shared libraries is, lists its functions and loads nothing: it cannot.
 */
#pragma once

#include "base/base.h"

struct od_late_function {
    const char *name;
    void (*linked)(void);
};

struct od_late_wanted {
    const char *name;
    void *to; /* a pointer to the pointer to the function */
};

/* Fills in the n functions, of those linked where that list, which a NULL name ends, is not empty;
 * false when the library, or one of them, is not there. */
bool od_late_load(const char *library, const struct od_late_function *linked,
                  const struct od_late_wanted *wanted, unsigned n);

/* Of a list X(name) of functions: struct <name>_calls of pointers to them, and load_<name>(), which
 * fills one in. */
#define OD_LATE_POINTER(name) __typeof__(name) *name;
#define OD_LATE_WANTED(name) {#name, &calls->name},
#define OD_LATE_CALLS(name, LIST, library, linked)                                    \
    struct name##_calls {                                                             \
        LIST(OD_LATE_POINTER)                                                         \
    };                                                                                \
    static bool load_##name(struct name##_calls *calls)                               \
    {                                                                                 \
        const struct od_late_wanted wanted[] = {LIST(OD_LATE_WANTED)};                \
        return od_late_load(library, linked, wanted, sizeof wanted / sizeof *wanted); \
    }
