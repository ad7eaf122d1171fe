/*
 * Fuzzing. A harness gives bytes to one way into the program; whatever they are, it must come back
 * soon, with no fault that a sanitizer sees. One file a harness, `const struct od_fuzz
 * od_fuzz_<name>`, one word in local.mk.
 *
 * libfuzzer.c makes a fuzzer of a harness (`make fuzz`); replay.c replays saved inputs through all
 * of them (`make check`).
 */
#ifndef OD_TESTS_FUZZ_FUZZ_H
#define OD_TESTS_FUZZ_FUZZ_H

#include "base/view.h"
#include "rules/ruleset.h"

struct od_fuzz {
    const char *name;
    /* For its dictionary, beside the literals of rules and readers; NULL-terminated; may be NULL.
     */
    const char *const *words;
    /* Rules of the packs we ship, kept from call to call: to compile them takes longer than most
     * inputs. */
    void (*one)(struct od_ruleset *rules, struct od_view bytes);
};

/* All of them, NULL-terminated, in the order of local.mk. */
extern const struct od_fuzz *const od_fuzzes[];

#endif
