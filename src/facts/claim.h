/*
 * What a person claims of a run: "the process gets killed with out of memory around step 500, when
 * it uses 60 of the 64 GB of RAM". Holder, predicate and amounts; the words are data
 * (rules/words/claims.yaml). A claim is no failure: it counts only where the log itself is silent.
 */
#pragma once

#include "facts/event.h"
#include "facts/meaning.h"

struct od_claim {
    uint64_t means;         /* OD_CLAIM_...: of all clauses that state something */
    bool of_others;         /* a clause says that memory ran out in another run */
    struct od_bytes in_use; /* when it ended */
    struct od_bytes limit;  /* that was set */
    struct od_bytes
        capacity; /* of the machine, or of the device where that is whose memory it is */
};

/* What a line that a person wrote claims. */
struct od_claim od_claim_read(struct od_view line);

/* Does it claim that memory ended a run: killed for memory, or ended with nearly all in use? A
 * thread's title speaks of its author's run; another line has to show that it does. */
bool od_claim_is_failure(const struct od_claim *claim, bool title);

/* The remark of that name that says so; line outlives it. */
void od_claim_event(const struct od_claim *claim, const struct od_line *line, const char *name,
                    struct od_event *ret_event);
